"""A break, recompiles for three causes and a recompile limit, each at a place of its own."""
import torch


@torch.compile(backend="eager")
def step(x, n):
    y = x * 2 + n
    if y.sum().item() > 0:  # the break
        y = y + 1
    return torch.relu(y)


@torch.compile(backend="aot_eager", dynamic=False)
def scale(x):
    return x.sin() + 1


for _ in range(3):
    step(torch.ones(3), 1)
step(torch.ones(5), 1)  # a size
step(torch.ones(5), 2)  # a number
step(torch.ones(5), 2)
for size in range(2, 14):  # beyond the limit of 8
    scale(torch.ones(size))
scale(torch.ones(2))
print("done")
