"""Eager kernels, of which some lie between cudaProfilerStart and cudaProfilerStop, and in a range
of NVTX called "inside". Prints how many."""
import json

import torch

BEFORE, INSIDE, AFTER = 30, 200, 70


def main():
    x = torch.zeros(64, device="cuda")
    cudart = torch.cuda.cudart()

    def add_often(times):
        for _ in range(times):
            x.add_(1)
        torch.cuda.synchronize()

    with torch.no_grad():
        add_often(BEFORE)
        cudart.cudaProfilerStart()
        with torch.cuda.nvtx.range("inside"):
            add_often(INSIDE)
        cudart.cudaProfilerStop()
        add_often(AFTER)
    print(json.dumps({"inside": INSIDE}))


if __name__ == "__main__":
    main()
