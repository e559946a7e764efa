#!/usr/bin/env python3
"""Copies the sources to target/variants/NAME with something changed, and prints where: scripts/variant.py NAME

What is changed must be there exactly once, so that a variant cannot silently be the original.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK, LEAN, ROUND, SIMD, SINCOS = (f"pe-runtime/src/{module}.rs" for module in ("block", "lean", "round", "simd", "sincos"))


def only(instructions):
    """The dispatch of vector instructions reduced to one set, which the machine must have."""
    others = {
        "Avx512": ("(Self::Avx512, avx2 &&", "(Self::Avx512, false && avx2 &&"),
        "Avx2": ("(Self::Avx2, avx2)", "(Self::Avx2, false)"),
        # The macro's own copy of the library is without the dispatch.
        "Target": ("(Self::Target, true)", '(Self::Target, cfg!(not(feature = "std")))'),
    }
    del others[instructions]
    absent = ("match best.unwrap_or(Instructions::Target) {", f'match best.expect("{instructions}") {{')
    return [(SIMD, old, new) for old, new in [*others.values(), absent]]


def fast(plain, split):
    """The fast tier with other errors: of the one f64 a number, and of the two."""
    return [
        (BLOCK, "const ERROR_EXPONENT: i32 = -51;", f"const ERROR_EXPONENT: i32 = {plain};"),
        (BLOCK, "const ERROR_EXPONENT: i32 = -75;", f"const ERROR_EXPONENT: i32 = {split};"),
    ]


def lean(plain, split):
    return [(LEAN, "{ -75 } else { -51 }", f"{{ {split} }} else {{ {plain} }}")]


def exact(error):
    """The 128-bit tier with another error, in units of 2^-127."""
    return [(SINCOS, "let error = m_error + 6;", f"let error = {error};")]


VARIANTS = {
    "avx512": only("Avx512"),
    "avx2": only("Avx2"),
    "target": only("Target"),
    # Errors that are too small: 2^40 times in floats, and none at all in integers.
    "fast-tiny": fast(-91, -115),
    "lean-tiny": lean(-91, -115),
    "exact-tiny": exact("0 * m_error"),
    # Values that are rounded to 16 bits by way of an f32, however few of its bits are right.
    "sixteen-tiny": [(ROUND, "const F32_QUARTER_PLACES: f64 = 67_108_864.0;", "const F32_QUARTER_PLACES: f64 = 1.0;")],
    # Errors so large that no entry is decided: all are left to the 128-bit tier, and then to the 512-bit one.
    "floats-huge": fast(-1, -1) + lean(-1, -1),
    "all-huge": fast(-1, -1) + lean(-1, -1) + exact("m_error + (1 << 126)"),
}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in VARIANTS:
        sys.exit(f"scripts/variant.py NAME, of {', '.join(VARIANTS)}")
    name = sys.argv[1]
    directory = ROOT / "target/variants" / name
    shutil.rmtree(directory, ignore_errors=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for file in filter(None, files.split("\0")):
        (directory / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, directory / file)  # new, or cargo might take what it built of another variant
    for file, old, new in VARIANTS[name]:
        text = (directory / file).read_text()
        if text.count(old) != 1:
            sys.exit(f"{name}: {file} has `{old}` {text.count(old)} times, not once; mend scripts/variant.py")
        (directory / file).write_text(text.replace(old, new))
    print(directory)


main()
