"""Python programs behave the same with and without the collector.

    python_guest_test.py [PROGRAM_JITSCOPE [PYTHON_WITH_TORCH]]

Each program is run plain and recorded; exit status, standard output and standard error must be equal.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

jitscope = sys.argv.pop(1) if len(sys.argv) > 1 else "jitscope"
python_with_torch = sys.argv.pop(1) if len(sys.argv) > 1 else "python3"

COMPILED = """
import torch
def compiled(function, **options):
    return torch.compile(function, backend="eager", **options)
"""
PROGRAMS = {
    "once": COMPILED + """
print(compiled(lambda x: x + 1)(torch.ones(2)))
""",
    "prints": "import torch; print(torch.ones(2) + 1)",
    "plain_python": "import sys; print('no torch'); sys.exit(5)",
    "breaks": COMPILED + """
def step(x):
    y = x + 1
    print("in the middle", float(y.sum()))
    return y * 2
for _ in range(2):
    print(compiled(step)(torch.ones(3)))
""",
    "recompiles_to_the_limit": COMPILED + """
step = compiled(lambda x: x + 1, dynamic=False)
for size in range(2, 13):
    print(step(torch.ones(size)).sum())
""",
    "exception_in_a_graph": COMPILED + """
def step(x, i):
    return x[i] + 1
f = compiled(step)
print(f(torch.arange(4), torch.tensor([1])))
f(torch.arange(4), torch.tensor([9]))
""",
    "exception_while_tracing": COMPILED + """
compiled(lambda x: x @ torch.ones(7, 7))(torch.ones(3))
""",
    "fullgraph_refusal": COMPILED + """
def step(x):
    print("no")
    return x
compiled(step, fullgraph=True)(torch.ones(3))
""",
    "failing_backend": """
import torch
def backend(graph, inputs):
    raise ValueError("not today")
torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2))
""",
    "own_backend": """
import torch
def backend(graph, inputs):
    print(len(list(graph.graph.nodes)))
    return graph.forward
print(torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2)))
""",
    "system_exit": COMPILED + """
compiled(lambda x: x + 1)(torch.ones(2))
raise SystemExit(7)
""",
    "os_exit": COMPILED + """
import os
compiled(lambda x: x + 1)(torch.ones(2))
os._exit(9)
""",
    "killed": COMPILED + """
import os, signal
compiled(lambda x: x + 1)(torch.ones(2))
os.kill(os.getpid(), signal.SIGTERM)
""",
    "forks": COMPILED + """
import os
f = compiled(lambda x: x + 1)
f(torch.ones(2))
pid = os.fork()
f(torch.ones(3)); f(torch.ones(4))
if pid == 0:
    os._exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
""",
    "threads": COMPILED + """
import threading
results = [None] * 4
def work(i):
    results[i] = float(compiled(lambda x: x * i)(torch.ones(3)).sum())
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
print(results)
""",
    "torch_in_a_thread": """
import threading
def work():
    import torch
    print(torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2)))
t = threading.Thread(target=work); t.start(); t.join()
""",
    "generators": COMPILED + """
def numbers(x):
    for i in range(3):
        yield x + i
def step(x):
    return sum(numbers(x))
print(compiled(step)(torch.ones(2)), list(map(compiled(lambda x: x + 1), [torch.ones(1)] * 3)))
""",
    "modules_and_gradients": """
import torch
torch.manual_seed(0)
m = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), backend="aot_eager")
m(torch.ones(2, 4)).sum().backward()
print([float(p.grad.sum()) > 0 for p in m.parameters()], torch._dynamo.is_compiling())
""",
    "garbage_is_collected": """
import gc, torch, weakref
graphs = []
def backend(graph, inputs):
    graphs.append(weakref.ref(graph))
    return graph.forward
def work():
    torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2))
work()
torch._dynamo.reset()
gc.collect()
print([graph() is None for graph in graphs])
""",
    "reset": COMPILED + """
for _ in range(3):
    torch._dynamo.reset()
    print(compiled(lambda x: x + 1)(torch.ones(2)))
""",
    "own_logging": COMPILED + """
import logging
torch._logging.set_logs(graph_breaks=False)
logging.basicConfig(level=logging.WARNING)
compiled(lambda x: x + 1)(torch.ones(2))
print(sorted(type(h).__name__ for h in logging.getLogger().handlers))
""",
    "profiler": COMPILED + """
f = compiled(lambda x: x + 1)
with torch.profiler.profile() as p:
    f(torch.ones(2))
