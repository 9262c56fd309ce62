"""What recording costs a program on the GPU, as JSON: launches, nodes of graphs, steps of a model.

    gpu_cost.py BUILD   the folder of a build that has bin/jitscope and bin/cuda_work

Everything is measured unrecorded and recorded in turns, each time in a process of its own, since a
machine's speed changes from second to second. Of several turns the best counts.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TURNS = 3
LAUNCHES, NODES, REPLAYS = 300_000, 2_000, 100
PATIENCE_S = 600
HERE = pathlib.Path(__file__).resolve().parent
WAYS = {"unrecorded": None, "nodes": [], "graphs": ["--graph-level", "graph"]}


def output_of(command):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          timeout=PATIENCE_S, check=False)
    if done.returncode:
        raise SystemExit(f"{command[0]} ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def run(build, options, command):
    """What `command` prints, unrecorded or recorded."""
    if options is None:
        return output_of(command)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.jitscope")
        return output_of([build / "bin" / "jitscope", "record", *options, "-o", path, "--", *command])


def launches(build):
    """Nanoseconds of a launch of an empty kernel and of a node of a graph, by way of recording."""
    command = [build / "bin" / "cuda_work", "launch", "50000", "launch", LAUNCHES, "graph", NODES, REPLAYS]
    best = {}
    for _ in range(TURNS):
        for way, options in WAYS.items():
            printed = run(build, options, command)
            numbers = [float(number) for number in re.findall(r": ([\d.]+) ns", printed)]
            launch_ns, node_ns = numbers[1], numbers[2]
            known = best.setdefault(way, {"launch_ns": launch_ns, "node_ns": node_ns})
            known["launch_ns"] = min(known["launch_ns"], launch_ns)
            known["node_ns"] = min(known["node_ns"], node_ns)
    return best


def steps(build):
    """Microseconds of a step of a language model, by way of recording; none without torch."""
    script = HERE / "language_model.py"
    try:
        output_of([sys.executable, script, "plain"])  # fills the caches of the compiler
    except SystemExit as failure:
        print(f"gpu_cost.py: no steps are measured: {failure}", file=sys.stderr)
        return None
    ways = {"unrecorded": (None, "plain"), "recorded": ([], "plain"),
            "traffic": (["--traffic", "sampled"], "plain"), "torch.profiler": (None, "profiler")}
    return {way: json.loads(run(build, options, [sys.executable, script, mode]).splitlines()[-1])
            for way, (options, mode) in ways.items()}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    print(json.dumps({"launches": launches(build), "steps": steps(build)}, indent=2))


if __name__ == "__main__":
    main()
