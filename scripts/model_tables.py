"""Makes the tables of models with the libraries that run them, and records them for the tests of `posenc identify`.

    python3 scripts/model_tables.py                     records them in tool/tests/models
    python3 scripts/model_tables.py --check             makes them again, and says which bits differ from the recorded ones
    python3 scripts/model_tables.py --identify POSENC   makes them as large as models do, and prints what this program does
                                                        not name as expected

All formulas are those of the libraries, and so are most parameters; the others are those of a model's configuration. A row
of the lists (model_tables_1d.py, _rotary.py, _grids.py) has a module, a call that is evaluated with the names of that
module, and the command of posenc that makes the exact table. No weights are needed. `index.json` has the calls, with the
versions of the libraries that were installed, and a .npz file per library has the tables: the first rows of each, few enough
to be kept. A library that is not installed is left out, and its recorded tables stay.

Needs NumPy, and `pip install --no-deps` of any of the libraries in `index.json`, with PyTorch, TensorFlow or Keras as they
need: other libraries that they import are replaced, because no table needs them (model_tables_import.py). Other versions,
and other processors, may differ in the last bits, so `--check` says by how much.
"""

import argparse
import importlib.metadata
import json
import multiprocessing
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import types
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np

import model_tables_1d
import model_tables_grids
import model_tables_rotary
from model_tables_import import NEEDED, imported

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tool/tests/models"
INDEX = FOLDER / "index.json"
RECORDED = {"n": 6, "d": 32, "t": 2, "h": 3, "w": 5}
REAL = {"n": 2048, "d": 384, "t": 4, "h": 24, "w": 32}


class Row(NamedTuple):
    module: str
    name: str
    call: str
    command: str | None
    reason: str | None = None

    @property
    def library(self):
        return self.module.split(".")[0]


ROWS = [Row(*row) for rows in (model_tables_1d, model_tables_rotary, model_tables_grids) for row in rows.ROWS]


# Making tables. Each library has a process of its own, because some do not get along with each other.


def helpers(n):
    """What the calls use besides the names of their modules."""

    def rotary(module, positions=0, **layer):
        torch = sys.modules["torch"]
        return module(torch.zeros(1), torch.arange(max(n, positions))[None], **layer)

    def zeroed(module):
        """A module that adds its positions to its input is left with the positions if its weights are zeros."""
        for parameter in module.parameters():
            parameter.data.zero_()
        return module

    def initialized(module):
        module.initialize_weights()
        return module

    return {
        "cos": lambda module, **others: rotary(module, **others)[0][:, :n],
        "sin": lambda module, **others: rotary(module, **others)[1][:, :n],
        "complex": rotary,
        "zeroed": zeroed,
        "initialized": initialized,
        "phi3_5": phi3_5(),
        "torch": sys.modules.get("torch"),
        "SimpleNamespace": types.SimpleNamespace,
    }


def phi3_5():
    """The `rope_parameters` of Phi-3.5 mini. Its divisors are in no library, so these are those of posenc."""
    source = (ROOT / "pe-runtime/src/rope/factors.rs").read_text()
    lists = [[float(number) for number in re.findall(r"^ +([\d.]+),$", part, re.M)] for part in source.split("const ")[1:]]
    factors = dict(zip(("short_factor", "long_factor"), lists, strict=True))
    return {"rope_type": "longrope", "rope_theta": 10000.0, "original_max_position_embeddings": 4096, **factors}


def array(table):
    """A tensor of any framework with its last axis as columns. A complex number is two of them."""
    table = np.array(table.detach() if hasattr(table, "detach") else table)
    table = table.view(table.real.dtype)
    return np.ascontiguousarray(table.reshape(-1, table.shape[-1]))


def made(library, sizes):
    """The tables of a library by their names, or None if it is not installed."""
    warnings.simplefilter("ignore")
    tables = {}
    for row in ROWS:
        if row.library == library:
            try:
                names = vars(imported(row.module))
            except ModuleNotFoundError as error:
                if error.name not in {library, *NEEDED}:
                    raise
                print(f"left out {library}: {error}", flush=True)
                return None
            tables[row.name] = array(eval(row.call, {**names, **helpers(sizes["n"]), **sizes}))
    return tables


def all_made(sizes):
    """The libraries with their tables."""
    os.environ |= {"KERAS_BACKEND": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3", "TRANSFORMERS_VERBOSITY": "error"}
    libraries = list(dict.fromkeys(row.library for row in ROWS))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn, max_tasks_per_child=1) as pool:
        for library, tables in zip(libraries, pool.map(partial(made, sizes=sizes), libraries), strict=True):
            if tables is not None:
                yield library, tables


def command(row, sizes):
    return row.command and row.command.format(**sizes, last=sizes["n"] - 1)


# What to do with them.


