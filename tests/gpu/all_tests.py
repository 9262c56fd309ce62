"""Runs all tests of this folder, shows them as they go, and writes how each ended as JSON.

    all_tests.py BUILD RESULTS   the folder of a build; the file for the JSON
"""
import json
import pathlib
import sys
import time
import unittest

from recordings import HERE


class Outcomes(unittest.TextTestResult):
    """Keeps how each test ended: its id, passed, failed or skipped, why, and after how many seconds;
    of a class that was skipped or failed as a whole no test was started, so there are none."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.kept = []
        self.started = None

    def startTest(self, test):
        super().startTest(test)
        self.started = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.started = None

    def keep(self, test, outcome, why=""):
        seconds = None if self.started is None else round(time.monotonic() - self.started, 1)
        self.kept.append({"test": test.id(), "outcome": outcome, "why": why[-2000:],
                          "seconds": seconds})

    def addSuccess(self, test):
        super().addSuccess(test)
        self.keep(test, "passed")

    def addFailure(self, test, problem):
        super().addFailure(test, problem)
        self.keep(test, "failed", str(problem[1]))

    def addError(self, test, problem):
        super().addError(test, problem)
        self.keep(test, "failed", f"{problem[0].__name__}: {problem[1]}")

    def addSubTest(self, test, subtest, problem):
        super().addSubTest(test, subtest, problem)
        if problem is not None:
            self.keep(subtest, "failed", str(problem[1]))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.keep(test, "skipped", reason)


def main():
    results = pathlib.Path(sys.argv.pop(1))
    tests = unittest.defaultTestLoader.discover(str(HERE), pattern="*_test.py")
    outcomes = unittest.TextTestRunner(verbosity=2, resultclass=Outcomes).run(tests)
    results.write_text(json.dumps(outcomes.kept, indent=2), encoding="utf-8")
    return 0 if outcomes.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
