"""The table of ordinary_guests_test.py: programs that are recorded, and what each stands for."""
import dataclasses
import sys

KILLED = r"1 killed or still running"
NO_FILE_OF_ITS_OWN = r"incomplete: collector: the program ended too early"


@dataclasses.dataclass
class Guest:
    """One program. A command that is a text is run by sh -c; HARD, CC and the like are variables of
    its environment (ordinary_guests_test.py)."""
    name: str
    stands_for: str
    command: object
    status: int = 0        # of the plain run, as a shell gives it
    says: str = "nothing lost"  # a pattern in the collector's closing line
    needs: tuple = ()      # programs, and variables of HARD's kind
    prints: str = None     # a pattern in the plain run's output
    leaves: str = None     # a file that shows that what the program left behind has ended


def python(text, *flags):
    return [sys.executable, *flags, "-c", text]


SHELLS = [
    Guest("bash", "a shell with loops, a trap and a status",
          ["bash", "-c", 'trap "echo bye" EXIT; for i in 1 2 3; do echo $i; done; exit 3'], 3),
    Guest("bash_pipes", "pipes, here-documents, process substitution", [
        "bash", "-c", "cat <<X | tr a-z A-Z | rev; diff <(echo a) <(echo b)\nsome text\nX\n"], 1),
    Guest("bash_job_control", "job control that is on without a terminal",
          ["bash", "-c", "set -m; (exit 4) & wait %1; echo $?; set +m; (exit 5) & wait $!"], 5),
    Guest("bash_coprocess", "a coprocess and descriptors by name", [
        "bash", "-c", 'coproc cat; echo hi >&"${COPROC[1]}"; read -r x <&"${COPROC[0]}"; echo $x']),
    Guest("bash_trap", "a handler in the shell's own language", [
        "bash", "-c", 'trap "echo caught; exit 7" TERM; kill $$; echo not reached'], 7),
    Guest("dash", "a shell that leaves by _exit", "f() { echo $1; return 6; }; f x", 6),
    Guest("dash_not_found", "a command that is not there", "no-such-program; exit $?", 127),
    Guest("dash_closed_output", "a standard output that is closed", "exec >&-; echo x", 1),
    Guest("dash_killed", "a shell that signal 9 ends", "echo x; kill -9 $$", 137,
          says=NO_FILE_OF_ITS_OWN),
    Guest("dash_hangup", "a shell that a signal ends, below another",
          'sh -c "kill -HUP \\$\\$"; echo $?'),
    Guest("deleted_folder", "a folder that vanishes below the program",
          "mkdir d; cd d; rmdir ../d; cat /proc/self/stat >/dev/null; ls . | wc -l; $HARD rows print"),
    Guest("script_of_no_kind", "a script without a first line",
          "echo 'echo from a script; exit 4' >s; chmod +x s; ./s", 4),
    Guest("not_executable", "a file that cannot be run", "echo text >t; ./t", 126),
]

