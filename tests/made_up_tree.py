"""What the tests of the checks share: judging a small made-up tree."""
import pathlib
import tempfile
import unittest


class MadeUpTree(unittest.TestCase):
    """Tests of one check, a module with `violations(root)`."""

    check = None
    # Place -> text of a tree that keeps every rule; each test adds or replaces one file.
    sound = {}

    def faults(self, extra):
        """What the check finds in the sound tree with these files beside."""
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for place, text in {**self.sound, **extra}.items():
                (root / place).parent.mkdir(parents=True, exist_ok=True)
                (root / place).write_text(text, encoding="utf-8")
            return list(self.check.violations(root))

    def expect(self, place, text, fault):
        """Expects one fault, in the file `place` with this text."""
        self.assertEqual(self.faults({place: text}), [f"{place}: {fault}"])
