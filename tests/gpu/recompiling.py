"""Eager kernels before and after a function that is compiled twice. Prints how many on each side."""
import json

import torch

ADDED = 500


def function(x):
    return torch.relu(x * 2 + 1).sum(-1)


def main():
    x = torch.zeros(64, device="cuda")
    compiled = torch.compile(function)

    def add_often():
        for _ in range(ADDED):
            x.add_(1)

    with torch.no_grad():
        add_often()
        for rows in (8, 8, 24):
            compiled(torch.randn(rows, 64, device="cuda"))
        add_often()
        torch.cuda.synchronize()
    print(json.dumps({"added": ADDED}))


if __name__ == "__main__":
    main()
