"""Records the workloads whose right answers are known and compares every answer that there is.

    workloads_test.py BUILD   the folder of a build that has bin/jitscope

JITSCOPE_GPU_CASES names a folder with workloads.py, which the tests record, and with what
torch.profiler had of it on the same kind of GPU: kineto_eager.json.gz, kineto_compiled.json.gz,
kineto_cudagraph.json.gz. The numbers below were counted in logs of these workloads.
"""
import collections
import gzip
import json
import os
import pathlib
import sys
import tempfile
import unittest

from recordings import HERE, count_of, groups_of, has_torch, real_losses, record, run, why_not_sampled

CASES = pathlib.Path(os.environ.get("JITSCOPE_GPU_CASES", "build/gpu_cases/h200")).resolve()
LONG_NS = 700_000  # surely more than five samples
WARM_UP, PROFILED = 4, 3
CALLS = WARM_UP + PROFILED

# Each test records a workload with caches that only they share, so that what they compile is not known.
cache = tempfile.TemporaryDirectory()


def record_workload(name, *options):
    with tempfile.TemporaryDirectory() as folder:
        return record([sys.executable, "-W", "ignore", CASES / "workloads.py", name, folder], *options,
                      TORCHINDUCTOR_CACHE_DIR=cache.name)


def generated(report):
    """The groups of Inductor's kernels as the program ran them, not as they were tried out."""
    return [group for group in report["kernels"]["groups"]
            if group["name"].startswith("triton_") and group["origin"] != "trial"]


def names_by_graph(report):
    names = collections.defaultdict(set)
    for group in generated(report):
        names[group["compile_id"]].add(group["name"])
    return dict(names)


def reasons(report):
    """Compile id and first failed guard of each recompile."""
    return [(each["id"], each["guard_failures"][0]["entry"], each["guard_failures"][0]["guard"])
            for each in report["recompiles"]]


def breaks(report):
    """Class, line and captures of each cause of graph breaks; it may have been passed more often."""
    return sorted((finding["cause_class"], finding["place"]["line"], finding["evidence"]["captures"])
                  for finding in report["findings"] if finding["kind"] == "graph_break")


def frame_of(report, number):
    return next(frame for frame in report["frames"] if frame["id"] == number)


def kernels_in_hits(report):
    """How many kernels those calls launched that an entry served."""
    return sum(frame["compiled"]["count"] for frame in report["kernels"]["by_frame"])


class Workload(unittest.TestCase):
    """A workload that is recorded once for all of its tests."""
    NAME, OPTIONS = "", ()

    @classmethod
    def setUpClass(cls):
        if not cls.NAME:
            raise unittest.SkipTest("what the workloads have in common")
        if not (CASES / "workloads.py").is_file():
            raise unittest.SkipTest(f"no workloads.py in {CASES}: set JITSCOPE_GPU_CASES")
        if not has_torch():
            raise unittest.SkipTest("no torch with CUDA")
        cls.recorded, cls.report = record_workload(cls.NAME, *cls.OPTIONS)
        if cls.recorded.returncode:
            raise AssertionError(cls.recorded.stderr[-2000:])

    def test_nothing_is_lost(self):
        self.assertEqual(real_losses(self.report), [])

    def test_every_kernel_is_tagged(self):
        self.assertNotIn("unknown", self.report["kernels"]["by_origin"])

    def test_every_generated_kernel_is_joined_to_its_graph_and_code(self):
        groups = generated(self.report)
        self.assertTrue(groups)
        for group in groups:
            self.assertIn(group["origin"], ("compiled", "replay"), group)
            self.assertIsNotNone(group["compile_id"], group)
            self.assertTrue(group["code"], group)


