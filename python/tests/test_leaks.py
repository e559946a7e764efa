"""Calls that are repeated often do not take more and more memory."""

import gc
import os
import sys
import time

import pytest
from dlpack import Managed, Versioned, consume

import posenc

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")

TABLE = posenc.sinusoidal(12, 8)
CONFIG = {"head_dim": 8, "rope_theta": 100, "max_position_embeddings": 2}
OUT = memoryview(bytearray(12 * 8 * 4)).cast("B").cast("f", (12, 8))
PAIR = tuple(memoryview(bytearray(32)).cast("B").cast("f", (2, 4)) for _ in range(2))
POSITIONS = memoryview(bytearray(16)).cast("d")


def fails(call):
    try:
        call()
    except (ValueError, TypeError, MemoryError, BufferError):
        return
    pytest.fail("there is no error")


CALLS = {
    "sinusoidal": lambda: posenc.sinusoidal(2, 4, preset="whisper", base=9, dtype="float64"),
    "sinusoidal, text": lambda: repr(posenc.sinusoidal(2, 4, base=9)),
    "sinusoidal, lists": lambda: posenc.sinusoidal(2, 8, scaling="longrope([1, 2, 3, 4], 4, 512)"),
    "sinusoidal, out": lambda: posenc.sinusoidal(12, 8, out=OUT),
    "sinusoidal, progress": lambda: posenc.sinusoidal(2, 4, progress=lambda *_: None),
    "encode": lambda: posenc.encode([0.5, 1], 4),
    "encode, array": lambda: posenc.encode(POSITIONS, 4),
    "rotary": lambda: posenc.rotary(2, 8, scaling="llama3(8, 8192)"),
    "rotary, out": lambda: posenc.rotary(2, 8, out=PAIR),
    "rotary, config": lambda: posenc.rotary(config=CONFIG),
    "grid": lambda: posenc.grid((2, 3), 8, base=(9, 8), frequencies=None),
    "grid, positions": lambda: posenc.grid((2, 2), 8, positions=([1, 2], [3, 4])),
    "rotary_grid": lambda: posenc.rotary_grid((2, 3), 8, first="w,h"),
    "inv_freq": lambda: posenc.inv_freq(8),
    "compare": lambda: posenc.compare(TABLE, OUT).histogram,
    "buffers": lambda: memoryview(TABLE).tobytes(),
    "lists": TABLE.tolist,
    "pickles": lambda: TABLE.__reduce__(),
    "restored": lambda: posenc._posenc._restore(*TABLE.__reduce__()[1]),
    "hashes": lambda: (hash(TABLE), TABLE == posenc.sinusoidal(2, 2)),
    "capsules": lambda: TABLE.__dlpack__(),
    "capsules with a version": lambda: TABLE.__dlpack__(max_version=(1, 0)),
    "consumed capsules": lambda: consume(TABLE.__dlpack__(), Managed),
    "consumed capsules with a version": lambda: consume(TABLE.__dlpack__(max_version=(1, 0)), Versioned),
    "consumed copies": lambda: consume(TABLE.__dlpack__(max_version=(1, 0), copy=True), Versioned),
    "errors of keys": lambda: fails(lambda: posenc.sinusoidal(2, 4, bases=1)),
    "errors of values": lambda: fails(lambda: posenc.sinusoidal(2, 4, layout="halve", scaling="ntk(2)")),
    "errors of presets": lambda: fails(lambda: posenc.rotary(2, preset="lama")),
    "errors of out": lambda: fails(lambda: posenc.sinusoidal(3, 8, out=OUT)),
    "errors of a pair": lambda: fails(lambda: posenc.rotary(2, 8, out=(PAIR[0], OUT))),
    "errors of memory": lambda: fails(lambda: posenc.sinusoidal(2**40, 1024)),
    "errors of progress": lambda: fails(lambda: posenc.sinusoidal(2, 4, progress=lambda *_: int("x"))),
    "errors of buffers": lambda: fails(lambda: memoryview(posenc.sinusoidal(2, 4, dtype="bf16"))),
    "errors of arrays": lambda: fails(lambda: posenc.compare(TABLE, POSITIONS)),
    "errors of configs": lambda: fails(lambda: posenc.rotary(9, config={"head_dim": "x"})),
    "explain": lambda: str(posenc.explain(1, 1, 4)),
    "identify": lambda: posenc.identify(TABLE, shape=(3, 4)),
    "identify vectors": lambda: str(posenc.identify(posenc.inv_freq(64))),
    "presets": posenc.presets,
}


def resident():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(call, times):
    before = resident()
    for _ in range(times):
        call()
    return resident() - before


@pytest.mark.parametrize("call", CALLS)
def test_calls(call):
    """A leak of one object per call is at least 16 bytes. Other allocations may take a few pages, but not twice."""
    call, begin = CALLS[call], time.perf_counter()
    for _ in range(100):
        call()
    times = max(100, min(50_000, int(6 / (time.perf_counter() - begin))))  # 60 ms, or 50,000 calls.
    assert min(growth(call, times) for _ in range(2)) < max(8 * times, 40_000)


def test_reference_counts():
    """What is passed in and what is kept alive is released."""

    def progress(done, total):
        pass

    objects = [OUT, *PAIR, POSITIONS, CONFIG, progress, TABLE]
    counts = [sys.getrefcount(value) for value in objects]
    for _ in range(10):
        for call in CALLS.values():
            call()
        posenc.sinusoidal(2, 4, progress=progress)
        views = [memoryview(TABLE), TABLE.__dlpack__(), TABLE.__dlpack__(max_version=(1, 0))]
        del views
    assert [sys.getrefcount(value) for value in objects] == counts


def test_a_released_table_is_freed():
    """64 MB each, and at most a few of them at once."""
    peak = 0
    before = resident()
    for _ in range(10):
        table = posenc.sinusoidal(16_000, 1000)
        capsule = table.__dlpack__(max_version=(1, 0))
        view = memoryview(table)
        peak = max(peak, resident() - before)
        del table, capsule, view
    assert peak < 200e6
