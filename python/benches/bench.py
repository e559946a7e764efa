"""Compares the Python package with the recipes of NumPy, PyTorch and diffusers, and times single calls.

`cargo xtask bench --python [rounds]` (by default 31) runs this script and prints Markdown. The recipes and the method
are the same as in `scripts/peers.py`: the contenders of a group take turns, each runs once untimed before every sample,
and times and ratios are medians over the rounds. The last column is the share of entries that are not the formula
rounded once, which NumPy computes in its longest floats.

Needs `pip install ./python numpy torch diffusers`; `torch.compile` needs a C++ compiler. JAX is optional.
"""

import datetime
import os
import pathlib
import platform
import statistics
import sys
import time

try:
    import numpy as np
    import posenc
    import torch
    from diffusers import __version__ as diffusers_version
    from diffusers.models.embeddings import get_timestep_embedding
except ImportError as error:
    print(f"{error.name} is missing: `pip install ./python numpy torch diffusers`", file=sys.stderr)
    sys.exit(69)  # the status with which cargo xtask skips a task

DEFAULT_THREADS = torch.get_num_threads()  # before `peers` sets the variables that determine it

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))
import peers  # noqa: E402

NUMPY, TORCH = f"NumPy {np.__version__}", f"PyTorch {torch.__version__}"
DIFFUSERS = f"diffusers {diffusers_version}, `get_timestep_embedding`"


def rounded(rows, d_model, cosines_first=False):
    """Returns the table of the paper, or of Stable Diffusion, computed without posenc."""
    exponents = np.arange(0, d_model, 2, dtype=np.longdouble) / d_model
    angles = np.arange(rows, dtype=np.longdouble)[:, np.newaxis] / np.longdouble(10000) ** exponents
    if cosines_first:
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(rows, d_model).astype(np.float32)


def timed(function, threads=1):
    """Returns a function from a number of calls to the seconds that they take."""

    def seconds(calls):
        torch.set_num_threads(threads)
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        return time.perf_counter() - begin

    return seconds


def of_torch(name, function, *arguments):
    """Yields a function of PyTorch on one thread, and on as many as PyTorch uses by default."""
    for threads in dict.fromkeys([1, DEFAULT_THREADS]):
        yield f"{name}, {threads} thread{'s' * (threads > 1)}", lambda: function(*arguments), threads


def compiled(function):
    return torch.compile(function, fullgraph=True, dynamic=False)


def existing_memory(rows, d_model):
    out = np.zeros((rows, d_model), np.float32)
    yield "posenc, `sinusoidal(out=)`", lambda: posenc.sinusoidal(rows, d_model, out=out), 1
    yield f"{NUMPY}, `out=`", peers.NumpyTable(rows, d_model).fill, 1
    yield from of_torch(f"{TORCH}, `out=`", peers.TorchTable(rows, d_model).fill)


def new_memory(rows, d_model):
    yield "posenc, `sinusoidal`", lambda: posenc.sinusoidal(rows, d_model), 1
    yield NUMPY, lambda: peers.numpy_table(rows, d_model), 1
    yield from of_torch(TORCH, peers.torch_table, rows, d_model)
    if not peers.why_not_compiled():
        yield from of_torch(f"{TORCH}, compiled", compiled(peers.torch_stack), rows, d_model)


def timesteps(count, channels):
    steps = torch.arange(count, dtype=torch.float32)
    yield 'posenc, `encode(preset="adm")`', lambda: posenc.encode(steps, channels, preset="adm"), 1
    yield 'posenc, `sinusoidal(preset="adm")`', lambda: posenc.sinusoidal(count, channels, preset="adm"), 1
    # Stable Diffusion's arguments
    yield from of_torch(DIFFUSERS, get_timestep_embedding, steps, channels, True, 0)
    if not peers.why_not_compiled():
        yield from of_torch(f"{DIFFUSERS}, compiled", compiled(get_timestep_embedding), steps, channels, True, 0)


def groups():
    """Yields names, what the tables should be, and contenders; the first contender is the reference."""
    for rows, d_model in peers.SHAPES:
        yield f"{rows} x {d_model}, existing memory", rounded(rows, d_model), existing_memory(rows, d_model)
        yield f"{rows} x {d_model}, a new table", rounded(rows, d_model), new_memory(rows, d_model)
    count, channels = peers.TIMESTEPS, peers.CHANNELS
    yield f"{count} timesteps x {channels}", rounded(count, channels, True), timesteps(count, channels)


