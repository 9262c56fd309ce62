"""The peer of frame_benchmark: a hit of the same function under Python's torch.compile, backend eager.

Prints one JSON object; nanoseconds of processor time, the best of many repetitions.
"""

import json
import time

import torch


def mlp(x, w):
    return torch.nn.functional.silu(x @ w)


def best_ns(function, *arguments, repetitions=60, calls=1000):
    best = float("inf")
    for _ in range(repetitions):
        start = time.thread_time_ns()
        for _ in range(calls):
            function(*arguments)
        best = min(best, (time.thread_time_ns() - start) / calls)
    return best


torch.set_num_threads(1)
with torch.no_grad():
    x, w = torch.randn(4, 16), torch.randn(16, 16)
    compiled = torch.compile(mlp, backend="eager")
    compiled(x, w)
    eager, hit = best_ns(mlp, x, w), best_ns(compiled, x, w)
print(json.dumps({"benchmark": "torch_compile_hit", "eager_ns": round(eager),
                  "compiled_ns": round(hit), "beyond_eager_ns": round(hit - eager)}))
