"""Runs the samples, and the main job on one of them: record, report, picture.

    samples_test.py FOLDER_OF_PROGRAMS
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

programs = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def line_of(sample, text):
    """The line of a sample's source that holds this text."""
    for number, line in enumerate((SAMPLES / sample).read_text().splitlines(), 1):
        if text in line:
            return number
    raise AssertionError(f"{sample} does not hold {text!r}")


class Samples(unittest.TestCase):
    def test_show_graph_prints_the_captured_graph(self):
        lines = [line.strip() for line in run(programs / "show_graph").splitlines()]
        self.assertEqual(lines[0], "def forward(self, L_x_ : Tensor, L_w_ : Tensor):")
        self.assertIn("matmul = l_x_ @ l_w_;  l_x_ = l_w_ = None", lines)
        self.assertIn("silu = torch.nn.functional.silu(matmul);  matmul = None", lines)
        self.assertEqual(lines[-1], "return (silu,)")

    def test_graph_break_finds_two_graphs_and_the_reason(self):
        text = run(programs / "graph_break")
        self.assertIn("captured 2 graphs, 1 break", text)
        self.assertIn(
            "reason: Unsupported Tensor.item() call with capture_scalar_outputs=False", text)
        self.assertRegex(text, f"graph_break.cpp:{line_of('graph_break.cpp', '.item<float>()')}\n")

    def test_recompile_compiles_twice(self):
        counts = re.findall(r"batch=(\d+)\s+compiles so far (\d+)", run(programs / "recompile"))
        self.assertEqual(
            counts, [("4", "1"), ("4", "1"), ("8", "2"), ("16", "2"), ("32", "2")])

    def test_no_break_is_one_graph_with_equal_results(self):
        self.assertIn("equal on 5 of 5 random inputs", run(programs / "no_break"))

    def test_fusion_is_one_kernel_that_moves_its_input_and_its_output_once(self):
        text = run(programs / "fusion")
        self.assertIn("kernel: cpp_fused_add_mean_mul_pow_rsqrt_silu_0\n", text)
        eager, fused = map(float, re.search(r"x: (\S+) eagerly, (\S+) fused", text).groups())
        self.assertGreater(eager, 9)
        self.assertLess(fused, 2.2)
        self.assertIn("same result as eager: yes", text)

    def test_train_step_has_the_losses_of_eager_and_generated_kernels(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "t.jitscope"
            text = run(programs / "jitscope", "record", "-o", trace, "--", programs / "train_step")
            self.assertIn("same losses: yes", text)
            rows = run(programs / "jitscope", "query", trace, "--format", "csv",
                       "SELECT DISTINCT name FROM op WHERE name LIKE 'cpp_fused_%'")
            names = rows.splitlines()[1:]
            self.assertTrue(any("gelu_backward" in name for name in names), names)
            self.assertTrue(any("gelu" in name and "backward" not in name for name in names), names)

    def test_latency_spikes_shows_each_cause_and_the_mended_service(self):
        broken, mended = run(programs / "latency_spikes").split("mended:")
        self.assertIn("size mismatch at index 0. expected 4, actual 6", broken)
        self.assertIn("L['temperature'] == 1", broken)
        self.assertIn("dtype mismatch. expected Float, actual Double", broken)
        self.assertIn("limit reached", broken)
        served = [line.rsplit(": ", 1)[1] for line in mended.splitlines()[1:]]
        self.assertEqual(served, ["hit"] * 11)


class MainJob(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.trace = pathlib.Path(cls.folder.name) / "t.jitscope"
        cls.output = run(programs / "jitscope", "record", "-o", cls.trace, "--",
                         programs / "decode_service")
        cls.report = json.loads(
            run(programs / "jitscope", "report", cls.trace, "--format", "json"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def finding(self, kind):
        found = [f for f in self.report["findings"] if f["kind"] == kind]
        self.assertEqual(len(found), 1, f"findings of kind {kind}")
        return found[0]

    def test_the_recorded_program_is_undisturbed(self):
        self.assertIn("same tokens: yes", self.output)

    def test_the_planted_break_is_found_with_place_cost_and_fix(self):
        found = self.finding("graph_break")
        self.assertEqual(found["cause_class"], "scalar_read")
        self.assertTrue(found["place"]["file"].endswith("samples/decode_service.cpp"))
        self.assertEqual(found["place"]["line"],
                         line_of("decode_service.cpp", "// the planted break"))
        self.assertEqual(found["count"], 82)
        self.assertGreater(found["cost"]["time_ns"], 0)
        self.assertIn("torch::where", found["fix"])

    def test_the_avoidable_recompile_is_found_with_place_cost_and_fix(self):
        found = self.finding("recompile")
        self.assertTrue(found["is_avoidable"])
        self.assertIn("size 0 of tokens changed from 4 to 8", found["title"])
        self.assertTrue(found["place"]["file"].endswith("samples/decode_service.cpp"))
        self.assertGreater(found["cost"]["time_ns"], 0)
        self.assertIn("jitscope::markDynamic(tokens, 0)", found["fix"])

    def test_eager_and_compiled_calls_stand_side_by_side(self):
        frame = self.report["frames"][0]
        self.assertEqual(frame["name"], "decode_step")
        text = run(programs / "jitscope", "report", self.trace)
        self.assertRegex(text, r"decode_step\s+eager\s+82")
        self.assertRegex(text, r"decode_step\s+compiled\s+80")

    def test_recording_and_checking_are_one_step(self):
        for limit, status in ("graph_breaks=0", 1), ("graph_breaks=1", 0):
            trace = pathlib.Path(self.folder.name) / "checked.jitscope"
            command = [programs / "jitscope", "record", "--check", "--limit", limit, "-o", trace,
                       "--", programs / "decode_service"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            self.assertIn("same tokens: yes", done.stdout)
            self.assertIn("different graph breaks", done.stdout)

    def test_what_check_refuses_is_told_before_the_program_runs(self):
        for wrong in ["--limit", "nope=1"], ["--config", "absent.toml"], ["--limit", "x"], []:
            command = [programs / "jitscope", "record", "--check", *wrong, "-o",
                       pathlib.Path(self.folder.name) / "never.jitscope", "--", "echo", "ran"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotIn("ran", done.stdout)
            self.assertIn("jitscope check: ", done.stderr)

    def test_the_run_can_be_handed_to_other_tools(self):
        target = pathlib.Path(self.folder.name) / "t.json"
        run(programs / "jitscope", "export", self.trace, "--to", "chrome", "-o", target)
        events = json.loads(target.read_text())["traceEvents"]
        calls = [e for e in events if e.get("cat") == "jitscope_call"]
        self.assertEqual(len(calls), self.report["run"]["calls"])
        operators = [e for e in events if e.get("cat") == "cpu_op"]
        self.assertGreaterEqual(len(operators), self.report["run"]["ops"])

    def test_the_picture_has_the_asked_size(self):
        window = programs / "jitscope-gui"
        if not window.exists():
            self.skipTest("built without Qt")
        picture = pathlib.Path(self.folder.name) / "t.png"
        run(window, self.trace, "--screenshot", picture)
        data = picture.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (1600, 900))
        self.assertGreater(len(data), 50_000, "an empty picture packs to less")


if __name__ == "__main__":
    unittest.main()
