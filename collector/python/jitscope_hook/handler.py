"""Receives what torch.compile logs about itself and writes it as rows.

The structured trace is what TORCH_TRACE would write. A handler of our own gets it whether or not the
user asked for a file, and leaves the user's handlers alone.
"""
import logging
import re
import time

from . import book, break_text, compilation, guard_text, kernels, observer, regions, stacks

STRUCTURED_TRACE = "torch.__trace"
LIMIT_WARNINGS = "torch._dynamo.convert_frame"
ENVELOPE = {"rank", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "stack",
            "has_payload"}
# Texts that say how torch is configured or repeat a graph, at length.
NOT_KEPT = {"torch._functorch.config", "fx_graph_runnable", "dynamo_graph_break_reason",
            "recompile_reasons"}
GRAPHS = ("aot_joint_graph", "aot_forward_graph", "aot_backward_graph", "aot_inference_graph",
          "compiled_autograd_graph", "inductor_pre_grad_graph", "inductor_post_grad_graph")
FUNCTION = re.compile(r"'(.*)' \((.*):(\d+)\)")


class TraceHandler(logging.Handler):
    """Takes the records of the structured trace, on the thread that compiles."""

    def __init__(self, trace):
        super().__init__(logging.NOTSET)
        self.trace = trace
        self.files = stacks.FileNames()
        self.observer = observer.Observer()
        self.book = book.Book(trace)
        self._installs = [regions.install, kernels.install]
        self._takers = {
            "chromium_event": self._take_phase, "dynamo_start": self._take_start,
            "artifact": self._take_artifact, "dynamo_output_graph": self._take_graph,
            "inductor_output_code": self._take_output_code,
            "dynamo_cpp_guards_str": self._take_guards,
            "symbolic_shape_specialization": self._take_specialization,
            "compilation_metrics": self._take_metrics, **dict.fromkeys(GRAPHS, self._take_text)}

    def emit(self, record):
        event = "?"
        try:
            metadata = record.metadata
            event = next((key for key in metadata if key not in ENVELOPE), "?")
            if event == "str":
                self.files.add(metadata[event])
            elif event in self._takers and metadata.get("frame_id") is not None:
                self._takers[event](metadata, record.payload or "", event)
            # What these watch is loaded by the time that the first records come.
            self._installs = [install for install in self._installs if not install(self)]
        except Exception as failure:
            self.lose(f"records {event} of torch.compile could not be read "
                      f"({type(failure).__name__})")

    def lose(self, text):
        """Says once what the trace does not hold; never raises."""
        try:
            self.trace.lose(text)
        except Exception:  # the trace has ended, or there is no memory
            pass

    def _take_phase(self, metadata, payload, _):
        running = self.book.running(metadata)
        if running is None and '"ph": "B"' in payload and '"name": "dynamo"' in payload:
            running = self.book.begin(metadata)
            self.observer.compiling()
        if running is not None:
            running.add_phase_event(payload)

    def _take_start(self, metadata, _, event):
        running = self.book.begin(metadata)
        self.book.write_failures(running, running.attempt)
        frames = metadata[event].get("stack") or [{}]
        place = self.files.stack(frames[-1:]).rpartition(" ")[0].rpartition(":")
        self.book.name_frame(running.frame, frames[-1].get("name", ""), place[0], place[2])

    def _take_artifact(self, metadata, payload, event):
        name = metadata[event].get("name", "")
        if name == "recompile_reasons":
            self._take_reasons(metadata, payload)
        running = self.book.known(metadata)
        if running is None:
            return
        if name == "dynamo_graph_break_reason":
            self._take_break(running, payload)
        running.add_cache_answer(name)
        if name.endswith("_BYTECODE"):
            self._keep(running, "bytecode", name, payload)
        elif name not in NOT_KEPT and payload:
            self._keep(running, name, running.graph_name, payload)

    def _take_reasons(self, metadata, payload):
        # Whether a compilation follows is not known yet: the limit may be reached.
        running = self.book.begin(metadata)
        running.failures = [guard_text.failure(reason) for reason in guard_text.reasons(payload)]

    def _take_break(self, running, payload):
        told = break_text.parse(payload)
        if (told.reason, told.stack) in running.breaks:
            return  # the analysis was started again
        running.breaks.add((told.reason, told.stack))
        now = time.time_ns()
        self.trace.write("graph_break", frame=running.frame, attempt=running.attempt, after=0,
                         start_ns=now, end_ns=now, thread=running.thread, is_first=1,
                         reason=told.reason, op=told.op, explanation=told.explanation,
                         hint=told.hint, stack=told.stack or running.stack)

    def _take_graph(self, metadata, payload, event):
        running = self.book.running(metadata)
        if running is not None:
            running.add_graph(metadata[event].get("sizes") or {})
            self._keep(running, "graph_code", running.graph_name, payload)

    def _take_output_code(self, metadata, payload, event):
        running = self.book.known(metadata)
        if running is not None:
            running.add_output_code(payload)
            file = (metadata[event] or {}).get("filename") or running.graph_name
            self._keep(running, "output_code", file, payload)

    def _take_text(self, metadata, payload, event):
        running = self.book.known(metadata)
        if running is not None:
            self._keep(running, event, running.graph_name, payload)

    def _take_guards(self, metadata, payload, _):
        running = self.book.running(metadata)
        if running is None:
            return
        running.guard_count = 0
        for guard in guard_text.guards(payload):
            self.trace.write("guard", frame=running.frame, attempt=running.attempt,
                             index=running.guard_count, **guard._asdict())
            running.guard_count += 1
        self._keep(running, "guards", running.graph_name, payload)

    def _take_specialization(self, metadata, _, event):
        running = self.book.running(metadata)
        told = metadata[event]
        value = str(told.get("value", ""))
        if running is None or not value.lstrip("-").isdigit():
            return
        self.trace.write("specialization", frame=running.frame, attempt=running.attempt,
                         time_ns=time.time_ns(), source=", ".join(told.get("sources") or []),
                         value=int(value), reason=str(told.get("reason", "")),
                         stack=self.files.stack(told.get("user_stack")) or running.stack)

    def _take_metrics(self, metadata, _, event):
        metrics = metadata[event]
        running = self.book.end(metadata)
        if running is None or running.is_refused:
            return
        self.book.name_frame(running.frame, metrics.get("co_name") or "",
                             metrics.get("co_filename") or "", metrics.get("co_firstlineno") or 0)
        self.book.write_frame(running.frame)
        skipped = metrics.get("cudagraph_skip_reason")
        if skipped:
            reason = skipped.splitlines()[0].replace("skipping cudagraphs due to ", "")
            self._keep(running, "cudagraph_skip", reason, skipped)
        if running.phases:
            self._keep(running, "phases", running.graph_name, running.phases_text())
        row = running.row(metrics)
        self.trace.write("compile", **row)
        if row["failure"]:
            self.observer.failed()
        else:
            self.observer.expect(metadata["frame_id"], running.attempt, running.frame)

    def _keep(self, running, kind, name, content):
        self.trace.write("artifact", frame=running.frame, attempt=running.attempt, segment=0,
                         time_ns=time.time_ns(), kind=kind, name=name, content=content)


class LimitHandler(logging.Handler):
    """Takes the warning that a frame has reached its limit of recompilations."""

    def __init__(self, recorder):
        super().__init__(logging.WARNING)
        self._recorder = recorder

    def emit(self, record):
        try:
            arguments = record.args if isinstance(record.args, tuple) else ()
            if len(arguments) < 4 or "limit" not in str(arguments[0]):
                return
            book = self._recorder.book
            running = book.refuse(FUNCTION.match(str(arguments[2])))
            if running is None:
                return
            if not running.failures:
                running.failures = [guard_text.failure(str(arguments[3]))]
            book.write_failures(running, -1)
            self._recorder.observer.limit(running.frame)
        except Exception as failure:
            self._recorder.lose(f"a recompile limit could not be read ({type(failure).__name__})")
