"""Other processes and other interpreters."""

import multiprocessing
import os
import subprocess
import sys
import threading

import pytest

import posenc


def make(i):
    """Runs in another process, so the tables are pickled on the way back."""
    return posenc.sinusoidal(100 + i, 64), posenc.rotary(9, preset="llama3_1")[0], posenc.inv_freq(8)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_of_a_pool(method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(make, range(4)) == [make(i) for i in range(4)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_while_other_threads_compute():
    done = threading.Event()

    def compute():
        while not done.is_set():
            posenc.sinusoidal(2000, 256)

    threads = [threading.Thread(target=compute) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0 if posenc.sinusoidal(3, 4).tolist()[0] == [0.0, 1.0, 0.0, 1.0] else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        done.set()
        for thread in threads:
            thread.join()


# An interpreter either has the module or refuses it by ImportError; the main one goes on.
INTERPRETERS = """
import sys
import posenc
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
table = posenc.sinusoidal(3, 4)
code = "try: import posenc; assert posenc.sinusoidal(3, 4).tolist()[0][1] == 1\\nexcept ImportError: pass"
for kind in KINDS:
    for _ in range(3):
        interpreter = interpreters.create(kind) if kind else interpreters.create()
        failed = getattr(interpreters, "exec", None) or interpreters.run_string
        assert failed(interpreter, code) is None
        interpreters.destroy(interpreter)
assert posenc.sinusoidal(3, 4) == table
print("right")
"""


@pytest.mark.parametrize("kind", ["legacy", "isolated"] if sys.version_info >= (3, 13) else [None])
def test_subinterpreters(kind):
    pytest.importorskip("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
    ran = subprocess.run(
        [sys.executable, "-c", INTERPRETERS.replace("KINDS", repr([kind]))], capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stdout) == (0, "right\n"), ran.stderr


def test_the_module_is_imported_again():
    code = "import sys, posenc; t = posenc.sinusoidal(3, 4); del sys.modules['posenc'], sys.modules['posenc._posenc']\n"
    code += "try: import posenc; assert posenc.sinusoidal(3, 4).tolist() == t.tolist()\nexcept ImportError: pass"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr


def test_importing_needs_no_other_package():
    code = "import sys\nfor name in ('numpy', 'torch', 'jax', 'ml_dtypes'): sys.modules[name] = None\n"
    code += "import posenc\nassert posenc.sinusoidal(1, 2).tolist() == [[0.0, 1.0]]"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
