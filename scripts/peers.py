"""Compares posenc with loops, NumPy, PyTorch and diffusers: tables, timesteps and single rows, on one thread, in f32.

`cargo xtask bench --peers [rounds]` (by default 31) prints one Markdown table. Each round runs all contenders of a
group in turn, including posenc, so that other load on the machine affects all of them. The times are medians over the
rounds, and so are the ratios to posenc's time in the same round. `benches/src/bin/stopwatch.rs` times posenc and loops
in Rust.

Needs cargo and `pip install numpy torch diffusers`; NumPy or PyTorch alone is enough. `torch.compile` needs a C++
compiler. The script reports what is missing and leaves it out.
"""

import datetime
import functools
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

# The libraries read these variables when they are loaded.
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # otherwise idle compiler processes stay alive

try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch
except ImportError:
    torch = None
try:
    import diffusers
    from diffusers.models.embeddings import get_timestep_embedding
except ImportError:
    diffusers = None

ROUNDS = 31
SAMPLE = 1e-3  # in seconds; shorter calls are repeated until they take as long
UNAVAILABLE = 69  # the exit status with which cargo xtask skips a task
MANIFEST = pathlib.Path(__file__).parent.parent / "benches" / "Cargo.toml"

SHAPES = [(128, 64), (512, 512), (4096, 1024)]
ROW = 4095, 512  # position, d_model
TIMESTEPS, CHANNELS = 1000, 320
TIMESTEP = 998.39


def exponents(library, d_model):
    return library.arange(0, d_model, 2) * (-math.log(10000.0) / d_model)


def numpy_frequencies(d_model):
    return np.exp(exponents(np, d_model).astype(np.float32))


def numpy_table(rows, d_model):
    """Computes the formula of the PyTorch tutorial in NumPy."""
    angles = np.arange(rows, dtype=np.float32)[:, np.newaxis] * numpy_frequencies(d_model)
    pe = np.zeros((rows, d_model), dtype=np.float32)
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


