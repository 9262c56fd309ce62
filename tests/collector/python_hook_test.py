"""What jitscope_hook makes of torch.compile's texts and records. Needs no torch.

    python_hook_test.py FOLDER_OF_THE_PACKAGE
"""
import logging
import pathlib
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1) if len(sys.argv) > 1
                else str(pathlib.Path(__file__).resolve().parents[2] / "collector" / "python"))

from jitscope_hook import break_text, guard_text, handler, sink  # noqa: E402

BREAK_2_11 = """Graph break in user code at /app/model.py:11
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):

Failed to trace builtin operator
  Explanation: Dynamo does not know how to trace builtin operator `print` with argument types
    ['str'] (has_kwargs False)
  Hint: Avoid calling builtin `print`.
  Hint: Report an issue.

  Developer debug context: builtin print [<class 'ConstantVariable'>] False

 For more details about this graph break, please visit: https://example.org/gb/gb0059.html

User code traceback:
  File "/app/main.py", line 30, in <module>
    step(x)
  File "/app/model.py", line 11, in step
    print("here")

Traceback (most recent call last):
  File "/venv/torch/_dynamo/symbolic_convert.py", line 1001, in wrapper
"""
BREAK_2_6 = """Graph break in user code at /app/model.py:7
Reason: Unsupported: Tensor.item
User code traceback:
  File "/app/model.py", line 7, in step
    n = x.sum().item()
"""
SKIP = """Graph break: skip: from user code at:
  File "/app/model.py", line 7, in loop
Skipping the function and falling back to eager
"""


class BreakTexts(unittest.TestCase):
    def test_a_break_has_type_operator_explanation_hints_and_the_users_stack(self):
        told = break_text.parse(BREAK_2_11)
        self.assertEqual(told.reason, "Failed to trace builtin operator")
        self.assertEqual(told.op, "print")
        self.assertEqual(told.explanation, "Dynamo does not know how to trace builtin operator "
                         "`print` with argument types ['str'] (has_kwargs False)")
        self.assertEqual(told.hint, "Avoid calling builtin `print`.\nReport an issue.\n"
                         "https://example.org/gb/gb0059.html")
        self.assertEqual(told.stack, "/app/model.py:11 step\n/app/main.py:30 <module>")
        self.assertFalse(told.skips_frame)

    def test_the_short_form_of_2_6_is_understood(self):
        told = break_text.parse(BREAK_2_6)
        self.assertEqual((told.reason, told.stack), ("Tensor.item", "/app/model.py:7 step"))

    def test_a_skipped_frame_is_told_apart(self):
        self.assertTrue(break_text.parse(SKIP).skips_frame)

    def test_any_text_gives_some_break(self):
        for text in ("", "\n", "Reason:", "Graph Break Reason: x:", "Hint: y", "\t" * 50):
            break_text.parse(text)


class GuardTexts(unittest.TestCase):
    def test_guards_hang_from_the_source_of_their_manager(self):
        tree = """
TREE_GUARD_MANAGER:
+- RootGuardManager
| +- GLOBAL_STATE: ___check_global_state()  # _dynamo/output_graph.py:1 in init
| +- GuardManager: source=L['x'], accessed_by=FrameLocalsGuardAccessor(key='x'), type=<class 'Tensor'>
| | +- TENSOR_MATCH: check_tensor(L['x'], size=[4])  # y = x + 1  # model.py:3 in f
"""
        self.assertEqual([tuple(guard) for guard in guard_text.guards(tree)], [
            ("GLOBAL_STATE", "", "___check_global_state()"),
            ("TENSOR_MATCH", "L['x']", "check_tensor(L['x'], size=[4])")])

    def test_reasons_come_as_a_list_or_alone(self):
        self.assertEqual(guard_text.reasons('["0/1: a", "0/0: b"]'), ["0/1: a", "0/0: b"])
        self.assertEqual(guard_text.reasons("0/0: a"), ["0/0: a"])
        self.assertEqual(guard_text.reasons("[broken"), ["[broken"])
        self.assertEqual(guard_text.reasons(""), [])

    def test_a_reason_names_entry_text_source_and_value(self):
        size = "tensor 'x' size mismatch at index 0. expected 3, actual 5"
        cases = [
            ("0/2: " + size, (2, size, "", "")),
            ("!1/0/2: " + size, (2, size, "", "")),
            ("0/1: n == 1      # y=x*2+n  # a.py:14 in f\nUser stack trace:\n  File", (1, "n == 1", "n", "1")),
            ("0/1: L['self'].k == 'a b'", (1, "L['self'].k == 'a b'", "L['self'].k", "'a b'")),
            ("Unable to find recompilation reasons",
             (-1, "Unable to find recompilation reasons", "", "")),
            ("", (-1, "", "", ""))]
        for reason, expected in cases:
            self.assertEqual(tuple(guard_text.failure(reason)), expected, reason)


