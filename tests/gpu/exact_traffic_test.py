"""Counts the bytes of kernels whose traffic is known, and compares them with samples and the model.

    exact_traffic_test.py BUILD   the folder of a build that has bin/jitscope and bin/cuda_work
"""
import json
import sys
import tempfile
import unittest

from recordings import (HERE, WORK, count_named, groups_of, has_torch, real_losses, record, run,
                        why_not_sampled)

MIB = 1 << 20
ROWS = 65_536


def why_not_counted(report):
    """Why no kernel was counted; empty when some were."""
    refused = [loss["text"] for loss in real_losses(report)
               if loss["text"].startswith("no exact bytes of kernels")]
    return refused[0] if refused else ""


def bytes_of(group, source):
    """What the kernels of a group moved by one source; nothing where it does not know."""
    told = group[source] or {}
    if "bytes" in told:
        return told["bytes"]
    return told.get("read_bytes", 0) + told.get("written_bytes", 0)


class PlainCuda(unittest.TestCase):
    def record(self, *steps, traffic="exact"):
        recorded, report = record([WORK, *steps], "--traffic", traffic)
        if why_not_counted(report):
            self.skipTest(why_not_counted(report))
        return recorded, report

    def test_the_bytes_of_large_copies_are_right(self):
        size, times = 1024, 20
        recorded, report = self.record("sleep", "700", "copy", size, times, "sync", "sleep", "100",
                                       traffic="sampled,exact")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        group = groups_of(report, "copy_sixteen")[0]
        self.assertEqual(group["exact"]["kernels"], times, recorded.stderr)
        true_bytes = size * MIB * times
        for source in ("exact", "sampled"):
            if source == "sampled" and why_not_sampled(report):
                continue
            for direction in ("read_bytes", "written_bytes"):
                told = group[source][direction] / true_bytes
                self.assertLess(abs(told - 1), 0.005, f"{source} {direction}")

    def test_short_kernels_are_told_by_their_repeats(self):
        # A copy of 64 MiB takes a third of a sample; half of them read what is in the cache.
        size, times = 256, 200
        _, report = self.record("sleep", "700", "copy", size, times, "sync", "sleep", "100",
                                traffic="sampled,exact")
        group = groups_of(report, "copy_sixteen")[0]
        if why_not_sampled(report) or not group["sampled_repeats"]:
            self.skipTest(why_not_sampled(report) or "they have samples of their own")
        told = group["sampled_repeats"]
        for direction in ("read_bytes", "written_bytes"):
            exact = group["exact"][direction] / group["exact"]["kernels"]
            error = told["error_bytes"] / told["kernels"]
            self.assertLessEqual(abs(told[direction] / told["kernels"] - exact),
                                 error + 0.05 * exact, direction)

    def test_more_kernels_than_are_counted_at_once_are_all_counted(self):
        recorded, report = self.record("launch", "1000", "copy", "64", "700", "sync", "exit", "3")
        self.assertEqual(recorded.returncode, 3)
        for name, count in (("do_nothing", 1000), ("copy_sixteen", 700)):
            group, = groups_of(report, name)
            self.assertEqual(group["exact"]["kernels"], count, recorded.stderr)
        self.assertEqual(real_losses(report), [])

    def test_kernels_of_graphs_are_told_and_the_others_counted(self):
        recorded, report = self.record("copy", "64", "5", "graph", "10", "3", "copy", "64", "5",
                                       "sync")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        group, = groups_of(report, "copy_sixteen")
        self.assertEqual(group["exact"]["kernels"], 10, recorded.stderr)
        self.assertEqual(count_named(report, "do_nothing"), 30)
        self.assertEqual([loss["text"] for loss in real_losses(report)],
                         ["no exact bytes of 30 of 40 kernels: 30 in CUDA graphs"])


@unittest.skipUnless(has_torch(), "no torch with CUDA")
class RmsNormWithSilu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()
        command = [sys.executable, "-W", "ignore", HERE / "large_kernels.py", ROWS]
        # Unrecorded first, so that of the fused kernel no other forms are tried when it is recorded.
        run(command, TORCHINDUCTOR_CACHE_DIR=cls.cache.name)
        cls.recorded, cls.report = record(command, "--traffic", "sampled,exact",
                                          TORCHINDUCTOR_CACHE_DIR=cls.cache.name)
        if cls.recorded.returncode:
            raise AssertionError(cls.recorded.stderr[-2000:])
        if why_not_counted(cls.report):
            raise unittest.SkipTest(why_not_counted(cls.report))
        told = json.loads(cls.recorded.stdout)
        cls.size, cls.times = told["bytes"], told["times"]
        print("\nin sizes of the tensor, by step:", cls.moved())

    @classmethod
    def tearDownClass(cls):
        cls.cache.cleanup()

    @classmethod
    def steps(cls):
        """The groups of the eager steps, and of the fused ones."""
        groups = [group for group in cls.report["kernels"]["groups"]
                  if group["origin"] != "trial" and group["mean_ns"] > 100_000]
        eager = [group for group in groups
                 if group["origin"] == "eager" and group["count"] % cls.times == 0]
        fused = [group for group in groups if group["name"].startswith("triton_")]
        return {"eager": (eager, cls.times),
                "fused": (fused, sum(group["count"] for group in fused))}

    @classmethod
    def moved(cls):
        """By way and source: what a step moved, in sizes of the tensor."""
        return {(way, source): sum(bytes_of(group, source) for group in groups) / steps / cls.size
                for way, (groups, steps) in cls.steps().items()
                for source in ("exact", "sampled", "modelled")}

    def expect(self, source, tolerance):
        for way, expected in (("eager", 9), ("fused", 2)):
            told = self.moved()[way, source]
            self.assertLess(abs(told / expected - 1), tolerance, f"{way}: {told}")

    def test_exact_bytes_are_right(self):
        self.expect("exact", 0.005)

    def test_sampled_bytes_are_right(self):
        if why_not_sampled(self.report):
            self.skipTest(why_not_sampled(self.report))
        self.expect("sampled", 0.05)

    def test_modelled_bytes_are_right(self):
        if not any(group["modelled"] for group in self.report["kernels"]["groups"]):
            self.skipTest("nothing is modelled")
        self.expect("modelled", 0.005)


if __name__ == "__main__":
    unittest.main(verbosity=2)
