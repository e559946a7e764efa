"""Writes tests/suite/bits_are_right/golden/integers.txt: small tables of integers, from a direct evaluation of the formula.

Needs mpmath 1.3.0. `python3 scripts/golden_integers.py` rewrites the file, `--check` only compares.

An entry is `round(amplitude f(angle) / scale) + zero_point`, to nearest, ties to even, and not beyond the type. The tests
build the same tables from the head lines.
"""

import pathlib
import sys
from fractions import Fraction

from mpmath import cos, floor, mp, mpf, power, sin

TARGET = pathlib.Path(__file__).resolve().parent.parent / "tests/suite/bits_are_right/golden/integers.txt"
ROWS, D_MODEL = 40, 8
RANGES = {
    "q7": (-128, 127),
    "q15": (-(2**15), 2**15 - 1),
    "q31": (-(2**31), 2**31 - 1),
    "i8": (-128, 127),
    "u8": (0, 255),
    "i16": (-(2**15), 2**15 - 1),
}

# Type, scale as a quotient of integers, zero point, start, base, amplitude.
TABLES = [
    ("q7", (1, 2**7), 0, 0, 10000, 1.0),
    ("q15", (1, 2**15), 0, -3, 10000, 1.0),
    ("q15", (1, 2**15), 0, 10**12, 500000, 0.3),
    ("q31", (1, 2**31), 0, 0, 500000, 1.0),
    ("q31", (1, 2**31), 0, 2**52, 20, -1.0),
    ("i8", (1, 127), 0, 0, 10000, 1.0),
    ("i8", (1, 127), 0, 0, 10000, 0.5),  # 63.5 is a tie
    ("i8", (1, 125), -2, 0, 10000, -0.5),  # -62.5 is a tie
    ("i8", (2, 255), -1, -20, 20, 0.9),
    ("i8", (1, 128), 0, 0, 10000, 1.0),  # 128 does not fit
    ("i8", (1, 1), 3, 0, 10000, 0.0),
    ("u8", (1, 127), 128, 0, 10000, 1.0),
    ("u8", (2, 255), 127, 5, 10000, 1.0),
    ("i16", (1, 32767), 0, 0, 10000, 1.0),
    ("i16", (12345, 2**25), 0, 1000, 10000, 1.0),
]


def rounded(number):
    """Rounds to an integer, ties to even."""
    low = int(floor(number))
    rest = number - low
    return low + int(rest > mpf(0.5) or (rest == mpf(0.5) and low % 2 == 1))


def entry(dtype, scale, zero_point, amplitude, function, angle):
    if angle == 0:
        steps = round(Fraction(amplitude) * Fraction(*scale[::-1]) * (1 if function is cos else 0))
    else:
        steps = rounded(mpf(amplitude) * function(angle) * scale[1] / scale[0])
    least, greatest = RANGES[dtype]
    return min(max(steps + zero_point, least), greatest)


def table(dtype, scale, zero_point, start, base, amplitude):
    def row(position):
        angles = [position * power(base, -mpf(j // 2 * 2) / D_MODEL) for j in range(D_MODEL)]
        functions = [cos if j % 2 else sin for j in range(D_MODEL)]
        return [entry(dtype, scale, zero_point, amplitude, *pair) for pair in zip(functions, angles)]

    return [row(start + i) for i in range(ROWS)]


def lines():
    for dtype, scale, zero_point, start, base, amplitude in TABLES:
        yield f"{dtype} {scale[0]} {scale[1]} {zero_point} {start} {base} {amplitude!r}"
        both = []
        for mp.prec in (300, 500):
            both.append(table(dtype, scale, zero_point, start, base, amplitude))
        assert both[0] == both[1]
        yield from (" ".join(map(str, row)) for row in both[0])


def main():
    text = "written by scripts/golden_integers.py\n" + "".join(line + "\n" for line in lines())
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() != text:
            sys.exit(f"{TARGET} is not what this script writes")
    else:
        TARGET.write_text(text)


main()