class NumpyTable:
    """Computes the same table into existing memory."""

    def __init__(self, rows, d_model):
        self.pe = np.zeros((rows, d_model), dtype=np.float32)
        self.angles = np.zeros((rows, d_model // 2), dtype=np.float32)

    def fill(self):
        rows, d_model = self.pe.shape
        np.multiply(np.arange(rows, dtype=np.float32)[:, np.newaxis], numpy_frequencies(d_model), out=self.angles)
        np.sin(self.angles, out=self.pe[:, 0::2])
        np.cos(self.angles, out=self.pe[:, 1::2])
        return self.pe


def numpy_row(position, frequencies):
    angles = np.float32(position) * frequencies
    row = np.empty(2 * len(angles), dtype=np.float32)
    row[0::2] = np.sin(angles)
    row[1::2] = np.cos(angles)
    return row


def torch_table(rows, d_model):
    """Computes the PyTorch tutorial's `PositionalEncoding`, without the batch axis."""
    position = torch.arange(rows).unsqueeze(1)
    div_term = torch.exp(exponents(torch, d_model))
    pe = torch.zeros(rows, d_model)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


class TorchTable:
    """Computes the same table into existing memory."""

    def __init__(self, rows, d_model):
        self.pe = torch.zeros(rows, d_model)
        self.angles = torch.zeros(rows, d_model // 2)

    def fill(self):
        rows, d_model = self.pe.shape
        torch.mul(torch.arange(rows).unsqueeze(1), torch.exp(exponents(torch, d_model)), out=self.angles)
        torch.sin(self.angles, out=self.pe[:, 0::2])
        torch.cos(self.angles, out=self.pe[:, 1::2])
        return self.pe


def torch_stack(rows, d_model):
    """Computes the same table without writing to slices, for which `torch.compile` generates faster code."""
    position = torch.arange(rows).unsqueeze(1)
    return torch_rows(position, torch.exp(exponents(torch, d_model)))


def torch_rows(position, frequencies):
    angles = position * frequencies
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).flatten(-2)


class Stopwatch:
    """The program that times posenc and loops in Rust."""

    def __init__(self):
        command = ["cargo", "run", "--release", "--quiet", "--manifest-path", MANIFEST, "--no-default-features"]
        command += ["--bin", "stopwatch"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def seconds(self, name):
        """Returns a function from a number of calls to the seconds that they take."""

        def seconds(calls):
            print(calls, name, file=self.process.stdin)
            nanoseconds = self.process.stdout.readline()
            if not nanoseconds:
                sys.exit("the program that times posenc stopped; its message is above")
            return int(nanoseconds) * 1e-9

        return seconds


def checked(function, expected):
    """Returns a function from a number of calls to the seconds that they take, after checking the last row."""
    row = function().reshape(-1, len(expected))[-1].tolist()
    # In f32 an angle below 4096 has an error of about 2^-11.
    if max(abs(a - b) for a, b in zip(row, expected, strict=True)) > 2e-3:
        raise AssertionError(f"{function} does not compute what posenc computes")

    def seconds(calls):
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        return time.perf_counter() - begin

    return seconds


@functools.cache
def why_not_compiled():
    """Returns why `torch.compile` cannot run here, or `None`."""
    try:
        torch.compile(torch.sin, fullgraph=True)(torch.zeros(8))
    except Exception as error:
        return str(error).strip().splitlines()[0]
    return None


def with_torch(name, expected, function, *arguments):
    """Yields a function of PyTorch, as it is and compiled."""
    yield name, checked(lambda: function(*arguments), expected)
    yield from compiled(name, expected, function, *arguments)


def compiled(name, expected, function, *arguments):
    if not why_not_compiled():
        function = torch.compile(function, fullgraph=True, dynamic=False)
        yield f"{name}, compiled", checked(lambda: function(*arguments), expected)


def paper_row(position, d_model):
    angles = [position * 10000.0 ** (-k / d_model) for k in range(0, d_model, 2)]
    return [function(angle) for angle in angles for function in (math.sin, math.cos)]


def ddpm_row(position, d_model):
    half = d_model // 2
    angles = [position * 10000.0 ** (-k / (half - 1)) for k in range(half)]
    return [function(angle) for function in (math.sin, math.cos) for angle in angles]


def existing_memory(stopwatch, rows, d_model):
    expected = paper_row(rows - 1, d_model)
    yield "posenc, `Spec::fill`", stopwatch.seconds(f"fill {rows} {d_model}")
    yield "a loop over `wide::f32x8`, approximate", stopwatch.seconds(f"loop_over_wide {rows} {d_model}")
    yield "a loop in `f32`", stopwatch.seconds(f"loop {rows} {d_model}")
    if np:
        yield f"NumPy {np.__version__}, `out=`", checked(NumpyTable(rows, d_model).fill, expected)
    if torch:
        yield f"PyTorch {torch.__version__}, `out=`", checked(TorchTable(rows, d_model).fill, expected)


def new_memory(stopwatch, rows, d_model):
    expected = paper_row(rows - 1, d_model)
    yield "posenc, `Spec::table`", stopwatch.seconds(f"table {rows} {d_model}")
    if np:
        yield f"NumPy {np.__version__}", checked(lambda: numpy_table(rows, d_model), expected)
    if torch:
        yield from with_torch(f"PyTorch {torch.__version__}", expected, torch_table, rows, d_model)
        yield from compiled(f"PyTorch {torch.__version__}, `torch.stack`", expected, torch_stack, rows, d_model)


def timesteps(stopwatch):
    yield "posenc, `Spec::fill_positions`", stopwatch.seconds(f"timesteps {TIMESTEPS} {CHANNELS}")
    positions = [row * 0.997 + 0.37 for row in range(TIMESTEPS)]
    yield from with_diffusers(positions)


def timestep(stopwatch):
    yield "posenc, `Spec::encode`", stopwatch.seconds(f"timestep {CHANNELS}")
    yield "posenc, `prepare(0)` once, then `encode`", stopwatch.seconds(f"prepared_timestep {CHANNELS}")
    yield from with_diffusers([TIMESTEP])


def with_diffusers(positions):
    if torch and diffusers:
        name = f"diffusers {diffusers.__version__}, `get_timestep_embedding`"
        expected = ddpm_row(positions[-1], CHANNELS)
        yield from with_torch(name, expected, get_timestep_embedding, torch.tensor(positions), CHANNELS)


def row(stopwatch):
    position, d_model = ROW
    expected = paper_row(position, d_model)
    yield "posenc, `prepare` once, then `encode_row`", stopwatch.seconds(f"prepared_row {position + 1} {d_model}")
    if np:
        frequencies = numpy_frequencies(d_model)
        yield "NumPy, frequencies given", checked(lambda: numpy_row(position, frequencies), expected)
    if torch:
        arguments = torch.tensor(float(position)), torch.exp(exponents(torch, d_model))
        yield from with_torch("PyTorch, frequencies given", expected, torch_rows, *arguments)


def groups(stopwatch):
    """Yields names, numbers of entries and contenders; the first contender is the reference."""
    for rows, d_model in SHAPES:
        name, entries = f"{rows} x {d_model}", rows * d_model
        yield f"{name}, existing memory", entries, existing_memory(stopwatch, rows, d_model)
        yield f"{name}, a new table", entries, new_memory(stopwatch, rows, d_model)
    yield f"{TIMESTEPS} fractional timesteps x {CHANNELS}", TIMESTEPS * CHANNELS, timesteps(stopwatch)
    yield f"one timestep x {CHANNELS}", CHANNELS, timestep(stopwatch)
    yield f"one row, d_model {ROW[1]}", ROW[1], row(stopwatch)


def calls_per_sample(seconds):
    """Returns how many calls fill a sample. This also warms caches, pages and allocators."""
    calls = 1
    while seconds(calls) < SAMPLE:
        calls *= 2
    return calls


def measure(contenders, rounds):
    """Returns a list of seconds per call for each contender. They take turns going first."""
    calls = [calls_per_sample(seconds) for seconds in contenders]
    samples = [[] for _ in contenders]
    for start in range(rounds):
        for turn in range(len(contenders)):
            i = (start + turn) % len(contenders)
            contenders[i](1)  # otherwise it would pay for the caches and the memory that the one before it has left
            samples[i].append(contenders[i](calls[i]) / calls[i])
    return samples


def print_group(name, entries, contenders, rounds):
    names, functions = zip(*contenders)
    times = measure(functions, rounds)
    for by, own in zip(names, times):
        median = statistics.median(own)
        ratio = statistics.median(one / reference for one, reference in zip(own, times[0]))
        print(f"| {name} | {by} | {duration(median)} | {median * 1e9 / entries:.3f} | {ratio:.2f} |", flush=True)
        name = ""


def duration(seconds):
    if seconds < 1e-5:
        return f"{seconds * 1e9:.0f} ns"
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def processor():
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    for name, module in [("numpy", np), ("torch", torch), ("diffusers", diffusers)]:
        if module is None:
            print(f"{name} is missing: `pip install {name}`", file=sys.stderr)
    if np is None and torch is None:
        sys.exit(UNAVAILABLE)
    if torch:
        torch.set_num_threads(1)
    print(f"{datetime.date.today()}, {processor()}, Python {platform.python_version()}; ", end="")
    print(f"one thread, f32, medians of {rounds} interleaved rounds\n")
    print("| work | contender | time | ns per entry | ratio |\n|---|---|---|---|---|")
    stopwatch = Stopwatch()
    for name, entries, contenders in groups(stopwatch):
        print_group(name, entries, contenders, rounds)
    if torch and why_not_compiled():
        print(f"\n`torch.compile` cannot run here: {why_not_compiled()}")


if __name__ == "__main__":
    main()
