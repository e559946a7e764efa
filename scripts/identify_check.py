"""Counts how often `posenc identify` is right about tables as frameworks compute them, and about other tables.

Needs NumPy. `cargo build --release --package posenc-cli`, then `python3 scripts/identify_check.py`; see --help.

Recipes are tables of usual parameters, and factors are tables of f64 with a random amplitude or scale.

An answer about a recipe is right if its command makes the table of the recipe in real numbers, near if it makes a table that the
entries cannot distinguish from it, ambiguous if several specs are listed and the recipe's is one of them, or if digits are not
determined, and otherwise wrong.
One about a factor is right if it has the number itself and is certain, rounded if it has fewer digits, says how many, and they are
those of the number, and otherwise wrong.
A negative, which no parameters were used for, is refused if nothing fits, made if the answer's command makes its entries after
all, such as a list of frequencies, and otherwise a false positive.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from identify_rotary import random_cache
from identify_tables import factor_recipe, negative, random_recipe, rounded, save

BINARY = pathlib.Path(__file__).resolve().parent.parent / "target/release/posenc"
CALL = re.compile(r"or +(sinusoidal|rotary)_table!\((.*)\), (?:the same table|off by)")
BETWEEN_KEYS = re.compile(r", (?![^(\[]*[)\]])")
# The number of a family is part of its seeds.
FAMILIES = {"recipes": 0, "negatives": 1, "caches": 2, "factors": 3}


def run(arguments, folder):
    return subprocess.run([BINARY, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def table_of(words, folder):
    """The exact table of a command `posenc table` or `posenc rope` in f64."""
    words = [word for word in words if not word.startswith("--dtype=")]
    for option in ("--dtype", "-o"):
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    made = run([*words, "--dtype", "f64", "-o", "told.npy"], folder)
    if made.returncode != 0:
        raise RuntimeError(f"{words}: {made.stderr}")
    return np.load(folder / "told.npy")


def commands(answer):
    """The commands that make the tables of an answer: its own, and those of the macro calls it lists."""
    own = re.search(r"command +posenc (.*)", answer)
    told = [shlex.split(own.group(1))] if own else []
    for kind, call in CALL.findall(answer):
        seq_len, width, *keys = BETWEEN_KEYS.split(call)
        keys = [f"--{name.replace('_', '-')}={value.strip('[]')}" for name, value in (key.split(" = ", 1) for key in keys)]
        command = ["table", "--d-model"] if kind == "sinusoidal" else ["rope", "--head-dim"]
        told.append([*command, width, "--seq-len", seq_len, *keys])
    return told


def widened(entries, dtype):
    """The entries of a type as f64."""
    return ((entries.astype(np.uint32) << 16).view(np.float32) if dtype == "bf16" else entries).astype(np.float64)


def judged(recipe, answer, status):
    """The verdict on an answer about the table of a recipe."""
    if status == 1:
        return "missed"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        exact = recipe.computed(np.float64)
        same = recipe.amplitude() * (1e-12 + 1e-13 * recipe.largest_angle())
        apart = [np.abs(table_of(words, folder) - exact).max() for words in commands(answer)]
        if apart and apart[0] <= same and status == 0:
            return "right"
        if any(distance <= same for distance in apart):
            return "ambiguous"
        error = np.abs(widened(recipe.entries(), recipe.dtype) - exact).max()
        if apart and apart[0] <= 2 * error:
            return "near"
    return "wrong"


def judged_factor(recipe, answer, status):
    """The verdict on an answer, as JSON, about a table with a factor that has many digits."""
    if status == 1:
        return "missed"
    key = "scale" if "scale" in recipe.keys else "amplitude"
    call, number = answer["call"], recipe.key(key)
    told = re.search(rf"\b{key} = ([-+.e0-9]+)", call)
    others = [f"{name} = {value}" for name, value in recipe.keys.items() if name != key]
    if told is None or not all(other in call for other in others) or "f64" not in answer["facts"][0]["text"]:
        return "wrong"
    digits = [rounded["digits"] for rounded in answer["undetermined"] if rounded["parameter"] == key]
    if not digits:
        return "right" if status == 0 and float(told.group(1)) == number else "wrong"
    same = float(f"{number:.{digits[0] - 1}e}") == float(told.group(1))
    return "rounded" if status == 3 and same else "wrong"


def one(arguments, number, family):
    is_negative = family == "negatives"
    rng = np.random.default_rng([arguments.seed, FAMILIES[family], number])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = folder / "pe.safetensors"
        if is_negative:
            what, table, dtype = negative(rng, number)
            save(file, rounded(table, dtype), dtype)
            what = f"{what} {table.shape[0]} x {table.shape[1]} {dtype}"
        else:
            make = {"recipes": random_recipe, "factors": lambda rng: factor_recipe(rng, number)}
            what = make.get(family, lambda rng: random_cache(rng, number))(rng)
            save(file, what.entries(), what.dtype)
        started = time.monotonic()
        ran = run(["identify", file, *(["--json"] if family == "factors" else [])], folder)
        took = time.monotonic() - started
        if ran.returncode not in (0, 1, 3):
            verdict = "failed"
        elif is_negative:
            error = np.abs(widened(rounded(table, dtype), dtype) - table).max()
            told = [table_of(words, folder) for words in commands(ran.stdout)[:1]]
            is_made = any(np.abs(made - table).max() <= 2 * error + 1e-12 * len(table) for made in told)
            verdict = "refused" if ran.returncode == 1 else "made" if is_made else "false positive"
        elif family == "factors":
            verdict = judged_factor(what, json.loads(ran.stdout), ran.returncode)
        else:
            verdict = judged(what, ran.stdout, ran.returncode)
    return number, str(what), verdict, took, ran.stdout + ran.stderr


def times():
    """Prints how long it takes to identify a large exact table, and to refuse a large random one."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run(["table", "--seq-len", "100000", "--d-model", "1024", "-o", "exact.npy"], folder)
        random = np.random.default_rng(1).standard_normal((51865, 384))
        np.save(folder / "random.npy", random.astype(np.float32))
        for name in ("exact", "random"):
            started = time.monotonic()
            ran = run(["identify", f"{name}.npy"], folder)
            print(f"{name}: status {ran.returncode} in {time.monotonic() - started:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--recipes", type=int, default=500, help="tables as frameworks compute them")
    parser.add_argument("--caches", type=int, default=120, help="rotary caches with parameters of no model")
    parser.add_argument("--factors", type=int, default=80, help="tables of f64 with a random amplitude or scale")
    parser.add_argument("--negatives", type=int, default=300, help="tables that no parameters make")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="one table, with its answer")
    parser.add_argument("--family", choices=FAMILIES, default="recipes", help="that of --only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", default="wrong,missed,failed,false positive", help="verdicts to show with the answer")
    help_of_times = "only measure two large tables (480 MB in the temporary folder)"
    parser.add_argument("--times", action="store_true", help=help_of_times)
    arguments = parser.parse_args()
    if arguments.times:
        times()
        return
    shown = arguments.show.split(",")
    for family in FAMILIES:
        numbers = range(getattr(arguments, family)) if arguments.only is None else [arguments.only]
        if arguments.only is not None and family != arguments.family:
            continue
        counts, longest = collections.Counter(), 0
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for number, what, verdict, took, answer in pool.map(lambda n: one(arguments, n, family), numbers):
                counts[verdict] += 1
                longest = max(longest, took)
                if verdict in shown or arguments.only is not None:
                    print(f"{number}: {verdict} in {took:.1f} s: {what}\n{answer}")
        told = ", ".join(f"{verdict} {count}" for verdict, count in counts.most_common())
        print(f"{family}: {told}; at most {longest:.1f} s", flush=True)


if __name__ == "__main__":
    main()
