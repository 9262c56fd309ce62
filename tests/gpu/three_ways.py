"""The same small function eagerly, compiled, and compiled with CUDA graphs, so many steps each."""
import json

import torch

STEPS = 6


def function(x, w):
    return torch.relu((x * w).sum(-1, keepdim=True) + x) @ w


def main():
    x, w = torch.randn(64, 64, device="cuda"), torch.randn(64, 64, device="cuda")
    with torch.no_grad():
        for _ in range(STEPS):
            function(x, w)
        for mode in (None, "reduce-overhead"):
            compiled = torch.compile(function, mode=mode)
            for _ in range(STEPS):
                compiled(x, w)
            torch.cuda.synchronize()
            torch._dynamo.reset()
    print(json.dumps({"steps": STEPS}))


if __name__ == "__main__":
    main()
