"""Writes pe-runtime/src/exact/constants.rs: the irrational constants of the arithmetic, to 5120 bits,
and a table of logarithms to 320.

Needs mpmath. `python3 scripts/constants.py` rewrites the file, `--check` only compares. The test in
pe-runtime/src/exact/limbs.rs recomputes every limb without mpmath.
"""

import pathlib
import sys

from mpmath import floor, ln, log, mp, mpf, pi

LIMBS = 80
NARROW = 5
TARGET = pathlib.Path(__file__).resolve().parent.parent / "pe-runtime/src/exact/constants.rs"

HEADER = """\
//! Irrational constants as fractions of one, made by `scripts/constants.py`; never edited by hand.
//!
//! Limb 0 holds the first 64 bits after the binary point. Each constant is truncated to 5120 bits, so any prefix of it
//! lies below the true value by less than one unit of its last place.

/// Limbs of each constant, and so the widest precision of the exact tier.
pub(crate) const LIMBS: usize = {limbs};
"""


TABLE = """
/// log2(1 + i/16) for `i` from 0 to 15, in five limbs, too small by less than one unit of the last place.
#[cfg(feature = "alloc")]
#[rustfmt::skip]
pub(crate) const LOG2_SIXTEENTHS: [[u64; {limbs}]; 16] = [
{rows}
];
"""


def limbs(value, count):
    bits = int(floor(value * mpf(2) ** (64 * count)))
    return [f"0x{bits >> (64 * (count - 1 - i)) & (2**64 - 1):016x}" for i in range(count)]


def rust(name, doc, value):
    digits = limbs(value, LIMBS)
    body = "\n".join("    " + ", ".join(digits[i : i + 4]) + "," for i in range(0, LIMBS, 4))
    return f"\n/// {doc}\n#[rustfmt::skip]\npub(crate) const {name}: [u64; LIMBS] = [\n{body}\n];\n"


def text():
    mp.prec = 64 * LIMBS + 64
    return HEADER.format(limbs=LIMBS) + "".join(
        [
            rust("INVERSE_TAU", "1 / 2π = 0.159..., turns in a radian.", 1 / (2 * pi)),
            rust("QUARTER_PI", "π / 4 = 0.785..., radians in an eighth of a turn.", pi / 4),
            rust("HALF_LN_2", "ln 2 / 2 = 0.346....", ln(2) / 2),
            rust("HALF_LOG2_E", "1 / (2 ln 2) = 0.721....", 1 / (2 * ln(2))),
            rust("LOG2_10000", "log2(10000) - 13 = 0.287..., the logarithm of the common base without its integer part.", log(10000, 2) - 13),
            rust("LOG2_TAU", "log2(2π) - 2 = 0.651....", log(2 * pi, 2) - 2),
            TABLE.format(limbs=NARROW, rows="\n".join(f"    [{', '.join(limbs(log(1 + mpf(i) / 16, 2), NARROW))}]," for i in range(16))),
        ]
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if TARGET.read_text() == text() else f"{TARGET} is not what {__file__} makes")
    TARGET.write_text(text())
