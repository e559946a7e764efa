"""Ctrl-C during long computations."""

import signal
import subprocess
import sys

import pytest

import posenc

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

CALLS = [
    "sinusoidal(1_000_000, 256)",
    "sinusoidal(100_000, 512, scale=1e300, dtype='float64')",
    "encode(range(1_000_000), 256)",
    "encode([1e300] * 1000, 512, dtype='float64')",
    "rotary(1_000_000, 256)",
    "grid((1000, 1000), 256)",
    "rotary_grid((1000, 1000), 256)",
    "identify(posenc.sinusoidal(100_000, 1024, base=1234.5, dtype='bfloat16'))",
]

# The signal comes while a call runs, because nearly all of the time is spent in calls.
PROGRAM = """
import os, signal, threading, time
import posenc
sent = []
def interrupt():
    time.sleep(0.2)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    while True:
        posenc.CALL
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0], flush=True)
    os._exit(0)
"""


@pytest.mark.parametrize("call", CALLS)
def test_control_c(call):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("CALL", call)], capture_output=True, text=True, timeout=10
    )
    assert ran.returncode == 0, ran.stderr
    # It is a fraction of a second on a quiet machine, and the calls with 1e300 take minutes.
    assert float(ran.stdout) < 5


def test_a_program_ends_by_the_signal():
    program = subprocess.Popen(
        [sys.executable, "-c", "import posenc\nprint(flush=True)\nwhile True: posenc.sinusoidal(10_000, 256)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    program.stdout.readline()
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=5)
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert program.returncode == -signal.SIGINT


def test_handlers_of_signals_may_compute():
    made = []
    before = signal.signal(signal.SIGALRM, lambda *_: made.append(posenc.sinusoidal(3, 4)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        while not made:
            posenc.sinusoidal(100_000, 64)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert made == [posenc.sinusoidal(3, 4)]


def test_an_exception_of_a_handler_stops_the_computation():
    def stop(*_):
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(InterruptedError):
            while True:
                posenc.sinusoidal(100_000, 64)
    finally:
        signal.signal(signal.SIGALRM, before)