class Rms(Workload):
    NAME = "rms"

    def test_recompiles_have_their_reasons(self):
        by_size, by_one = reasons(self.report)
        self.assertEqual(
            by_size, ("0/1", "0/0", "tensor 'u' size mismatch at index 0. expected 8, actual 16"))
        self.assertEqual(by_one[:2], ("0/2", "0/1"))
        self.assertTrue(by_one[2].startswith("2 <= x.size()[0]"), by_one)
        self.assertEqual([each["became_dynamic"] for each in self.report["recompiles"]], [True, False])
        self.assertEqual(breaks(self.report), [])

    def test_each_graph_is_one_kernel(self):
        names = names_by_graph(self.report)
        self.assertEqual(sorted(names), ["0/0", "0/1", "0/2"])
        self.assertEqual({len(kernels) for kernels in names.values()}, {1})

    def test_calls_that_an_entry_served_ran_one_kernel_each(self):
        frame = frame_of(self.report, 0)
        self.assertEqual((frame["calls"], frame["hits"]), (6, 3))
        self.assertEqual(kernels_in_hits(self.report), 3)


class Break(Workload):
    NAME = "break"

    def test_breaks_are_where_they_are(self):
        self.assertEqual(breaks(self.report), [("print", 33, 1), ("scalar_read", 9, 2)])

    def test_recompiles_have_their_reasons(self):
        scales = [(f"3/{n}", f"3/{n - 1}", f"G['cfg']['scale'] == {n - 1}") for n in range(1, 8)]
        self.assertEqual(reasons(self.report), [
            ("0/1", "0/0", "tensor 'x' size mismatch at index 0. expected 4, actual 8"),
            ("1/1", "1/0", "tensor 'h' size mismatch at index 0. expected 4, actual 8"),
            *scales,
            ("4/1", "4/0", "tensor 'x' dtype mismatch. expected Float, actual BFloat16"),
            ("4/2", "4/1", "tensor 'x' dtype mismatch. expected BFloat16, actual Half")])

    def test_calls_over_the_limit_are_known(self):
        frame = frame_of(self.report, 3)
        self.assertEqual((frame["compiles"], frame["limit_calls"]), (8, 4))
        limits = [finding for finding in self.report["findings"] if finding["kind"] == "recompile_limit"]
        self.assertEqual([finding["count"] for finding in limits], [4])

    def test_each_graph_has_one_generated_kernel(self):
        graphs = [*(f"0/{n}" for n in range(2)), *(f"1/{n}" for n in range(2)),
                  *(f"3/{n}" for n in range(8)), *(f"4/{n}" for n in range(3))]
        names = names_by_graph(self.report)
        self.assertEqual(sorted(names), sorted(graphs))
        self.assertEqual({len(kernels) for kernels in names.values()}, {1})


class Train(Workload):
    NAME, OPTIONS = "train", ("--traffic", "sampled")
    STEPS, FORWARD_LAUNCHES, BACKWARD_LAUNCHES = 4, 7, 20

    def test_the_recompile_has_its_reason(self):
        self.assertEqual(reasons(self.report), [
            ("0/1", "0/0", "tensor 'i' size mismatch at index 1. expected 128, actual 256")])
        self.assertEqual(breaks(self.report), [])

    def test_both_graphs_have_their_kernels_forward_and_backward(self):
        names = names_by_graph(self.report)
        self.assertEqual({graph: len(kernels) for graph, kernels in names.items()},
                         {"0/0": 5 + 13, "0/1": 5 + 13})
        launches = self.STEPS * (self.FORWARD_LAUNCHES + self.BACKWARD_LAUNCHES)
        # Those among which a kernel was chosen, as it ran first, came before it.
        self.assertGreaterEqual(count_of(generated(self.report)), launches)

    def test_counters_are_sampled(self):
        if why_not_sampled(self.report):
            self.skipTest(why_not_sampled(self.report))
        self.assertGreater(self.report["input"]["counts"]["counter"], 0)


