"""Records programs with the build under test and reads the JSON reports of their recordings.

JITSCOPE_GPU_KEEP names a folder in which the recordings stay, to look at when a test fails.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# The first argument of a test is the folder of a build that has bin/jitscope and bin/cuda_work.
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release").resolve()
HERE = pathlib.Path(__file__).resolve().parent
JITSCOPE = BUILD / "bin" / "jitscope"
WORK = BUILD / "bin" / "cuda_work"
PATIENCE_S = 300


def run(command, **changes):
    environment = {**os.environ, **changes}
    return subprocess.run([str(word) for word in command], env=environment, text=True,
                          capture_output=True, timeout=PATIENCE_S, check=False)


def report_of(path):
    """The JSON report of a recording."""
    told = run([JITSCOPE, "report", path, "--format", "json"])
    if told.returncode:
        raise AssertionError(told.stderr)
    return json.loads(told.stdout)


@contextlib.contextmanager
def recording_folder():
    """A folder for what is recorded, which goes with the test unless it is to be kept."""
    kept = os.environ.get("JITSCOPE_GPU_KEEP")
    if kept:
        pathlib.Path(kept).mkdir(parents=True, exist_ok=True)
        yield pathlib.Path(tempfile.mkdtemp(dir=kept))
        return
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


def record(command, *options, **changes):
    """The program as it ended, and the JSON report of its recording. `changes` go into its
    environment."""
    with recording_folder() as folder:
        path = folder / "run.jitscope"
        recorded = run([JITSCOPE, "record", *options, "-o", path, "--", *command], **changes)
        try:
            return recorded, report_of(path)
        except AssertionError as problem:
            raise AssertionError(f"{recorded.stderr[-2000:]}{problem}") from problem


def groups_of(report, name):
    """The groups of kernels in whose name this is."""
    return [group for group in report["kernels"]["groups"] if name in group["name"]]


def count_of(groups):
    """How many kernels there are in these groups."""
    return sum(group["count"] for group in groups)


def count_named(report, name):
    """How many kernels have this in their name."""
    return count_of(groups_of(report, name))


def real_losses(report):
    return [loss for loss in report["losses"] if loss["kind"] != "overhead"]


def why_not_sampled(report):
    """Why the counters were not sampled, as the recording has it; empty when they were."""
    refused = [loss["text"] for loss in real_losses(report) if "is not sampled" in loss["text"]]
    return refused[0] if refused else ""


def has_torch():
    asked = run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"])
    return asked.returncode == 0
