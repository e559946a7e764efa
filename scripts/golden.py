"""Writes tests/golden/*.txt: table entries from a direct high-precision evaluation of the formula.

Needs mpmath 1.3.0. `python3 scripts/golden.py` rewrites the files, `--check` only compares.
Every entry is sin(p * w) or cos(p * w) with w = base ** (-2k / d_model), rounded once to f32 or f64 by the integer
code below; the working precision doubles until the whole error interval rounds to the same bits. An angle other than
zero is algebraic, so its sine and cosine are transcendental and that always happens.
"""

import functools
import heapq
import math
import pathlib
import random
import sys

import mpmath
from mpmath import cos, floor, mp, mpf, pi, power, sin, workprec

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests/golden"
FORMATS = {"f32": (24, -126), "f64": (53, -1022)}  # bits of the significand, exponent of the least normal number
LAST_POSITION = 2**53


# The value of an entry.


def round_to_bits(value, dtype):
    """The bits of the `dtype` nearest to an mpf that is far from overflow, ties to even."""
    significand_bits, least = FORMATS[dtype]
    sign, significand, exponent, length = map(int, value._mpf_)  # exactly (-1)**sign * significand * 2**exponent
    leading = max(exponent + length - 1, least) if significand else least
    dropped = leading - significand_bits + 1 - exponent
    if dropped <= 0:
        kept = significand << -dropped
    else:
        kept, rest = divmod(significand, 1 << dropped)
        half = 1 << (dropped - 1)
        kept += rest > half or (rest == half and kept & 1)
    # The leading bit of a normal significand adds the one that biases its exponent; so does a carry.
    magnitude = kept + ((leading - least) << (significand_bits - 1))
    return sign << (int(dtype[1:]) - 1) | magnitude


@functools.lru_cache(maxsize=None)
def frequency(base, d_model, k, precision):
    """base ** (-2k / d_model), within 2**(11 - precision) of itself: |exponent * ln(base)| < 2**10."""
    with workprec(precision):
        return power(mpf(base), -mpf(2 * k) / d_model)


def evaluate(base, d_model, position, column, precision):
    """The entry and a bound on its error, about 2**-precision of the larger of the entry and the angle (at most 1)."""
    k = column // 2
    angle_bits = math.log2(abs(position)) - 2 * k / d_model * math.log2(base)
    with workprec(precision + max(0, math.ceil(angle_bits)) + 32):
        angle = position * frequency(base, d_model, k, mp.prec)
        value = cos(angle) if column % 2 else sin(angle)
        error = (abs(value) + min(1, abs(angle))) * mpf(2) ** -precision
        return value - error, value + error


def entry(dtype, base, d_model, position, column):
    """The bits of the correctly rounded entry."""
    if position == 0:
        return round_to_bits(mpf(column % 2), dtype)
    precision = 128
    while True:
        low, high = (round_to_bits(x, dtype) for x in evaluate(base, d_model, position, column, precision))
        if low == high:
            return low
        precision *= 2


# Which entries: each theme yields (dtype, base, d_model, position, column).


def both(base, d_model, position, k):
    """The sine and cosine entries of one angle in both element types."""
    for dtype in FORMATS:
        for column in range(2 * k, min(2 * k + 2, d_model)):
            yield dtype, base, d_model, position, column


def grid():
    """whole tables: 32 rows of 64 columns, and 16 rows of 7"""
    for dtype in FORMATS:
        for d_model, rows in (64, range(32)), (7, range(-8, 8)):
            for position in rows:
                for column in range(d_model):
                    yield dtype, 10000.0, d_model, position, column


def scattered():
    """random entries over bases, widths and all binades of the position"""
    rng = random.Random("scattered")
    bases = [2.0, 10000.0, 1e9, 10.0, 16.0, 1.5, 0.5, 500000.0, 1e6, 65536.0, 2.0**20, 2.0**30]
    ends = [LAST_POSITION, -LAST_POSITION, LAST_POSITION - 1, 1 - LAST_POSITION]
    for base in bases:
        for dtype in FORMATS:
            binades = rng.sample(range(53), 24)
            positions = [rng.choice((-1, 1)) * rng.randrange(2**e, 2 ** (e + 1)) for e in binades]
            for position in ends + positions:
                d_model = rng.randint(1, 2 ** rng.randint(1, 12))
                for column in sorted(rng.sample(range(d_model), min(3, d_model))):
                    yield dtype, base, d_model, position, column


def dyadic(exponent):
    """(base, d_model, k, factor): at position factor * n the angle is exactly n / 2**exponent."""
    if exponent <= 21:
        yield 1e22, 44, exponent, 5**exponent  # w = 10**-exponent is not even dyadic
    for m in 30, 300, 1023:
        if exponent < m:
            yield 2.0**m, 2 * m, exponent, 1
            break
    if exponent == 150:
        yield 5.0**6 * 2.0**900, 12, 1, 5  # w = 1 / (5 * 2**150)