print(any("Torch-Compiled Region" in e.key for e in p.key_averages()))
""",
    "closed_descriptors": COMPILED + """
import os
os.closerange(3, 100)
print(compiled(lambda x: x + 1)(torch.ones(2)))
""",
    "explain": COMPILED + """
def step(x):
    torch._dynamo.graph_break()
    return x + 1
told = torch._dynamo.explain(step)(torch.ones(2))
print(told.graph_count, told.graph_break_count)
""",
}
# Those that leave their process as it was, or nearly; the rest have a process of their own.
IN_ONE_PROCESS = ("prints", "breaks", "recompiles_to_the_limit", "exception_while_tracing",
                  "fullgraph_refusal", "failing_backend", "own_backend", "forks", "threads",
                  "generators", "modules_and_gradients", "garbage_is_collected", "reset", "profiler",
                  "explain", "own_logging")
RUN_EACH = """
import pathlib, runpy, sys, torch, traceback
for script in sys.argv[1:]:
    print("==", pathlib.Path(script).stem, flush=True)
    try:
        runpy.run_path(script, run_name="__main__")
    except Exception:
        traceback.print_exc()
    torch._dynamo.reset()
"""
# What differs from run to run: times, process ids and addresses.
VARIES = re.compile(r"\d\d:\d\d:\d\d(\.\d+)? [\d:]+|0x[0-9a-f]+|(?<=__compiled_fn_\d_)\w+|-\d+\.\d+ s")
CLOSING_LINE = re.compile(r"^jitscope: recorded .*\n?", re.M)


def run(command, environment):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    return done.returncode % 256, done.stdout, VARIES.sub("", CLOSING_LINE.sub("", done.stderr))


class PythonGuest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, *options, **environment):
        python = [python_with_torch, "-W", "ignore", *options]
        plain = run(python, environment)
        recorded = run([jitscope, "record", "-o", self.folder / "out", "--", *python], environment)
        # 128+N is what a shell says of a program that signal N ended.
        status = 128 - (plain[0] - 256) if plain[0] > 191 else plain[0]
        self.assertEqual(recorded, (status, *plain[1:]))
        return plain

    def check_compiled_by(self, *options, **environment):
        """As `check`; besides, the compilation is in the recording."""
        plain = self.check(*options, **environment)
        report = subprocess.run([jitscope, "report", "--format", "json", self.folder / "out"],
                                capture_output=True, text=True, timeout=300)
        self.assertEqual(json.loads(report.stdout)["run"]["compiles"], 1)
        return plain

    def test_entries_of_all_kinds(self):
        (self.folder / "once.py").write_text(PROGRAMS["once"])
        for options in (["-c", PROGRAMS["once"]], ["-I", "-E", "-s", self.folder / "once.py"]):
            with self.subTest(options=options[:-1]):
                self.check_compiled_by(*options)
        (self.folder / "sitecustomize.py").write_text("print('customized')")
        with self.subTest("-m, and a sitecustomize of the user"):
            plain = self.check_compiled_by("-m", "once", PYTHONPATH=str(self.folder))
            self.assertIn("customized", plain[1])

    def test_a_python_without_site_packages(self):
        self.check("-S", "-c", "import torch")

    def test_logs_of_the_user(self):
        output = self.check("-c", PROGRAMS["breaks"], TORCH_LOGS="graph_breaks,recompiles")
        self.assertIn("Graph break in user code", output[2])

    def test_a_structured_trace_of_the_user(self):
        traces = self.folder / "traces"
        self.check_compiled_by("-c", PROGRAMS["once"], TORCH_TRACE=str(traces))
        plain, recorded = (sorted(re.findall(r'"(?:name|\w+)": ', file.read_text()))
                           for file in traces.iterdir())
        self.assertEqual(plain, recorded)

    def test_programs_in_one_process(self):
        scripts = []
        for name in IN_ONE_PROCESS:
            scripts.append(self.folder / f"{name}.py")
            scripts[-1].write_text(PROGRAMS[name])
        (self.folder / "run_each.py").write_text(RUN_EACH)
        output = self.check(self.folder / "run_each.py", *scripts)[1]
        self.assertEqual(re.findall("^== (.*)$", output, re.M), list(IN_ONE_PROCESS))


def check_of(text):
    def test(self):
        script = self.folder / "program.py"
        script.write_text(text)
        self.check(script)
    return test


for name in PROGRAMS.keys() - set(IN_ONE_PROCESS):
    setattr(PythonGuest, f"test_{name}", check_of(PROGRAMS[name]))

if __name__ == "__main__":
    unittest.main()
