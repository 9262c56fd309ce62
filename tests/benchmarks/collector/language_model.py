"""Times steps of a language model of four layers, as JSON: language_model.py plain|profiler

Eager steps are bound by the host, and so show what recording costs; steps by CUDA graphs are bound by
the GPU. Beside each batch of steps a loop of Python is timed, for the processors of some machines run at
half their speed for seconds: `loops` is how many times as long as that loop a step takes, at the median.
"""
import contextlib
import json
import statistics
import sys
import time

import torch
import torch.nn.functional as functional
from torch import nn

WIDTH, HEADS, LAYERS, WORDS = 1024, 16, 4, 32_000


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.gate, self.up = nn.Linear(WIDTH, 4 * WIDTH, bias=False), nn.Linear(WIDTH, 4 * WIDTH, bias=False)
        self.down = nn.Linear(4 * WIDTH, WIDTH, bias=False)
        self.first, self.second = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        query, key, value = (self.query(self.first(x)).view(batch, length, 3, HEADS, WIDTH // HEADS)
                             .permute(2, 0, 3, 1, 4))
        seen = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(batch, length, WIDTH))
        hidden = self.second(x)
        return x + self.down(functional.silu(self.gate(hidden)) * self.up(hidden))


class LanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm, self.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, words):
        x = self.words(words)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def loop_s():
    start, total = time.perf_counter(), 0
    for number in range(60_000):
        total += number * number
    return time.perf_counter() - start


def measure(step, batches, steps):
    for _ in range(10):
        step()
    torch.cuda.synchronize()
    timed = []
    for _ in range(batches):
        loop, start = loop_s(), time.perf_counter()
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
        timed.append(((time.perf_counter() - start) / steps * 1e6, loop))
    loops = statistics.median(step_us / (loop * 1e6) for step_us, loop in timed)
    return {"best_us": round(min(step_us for step_us, _ in timed), 1), "loops": round(loops, 4)}


def profiler():
    if sys.argv[1:] != ["profiler"]:
        return contextlib.nullcontext()
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    return torch.profiler.profile(activities=activities, record_shapes=True)


def main():
    torch.manual_seed(0)
    model = LanguageModel().to("cuda", torch.bfloat16)
    words = torch.randint(0, WORDS, (4, 256), device="cuda")
    result = {}
    with torch.no_grad():
        for name, function in (("eager", model), ("compiled", torch.compile(model)),
                               ("reduce_overhead", torch.compile(model, mode="reduce-overhead"))):
            for _ in range(5):
                function(words)
            with profiler():
                result[name] = measure(lambda: function(words), 25, 10)
            torch._dynamo.reset()
    optimizer = torch.optim.AdamW(model.parameters())

    def train():
        loss = functional.cross_entropy(model(words).float().view(-1, WORDS), words.view(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    with profiler():
        result["train_eager"] = measure(train, 10, 5)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
