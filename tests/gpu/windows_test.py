"""Records windows of programs on this machine's GPU and checks that they hold their kernels.

    windows_test.py BUILD   the folder of a build that has bin/jitscope, bin/cuda_work and the samples
"""
import json
import re
import sys
import unittest

from recordings import (BUILD, HERE, JITSCOPE, WORK, count_named, count_of, groups_of, has_torch,
                        real_losses, record, recording_folder, report_of, run)

MS = 1_000_000


def windows_of(report):
    """The windows of the one process that was recorded."""
    recorded, = report["run"]["recorded_windows"]
    return recorded["windows"]


def record_flight(command, *options):
    """The program as it ended, and the reports of the windows that were written, by time."""
    with recording_folder() as folder:
        path = folder / "flight"
        recorded = run([JITSCOPE, "record", "--flight-recorder", *options, "-o", path, "--", *command])
        reports = [report_of(file) for file in path.glob("*.jitscope")] if path.is_dir() else []
        return recorded, sorted(reports, key=lambda report: windows_of(report)[0]["start_ns"])


class PlainCuda(unittest.TestCase):
    def test_a_window_lasts_from_the_start_to_the_stop_of_the_profiler(self):
        recorded, report = record(
            [WORK, "launch", "300", "profiler", "on", "launch", "2000", "copy", "16", "20", "sync",
             "profiler", "off", "launch", "500"], "--start-paused")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        self.assertEqual(count_named(report, "do_nothing"), 2_000)
        self.assertEqual(count_named(report, "copy_sixteen"), 20)
        window, = windows_of(report)
        self.assertEqual((window["reason"], window["end_reason"]), ("CUDA profiler", "CUDA profiler"))

    def test_kernels_are_there_that_were_launched_in_the_window_and_ran_after_it(self):
        recorded, report = record(
            [WORK, "copy", "256", "300", "profiler", "on", "enqueue", "500", "copy", "64", "7",
             "profiler", "off", "enqueue", "60"], "--start-paused")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        self.assertEqual(count_named(report, "do_nothing"), 500)
        self.assertEqual(count_named(report, "copy_sixteen"), 7)

    def test_nodes_of_graphs_are_known_that_were_captured_before_the_window(self):
        _, report = record([WORK, "graph", "50", "3", "profiler", "on", "graph", "40", "25", "sync",
                            "profiler", "off", "graph", "10", "7"], "--start-paused")
        self.assertEqual(report["kernels"]["by_origin"]["replay"]["count"], 40 * 25)
        self.assertEqual(report["input"]["counts"]["graph_node"], 51 + 41 + 11)

    def test_the_steps_that_are_wanted_hold_their_kernels(self):
        _, report = record(
            [WORK, "launch", "100", "step", "launch", "200", "step", "launch", "400", "step",
             "launch", "800", "step", "launch", "1600"], "--steps", "2..3")
        self.assertEqual(count_named(report, "do_nothing"), 200 + 400)
        self.assertEqual([window["end_reason"] for window in windows_of(report)], ["step 3"])

    def test_a_window_by_time_holds_all_that_ran_in_it_and_nothing_else(self):
        size = 100
        recorded, report = record([WORK, "batches", size, 300], "--delay", "1500ms", "--duration", "1s")
        window, = windows_of(report)
        spans = [tuple(map(int, span)) for span in re.findall(r"batch (\d+) (\d+)", recorded.stdout)]
        self.assertEqual(len(spans), 300)
        start_ns, end_ns = window["start_ns"], window["end_ns"]
        inside = [span for span in spans if start_ns < span[0] and span[1] < end_ns]
        # The GPU's times are right to some microseconds; what lies at an edge may be in or out.
        near = [span for span in spans if start_ns - MS < span[1] and span[0] < end_ns + MS]
        self.assertGreater(len(inside), 0, "no batch ran in the window")
        count = count_named(report, "do_nothing")
        self.assertGreaterEqual(count, size * len(inside))
        self.assertLessEqual(count, size * len(near))
        self.assertEqual(real_losses(report), [])


class FlightRecorder(unittest.TestCase):
    def test_the_calls_of_a_service_are_there_with_what_caused_the_recompile(self):
        service = [BUILD / "bin" / "decode_service"]
        recorded, reports = record_flight(service, "30s,30s", "--trigger", "recompile")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        _, whole = record(service)
        self.assertEqual(windows_of(reports[0])[0]["reason"], "recompile")
        # The program takes less than the time that is shown before and after a trigger.
        report, = reports
        for number in ("calls", "regions", "compiles", "guard_failures", "kernels"):
            self.assertEqual(report["run"][number], whole["run"][number], number)
        self.assertEqual([each["cause"] for each in report["recompiles"]],
                         [each["cause"] for each in whole["recompiles"]])

    @unittest.skipUnless(has_torch(), "no torch with CUDA")
    def test_kernels_before_and_after_the_trigger_are_there(self):
        recorded, reports = record_flight(
            [sys.executable, HERE / "recompiling.py"], "10m,10m", "--trigger", "recompile")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        # Processes that Inductor starts have windows of their own, if any.
        report, = [report for report in reports if report["run"]["kernels"]]
        self.assertEqual(windows_of(report)[0]["reason"], "recompile")
        added = [group for group in report["kernels"]["groups"] if group["op"] == "aten::add_"]
        self.assertEqual(count_of(added), 2 * json.loads(recorded.stdout)["added"])
        fused = [group for group in groups_of(report, "triton_") if group["origin"] != "trial"]
        self.assertEqual({group["compile_id"] for group in fused}, {"0/0", "0/1"})
        self.assertEqual([each["id"] for each in report["recompiles"]], ["0/1"])


@unittest.skipUnless(has_torch(), "no torch with CUDA")
class Python(unittest.TestCase):
    def expect_what_is_inside(self, *options):
        recorded, report = record([sys.executable, HERE / "profiled.py"], *options)
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        inside = json.loads(recorded.stdout)["inside"]
        self.assertEqual(report["run"]["kernels"], inside)
        self.assertEqual(report["kernels"]["with_op"], inside)

    def test_a_window_lasts_from_the_start_to_the_stop_of_the_profiler(self):
        self.expect_what_is_inside("--start-paused")

    def test_a_window_lasts_as_long_as_the_range_of_its_name(self):
        self.expect_what_is_inside("--nvtx-range", "inside")


if __name__ == "__main__":
    unittest.main(verbosity=2)
