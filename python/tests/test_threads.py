"""Threads, and the progress of long computations."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import posenc

# Angles far beyond floats take several microseconds per entry.
FAR = {"scale": 1e300, "dtype": "float64"}


def test_eight_threads_make_the_same_tables():
    def make(i):
        kind = i % 4
        if kind == 0:
            return posenc.sinusoidal(1000, 64)
        if kind == 1:
            return posenc.rotary(1000, 64)[1]
        if kind == 2:
            return posenc.grid((40, 25), 64)
        return posenc.encode([i * 0.5 for i in range(500)], 64)

    with ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(make, range(64)))
    assert [table == make(i) for i, table in enumerate(tables)] == [True] * 64


def test_eight_threads_share_a_table():
    table = posenc.sinusoidal(200, 64)

    def use(i):
        return (table.tobytes(), table.macro, hash(table), repr(table), memoryview(table).tobytes(), table.tolist())[
            i % 6
        ]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(600))) == [use(i) for i in range(600)]


class Ticks:
    """Counts how often another thread is running, and remembers its longest pause."""

    def __enter__(self):
        self.count, self.pause, self.done = 0, 0.0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.began = time.perf_counter()
        self.thread.start()
        return self

    def run(self):
        last = time.perf_counter()
        while not self.done.wait(0.001):
            now = time.perf_counter()
            self.pause, last, self.count = max(self.pause, now - last), now, self.count + 1
        self.pause = max(self.pause, time.perf_counter() - last)

    def __exit__(self, *_):
        self.total = time.perf_counter() - self.began
        self.done.set()
        self.thread.join()


FOUND = posenc.sinusoidal(60_000, 512)

CALLS = {
    "sinusoidal": lambda: posenc.sinusoidal(50, 512, **FAR),
    "encode": lambda: posenc.encode([1e300] * 2, 512, dtype="float64"),
    "rotary": lambda: posenc.rotary(50, 256, **FAR),
    "grid": lambda: posenc.grid((200,), 256, **FAR),
    "rotary_grid": lambda: posenc.rotary_grid((200,), 128, **FAR),
    "inv_freq": lambda: posenc.inv_freq(1 << 21, dtype="float64"),
    "compare": lambda: posenc.compare(FOUND, FOUND),
    "identify": lambda: posenc.identify(posenc.sinusoidal(2000, 256, base=1234.5, dtype="bfloat16")),
    "a large table": lambda: posenc.sinusoidal(65_536, 1024),
}


@pytest.mark.parametrize("call", CALLS)
def test_other_threads_run_meanwhile(call):
    for _ in range(3):  # Other programs make pauses too.
        with Ticks() as ticks:
            CALLS[call]()
        assert ticks.total > 0.02
        if ticks.pause < ticks.total / 2:
            return
    pytest.fail(f"no other thread ran for {ticks.pause:.3f} of {ticks.total:.3f} s")


def of_progress(make):
    said = []
    table = make(lambda done, total: said.append((done, total)))
    return table, said


@pytest.mark.parametrize(
    ("make", "total"),
    [
        (lambda progress: posenc.sinusoidal(50, 512, **FAR, progress=progress), 50 * 512 * 8),
        (lambda progress: posenc.sinusoidal(200_000, 256, progress=progress), 200_000 * 256 * 4),
        (lambda progress: posenc.rotary(100_000, 256, progress=progress), 2 * 100_000 * 128 * 4),
        (lambda progress: posenc.grid((300, 300), 256, progress=progress), 300 * 300 * 256 * 4),
        (lambda progress: posenc.rotary_grid((300, 300), 256, progress=progress), 2 * 300 * 300 * 128 * 4),
        (lambda progress: posenc.rotary_grid((9, 9), 8, packing="cos_sin", progress=progress), 81 * 8 * 4),
    ],
)
def test_progress_grows_to_the_total(make, total):
    _, said = of_progress(make)
    done = [done for done, _ in said]
    assert done == sorted(set(done))
    assert {all_bytes for _, all_bytes in said} == {total}
    assert done[-1] == total
    assert done[0] > 0


def test_long_computations_report_progress_often():
    began = time.perf_counter()
    _, said = of_progress(lambda progress: posenc.sinusoidal(1100, 128, **FAR, progress=progress))
    assert len(said) > time.perf_counter() - began


def test_progress_changes_nothing():
    table, _ = of_progress(lambda progress: posenc.sinusoidal(50_000, 64, progress=progress))
    assert table == posenc.sinusoidal(50_000, 64)


def test_an_empty_table_has_no_progress_to_report():
    _, said = of_progress(lambda progress: posenc.sinusoidal(0, 64, progress=progress))
    assert said in ([], [(0, 0)])


class Stop(Exception):
    pass


@pytest.mark.parametrize("function", ["sinusoidal", "rotary"])
def test_an_exception_of_the_callback_stops_the_computation(function):
    calls = []

    def progress(done, total):
        calls.append(done)
        raise Stop

    with pytest.raises(Stop):
        getattr(posenc, function)(100_000_000 // 256, 256, progress=progress)
    assert len(calls) == 1


def test_a_callback_that_computes():
    made = []
    posenc.sinusoidal(100_000, 64, progress=lambda *_: made.append(posenc.sinusoidal(3, 4)))
    assert set(made) == {posenc.sinusoidal(3, 4)}


@pytest.mark.parametrize("progress", [3, "print", lambda: None, lambda done: None])
def test_what_is_no_callback(progress):
    with pytest.raises(TypeError):
        posenc.sinusoidal(300_000, 64, progress=progress)
