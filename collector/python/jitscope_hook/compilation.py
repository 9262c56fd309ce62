"""One compilation while it runs, and the row that it becomes."""
import json
import re
import time

from . import sink, stacks

NANOSECONDS = {"us": 1_000, "s": 1_000_000_000}
CACHE_STATES = {"hit": 1, "miss": 2, "bypass": 3}  # trace::CacheState
KERNEL = re.compile(r"^(\w+) = async_compile\.(?!wait)", re.M)


def duration_ns(metrics, *names):
    """The first of these fields that has a value; each names its unit at its end."""
    for name in names:
        value = metrics.get(name)
        if value is not None:
            return int(value * NANOSECONDS[name.rsplit("_", 1)[1]])
    return 0


class Compilation:
    """What the records of one compile id have told so far."""

    def __init__(self, frame, attempt):
        self.frame, self.attempt = frame, attempt
        self.start_ns = time.time_ns()
        self.thread = sink.thread_id()
        self.stack = stacks.calling_stack()
        self.trigger = ""
        self.failures = []  # guards that failed and were not written yet
        self.is_refused = False  # by the limit of recompilations
        self.breaks = set()
        self.graph_count = self.kernel_count = self.guard_count = 0
        self.is_dynamic = False
        self.cache = 0
        self.phases = {}  # name -> [how often, ns]
        self._open_phases = {}

    @property
    def graph_name(self):
        """What the graph is called in regions and artifacts."""
        return f"graph {self.frame}/{self.attempt}"

    def add_graph(self, sizes):
        """Takes the sizes of the graph's values, in which symbols are texts."""
        self.graph_count += 1
        dimensions = (size for shape in sizes.values() for size in shape)
        self.is_dynamic |= any(isinstance(size, str) for size in dimensions)

    def add_output_code(self, code):
        self.kernel_count += len(KERNEL.findall(code))

    def add_cache_answer(self, name):
        """Takes the name of an artifact of a cache; the code's own cache has the last word."""
        cache, _, answer = name.rpartition("_cache_")
        if answer in CACHE_STATES and (cache == "fx_graph" or not self.cache):
            self.cache = CACHE_STATES[answer]

    def add_phase_event(self, payload):
        """Takes the beginning or the end of a phase."""
        event = json.loads(payload)
        name, time_us = event["name"], event["ts"]
        if event["ph"] == "B":
            self._open_phases.setdefault(name, []).append(time_us)
        elif event["ph"] == "E" and self._open_phases.get(name):
            phase = self.phases.setdefault(name, [0, 0])
            phase[0] += 1
            phase[1] += int((time_us - self._open_phases[name].pop()) * 1000)

    def phase_ns(self, name):
        return self.phases.get(name, (0, 0))[1]

    def phases_text(self):
        """All phases, longest first: `inductor_compile 1 24.113 s`."""
        ordered = sorted(self.phases.items(), key=lambda item: -item[1][1])
        return "\n".join(f"{name} {count} {ns / 1e9:.6f} s" for name, (count, ns) in ordered)

    def row(self, metrics):
        """The compile row's cells, from the metrics with which Dynamo ends a compilation."""
        entire = duration_ns(metrics, "dynamo_cumulative_compile_time_us",
                             "entire_frame_compile_time_s")
        backend = duration_ns(metrics, "aot_autograd_cumulative_compile_time_us",
                              "backend_compile_time_s")
        inductor = duration_ns(metrics, "inductor_cumulative_compile_time_us",
                               "inductor_compile_time_s")
        codegen = duration_ns(metrics, "inductor_code_gen_cumulative_compile_time_us",
                              "code_gen_time_s")
        guards = self.phase_ns("build_guards")
        start_ns = duration_ns(metrics, "start_time_us", "start_time_s") or self.start_ns
        failure = ""
        if metrics.get("fail_type"):
            reason = (metrics.get("fail_reason") or "").strip().splitlines()
            failure = ": ".join([metrics["fail_type"], *reason[:1]])
        return dict(
            frame=self.frame, attempt=self.attempt, thread=self.thread, start_ns=start_ns,
            end_ns=max(start_ns, time.time_ns()), trigger=self.trigger or "first call",
            # Disjoint, so that they add up to the whole.
            capture_ns=max(0, entire - backend - guards), guards_ns=guards,
            aot_ns=max(0, backend - inductor), codegen_ns=codegen,
            backend_ns=max(0, inductor - codegen), cache=self.cache, failure=failure,
            graph_count=self.graph_count, break_count=len(self.breaks),
            op_count=metrics.get("graph_op_count") or 0, kernel_count=self.kernel_count,
            guard_count=metrics.get("guard_count") or self.guard_count,
            is_dynamic=self.is_dynamic, stack=self.stack)
