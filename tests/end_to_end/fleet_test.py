"""Exports a fleet of recordings to Parquet, and reads it as other tools do: the sample with DuckDB,
pyarrow and pandas. What a tool is missing for is skipped; when all is, so is the test (status 77).

    fleet_test.py FOLDER_OF_PROGRAMS
"""
import collections
import csv
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

programs = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
FLEET = pathlib.Path(__file__).resolve().parents[2] / "samples" / "fleet"


def has(module):
    return importlib.util.find_spec(module) is not None


def needs(module):
    return unittest.skipUnless(has(module), f"{sys.executable} has no {module}")


def run(*command, status=0):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300)
    if done.returncode != status:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class Fleet(unittest.TestCase):
    """Tests on ten exported runs of ten ranks, made once."""
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(FLEET))
        import fleet
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.folder.name)
        cls.parquet = fleet.export(programs, cls.out)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def csv_rows(self, recording, table):
        folder = self.out / f"{recording}_csv"
        if not folder.exists():
            run(programs / "jitscope", "export", self.out / "recordings" / recording,
                "--to", "csv", "-o", folder)
        with open(folder / f"{table}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def assert_same(self, rows, recording, table):
        """Rows with the columns of the folders' names against the export to CSV."""
        expected = self.csv_rows(recording, table)
        names = expected[0].keys()
        self.assertEqual(
            collections.Counter(tuple(str(row[name]) for name in names) for row in rows),
            collections.Counter(tuple(row[name] for name in names) for row in expected))


class Readers(Fleet):
    @needs("pyarrow")
    def test_pyarrow_reads_the_rows_and_the_columns_of_the_folders(self):
        import pyarrow.dataset
        for table in "process", "call", "op", "graph_break":
            files = sorted(str(path) for path in self.parquet.glob(f"*/*/{table}.parquet"))
            self.assertEqual(len(files), 100)
            rows = pyarrow.dataset.dataset(
                files, partitioning="hive", partition_base_dir=str(self.parquet)).to_table().to_pylist()
            self.assertEqual({row["run"] for row in rows}, {f"run_0{i}" for i in range(10)})
            self.assertEqual({row["rank"] for row in rows}, set(range(10)))
            self.assert_same([row for row in rows if row["run"] == "run_07"], "run_07", table)

    @needs("pyarrow")
    def test_a_table_that_no_run_has_rows_of_is_there_with_its_columns(self):
        import pyarrow.parquet
        table = pyarrow.parquet.read_table(self.parquet / "run=run_00" / "rank=3" / "counter.parquet")
        self.assertEqual(table.num_rows, 0)
        self.assertEqual(table.column_names[:4], ["process", "start_ns", "end_ns", "device"])

    @needs("pandas")
    def test_pandas_reads_one_table_of_all_runs(self):
        import pandas
        files = [str(path) for path in self.parquet.glob("*/*/op.parquet")]
        ops = pandas.read_parquet(files, engine="pyarrow", partitioning="hive")
        self.assertEqual(len(ops), 10 * 10 * 40 * 7)
        self.assertEqual(ops.groupby(["run", "rank"], observed=True).size().unique().tolist(), [280])
        self.assertEqual(str(ops["start_ns"].dtype), "int64")

    @needs("duckdb")
    def test_duckdb_reads_the_rows_and_the_columns_of_the_folders(self):
        import duckdb
        for table in "process", "op", "kernel", "graph_break":
            answer = duckdb.sql(f"FROM read_parquet('{self.parquet}/*/*/{table}.parquet', "
                                "hive_partitioning = true) WHERE run = 'run_04'")
            rows = [dict(zip(answer.columns, row)) for row in answer.fetchall()]
            self.assert_same(rows, "run_04", table)


class Sample(unittest.TestCase):
    @needs("duckdb")
    def test_finds_what_is_planted_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            text = run(sys.executable, "-B", FLEET / "fleet.py", programs, "-o", folder)
        regressions, breaks, stragglers = text.split("\n\n")[1:]
        self.assertEqual(re.findall(r"run_\d+", regressions), ["run_07"])
        self.assertRegex(breaks, r"run_07 +Unsupported Tensor.item\(\) call .* 400 +7\.0\n?$")
        self.assertNotIn("print", breaks)
        self.assertEqual(re.findall(r"run_\d+ +\d+ +\S+", stragglers), ["run_04  3     node-0"])

    def test_leaves_a_folder_of_somebody_else_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder) / "recordings" / "mine"
            kept.parent.mkdir()
            kept.write_text("mine")
            code = ("import pathlib, sys; sys.path.insert(0, sys.argv[1]); import fleet; "
                    "fleet.export(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))")
            text = run(sys.executable, "-B", "-c", code, FLEET, programs, folder, status=1)
            self.assertIn("did not make", text)
            self.assertEqual(kept.read_text(), "mine")

    def test_says_how_to_get_what_is_missing(self):
        # -S leaves out what pip installed.
        for engine, module in ("duckdb", "duckdb"), ("spark", "pyspark"):
            text = run(sys.executable, "-S", FLEET / "fleet.py", programs, "--engine", engine, status=1)
            self.assertRegex(text, f"^fleet: {engine} is missing; to have it: .* pip install {module}\n$")


class Plugin(unittest.TestCase):
    """Arrow is needed by the export alone."""
    def test_without_its_library_only_the_export_fails_and_says_what_to_do(self):
        trace = FLEET.parents[1] / "tests" / "traces" / "tiny_v1.jitscope"
        with tempfile.TemporaryDirectory() as folder:
            alone = pathlib.Path(folder) / "bin" / "jitscope"
            alone.parent.mkdir()
            shutil.copy(programs / "jitscope", alone)
            report = json.loads(run(alone, "report", trace, "--format", "json"))
            self.assertIn("verdict", report)
            text = run(alone, "export", trace, "--to", "parquet", "-o", f"{folder}/out", status=2)
            self.assertEqual(text.count("\n"), 1, text)
            self.assertIn("tools/setup.sh", text)
            self.assertEqual([path.name for path in pathlib.Path(folder).iterdir()], ["bin"])

    def test_the_program_itself_is_not_linked_with_arrow(self):
        self.assertNotIn(b"libarrow", (programs / "jitscope").read_bytes())


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    isSkipped = result.wasSuccessful() and len(result.skipped) == result.testsRun
    sys.exit(77 if isSkipped else not result.wasSuccessful())
