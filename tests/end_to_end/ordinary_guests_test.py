"""Ordinary programs behave the same with and without the collector, and their recordings open.

    ordinary_guests_test.py JITSCOPE HARD_LIFE [NAME...]

Each program of ordinary_guests.py, and each sample beside JITSCOPE, runs twice in a folder of its
own, plain and recorded. Exit status (or the signal), standard output, standard error but for the
collector's closing line, and everything in the folder must be equal; the closing line must say what
the table wants, and `jitscope report` must open the recording.
"""
import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import ordinary_guests
from ordinary_guests import Guest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FEWEST = 30  # run on every machine that can build jitscope
PATIENCE_S = 180  # on a busy machine too; what hangs hangs longer
SAMPLES = ("decode_service", "fusion", "graph_break", "latency_spikes", "no_break", "recompile",
           "show_graph", "train_step")
CLOSING_LINE = re.compile(rb"(?:jitscope: warning: .*\n)?(jitscope: .*\n)")

SOURCES = {
    "STATIC": ("c", ["-static"], '#include <stdio.h>\nint main() { puts("static"); return 5; }\n'),
    # Takes from one block, and knows nothing of threads.
    "OWN_MALLOC": ("c", ["-fno-builtin"], r"""
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static char block[1 << 26] __attribute__((aligned(16)));
static size_t used;
static unsigned long calls;
void* memalign(size_t alignment, size_t size) {
  const size_t begin = (used + 16 + alignment - 1) / alignment * alignment;
  used = begin + size;
  ++calls;
  *(size_t*)(block + begin - 16) = size;
  return block + begin;
}
void* malloc(size_t size) { return memalign(16, size); }
void free(void* p) { (void)p; }
void* calloc(size_t n, size_t size) { return memset(malloc(n * size), 0, n * size); }
void* realloc(void* p, size_t size) {
  const size_t before = p ? *(size_t*)((char*)p - 16) : 0;
  void* const q = malloc(size);
  return memcpy(q, p ? p : q, before < size ? before : size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** p, size_t alignment, size_t size) {
  *p = memalign(alignment, size);
  return 0;
}
int main() {
  puts(calls > 0 || realloc(malloc(3), 9) ? "own" : "not own");
  return 5;
}
"""),
    "PRELOADED": ("c", ["-shared", "-fPIC"], r"""
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor)) static void begin(void) {
  if (write(1, "loaded\n", 7) < 0) abort();
}
"""),
}
SANITIZERS = {"HARD_ASAN": "address", "HARD_UBSAN": "undefined", "HARD_TSAN": "thread"}


@dataclasses.dataclass
class Run:
    status: int
    output: bytes
    errors: bytes
    files: dict


def build(folder, jitscope, hard_life):
    """The variables that commands use, with what the machine's compiler makes of it."""
    variables = {"JITSCOPE": jitscope, "HARD": hard_life, "PYTHON": sys.executable}
    if os.getuid() == 0:
        variables["root"] = "yes"
    try:
        for end in os.openpty():
            os.close(end)
        variables["TERMINALS"] = "yes"
    except OSError:
        pass
    commands = {}
    for name, (language, options, text) in SOURCES.items():
        (folder / f"{name}.{language}").write_text(text)
        commands[name] = ["gcc", *options, str(folder / f"{name}.{language}")]
    for name, sanitizer in SANITIZERS.items():
        commands[name] = ["g++", "-std=c++20", "-O1", f"-fsanitize={sanitizer}", f"-I{ROOT}",
                          str(ROOT / "tests/end_to_end/hard_life.cpp"),
                          str(ROOT / "trace/sink_client.cpp")]

    def compile_one(name):
        command = [*commands[name], "-o", str(folder / name), "-pthread"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=300)
            if done.returncode == 0:
                variables[name] = str(folder / name)
            else:
                print(f"not built: {name}: {done.stderr.decode(errors='replace').splitlines()[:1]}")
        except OSError:
            pass

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_one, commands))
    return variables


def environment(variables):
    # Threads of OpenMP that wait for each other spin: on busy processors the samples would take minutes.
    return {"OMP_NUM_THREADS": "1",
            "PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "TERM": "dumb", "HOME": "/nowhere",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_AUTHOR_DATE": "1700000000 +0000",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
            "GIT_COMMITTER_DATE": "1700000000 +0000", "PYTHONDONTWRITEBYTECODE": "1", **variables}


