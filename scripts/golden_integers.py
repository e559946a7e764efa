"""Writes tests/suite/bits_are_right/golden/integers.txt: small tables of integers, from a direct evaluation of the formula.

Needs mpmath 1.3.0. `python3 scripts/golden_integers.py` rewrites the file, `--check` only compares.

An entry is `round(amplitude f(angle) / scale) + zero_point`, to nearest, ties to even, and not beyond the type. The tests
build the same tables from the head lines.
"""

import pathlib
import sys
from fractions import Fraction
from math import isqrt

from mpmath import cos, floor, mp, mpf, power, sin, sqrt

TARGET = pathlib.Path(__file__).resolve().parent.parent / "tests/suite/bits_are_right/golden/integers.txt"
ROWS = 40
RANGES = {
    "q7": (-128, 127),
    "q15": (-(2**15), 2**15 - 1),
    "q31": (-(2**31), 2**31 - 1),
    "i8": (-128, 127),
    "u8": (0, 255),
    "i16": (-(2**15), 2**15 - 1),
}

# Type, scale as a quotient of integers, zero point, width, start, base, amplitude.
TABLES = [
    ("q7", (1, 2**7), 0, 8, 0, 10000, 1.0),
    ("q15", (1, 2**15), 0, 8, -3, 10000, 1.0),
    ("q15", (1, 2**15), 0, 8, 10**12, 500000, 0.3),
    ("q31", (1, 2**31), 0, 8, 0, 500000, 1.0),
    ("q31", (1, 2**31), 0, 8, 2**52, 20, -1.0),
    ("q31", (1, 2**31), 0, 8, 0, 10000, "rsqrt_d"),
    ("i8", (1, 127), 0, 8, 0, 10000, 1.0),
    ("i8", (1, 127), 0, 8, 0, 10000, 0.5),  # 63.5 is a tie
    ("i8", (1, 125), -2, 8, 0, 10000, -0.5),  # -62.5 is a tie
    ("i8", (2, 255), -1, 8, -20, 20, 0.9),
    ("i8", (1, 128), 0, 8, 0, 10000, 1.0),  # 128 does not fit
    ("i8", (1, 1), 3, 8, 0, 10000, 0.0),
    ("i8", (1, 9), 5, 36, -3, 10000, "rsqrt_d"),  # 1.5 is a tie
    ("i8", (1, 15), 0, 36, 0, 10000, "rsqrt_d"),  # 2.5 is a tie
    ("i8", (2, 9), -100, 18, 0, 10000, "sqrt_2_over_d"),  # 1.5 is a tie
    ("i8", (1, 300), -7, 10, 0, 10000, "rsqrt_d"),
    ("u8", (1, 127), 128, 8, 0, 10000, 1.0),
    ("u8", (2, 255), 127, 8, 5, 10000, 1.0),
    ("u8", (1, 100), 50, 12, 0, 10000, "sqrt_2_over_d"),
    ("i16", (1, 32767), 0, 8, 0, 10000, 1.0),
    ("i16", (12345, 2**25), 0, 8, 1000, 10000, 1.0),
]


def rounded(number):
    """Rounds to an integer, ties to even."""
    low = int(floor(number))
    rest = number - low
    return low + int(rest > mpf(0.5) or (rest == mpf(0.5) and low % 2 == 1))


def rounded_root(square):
    """Rounds the root of a quotient to an integer, ties to even."""
    low = isqrt(int(square))
    tie = Fraction(2 * low + 1, 2) ** 2
    return low + int(square > tie or (square == tie and low % 2 == 1))


def squared_amplitude(amplitude, d_model):
    named = {"rsqrt_d": Fraction(1, d_model), "sqrt_2_over_d": Fraction(2, d_model)}
    return named[amplitude] if amplitude in named else Fraction(amplitude) ** 2


def entry(dtype, scale, zero_point, square, negative, function, angle):
    square *= Fraction(*scale[::-1]) ** 2
    if angle == 0:
        steps = rounded_root(square if function is cos else 0)
        steps = -steps if negative else steps
    else:
        size = sqrt(mpf(square.numerator) / square.denominator)
        steps = rounded((-size if negative else size) * function(angle))
    least, greatest = RANGES[dtype]
    return min(max(steps + zero_point, least), greatest)


def table(dtype, scale, zero_point, d_model, start, base, amplitude):
    square = squared_amplitude(amplitude, d_model)
    negative = not isinstance(amplitude, str) and amplitude < 0

    def row(position):
        angles = [position * power(base, -mpf(j // 2 * 2) / d_model) for j in range(d_model)]
        functions = [cos if j % 2 else sin for j in range(d_model)]
        return [entry(dtype, scale, zero_point, square, negative, *pair) for pair in zip(functions, angles)]

    return [row(start + i) for i in range(ROWS)]


def lines():
    for parameters in TABLES:
        dtype, scale, zero_point, d_model, start, base, amplitude = parameters
        yield f"{dtype} {scale[0]} {scale[1]} {zero_point} {d_model} {start} {base} {amplitude}"
        both = []
        for mp.prec in (300, 500):
            both.append(table(*parameters))
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