COREUTILS = [
    Guest("cat_large", "large standard input", "head -c 20000000 /dev/zero | cat | cksum"),
    Guest("sort", "temporary files", "seq 300000 | sort -rn -S 1M -T . | head -n 3"),
    Guest("tee", "files that are written twice", "seq 1000 | tee a b | tail -n 1"),
    Guest("yes_head", "a pipe that nobody reads any more",
          ["bash", "-c", "yes | head -n 2; exit ${PIPESTATUS[0]}"], 141),
    Guest("yes_alone", "death by SIGPIPE itself", python(
        "import os, signal\nr, w = os.pipe()\nos.close(r)\nos.dup2(w, 1)\n"
        "signal.signal(signal.SIGPIPE, signal.SIG_DFL)\nos.execvp('yes', ['yes'])"), 141,
          says=NO_FILE_OF_ITS_OWN),
    Guest("dd_full", "a full disk", "dd if=/dev/zero of=/dev/full bs=4k count=1 status=none", 1),
    Guest("echo_full", "buffered output to a full disk", "env echo x >/dev/full", 1),
    Guest("dd", "input in blocks", "seq 90000 | dd bs=512 status=none | cksum"),
    Guest("timeout", "a program that takes too long", "timeout 0.1 sleep 9", 124),
    Guest("timeout_kill", "one that is killed", "timeout -s KILL 0.1 sleep 9", 137),
    Guest("env_empty", "an environment that is thrown away",
          ["env", "-i", "/bin/sh", "-c", "echo $HOME; exit 8"], 8, says=NO_FILE_OF_ITS_OWN),
    Guest("env_without", "one without the preloaded library",
          ["env", "-u", "LD_PRELOAD", "sh", "-c", "exit 8"], 8, says=NO_FILE_OF_ITS_OWN),
    Guest("nohup", "an ignored signal",
          ["nohup", "sh", "-c", "kill -HUP $$; echo still here"]),
    Guest("xargs", "many processes at once", "seq 24 | xargs -P 4 -n 1 sh -c 'exit 0' && seq 3 | "
          "xargs -n 1 sh -c 'exit 255'", 124),
    Guest("setsid", "a session of its own", ["setsid", "-w", "sh", "-c", "exit 5"], 5),
    Guest("nice", "another priority", ["nice", "-n", "5", "nice"]),
    Guest("stdbuf", "a program that preloads a library itself", "seq 3 | stdbuf -oL cat"),
    Guest("split", "many files", "seq 1000 | split -l 90 - part; cat part* | cksum"),
    Guest("install", "modes and links", "seq 9 >a; install -m 640 a b; ln -s b c; cp -r . ../copy; "
          "mv ../copy copy; ls copy"),
    Guest("find", "find with -exec", "mkdir -p a/b; touch a/1 a/b/2; "
          "find a -type f -exec basename {} \\; -exec sh -c 'exit 1' \\; | sort"),
    Guest("sed", "a file that is changed in place", "seq 9 >a; sed -i s/5/five/ a; cat a"),
    Guest("awk", "a language with pipes of its own",
          "seq 99 | awk '{ s += $1 } END { print s | \"cat\"; close(\"cat\"); exit 3 }'", 3),
    Guest("tar", "an archive, packed on its way", "seq 999 >a; tar cf - a | gzip -9 | xz -1 | xz -d | "
          "gzip -d | tar tf -", needs=("xz",)),
    Guest("file", "a program that locks itself into a sandbox", "seq 9 >a; file a; file -z a",
          needs=("file",)),
    Guest("sleep_descriptors", "processes that stay when the program has ended",
          "(sleep 0.3; echo x >done) </dev/null >/dev/null 2>&1 & exit 4", 4, says="recorded",
          leaves="done"),
]

TOOLS = [
    Guest("git", "git with its children", "git init -q . && echo x >a && git add a && "
          "git commit -qm first && git log --format=%H%s && git gc -q && git fsck", needs=("git",)),
    Guest("make", "make with jobs", "printf 'all: a b c\\n%%:\\n\\t@echo $@ >$@; sleep 0.02\\n' >Makefile;"
          " make -s -j3; cat a b c; make -s -f absent", 2, needs=("make",)),
    Guest("cmake", "cmake as a script", "echo 'execute_process(COMMAND sh -c \"exit 3\" "
          "RESULT_VARIABLE r)\nmessage(\"r=${r}\")\nmessage(FATAL_ERROR no)' >s.cmake; "
          "cmake -P s.cmake", 1, needs=("cmake",)),
    Guest("ninja", "ninja with its children", "printf 'rule r\\n command = sleep 0.02; echo x >$out\\n"
          "build a: r\\nbuild b: r\\nbuild c: r a b\\n' >build.ninja; ninja --quiet; cat a b c; "
          "rm -f .ninja_log .ninja_deps", needs=("ninja",)),
    Guest("gcc", "a compiler with its stages", "echo 'int main(void) { return 42; }' >a.c; "
          "gcc -O1 a.c -o a; ./a", 42, needs=("gcc",)),
    Guest("gcc_error", "a compiler that refuses", "echo 'int main( {' >a.c; gcc -c a.c", 1,
          needs=("gcc",)),
    Guest("gdb", "a debugger, and its program", "gdb -nx -batch -ex 'set print thread-events off' "
          "-ex 'set startup-with-shell off' -ex run -ex 'print 6*7' --args $HARD rows print | "
          "grep -v 'Inferior 1 .process'", needs=("gdb",), prints="printed(.|\n)*42"),
    Guest("strace", "a program that is traced", ["strace", "-f", "-o", "/dev/null", "HARD", "rows",
                                                 "fork", "print", "exit-at-once"], 3,
          needs=("strace",), prints="child 5\nprinted"),
    Guest("perl", "perl with a fork", ["perl", "-e", '$p = fork; exit 3 unless $p; waitpid $p, 0; '
                                       'print $? >> 8, "\\n"; $SIG{ALRM} = sub { print "rung\\n"; '
                                       'exit 4 }; alarm 1; select undef, undef, undef, 9'], 4,
          needs=("perl",), prints="3\nrung"),
    Guest("sqlite3", "a database with its locks", "echo 'create table t(x); insert into t values(7); "
          "select * from t;' | sqlite3 a.db; sqlite3 a.db 'select x from nowhere'", 1,
          needs=("sqlite3",)),
    Guest("bc", "a calculator", "echo 2^99 | bc", needs=("bc",)),
    Guest("script", "a terminal of its own", ["script", "-qec", "tty >/dev/null && exit 6", "/dev/null"],
          6, needs=("script",)),
    Guest("node", "an engine with threads and compiled code", [
        "node", "-e", "require('fs').writeFileSync('a', 'x'); "
        "new Promise(r => setTimeout(r, 20)).then(() => process.exit(3))"], 3, needs=("node",)),
    Guest("tclsh", "tcl", "echo 'puts [expr 6*7]; exit 3' | tclsh", 3, needs=("tclsh",)),
    Guest("jitscope", "jitscope itself", "$JITSCOPE record -o inner -- sh -c 'echo in; exit 4' "
          "2>/dev/null; echo $?; $JITSCOPE report --format json inner | head -c 1; rm -r inner",
          prints="in\n4\n{"),
]

