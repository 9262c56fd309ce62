"""Is a recording that was exported for Chrome's trace viewer read by HTA, with our numbers?

Usage: chrome_readers_test.py JITSCOPE TRACES. Needs Python with HolisticTraceAnalysis, this one or
the one that JITSCOPE_HTA_PYTHON names; without it the test is skipped. Traces of torch.profiler go
out and are also held against what HTA reads in the original.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
PYTHON = os.environ.get("JITSCOPE_HTA_PYTHON", sys.executable)

# Runs in the Python that has HTA: rows by category, launches that found their work, microseconds of
# kernels. Without the option HTA takes the fraction of a microsecond off both ends of a span.
READER = """
import collections, json, logging, os, sys, warnings
os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis
from hta.common.trace import Trace
result = {}
for path in sys.argv[1:]:
    trace = Trace(trace_files={0: path})
    trace.parse_traces(use_multiprocessing=False)
    frame, names = trace.traces[0], trace.symbol_table.sym_table
    categories = frame["cat"].apply(lambda each: names[each])
    counts = collections.Counter(categories)
    if "index_correlation" in frame:
        counts["linked"] = int((frame["index_correlation"] > 0).sum())
    counts["kernel_us"] = float(frame["dur"][categories == "kernel"].sum())
    if counts["kernel"]:
        TraceAnalysis(trace_files={0: path}).get_gpu_kernel_breakdown(visualize=False)
    result[path] = counts
json.dump(result, sys.stdout)
"""

# What HTA calls the rows of a table.
TABLES = {"kernel": ["kernel"], "memcpy": ["gpu_memcpy"], "memset": ["gpu_memset"],
          "sync": ["cuda_sync"], "api": ["cuda_runtime", "cuda_driver"]}
ORIGINALS = ["kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver", "cpu_op", "linked"]


def output(*command):
    return subprocess.run([str(each) for each in command], check=True, capture_output=True,
                          text=True).stdout


def hta(paths):
    """What HTA reads in each."""
    found = json.loads(output(PYTHON, "-W", "ignore", "-c", READER, *paths))
    return [found[str(each)] for each in paths]


class ChromeReaders(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def exported(self, paths):
        targets = [pathlib.Path(self.folder.name) / f"{each.name}.json.gz" for each in paths]
        for path, target in zip(paths, targets):
            output(JITSCOPE, "export", path, "--to", "chrome", "-o", target)
        return targets

    def check_ours(self, path, seen):
        columns = [f"(SELECT count(*) FROM {table}) AS {table}" for table in TABLES]
        columns.append("(SELECT total(end_ns - start_ns) FROM kernel) / 1000 AS kernel_us")
        query = "SELECT " + ", ".join(columns)
        ours = json.loads(output(JITSCOPE, "query", path, query, "--format", "json"))[0]
        for table, categories in TABLES.items():
            theirs = sum(seen.get(each, 0) for each in categories)
            self.assertEqual(theirs, ours[table], f"{path.name}: {table}")
        self.assertAlmostEqual(seen["kernel_us"], ours["kernel_us"], 2, path.name)

    def test_recordings_are_read_with_our_counts(self):
        # HTA reads no trace without a row on its timeline.
        paths = [TRACES / "all_tables_v1.jitscope"]
        for path, seen in zip(paths, hta(self.exported(paths))):
            self.check_ours(path, seen)

    def test_profiler_traces_are_read_as_they_were(self):
        paths = sorted((TRACES / "import").glob("*.json.gz"))
        self.assertGreater(len(paths), 2)
        for path, before, after in zip(paths, hta(paths), hta(self.exported(paths))):
            self.check_ours(path, after)
            for category in ORIGINALS:
                self.assertEqual(after.get(category, 0), before.get(category, 0),
                                 f"{path.name}: {category}")
            self.assertAlmostEqual(after["kernel_us"], before["kernel_us"], 2, path.name)


if __name__ == "__main__":
    JITSCOPE, TRACES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    del sys.argv[1:3]
    if subprocess.run([PYTHON, "-c", "import hta"], capture_output=True).returncode != 0:
        print("skipped: no HolisticTraceAnalysis in", PYTHON, "(pip install it, and name that "
              "Python in JITSCOPE_HTA_PYTHON)")
        sys.exit(SKIPPED)
    unittest.main()