class Trace:
    """Keeps the rows that a handler writes."""

    def __init__(self):
        self.rows, self.losses = [], []

    def write(self, table, **cells):
        self.rows.append((table, cells))

    def lose(self, text):
        self.losses.append(text)

    def of(self, table):
        return [cells for name, cells in self.rows if name == table]


class Records(unittest.TestCase):
    def setUp(self):
        self.trace = Trace()
        self.handler = handler.TraceHandler(self.trace)

    def send(self, event, content, payload=None, compile_id=(0, 0)):
        record = logging.LogRecord("torch.__trace", logging.DEBUG, "", 0, "", None, None)
        record.metadata = {event: content, "frame_id": compile_id[0],
                           "frame_compile_id": compile_id[1], "attempt": 0}
        record.payload = payload
        self.handler.handle(record)

    def compile(self, compile_id, name="step", **metrics):
        self.send("str", ("/app/model.py", 0))
        self.send("dynamo_start", {"stack": [{"line": 3, "name": name, "filename": 0}]},
                  compile_id=compile_id)
        self.send("compilation_metrics", {"co_name": name, **metrics}, compile_id=compile_id)

    def test_a_compilation_is_a_frame_and_a_compile(self):
        self.compile((0, 0), dynamo_cumulative_compile_time_us=50_000,
                     aot_autograd_cumulative_compile_time_us=30_000,
                     inductor_cumulative_compile_time_us=20_000,
                     inductor_code_gen_cumulative_compile_time_us=5_000)
        (frame,), (row,) = self.trace.of("frame"), self.trace.of("compile")
        self.assertEqual((frame["name"], frame["file"], frame["line"]),
                         ("step", "/app/model.py", "3"))
        phases = [row[name] for name in ("capture_ns", "aot_ns", "codegen_ns", "backend_ns")]
        self.assertEqual(phases, [20_000_000, 10_000_000, 5_000_000, 15_000_000])
        self.assertEqual(row["trigger"], "first call")

    def test_seconds_of_older_versions_count_too(self):
        self.compile((0, 0), entire_frame_compile_time_s=0.5, backend_compile_time_s=0.25)
        row = self.trace.of("compile")[0]
        self.assertEqual((row["capture_ns"], row["aot_ns"]), (250_000_000, 250_000_000))

    def test_a_recompile_knows_the_guards_that_failed(self):
        self.compile((0, 0))
        self.send("artifact", {"name": "recompile_reasons"}, "0/0: n == 1", (0, 1))
        self.compile((0, 1))
        failure = self.trace.of("guard_failure")[0]
        self.assertEqual((failure["frame"], failure["attempt"], failure["caused"]), (0, 0, 1))
        self.assertEqual(self.trace.of("compile")[1]["trigger"], "n == 1")

    def test_a_repeated_break_of_one_compilation_counts_once(self):
        self.send("dynamo_start", {"stack": []})
        for _ in range(2):
            self.send("artifact", {"name": "dynamo_graph_break_reason"}, BREAK_2_11)
        self.send("compilation_metrics", {})
        self.assertEqual(len(self.trace.of("graph_break")), 1)
        self.assertEqual(self.trace.of("compile")[0]["break_count"], 1)

    def test_frames_are_numbered_on_after_a_reset(self):
        self.compile((0, 0), "first")
        self.compile((1, 0), "second")
        self.compile((0, 0), "third")
        self.assertEqual([frame["frame"] for frame in self.trace.of("frame")], [0, 1, 2])

    def test_code_after_the_end_of_a_compilation_is_kept_and_starts_no_other(self):
        self.compile((0, 0))
        self.send("inductor_output_code", {}, "x = async_compile.cpp()")
        self.assertEqual(len(self.trace.of("compile")), 1)
        self.assertEqual([row["kind"] for row in self.trace.of("artifact")], ["output_code"])
        self.assertEqual(self.trace.losses, [])

    def test_a_failed_compilation_says_why(self):
        self.compile((0, 0), fail_type="Unsupported", fail_reason="no\nat all")
        self.assertEqual(self.trace.of("compile")[0]["failure"], "Unsupported: no")

    def test_a_skipped_cuda_graph_says_why(self):
        self.compile((0, 0), cudagraph_skip_reason="skipping cudagraphs due to cpu device (x)\nFound")
        row = self.trace.of("artifact")[0]
        self.assertEqual((row["kind"], row["name"]), ("cudagraph_skip", "cpu device (x)"))

    def test_the_cache_of_code_has_the_last_word(self):
        self.send("dynamo_start", {"stack": []})
        for name in ("aotautograd_cache_miss", "fx_graph_cache_hit", "aotautograd_cache_miss"):
            self.send("artifact", {"name": name}, "{}")
        self.send("compilation_metrics", {})
        self.assertEqual(self.trace.of("compile")[0]["cache"], 1)

    def test_what_cannot_be_understood_is_one_loss_and_no_error(self):
        for event in ("compilation_metrics", "dynamo_output_graph", "chromium_event", "artifact",
                      "dynamo_start", "symbolic_shape_specialization"):
            for content in (None, 7, "text", [], {"stack": 3, "sizes": 5, "name": None, "value": {}}):
                self.send("dynamo_start", {"stack": []})
                self.send(event, content, '"ph": "B" "name": "dynamo" [{')
        self.assertTrue(self.trace.losses)

    def test_the_limit_warning_names_the_guard_that_no_entry_answers(self):
        self.compile((0, 0))
        self.send("artifact", {"name": "recompile_reasons"}, "0/0: n == 1", (0, 1))
        warned = logging.LogRecord(
            handler.LIMIT_WARNINGS, logging.WARNING, "", 0, "hit config.%s (%s) %s %s %s",
            ("recompile_limit", 8, "'step' (/app/model.py:3)", "0/0: n == 1", "url"), None)
        handler.LimitHandler(self.handler).handle(warned)
        self.send("compilation_metrics", {"fail_type": "Unsupported"}, compile_id=(0, 1))
        self.assertEqual(len(self.trace.of("compile")), 1)  # the second was refused
        failure = self.trace.of("guard_failure")[0]
        self.assertEqual((failure["attempt"], failure["caused"], failure["text"]),
                         (0, -1, "n == 1"))


class Tables(unittest.TestCase):
    def test_columns_keep_their_order_and_defaults(self):
        tables = sink.parse_tables("table 4 frame\nnumber frame -1\ntext name 0\ntable 5 x\nnumber y 0\n")
        self.assertEqual(tables["frame"].columns, [("frame", False, -1), ("name", True, 0)])
        self.assertEqual((tables["frame"].number, tables["x"].number), (4, 5))


if __name__ == "__main__":
    unittest.main()