def words_of(guest, variables):
    if isinstance(guest.command, str):
        return ["sh", "-c", guest.command]
    return [variables.get(word, word) if word.isupper() else word for word in guest.command]


def tree(folder):
    """Everything below the folder: kind, mode and content, but for git's own clock and names."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name, status = str(path.relative_to(folder)), path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file() and not name.startswith(".git/"):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            content = ""
        found[name] = (oct(status.st_mode), content)
    return found


def run(words, work, guest, variables):
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    process = subprocess.Popen(words, cwd=work, env=environment(variables), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        output, errors = process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        errors += b"[does not end]"
    if guest.leaves:
        end = time.monotonic() + PATIENCE_S
        while not (work / guest.leaves).exists() and time.monotonic() < end:
            time.sleep(0.02)
    status = process.returncode
    return Run(128 - status if status < 0 else status, output, errors, tree(work))


def faults_of_plain(guest, plain):
    if plain.status != guest.status:
        yield f"plain: status {plain.status}, the table has {guest.status}: {plain.errors!r}"
    if guest.prints and not re.search(guest.prints, plain.output.decode(errors="replace"), re.M):
        yield f"plain: prints {plain.output!r}, not {guest.prints!r}"


def faults_of_recorded(guest, plain, recorded):
    closing = CLOSING_LINE.search(recorded.errors)
    if not closing or not recorded.errors.endswith(closing[0]):
        yield f"no closing line: {recorded.errors!r}"
        return
    recorded.errors = recorded.errors[:closing.start()]
    for field in dataclasses.fields(Run):
        before, after = getattr(plain, field.name), getattr(recorded, field.name)
        if before != after:
            yield f"{field.name}: plain {before!r}, recorded {after!r}"
    if not re.search(guest.says, closing[0].decode(errors="replace")):
        yield f"says {closing[0]!r}, not {guest.says!r}"
    if guest.says == Guest.says and b"killed or still" in closing[0]:
        yield f"something was killed: {closing[0]!r}"


def faults_of_recording(recording, jitscope):
    report = subprocess.run([jitscope, "report", str(recording)], capture_output=True,
                            timeout=PATIENCE_S)
    if report.returncode != 0:
        yield f"jitscope report: {report.returncode}: {report.stderr!r}"


def check(guest, folder, variables):
    """The name, why it was left out, and what is wrong."""
    missing = [need for need in guest.needs if need not in variables and not shutil.which(need)]
    if missing:
        return guest.name, f"no {missing[0]} here", []
    place = folder / guest.name
    words = words_of(guest, variables)
    recording = place / "out.jitscope"
    plain = run(words, place / "work", guest, variables)
    faults = list(faults_of_plain(guest, plain))
    recorded = run([variables["JITSCOPE"], "record", "-o", str(recording), "--", *words],
                   place / "work", guest, variables)
    faults += faults_of_recorded(guest, plain, recorded)
    faults += faults_of_recording(recording, variables["JITSCOPE"])
    if not faults:
        shutil.rmtree(place)
    return guest.name, None, faults


def guests(jitscope, names):
    folder = pathlib.Path(jitscope).parent
    # Without what no two runs share: speeds, and the times and the process in front of log lines.
    same = r"2>&1 | grep -v '/s$' | sed -E 's/^W[0-9]+ [0-9:.]+ [0-9]+ //'"
    samples = [Guest(name, "a sample", f"{folder / name} {same}", says="op.*nothing lost",
                     needs=(str(folder / name),)) for name in SAMPLES]
    every = ordinary_guests.ALL + samples
    assert len({guest.name for guest in every}) == len(every), "two guests of one name"
    return [guest for guest in every if not names or guest.name in names]


def main(jitscope, hard_life, *names):
    jitscope, hard_life = os.path.abspath(jitscope), os.path.abspath(hard_life)
    ran = failed = left_out = 0
    with tempfile.TemporaryDirectory(prefix="guests-") as name:
        folder = pathlib.Path(name)
        variables = build(folder, jitscope, hard_life)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda guest: check(guest, folder, variables),
                               guests(jitscope, names))
            for guest, reason, faults in results:
                if reason:
                    left_out += 1
                    print(f"left out  {guest}: {reason}")
                    continue
                ran += 1
                failed += bool(faults)
                print("\n  ".join([f"{'FAILED   ' if faults else 'ok       '} {guest}", *faults]),
                      flush=True)
    print(f"{ran} ran, {left_out} left out, {failed} failed")
    return 1 if failed or (not names and ran < FEWEST) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
