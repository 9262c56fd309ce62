#!/usr/bin/env python3
"""Records ten runs on ten ranks, exports them to Parquet and asks them for regressions and stragglers.

    samples/fleet/fleet.py build/release/bin [--engine duckdb|spark] [-o out/fleet]

The first argument is the folder with jitscope's programs. A folder of -o that this program made is
made anew; another one has to be empty.
"""
import argparse
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

MARK = ".made_by_fleet"
SQL = pathlib.Path(__file__).resolve().with_name("fleet.sql")


def stop(text):
    sys.exit(f"fleet: {text}")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        stop(f"{pathlib.Path(command[0]).name} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout.strip()


def export(programs, out):
    """Leaves out/recordings/RUN and out/parquet/run=RUN."""
    recordings, parquet, mark = out / "recordings", out / "parquet", out / MARK
    if out.exists() and any(out.iterdir()) and not mark.exists():
        stop(f"{out} holds files that this program did not make; give -o an empty folder")
    for folder in recordings, parquet:
        shutil.rmtree(folder, ignore_errors=True)
    parquet.mkdir(parents=True)
    mark.touch()
    print(run(programs / "fleet_recordings", recordings))
    for recording in sorted(recordings.iterdir()):
        run(programs / "jitscope", "export", recording, "--to", "parquet",
            "-o", parquet / f"run={recording.name}")
    return parquet


def tables(parquet):
    return sorted({path.stem for path in parquet.glob("*/*/*.parquet")})


def duckdb_engine(parquet):
    """A function that runs a statement; gives the names of its columns and its rows."""
    import duckdb
    connection = duckdb.connect()
    for table in tables(parquet):
        files = str(parquet / "*" / "*" / f"{table}.parquet").replace("'", "''")
        connection.execute(f"CREATE VIEW {table} AS "
                           f"SELECT * FROM read_parquet('{files}', hive_partitioning = true)")

    def execute(statement):
        cursor = connection.execute(statement)
        return [column[0] for column in cursor.description], cursor.fetchall()
    return execute


def spark_engine(parquet):
    """As duckdb_engine."""
    from pyspark.sql import SparkSession
    session = (SparkSession.builder.master("local[2]").appName("fleet")
               .config("spark.ui.enabled", "false")
               .config("spark.sql.shuffle.partitions", "4").getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    for table in tables(parquet):
        files = session.read.option("basePath", str(parquet))
        files.parquet(str(parquet / "*" / "*" / f"{table}.parquet")).createOrReplaceTempView(table)

    def execute(statement):
        answer = session.sql(statement)
        return answer.columns, [tuple(row) for row in answer.collect()]
    return execute


ENGINES = {"duckdb": ("duckdb", duckdb_engine), "spark": ("pyspark", spark_engine)}


def statements(text):
    """Each statement with its title; None where it only prepares others."""
    for part in re.split(r";\s*$", text, flags=re.M):
        title = re.search(r"^-- title: (.*)$", part, re.M)
        code = re.sub(r"^--.*$", "", part, flags=re.M).strip()
        if code:
            yield title and title.group(1), code


def show(title, names, rows):
    cells = [names] + [[str(cell).split("\n")[0] for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    if not rows:
        print("  none")


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("programs", type=pathlib.Path, help="folder with jitscope's programs")
    words.add_argument("--engine", choices=ENGINES, default="duckdb")
    words.add_argument("-o", dest="out", type=pathlib.Path, default=pathlib.Path("out/fleet"))
    wanted = words.parse_args()
    module, engine = ENGINES[wanted.engine]
    if importlib.util.find_spec(module) is None:
        stop(f"{wanted.engine} is missing; to have it: {sys.executable} -m pip install {module}")
    execute = engine(export(wanted.programs, wanted.out.absolute()))
    for title, code in statements(SQL.read_text(encoding="utf-8")):
        names, rows = execute(code)
        if title:
            show(title, names, rows)


if __name__ == "__main__":
    main()
