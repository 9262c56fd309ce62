"""How much faster a TORCH_TRACE log is imported than tlparse reads it.

    log_against_tlparse.py LOG_BENCHMARK TLPARSE LOG [LOG…]

Each LOG (plain or gzip) is repeated to 100 MB. Both programs read the same file in turn, three times;
the best processor time of each counts, since tlparse writes many files and waits for the disk. Prints
one JSON object a log.
"""
import gzip
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

BYTES = 100_000_000
ROUNDS = 3


def content(path):
    raw = pathlib.Path(path).read_bytes()
    return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw


def seconds_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    ours, theirs, *logs = sys.argv[1:]
    for log in logs:
        with tempfile.TemporaryDirectory() as folder:
            text, path = content(log), pathlib.Path(folder) / "log"
            path.write_bytes(text * -(-BYTES // len(text)))
            best = {"jitscope": [], "tlparse": []}
            for _ in range(ROUNDS):
                best["jitscope"].append(seconds_of([ours, str(path)]))
                out = pathlib.Path(folder) / "out"
                best["tlparse"].append(
                    seconds_of([theirs, str(path), "-o", str(out), "--no-browser"]))
                shutil.rmtree(out)
            ours_s, theirs_s = min(best["jitscope"]), min(best["tlparse"])
            print(json.dumps({"benchmark": "log_against_tlparse", "log": pathlib.Path(log).name,
                              "bytes": path.stat().st_size, "jitscope_s": round(ours_s, 3),
                              "tlparse_s": round(theirs_s, 3),
                              "ratio": round(theirs_s / ours_s, 1)}), flush=True)


if __name__ == "__main__":
    main()
