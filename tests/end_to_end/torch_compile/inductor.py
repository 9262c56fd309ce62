"""Inductor compiles a function for the processor, forwards and backwards."""
import torch


@torch.compile
def loss(x, w):
    return torch.nn.functional.silu(x @ w).sum()


x, w = torch.ones(8, 16), torch.full((16, 4), 0.5, requires_grad=True)
for _ in range(3):
    loss(x, w).backward()
print(f"{w.grad.sum().item():.3f}")
