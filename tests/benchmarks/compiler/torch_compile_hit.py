"""The peer of frame_benchmark: a hit of the same function under Python's torch.compile, backend eager.

Prints one JSON object; nanoseconds of processor time, the best of many repetitions.
"""

import json
import time

import torch


def mlp(x, w):
    return torch.nn.functional.silu(x @ w)


def best_ns(functions, *arguments, repetitions=400, calls=1000):
    """The best of each function; they take turns, as in the C++ benchmarks."""
    best = [float("inf")] * len(functions)
    for _ in range(repetitions):
        for i, function in enumerate(functions):
            start = time.thread_time_ns()
            for _ in range(calls):
                function(*arguments)
            best[i] = min(best[i], (time.thread_time_ns() - start) / calls)
    return best


torch.set_num_threads(1)
with torch.no_grad():
    x, w = torch.randn(4, 16), torch.randn(16, 16)
    compiled = torch.compile(mlp, backend="eager")
    compiled(x, w)
    eager, hit = best_ns([mlp, compiled], x, w)
print(json.dumps({"benchmark": "torch_compile_hit", "eager_ns": round(eager),
                  "compiled_ns": round(hit), "beyond_eager_ns": round(hit - eager)}))