def print_group(name, expected, contenders, rounds):
    names, functions, threads = zip(*contenders)
    times = peers.measure([timed(*contender) for contender in zip(functions, threads)], rounds)
    for by, function, own in zip(names, functions, times):
        median, ratio = medians(own, times[0])
        wrong = 100 * np.mean(np.asarray(function()) != expected)
        print(f"| {name} | {by} | {peers.duration(median)} | {median * 1e9 / expected.size:.3f} |", end="")
        print(f" {ratio:.2f} | {wrong:.1f} % |", flush=True)
        name = ""


def medians(own, reference):
    return statistics.median(own), statistics.median(a / b for a, b in zip(own, reference))


def calls():
    """Yields short calls; what they cost is mostly the way through Python."""
    llama = {"model_type": "llama", "head_dim": 128, "rope_theta": 500000.0}
    out = np.zeros((1, 2), np.float32)
    yield "`numpy.zeros((1, 2), numpy.float32)`", lambda: np.zeros((1, 2), np.float32)
    yield "`torch.zeros(1, 2)`", lambda: torch.zeros(1, 2)
    yield "`sinusoidal(0, 2)`", lambda: posenc.sinusoidal(0, 2)
    yield "`sinusoidal(1, 2)`", lambda: posenc.sinusoidal(1, 2)
    yield "`sinusoidal(1, 2, out=array)`", lambda: posenc.sinusoidal(1, 2, out=out)
    yield '`sinusoidal(1, 2, preset="adm")`', lambda: posenc.sinusoidal(1, 2, preset="adm")
    keys = {"base": 500.0, "layout": "halves", "scale": 2.0}
    yield '`sinusoidal(1, 2, base=500.0, layout="halves", scale=2.0)`', lambda: posenc.sinusoidal(1, 2, **keys)
    yield "`encode([7.5], 2)`", lambda: posenc.encode([7.5], 2)
    yield '`rotary(1, preset="llama3_1")`', lambda: posenc.rotary(1, preset="llama3_1")
    yield "`rotary(1, config=a_dict)`", lambda: posenc.rotary(1, config=llama)
    table = posenc.sinusoidal(1500, 384)
    yield "`numpy.asarray(table)`, 1500 x 384", lambda: np.asarray(table)
    yield "`torch.from_dlpack(table)`, 1500 x 384", lambda: torch.from_dlpack(table)
    yield "`table.torch()`, 1500 x 384, which copies", table.torch


def addresses():
    """Yields the addresses of the entries of one table in each library, and of an array that posenc writes to."""
    table = posenc.sinusoidal(1500, 384)
    own = np.frombuffer(table, np.uint8).__array_interface__["data"][0]
    yield "`numpy.asarray(table)`", np.asarray(table).__array_interface__["data"][0], own
    yield "`torch.from_dlpack(table)`", torch.from_dlpack(table).data_ptr(), own
    yield "`table.torch()`", table.torch().data_ptr(), own
    try:
        import jax
    except ImportError:
        print("jax is missing: `pip install jax`", file=sys.stderr)
    else:
        address = jax.dlpack.from_dlpack(table).unsafe_buffer_pointer()
        yield f"`jax.dlpack.from_dlpack(table)`, JAX {jax.__version__}", address, own
    tensor = torch.empty(1500, 384)
    yield "`sinusoidal(1500, 384, out=tensor)`", posenc.sinusoidal(1500, 384, out=tensor).data_ptr(), tensor.data_ptr()


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else peers.ROUNDS
    print(f"{datetime.date.today()}, {peers.processor()}, {os.cpu_count()} threads,", end=" ")
    print(f"Python {platform.python_version()}; f32, medians of {rounds} interleaved rounds\n")
    print("| work | contender | time | ns per entry | ratio | wrong entries |\n|---|---|---|---|---|---|")
    for group in groups():
        print_group(*group, rounds)

    names, functions = zip(*calls())
    times = peers.measure([timed(function) for function in functions], rounds)
    print("\n| call | time |\n|---|---|")
    for name, own in zip(names, times):
        print(f"| {name} | {statistics.median(own) * 1e9:.0f} ns |")

    print("\n| entries | without a copy |\n|---|---|")
    for name, address, own in addresses():
        print(f"| {name} | {'yes' if address == own else 'no'} |")
    if peers.why_not_compiled():
        print(f"\n`torch.compile` cannot run here: {peers.why_not_compiled()}")


if __name__ == "__main__":
    main()
