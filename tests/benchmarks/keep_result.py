"""Keeps the results of a benchmark: keep_result.py NAME FILE

Writes tests/benchmarks/results/NAME-DATE.json: the JSON of FILE with the machine, versions and date.
"""
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "results"


def answer(*command):
    """The first line that a program prints; empty where it is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip().partition("\n")[0]


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def main():
    name, file = sys.argv[1:]
    now = datetime.datetime.now(datetime.timezone.utc)
    kept = {
        "benchmark": name,
        "date": now.isoformat(timespec="seconds"),
        "machine": {
            "processor": processor(), "cores": os.cpu_count(), "system": platform.platform(),
            "gpu": answer("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")},
        "versions": {
            "driver": answer("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"),
            "python": platform.python_version(),
            "torch": answer(sys.executable, "-c", "import torch; print(torch.__version__)"),
            "jitscope": answer("git", "-C", str(FOLDER), "rev-parse", "HEAD")},
        "results": json.loads(pathlib.Path(file).read_text(encoding="utf-8"))}
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name}-{now:%Y%m%d-%H%M}.json"
    path.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