def exact_angles():
    """angles of few bits, whose sine or cosine lies just beside a number of the element type or a midpoint of two"""
    odd = [1, 3, 5, 7]
    near_one = [(n, m) for m in range(10, 16) for n in odd] + [(n, m) for m in range(24, 30) for n in odd]
    wide = [2**24 + 1, 2**24 + 3, 2**25 - 1]  # 25 bits: midpoints of f32
    midpoints = [(n, m) for m in (35, 37, 60, 100, 140, 150, 160, 173, 174) for n in wide]
    least = odd + [2, 9, 2**22 + 1, 2**23 - 1, 2**23 + 1, 2**24 - 1]  # and what lies among the f32 subnormals
    subnormal = [(n, m) for m in (149, 150, 151) for n in least]
    tiny = [(n, m) for m in (200, 299, 500, 1000, 1021, 1022) for n in (1, 3, LAST_POSITION - 1)]
    for n, m in [(0x133333, 7), *near_one, *midpoints, *subnormal, *tiny]:
        for base, d_model, k, factor in dyadic(m):
            if n * factor <= LAST_POSITION:
                position = n * factor * (-1) ** (n // 2)
                yield from both(base, d_model, position, k)


def near_zeros():
    """angles near quarter turns: positions from the continued fractions of 2w / pi and w / pi, and their multiples"""
    specs = [(10000.0, 512, 0), (10000.0, 512, 3), (10000.0, 64, 31), (500000.0, 128, 7), (1e6, 7, 3), (0.5, 64, 20)]
    for base, d_model, k in specs:
        with workprec(512):
            turns = frequency(base, d_model, k, 512) / pi
            denominators = {*convergents(2 * turns), *convergents(turns)}
        multiples = (1, 2, 3) if k == 0 else (1,)
        for position in sorted({q * n for q in denominators for n in multiples if 20 < q * n <= LAST_POSITION}):
            yield from both(base, d_model, position, k)


def convergents(x):
    """Denominators of the best rational approximations of x, up to the last position."""
    before, last = 0, 1
    while last <= LAST_POSITION:
        yield last
        x = 1 / (x - floor(x))
        before, last = last, int(floor(x)) * last + before


def hardest():
    """the entries nearest to a midpoint among the first 131072 rows of a column"""
    specs = [(10000.0, 512, k) for k in (1, 100, 255)] + [(10000.0, 768, 200), (500000.0, 128, 33), (2.0**30, 60, 7)]
    for base, d_model, k in specs:
        walk = list(column_walk(frequency(base, d_model, k, 256), 2**17))
        for dtype, (significand_bits, _) in FORMATS.items():
            near = ((tie_distance(x, significand_bits), p, 2 * k + c) for p, *pair in walk for c, x in enumerate(pair))
            for _, position, column in heapq.nsmallest(12, near):
                yield dtype, base, d_model, position, column


def column_walk(w, rows, bits=160):
    """(position, |sine|, |cosine|) times 2**bits down a column, by rotation: each step loses a few last places."""
    with workprec(2 * bits):
        s1, c1 = (int(floor(f(w) * 2**bits)) for f in (sin, cos))
    s, c = s1, c1
    for position in range(1, rows):
        yield position, abs(s), abs(c)
        s, c = (s * c1 + c * s1) >> bits, (c * c1 - s * s1) >> bits


def tie_distance(x, significand_bits):
    """How far x is from the nearest midpoint, as a fraction of its last place."""
    dropped = x.bit_length() - significand_bits
    return abs((x & ((1 << dropped) - 1)) - (1 << (dropped - 1))) / (1 << dropped)


def extremes():
    """bases at the ends of f64: angles up to 2**1127, entries that underflow"""
    rng = random.Random("extremes")
    bases = [sys.float_info.max, sys.float_info.min, 5e-324, 1e300, 1e-300, 1e38, 0.1]
    for base in bases:
        for d_model in 1, 2, 3, 4, 7, 64, 255, 1024:
            positions = [1, -3, -LAST_POSITION, rng.randrange(LAST_POSITION)]
            for position in rng.sample(positions, 3):
                yield from both(base, d_model, position, rng.choice([(d_model - 1) // 2, (d_model - 1) // 3]))
    for d_model in 2048, 4095, 4096, 8191:  # the last frequency of the largest base is subnormal even in f64
        for position in 1, -1, 3:
            yield from both(sys.float_info.max, d_model, position, (d_model - 1) // 2)


# The files.


def text(theme):
    what = " ".join(theme.__doc__.split())
    lines = [f"# made by scripts/golden.py with mpmath {mpmath.__version__}: {what};"]
    lines[0] += " columns: dtype base d_model position column bits"
    for dtype, base, d_model, position, column in theme():
        bits = f"{entry(dtype, base, d_model, position, column):0{int(dtype[1:]) // 4}x}"
        lines.append(f"{dtype} {base!r} {d_model} {position} {column} {bits}")
    return "\n".join(lines) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    for theme in grid, scattered, exact_angles, near_zeros, hardest, extremes:
        path = FOLDER / f"{theme.__name__}.txt"
        wanted = text(theme)
        if check:
            stale += [path.name] if not path.exists() or path.read_text() != wanted else []
        else:
            path.write_text(wanted)
    if stale:
        sys.exit("differ from what scripts/golden.py makes: " + ", ".join(stale))


if __name__ == "__main__":
    main()
