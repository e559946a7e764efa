"""Measures the cost of a table of 4096 x 1024 in NumPy and PyTorch, on one thread, in f32.

`cargo xtask bench --peers [rounds]` (by default 31) prints one Markdown table. Each round runs all contenders in turn,
so that other load on the machine affects all of them. Times are medians over the rounds, and so are the ratios to
`np.copyto` of the same bytes within a round. The Rust half of the comparison is `cargo run --release --manifest-path
benches/Cargo.toml`. Needs `pip install numpy torch`, or one of them.
"""

import datetime
import math
import os
import pathlib
import platform
import statistics
import sys
import time

# The libraries read these variables when they are loaded.
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch
except ImportError:
    torch = None

ROWS, D_MODEL = 4096, 1024
ROUNDS = 31


def with_numpy():
    """Computes the formula of the PyTorch tutorial in NumPy."""
    position = np.arange(ROWS, dtype=np.float32)[:, np.newaxis]
    div_term = np.exp(np.arange(0, D_MODEL, 2, dtype=np.float32) * np.float32(-math.log(10000.0) / D_MODEL))
    pe = np.zeros((ROWS, D_MODEL), dtype=np.float32)
    pe[:, 0::2] = np.sin(position * div_term)
    pe[:, 1::2] = np.cos(position * div_term)
    return pe


def with_torch():
    """Computes the PyTorch tutorial's `PositionalEncoding`, without the batch axis."""
    position = torch.arange(ROWS).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, D_MODEL, 2) * (-math.log(10000.0) / D_MODEL))
    pe = torch.zeros(ROWS, D_MODEL)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


def copies():
    """Returns functions that copy the bytes of a table: NumPy's, or PyTorch's if NumPy is missing."""
    if np:
        source = with_numpy()
        target = np.zeros_like(source)
        return "`np.copyto`", lambda: np.copyto(target, source)
    source = with_torch()
    target = torch.zeros_like(source)
    return "`Tensor.copy_` (no `np.copyto` here)", lambda: target.copy_(source)


def contenders():
    """Returns names and functions; the first is the reference of the comparison."""
    yield copies()
    if np:
        yield f"NumPy {np.__version__}", with_numpy
    if torch:
        yield f"PyTorch {torch.__version__}", with_torch


def seconds(function):
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def measure(functions, rounds):
    """Returns a list of seconds for each function. A round before the first warms caches, pages and allocators."""
    samples = [[seconds(function) for function in functions] for _ in range(rounds + 1)]
    return list(zip(*samples[1:]))


def print_table(rounds):
    names, functions = zip(*contenders())
    times = measure(functions, rounds)
    print(f"{datetime.date.today()}, {processor()}, Python {platform.python_version()}; medians of {rounds} rounds\n")
    print(f"| f32, {ROWS} x {D_MODEL}, one thread | time | ns per entry | ratio |\n|---|---|---|---|")
    for name, own in zip(names, times):
        median = statistics.median(own)
        ratio = statistics.median(one / reference for one, reference in zip(own, times[0]))
        print(f"| {name} | {median * 1e3:.2f} ms | {median * 1e9 / (ROWS * D_MODEL):.2f} | {ratio:.2f} |")


def processor():
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    for name, module in [("numpy", np), ("torch", torch)]:
        if module is None:
            print(f"{name} is missing: `pip install {name}`", file=sys.stderr)
    if np is None and torch is None:
        sys.exit(1)
    if torch:
        torch.set_num_threads(1)
    print_table(rounds)


if __name__ == "__main__":
    main()