PYTHON = [
    Guest("python_exit", "exit handlers in their order", python(
        "import atexit, sys\natexit.register(print, 1)\natexit.register(print, 2)\nsys.exit(3)"), 3),
    Guest("python_flags", "an interpreter that is alone", python("print(6 * 7)", "-I", "-S", "-E")),
    Guest("python_error", "an exception that nobody catches", python("1 / 0"), 1),
    Guest("python_subprocess", "children of every kind", python(
        "import os, subprocess as s\n"
        "print(s.run(['sh', '-c', 'echo a; exit 3'], capture_output=True))\n"
        "print(s.run(['true'], preexec_fn=lambda: None, start_new_session=True).returncode)\n"
        "print(s.run('exit 4', shell=True, close_fds=False).returncode, os.system('exit 5') >> 8)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(os.posix_spawnp('false', ['false'], {}), 0)[1]))")),
    *(Guest(f"python_{way}", f"multiprocessing by {way}", python(
        "import math, multiprocessing as m\n"
        f"c = m.get_context('{way}')\np = c.Pool(2)\nprint(p.map(math.factorial, range(9)))\n"
        "p.close(); p.join()"), says=says) for way, says in (
            ("fork", "nothing lost"), ("spawn", "recorded"), ("forkserver", "recorded"))),
    Guest("python_threads", "1,000 threads", python(
        "import threading\nthreading.stack_size(65536)\nb = threading.Barrier(1001)\n"
        "t = [threading.Thread(target=b.wait) for _ in range(1000)]\n"
        "[x.start() for x in t]; b.wait(); [x.join() for x in t]; print(len(t))")),
    Guest("python_daemon_threads", "threads that run while the process ends", python(
        "import threading, time\n"
        "[threading.Thread(target=time.sleep, args=(9,), daemon=True).start() for _ in range(9)]")),
    Guest("python_asyncio", "an event loop with a child", python(
        "import asyncio\nasync def f():\n p = await asyncio.create_subprocess_exec('sh', '-c', "
        "'exit 3')\n return await asyncio.gather(p.wait(), asyncio.to_thread(str, 4))\n"
        "print(asyncio.run(f()))")),
    Guest("python_handlers", "handlers of all signals", python(
        "import os, signal\nseen = []\n"
        "for s in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:\n"
        " try: signal.signal(s, lambda n, f: seen.append(n))\n except OSError: continue\n"
        " os.kill(os.getpid(), s)\nprint(sorted(seen))")),
    Guest("python_os_exit", "children that leave by os._exit", python(
        "import os\nfor i in range(20):\n p = os.fork()\n if p == 0: os._exit(i)\n"
        " print(os.waitstatus_to_exitcode(os.waitpid(p, 0)[1]), flush=True)\nos._exit(9)"), 9, prints="^0\n"),
    Guest("python_close_all", "all descriptors closed", python(
        "import os\nos.closerange(0, 65536)\nos.fork() or os._exit(1)\nos.wait()")),
    Guest("python_no_descriptors", "no descriptor is left", python(
        "import os, resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))\nn = 0\n"
        "try:\n while True: os.dup(0); n += 1\nexcept OSError as e: print(n, e, flush=True)"),
          says="."),
    Guest("python_no_memory", "an address space that is full", python(
        "import resource\nk = [int(l.split()[1]) for l in open('/proc/self/status') if "
        "l[:6] == 'VmSize'][0]\nresource.setrlimit(resource.RLIMIT_AS, (k * 1024 + 2**21,) * 2)\n"
        "try: bytearray(2**27)\nexcept MemoryError: print('none')"), says="."),
    Guest("python_no_files", "files that may not grow", python(
        "import os, resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "os.write(os.open('a', os.O_CREAT | os.O_WRONLY), b'x')"), 1, says=NO_FILE_OF_ITS_OWN),
    Guest("python_no_processes", "no process may be added", python(
        "import os, resource\nos.setuid(65534) if os.getuid() == 0 else None\n"
        "resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))\n"
        "try: os.fork()\nexcept OSError as e: print(e)"), says="."),
    Guest("python_fault", "a fault that is reported", python(
        "import ctypes, faulthandler\nfaulthandler.enable(all_threads=False)\nctypes.string_at(0)"), 139,
          says=NO_FILE_OF_ITS_OWN),
    Guest("python_sqlite", "a database", python(
        "import sqlite3\nc = sqlite3.connect('a.db')\nc.execute('create table t(x)')\n"
        "c.execute('insert into t values(7)')\nc.commit()\nprint(c.execute('select * from t').fetchall())"
    )),
    Guest("python_ctypes", "symbols that are asked for by hand", python(
        "import ctypes\nc = ctypes.CDLL(None)\nprint(c.abs(-3), c.getpid() > 0, hasattr(c, 'nothing'))\n"
        "c._exit(6)"), 6, prints=None),
    Guest("python_settrace", "a tracer of its own", python(
        "import sys\nn = []\nsys.settrace(lambda f, e, a: n.append(e))\ndef f(): pass\nf(); f()\n"
        "sys.settrace(None)\nprint(n)")),
    Guest("python_daemon", "a daemon, forked twice", python(
        "import os, sys, time\nif os.fork(): os._exit(2)\nos.setsid()\nif os.fork(): os._exit(0)\n"
        "for i in range(3): os.close(i)\ntime.sleep(0.3)\nopen('done', 'w').close()"), 2,
          says="recorded", leaves="done"),
    Guest("python_exec", "a program that becomes itself", python(
        "import os, sys\nprint(len(sys.argv), flush=True)\n"
        "len(sys.argv) < 4 and os.execv(sys.executable, [sys.executable, '-c', "
        "'import sys; print(sys.argv)', *sys.argv, 'x'])")),
    Guest("python_failing_exec", "an exec that fails", python(
        "import os\nopen('a', 'w').write('no program')\nos.chmod('a', 0o755)\n"
        "for f in ('a', 'absent'):\n try: os.execv('./' + f, ['x'])\n except OSError as e: print(e)")),
    Guest("python_zipapp", "a program in an archive", "mkdir p; echo 'print(__name__)' >p/__main__.py; "
          "$PYTHON -m zipapp p -o a.pyz && $PYTHON a.pyz; rm a.pyz"),
    Guest("python_pty", "a program on a terminal", python(
        "import os, pty\ns = pty.spawn(['sh', '-c', 'tty >/dev/null; echo $?; exit 3'])\n"
        "print(os.waitstatus_to_exitcode(s))"), needs=("TERMINALS",), prints="0"),
    Guest("python_killed", "a program that signal 9 ends", python(
        "import os\nos.kill(os.getpid(), 9)"), 137, says=NO_FILE_OF_ITS_OWN),
    Guest("python_sigint", "an interrupt", python(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
        "import time; time.sleep(9)"), 130, says="recorded"),
]


def hard(*steps):
    return ["HARD", *steps]


NATIVE = [
    Guest("rows", "a program that is worth recording", hard("rows", "print"), says="1000 op; nothing"),
    Guest("close_all", "a program that closes all descriptors", hard("rows", "close-all", "rows"),
          says="2000 op; nothing"),
    Guest("dup_over", "one that takes all their numbers", hard("rows", "dup-over", "rows"),
          says="2000 op; nothing"),
    Guest("thousand_threads", "1,000 threads that write", hard("thousand-threads"),
          says="10000 op; nothing"),
    Guest("cancelled_threads", "pthread_cancel", hard("cancel-threads")),
    Guest("cancelled_first_row", "a thread that is cancelled already",
          hard("cancel-before-first-row"), says="1 op; nothing"),
    Guest("cancelled_exit", "exit where cancelling is pending", hard("exit-when-cancelled"), 5),
    Guest("cancelled_exit_at_once", "_exit where cancelling is pending",
          hard("exit-at-once-when-cancelled"), 5),
    Guest("pthread_exit_in_handler", "an exit handler that ends its thread",
          hard("rows", "end-thread-in-exit-handler"), 0, says="1000 op", prints="in a handler"),
    Guest("exit_in_thread", "exit by a thread that is not the first", hard("rows", "exit-in-thread"),
          6, says="1000 op; nothing"),
    Guest("outlive_main", "threads that live longer than main", hard("rows", "outlive-main"),
          says="1010 op; nothing"),
    Guest("fork_in_mid_flush", "a fork while rows are written", hard("fork-in-mid-flush"),
          prints="failed: 0"),
    Guest("fork_while_loading", "a fork while libraries are loaded", hard("fork-while-loading"),
          prints="failed: 0"),
    Guest("spawn", "vfork and posix_spawn", hard("rows", "spawn"), says="1000 op; nothing"),
    Guest("jump", "longjmp, and out of a fault's handler", hard("jump")),
    Guest("throw", "C++ exceptions", hard("throw-many")),
    Guest("terminate", "std::terminate", hard("rows", "terminate"), 134, says=KILLED,
          prints="terminating"),
    Guest("abort", "an abort", hard("abort"), 134, says=NO_FILE_OF_ITS_OWN),
    Guest("segfault", "a fault", hard("segfault"), 139, says=NO_FILE_OF_ITS_OWN),
    Guest("kill_with_rows", "signal 9 after rows", hard("rows", "kill"), 137, says=KILLED),
    Guest("overflow_stack", "a stack that is full", hard("overflow-stack"), 139,
          says=NO_FILE_OF_ITS_OWN),
    Guest("exit_in_handler", "a handler that leaves while malloc works",
          hard("exit-in-mid-malloc"), 5, says="in a signal's handler"),
    Guest("exit_in_handler_locked", "the same where malloc has locks",
          hard("exit-in-mid-locked-malloc"), 5, says="in a signal's handler"),
    Guest("stop", "SIGSTOP and SIGCONT", hard("stop"), prints="then 3"),
    Guest("few_descriptors", "a closed standard output and few numbers for descriptors",
          "ulimit -n 60; exec $HARD rows print >&-", 9, says="1000 op; nothing"),
    # In 16 KiB the dynamic loader has too little for any preloaded library: one run of ten ends there.
    Guest("small_stacks", "stacks of all sizes", "for k in 20 24 32 64 128; do (ulimit -s $k; "
          "$HARD rows thousand-threads fork); echo $?; done", says="nothing lost"),
    Guest("small_memory", "address spaces of all sizes, from where the program fits",
          "for k in $(seq 9000 1500 90000); do (ulimit -v $k; $HARD rows; echo $?); done",
          says="recorded"),
    Guest("small_files", "files of all sizes", "for k in $(seq 0 12); do "
          "(ulimit -f $k; $HARD rows; echo $?); done", says="recorded"),
    Guest("static", "a static binary", ["STATIC"], 5, says="is linked statically", needs=("STATIC",)),
    Guest("static_in_shell", "one among others", "$STATIC; echo $?", needs=("STATIC",)),
    Guest("more_rights", "a program that runs with more rights than its caller",
          "cp $(command -v id) ./id; chown 65534 id; chmod 4755 id; ./id -u", needs=("root",)),
    Guest("own_malloc", "a malloc of its own", ["OWN_MALLOC"], 5, needs=("OWN_MALLOC",)),
    Guest("own_preload", "a library that is preloaded by its user", "LD_PRELOAD=$PRELOADED:$LD_PRELOAD "
          "/bin/echo hi", needs=("PRELOADED",), prints="hi"),
    Guest("address_sanitizer", "a program with the address sanitizer", "$HARD_ASAN rows spawn throw-many"
          " print", needs=("HARD_ASAN",), prints="printed", says="1000 op; nothing"),
    Guest("address_sanitizer_error", "what the address sanitizer finds", "$HARD_ASAN segfault 2>&1 | "
          "grep -c 'ERROR: AddressSanitizer'", needs=("HARD_ASAN",), prints="1"),
    Guest("undefined_sanitizer", "a program with the undefined behaviour sanitizer",
          ["HARD_UBSAN", "rows", "fork", "print"], needs=("HARD_UBSAN",), says="1100 op; nothing"),
    Guest("thread_sanitizer", "a program with the thread sanitizer",
          ["HARD_TSAN", "rows", "fork", "cancel-before-first-row", "throw-many", "print"],
          needs=("HARD_TSAN",), prints="child 5", says="with the thread sanitizer is not recorded"),
    Guest("valgrind", "a program inside of another's processor",
          ["valgrind", "-q", "--error-exitcode=9", "HARD", "rows", "print"], needs=("valgrind",),
          says="1000 op; nothing"),
]

ALL = SHELLS + COREUTILS + TOOLS + PYTHON + NATIVE
