"""RMSNorm and SiLU of a tensor so large that each kernel lasts longer than half a millisecond, each
step of it eagerly and compiled. Prints the bytes of the tensor and how often each way ran.

    large_kernels.py [ROWS]
"""
import json
import sys
import time

import torch
import torch.nn.functional as F

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 131_072
COLUMNS, TIMES = 8192, 10


def rms_silu(x, w):
    return F.silu(x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w)


def main():
    x = torch.randn(ROWS, COLUMNS, device="cuda", dtype=torch.bfloat16)
    w = torch.randn(COLUMNS, device="cuda", dtype=torch.bfloat16)
    compiled = torch.compile(rms_silu)
    with torch.no_grad():
        compiled(x, w)
        torch.cuda.synchronize()
        time.sleep(0.7)  # counting starts beside the program, not before it
        for function in (rms_silu, compiled):
            for _ in range(TIMES):
                function(x, w)
                torch.cuda.synchronize()
    print(json.dumps({"bytes": x.numel() * x.element_size(), "times": TIMES}))


if __name__ == "__main__":
    main()
