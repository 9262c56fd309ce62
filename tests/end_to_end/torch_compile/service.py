"""A service that meets another size after many requests, and then goes on."""
import torch


@torch.compile(backend="eager", dynamic=False)
def serve(x):
    return (x.relu() + 1).sum()


for request in range(60):
    serve(torch.ones(8 if request < 50 else 9))