class Profile(Workload):
    NAME = "profile"

    @staticmethod
    def of_an_iteration(form):
        """The kernels of one iteration by name, as torch.profiler had them."""
        with gzip.open(CASES / f"kineto_{form}.json.gz") as file:
            events = json.load(file)["traceEvents"]
        counts = collections.Counter(event["name"] for event in events if event.get("cat") == "kernel")
        return {name: count // PROFILED for name, count in counts.items()}

    def counts(self, origin):
        counts = collections.Counter()
        for group in self.report["kernels"]["groups"]:
            if group["origin"] == origin:
                counts[group["name"]] += group["count"]
        return counts

    def expect_iterations(self, origin, kernels, iterations):
        found = self.counts(origin)
        self.assertEqual({name: found[name] for name in kernels},
                         {name: count * iterations for name, count in kernels.items()})

    def test_eager_iterations_have_their_kernels(self):
        self.expect_iterations("eager", self.of_an_iteration("eager"), CALLS)

    def test_compiled_iterations_have_their_kernels(self):
        kernels = self.of_an_iteration("compiled")
        # The first call with CUDA graphs runs without one.
        library = {name: count for name, count in kernels.items() if not name.startswith("triton_")}
        self.expect_iterations("compiled", library, CALLS + 1)
        for name in kernels.keys() - library.keys():
            self.assertGreaterEqual(self.counts("compiled")[name], kernels[name] * (CALLS + 1), name)

    def test_replayed_iterations_have_their_kernels(self):
        kernels = self.of_an_iteration("compiled")  # of a CUDA graph all but the copy of the input
        self.expect_iterations("replay", kernels, CALLS - 1)
        self.assertEqual(sum(self.counts("replay").values()), sum(kernels.values()) * (CALLS - 1))

    def test_calls_that_an_entry_served_have_the_kernels_of_an_iteration(self):
        compiled = sum(self.of_an_iteration("compiled").values())
        replayed = sum(self.of_an_iteration("cudagraph").values())
        self.assertEqual((compiled, replayed), (38, 39))
        self.assertEqual(sum(frame["hits"] for frame in self.report["frames"]), 2 * (CALLS - 1))
        # The call that records the CUDA graph also runs two kernels that prepare memory for it.
        self.assertEqual(kernels_in_hits(self.report), (compiled + replayed) * (CALLS - 1) + 2)

    def test_replayed_kernels_of_libraries_know_their_operator(self):
        groups = groups_of(self.report, "nvjet")
        self.assertTrue(groups)
        for group in groups:
            self.assertTrue(group["op"], group)


class LargeKernels(Workload):
    """Not of the cases: kernels that are large enough for the counters, of known traffic."""
    NAME, OPTIONS = "large_kernels", ("--traffic", "sampled")

    @classmethod
    def setUpClass(cls):
        if not has_torch():
            raise unittest.SkipTest("no torch with CUDA")
        command = [sys.executable, "-W", "ignore", HERE / "large_kernels.py"]
        # Unrecorded first, so that of the fused kernel no other forms are tried when it is recorded.
        run(command, TORCHINDUCTOR_CACHE_DIR=cache.name)
        cls.recorded, cls.report = record(command, *cls.OPTIONS, TORCHINDUCTOR_CACHE_DIR=cache.name)
        if cls.recorded.returncode:
            raise AssertionError(cls.recorded.stderr[-2000:])
        if why_not_sampled(cls.report):
            raise unittest.SkipTest(why_not_sampled(cls.report))
        told = json.loads(cls.recorded.stdout)
        cls.size, cls.times = told["bytes"], told["times"]

    def expect_traffic(self, groups, read, written):
        """What each of so many runs moved, in sizes of the tensor; the edges of kernels blur it."""
        sampled = [group["sampled"] for group in groups if group["sampled"]]
        unit = self.size * self.times
        for direction, expected in (("read_bytes", read), ("written_bytes", written)):
            told = sum(each[direction] for each in sampled) / unit
            error = sum(each["error_bytes"] for each in sampled) / unit
            self.assertLess(abs(told - expected), min(error, 0.05 * expected), direction)

    def test_the_eager_steps_moved_nine_times_the_tensor(self):
        eager = [group for group in self.report["kernels"]["groups"]
                 if group["origin"] == "eager" and group["mean_ns"] > LONG_NS / 2
                 and group["sampled"] and group["sampled"]["kernels"] % self.times == 0]
        self.expect_traffic(eager, 5, 4)

    def test_the_fused_kernel_moved_twice_the_tensor(self):
        fused, = [group for group in generated(self.report) if group["mean_ns"] > LONG_NS]
        each = fused["sampled"]
        self.assertGreaterEqual(each["kernels"], self.times)
        for direction in ("read_bytes", "written_bytes"):
            self.assertLess(abs(each[direction] / each["kernels"] / self.size - 1), 0.05, direction)


if __name__ == "__main__":
    unittest.main(verbosity=2)