def version(library):
    names = importlib.metadata.packages_distributions().get(library, [])
    return next((f"{name} {importlib.metadata.version(name)}" for name in names), None)


def record():
    """Writes the tables, and the index, in which libraries that are not installed keep their entries."""
    FOLDER.mkdir(exist_ok=True)
    index = json.loads(INDEX.read_text()) if INDEX.exists() else {"libraries": {}, "tables": []}
    versions, entries = index["libraries"], index["tables"]
    for library, tables in all_made(RECORDED):
        file = f"{library}.npz"
        np.savez_compressed(FOLDER / file, **tables)
        # What the library computes with is installed beside it.
        versions[file] = [told for name in (library, "numpy", "torch", "tensorflow") if (told := version(name))]
        entries = [entry for entry in entries if entry["file"] != file]
        for row in (row for row in ROWS if row.library == library):
            table = tables[row.name]
            entry = {"file": file, "name": row.name, "module": row.module, "call": row.call}
            entry |= {"shape": list(table.shape), "dtype": str(table.dtype)}
            entries.append(entry | {"command": command(row, RECORDED), "reason": row.reason})
    entries.sort(key=lambda entry: (entry["file"], entry["name"]))
    parts = {"sizes": RECORDED, "libraries": dict(sorted(versions.items())), "tables": entries}
    INDEX.write_text("{" + ",\n".join(f"{json.dumps(key)}: {lines(part)}" for key, part in parts.items()) + "}\n")


def lines(part):
    """JSON with a line for each table."""
    return "[\n" + ",\n".join(map(json.dumps, part)) + "\n]" if isinstance(part, list) else json.dumps(part)


def check():
    """Compares the tables with the recorded ones. Returns whether any differs, or none could be made."""
    differs, compared = False, 0
    for library, tables in all_made(RECORDED):
        recorded = np.load(FOLDER / f"{library}.npz")
        for name in sorted({*tables, *recorded}):
            found, expected = tables.get(name), recorded.get(name)
            compared += 1
            if found is None or expected is None or (found.shape, found.dtype) != (expected.shape, expected.dtype):
                print(f"{library} {name}: not a recorded table, or of another shape or type", flush=True)
                differs = True
            elif found.tobytes() != expected.tobytes():
                apart = np.abs(found.astype(np.float64) - expected)
                count = f"{np.count_nonzero(apart)} of {apart.size} entries differ"
                print(f"{library} {name}: {count}, by at most {apart.max():.1e}", flush=True)
                differs = True
    print(f"{compared} of {len(ROWS)} tables compared")
    return differs or compared == 0


def identify(program):
    """Asks the program about tables as large as those of models, and prints the answers that are not the expected ones."""
    right = count = 0
    for library, tables in all_made(REAL):
        for row in (row for row in ROWS if row.library == library):
            with tempfile.TemporaryDirectory() as folder:
                answer, is_expected = asked(program, row, tables[row.name], folder)
            right, count = right + is_expected, count + 1
            if not is_expected:
                print(f"{library} {row.name}: {command(row, REAL) or row.reason}\n{answer}", flush=True)
    print(f"{right} of {count} answers are the expected ones")
    return int(right < count)


def asked(program, row, table, folder):
    """The answer about a table, and whether its command makes the bits of the row's, or nothing fits if that has none."""

    def run(words):
        return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)

    def bits(line):
        made = run([*shlex.split(line), "-o", "table.bin"])
        return pathlib.Path(folder, "table.bin").read_bytes() if made.returncode == 0 else made.stderr

    np.save(pathlib.Path(folder) / "table.npy", table)
    expected = command(row, REAL)
    shape = re.findall(r"--shape \d+x\d+x\d+", expected or "")
    answer = run(["identify", "table.npy", "--json", *" ".join(shape).split()])
    told = json.loads(answer.stdout or "{}").get("commands", [])
    if not expected or not told:
        return answer.stdout + answer.stderr, not expected and answer.returncode == 1
    rows, columns = table.shape
    size = {"table": f"--seq-len {rows} --d-model {columns}", "rope": f"--seq-len {rows}", "grid": f"--d-model {columns}"}
    dtype = " --dtype f64" if table.dtype == np.float64 else ""
    same = bits(told[0].removeprefix("posenc ").split(" -o ")[0]) == bits(f"{expected} {size[expected.split()[0]]}{dtype}")
    return answer.stdout, same and answer.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with the recorded tables")
    parser.add_argument("--identify", metavar="POSENC", help="ask this program about tables as large as those of models")
    arguments = parser.parse_args()
    if arguments.identify:
        sys.exit(identify(pathlib.Path(arguments.identify).resolve()))
    elif arguments.check:
        sys.exit(check())
    else:
        record()


if __name__ == "__main__":
    main()
