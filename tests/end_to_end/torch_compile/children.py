"""Compiles in the parent, in a forked child and in a spawned one."""
import multiprocessing
import os

import torch


def work(size):
    torch.compile(lambda x: x + size, backend="eager")(torch.ones(size))


if __name__ == "__main__":
    work(2)
    pid = os.fork()
    if pid == 0:
        work(3)
        os._exit(0)
    os.waitpid(pid, 0)
    child = multiprocessing.get_context("spawn").Process(target=work, args=(4,))
    child.start()
    child.join()
    print("done", child.exitcode)
