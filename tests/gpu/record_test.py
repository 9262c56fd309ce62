"""Records programs on this machine's GPU and compares what was recorded with what they did.

    record_test.py BUILD   the folder of a build that has bin/jitscope and bin/cuda_work
"""
import json
import sys
import unittest

from recordings import (HERE, WORK, count_named, groups_of, has_torch, real_losses, record,
                        why_not_sampled)


class PlainCuda(unittest.TestCase):
    def test_every_kernel_and_copy_is_there(self):
        recorded, report = record([WORK, "launch", "20000", "copy", "64", "20", "memcpy", "64", "30",
                                   "upload", "16", "sync"])
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        self.assertEqual(count_named(report, "do_nothing"), 20_000)
        self.assertEqual(count_named(report, "copy_sixteen"), 20)
        self.assertEqual(report["input"]["counts"]["memcpy"], 32)
        self.assertEqual(report["input"]["counts"]["device"], 1)
        self.assertEqual(real_losses(report), [])

    def test_nodes_of_graphs_are_there_and_known(self):
        _, report = record([WORK, "graph", "100", "50", "sync"])
        self.assertEqual(report["kernels"]["by_origin"]["replay"]["count"], 5_000)
        self.assertEqual(report["input"]["counts"]["graph_node"], 101)

    def test_launches_of_graphs_are_there_instead(self):
        _, report = record([WORK, "graph", "100", "50", "sync"], "--graph-level", "graph")
        self.assertEqual(report["run"]["kernels"], 0)
        self.assertEqual(report["input"]["counts"]["graph_launch"], 50)

    def test_no_way_out_loses_kernels(self):
        for end, status in ((["exit", "3"], 3), (["_exit", "4"], 4), ([], 0)):
            recorded, report = record([WORK, "copy", "256", "1000", *end])
            self.assertEqual(recorded.returncode, status)
            self.assertEqual(count_named(report, "copy_sixteen"), 1_000, end)

    def test_a_killed_program_keeps_all_but_the_last_moment(self):
        recorded, report = record([WORK, "launch", "20000", "sleep", "1000", "kill"])
        self.assertEqual(recorded.returncode, 128 + 9)
        self.assertEqual(count_named(report, "do_nothing"), 20_000)

    def test_nothing_is_dropped_of_a_flood(self):
        _, report = record([WORK, "launch", "1000000"])
        self.assertEqual(count_named(report, "do_nothing"), 1_000_000)
        self.assertEqual(real_losses(report), [])


class SampledTraffic(unittest.TestCase):
    MIB = 1 << 20

    def test_the_bytes_of_large_copies_are_right(self):
        size, times = 1024, 20
        _, report = record([WORK, "sleep", "700", "copy", size, times, "sync", "sleep", "100"],
                           "--traffic", "sampled")
        if why_not_sampled(report):
            self.skipTest(why_not_sampled(report))
        sampled = groups_of(report, "copy_sixteen")[0]["sampled"]
        self.assertEqual(sampled["kernels"], times)
        true_bytes = size * self.MIB * times
        self.assertLess(abs(sampled["read_bytes"] / true_bytes - 1), 0.02)
        self.assertLess(abs(sampled["written_bytes"] / true_bytes - 1), 0.02)

    def test_programs_end_as_they_do_without(self):
        for end, status in ((["exit", "3"], 3), (["_exit", "4"], 4), ([], 0)):
            for before in ([], ["sleep", "600"]):
                recorded, _ = record([WORK, *before, "launch", "10", *end], "--traffic", "sampled")
                self.assertEqual(recorded.returncode, status, recorded.stderr)


@unittest.skipUnless(has_torch(), "no torch with CUDA")
class TorchCompile(unittest.TestCase):
    def test_kernels_are_told_apart_and_joined(self):
        recorded, report = record([sys.executable, HERE / "three_ways.py"])
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        steps = json.loads(recorded.stdout)["steps"]
        kernels = report["kernels"]
        replayed = kernels["by_origin"]["replay"]["count"]
        # A graph is recorded in the second of its steps and replayed from then on.
        self.assertEqual(replayed % (steps - 1), 0)
        self.assertGreater(replayed, 0)
        self.assertGreater(kernels["by_origin"]["eager"]["count"], 0)
        fused = [group for group in kernels["groups"]
                 if group["name"].startswith("triton_") and group["origin"] != "trial"]
        self.assertEqual({group["origin"] for group in fused}, {"compiled", "replay"})
        for group in fused:
            self.assertIsNotNone(group["compile_id"], group["name"])
        self.assertEqual(real_losses(report), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
