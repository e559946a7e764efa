"""Writes tests/suite/bits_are_right/golden/*.txt: table entries from a direct high-precision evaluation of the formula.

Needs mpmath 1.3.0. `python3 scripts/golden.py` rewrites the files, `--check` only compares.

Every entry is amplitude * sin(p * w) or amplitude * cos(p * w), in most files with w = base ** (-2k / d_model). The
integer code below rounds it once to the element type. The working precision doubles until the whole error interval
rounds to the same bits. This always happens, because a nonzero angle is algebraic, so its sine and cosine are
transcendental.
"""

import functools
import heapq
import itertools
import math
import pathlib
import random
import sys
from fractions import Fraction

import mpmath
from mpmath import cos, exp, floor, log, mp, mpf, pi, power, sin, sqrt, workprec

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests/suite/bits_are_right/golden"
NATIVE = {"f32": (24, -126), "f64": (53, -1022)}  # bits of the significand, exponent of the least normal number
FORMATS = {"f16": (11, -14), "bf16": (8, -126), **NATIVE}
LAST_POSITION = 2**53
DEFAULTS = {
    "base": 10000.0,
    "freq_shift": 0.0,
    "layout": "interleaved",
    "order": "sin_cos",
    "start": 0,
    "step": 1,
    "scale": 1.0,
    "unit": "1/1",
    "amplitude": 1.0,
    "odd": "last_sin",
    "zero_row": None,
    "columns": "both",
    "pairing": "paired",
    "frequencies": None,
}


# The value of an entry.


def width_of(dtype):
    return int(dtype.lstrip("bf"))


def round_to_bits(value, dtype):
    """Returns the bits of the `dtype` nearest to an mpf that is far from overflow, with ties to even."""
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
    # The leading bit of a normal significand adds the missing 1 to the exponent field. A carry does too.
    magnitude = kept + ((leading - least) << (significand_bits - 1))
    return sign << (width_of(dtype) - 1) | magnitude


@functools.lru_cache(maxsize=None)
def frequency(base, exponent, precision):
    """Returns base ** -exponent with a relative error below 2**(12 - precision): |exponent * ln(base)| < 2**11."""
    with workprec(precision):
        return power(mpf(base), -mpf(exponent.numerator) / exponent.denominator)


def wave(spec, column):
    """Returns (is it a sine, base, exponent) of a column of frequency scale * base ** -exponent, None for zeros."""
    s = DEFAULTS | spec
    shift, d_model, listed = Fraction(s["freq_shift"]), s["d_model"], s["frequencies"]
    if s["columns"] != "both":
        sine, index, steps, whole = s["columns"] == "sin", column, column, d_model - shift
    else:
        width = d_model - (s["odd"] == "zero" and d_model % 2)
        if column == width:
            return None
        firsts = (width + 1) // 2
        k, second = divmod(column, 2) if s["layout"] == "interleaved" else (column % firsts, column >= firsts)
        sine = second == (s["order"] == "cos_sin")
        paired = s["pairing"] == "paired"
        index, steps, whole = k if paired else 2 * k + second, 2 * k + (not paired and second), width - 2 * shift
    if listed:
        return sine, listed[index], Fraction(-1)
    return sine, s["base"], Fraction(steps) / whole if steps else Fraction(0)


def amplitude_of(spec):
    """Returns the amplitude, at the working precision."""
    d_model, amplitude = spec["d_model"], spec.get("amplitude", 1.0)
    named = {"rsqrt_d": lambda: 1 / sqrt(d_model), "sqrt_2_over_d": lambda: sqrt(mpf(2) / d_model)}
    return named[amplitude]() if amplitude in named else mpf(amplitude)


def evaluate(spec, sine, base, exponent, position, precision):
    """Returns an entry and an error bound, about 2**-precision of the larger of the entry and min(angle, 1)."""
    in_units = Fraction(spec.get("unit", 1))
    factors = position, spec.get("scale", 1.0), base, in_units
    powers = 1, 1, -exponent, 1
    angle_bits = sum(float(n) * math.log2(abs(x)) for x, n in zip(factors, powers)) if all(factors) else 0
    with workprec(precision + max(0, math.ceil(angle_bits)) + 32):
        angle = mpf(position) * mpf(factors[1]) * frequency(base, exponent, mp.prec)
        angle = angle * in_units.numerator / in_units.denominator
        unit, amplitude = sin(angle) if sine else cos(angle), amplitude_of(spec)
        error = abs(amplitude) * (abs(unit) + min(1, abs(angle))) * mpf(2) ** -precision
        return amplitude * unit - error, amplitude * unit + error


def entry(dtype, spec, position, column):
    """Returns the bits of the correctly rounded entry of one position."""
    found, amplitude = wave(spec, column), spec.get("amplitude", 1.0)
    if found is None or not amplitude:
        return 0
    sine, base, _ = found
    if not all((position, spec.get("scale", 1.0), base)):  # a listed frequency may be zero
        if sine:
            return 0
        if isinstance(amplitude, float):
            return round_to_bits(mpf(amplitude), dtype)
    return settled(dtype, functools.partial(evaluate, spec, *found, position))


def settled(dtype, interval):
    """Returns the bits to which both ends of interval(precision) round."""
    precision = 128
    while True:
        low, high = (round_to_bits(x, dtype) for x in interval(precision))
        if low == high:
            return low
        precision *= 2


def entry_at(dtype, spec, at, column):
    """Returns the bits of an entry at "p<position>" or "r<row>"."""
    number = float(at[1:]) if set(at) & set(".en") else int(at[1:])
    if at[0] == "p":
        return entry(dtype, spec, number, column)
    if number == spec.get("zero_row"):
        return 0
    return entry(dtype, spec, spec.get("start", 0) + number * spec.get("step", 1), column)


# Entries of the formula without parameters: each theme yields (dtype, base, d_model, position, column).


def both(base, d_model, position, k):
    """Yields the sine and cosine entries of one angle in both native element types."""
    for dtype in NATIVE:
        for column in range(2 * k, min(2 * k + 2, d_model)):
            yield dtype, base, d_model, position, column


def grid():
    """whole tables: 32 rows of 64 columns, and 16 rows of 7"""
    for dtype in NATIVE:
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
        for dtype in NATIVE:
            binades = rng.sample(range(53), 24)
            positions = [rng.choice((-1, 1)) * rng.randrange(2**e, 2 ** (e + 1)) for e in binades]
            for position in ends + positions:
                d_model = rng.randint(1, 2 ** rng.randint(1, 12))
                for column in sorted(rng.sample(range(d_model), min(3, d_model))):
                    yield dtype, base, d_model, position, column


def dyadic(exponent):
    """Yields (base, d_model, k, factor): at position factor * n the angle is exactly n / 2**exponent."""
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
    least = odd + [2, 9, 2**22 + 1, 2**23 - 1, 2**23 + 1, 2**24 - 1]  # and angles that are subnormal in f32
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
            turns = frequency(base, Fraction(2 * k, d_model), 512) / pi
            denominators = {*convergents(2 * turns), *convergents(turns)}
        multiples = (1, 2, 3) if k == 0 else (1,)
        for position in sorted({q * n for q in denominators for n in multiples if 20 < q * n <= LAST_POSITION}):
            yield from both(base, d_model, position, k)


def convergents(x):
    """Yields the denominators of the best rational approximations of x, up to the last position."""
    before, last = 0, 1
    while last <= LAST_POSITION:
        yield last
        x = 1 / (x - floor(x))
        before, last = last, int(floor(x)) * last + before


def hardest():
    """the entries nearest to a midpoint among the first 131072 rows of a column"""
    specs = [(10000.0, 512, k) for k in (1, 100, 255)] + [(10000.0, 768, 200), (500000.0, 128, 33), (2.0**30, 60, 7)]
    for base, d_model, k in specs:
        walk = list(column_walk(frequency(base, Fraction(2 * k, d_model), 256), 2**17))
        for dtype, (significand_bits, _) in NATIVE.items():
            near = ((tie_distance(x, significand_bits), p, 2 * k + c) for p, *pair in walk for c, x in enumerate(pair))
            for _, position, column in heapq.nsmallest(12, near):
                yield dtype, base, d_model, position, column


def column_walk(w, rows, bits=160):
    """Yields (position, |sine|, |cosine|) times 2**bits, by rotation: each step loses a few last places."""
    with workprec(2 * bits):
        s1, c1 = (int(floor(f(w) * 2**bits)) for f in (sin, cos))
    s, c = s1, c1
    for position in range(1, rows):
        yield position, abs(s), abs(c)
        s, c = (s * c1 + c * s1) >> bits, (c * c1 - s * s1) >> bits


def tie_distance(x, significand_bits):
    """Returns the distance of x from the nearest midpoint, as a fraction of its last place."""
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


# Entries with parameters: groups (spec, places), where a place is (dtypes, at, columns), or a comment instead of both.

AMPLITUDES = [-1.0, 0.5, 3.0, 0.0, 1e-3, 1e-7, 6e4, 1 + 2.0**-24, 1e-300, 2.0**-24, 3 * 2.0**-26]
NAMED_AMPLITUDES = ["rsqrt_d", "sqrt_2_over_d"]
SCALES = [1000.0, 0.25, -1.0, 1 / 3, 1e-5, 0.0, 2.0**-30, 1e300, 5e-324]
UNITS = "8/15", "64/192", "1000000/28000001", "1/9007199254740992", "9007199254740991/3"
SHIFTS = [1.0, 0.5, -3.0, 0.1, 1.2, -0.75]
BASES = [2.0, 500000.0, 0.5, 1e9, 1.5]
FREQUENCIES = [1.0, 0.5, 0.0, -1.5, 1e-30, 5e-324, 1e300, 2.0**-12, (2**24 + 1) * 2.0**-60, 0.1, -0.75, 3.0]
LARGEST = sys.float_info.max
POSITIONS = [998.39, 0.5, -2.75, 1e-3, 5e-324, 1e300, LARGEST, 2**53, -(2**53), 0, -0.0, 1, -3, 17, 4095]
# Angles with a thousand bits before the binary point make the tests slow, so only narrow rows have them.
NARROW, HUGE = 8, 1e60
# The f64 angle closest to a nonzero multiple of pi / 2.
NEAREST_TO_ZERO = 6381956970095103.0 * 2.0**797


def parameters():
    """each parameter alone, parameters in combination, hard roundings, and entries that rounding twice gets wrong"""
    for spec, places in itertools.chain(alone(), combined(), midpoints(), ends_of_range(), rounded_twice()):
        if isinstance(spec, str):
            yield spec, None
            continue
        for dtypes, at, columns in places:
            # 1e-300 underflows in the narrow types, so it is out of their range.
            narrow_out = spec.get("amplitude") == 1e-300
            for dtype in [x for x in dtypes if not (narrow_out and x.endswith("f16"))]:
                for column in columns:
                    yield spec, (dtype, at, column, entry_at(dtype, spec, at, column))


def unless_huge(values, d_model):
    return [x for x in values if d_model <= NARROW or x < HUGE]


def places(rng, spec, count):
    """Yields a few places of a group in all types, one of them in the zero row."""
    d_model = spec["d_model"]
    positions = unless_huge(POSITIONS, d_model)
    ats = [f"p{rng.choice(positions)!r}" if rng.random() < 0.6 else f"r{rng.randrange(8)}" for _ in range(count)]
    if {"start", "step", "zero_row"} & set(spec):
        ats[0] = f"r{rng.randrange(8)}"
    if "zero_row" in spec:
        ats.append(f"r{spec['zero_row']}")
    ends = [d_model - 1, d_model // 2, 0, 1 % d_model]  # the last column, the first of the second half
    for at in dict.fromkeys(ats):
        yield FORMATS, at, sorted({rng.choice(ends), rng.randrange(d_model)})


def alone():
    """Yields groups with one parameter at a time."""
    rng = random.Random("alone")
    for d_model in 1, 2, 7, 16, 64, 4096:
        columns = sorted({0, d_model - 1})
        yield {"d_model": d_model}, [(FORMATS, f"p{p!r}", columns) for p in rng.sample(unless_huge(POSITIONS, d_model), 4)]
    one = [{"d_model": 16, "base": x} for x in BASES]
    one += [{"d_model": d, "freq_shift": x} for x in SHIFTS for d in (7, 16)]
    one += [{"d_model": 3000, "freq_shift": 3.7}, {"d_model": 2, "freq_shift": 1.0}, {"d_model": 1, "freq_shift": 3.7}]
    one += [{"d_model": 8, "scale": x} for x in SCALES]
    one += [{"d_model": 8, "amplitude": x} for x in AMPLITUDES]
    one += [{"d_model": d, "amplitude": x} for x in NAMED_AMPLITUDES for d in (1, 2, 3, 4, 8, 9, 16, 32, 512)]
    one += [{"d_model": d, "layout": "halves"} for d in (1, 2, 7, 10)]
    one += [{"d_model": d, "order": "cos_sin"} for d in (2, 10)]
    one += [{"d_model": d, "odd": "zero"} for d in (3, 7, 8)] + [{"d_model": 8, "odd": "reject"}]
    one += [{"d_model": 6, "start": x} for x in (1, 100, -3, LAST_POSITION - 7, -LAST_POSITION)]
    one += [{"d_model": 6, "step": x} for x in (-1, 5, -(2**40), 2**50)]
    one += [{"d_model": 6, "zero_row": x} for x in (0, 5)]
    one += [{"d_model": d, "columns": x} for x in ("sin", "cos") for d in (1, 2, 7, 16)]
    one += [{"d_model": d, "pairing": "unpaired"} for d in (1, 2, 7, 16)]
    one += [{"d_model": 2 * len(FREQUENCIES), "frequencies": FREQUENCIES}, {"d_model": 1, "frequencies": [-0.0]}]
    one += [{"d_model": 8, "unit": x} for x in UNITS]
    for spec in one:
        yield spec, list(places(rng, spec, 2))


def combined():
    """Yields groups with random parameters."""
    rng = random.Random("combined")
    left = 130
    while left:
        spec = random_spec(rng)
        if allowed(spec):
            left -= 1
            yield spec, list(places(rng, spec, 2))


def random_spec(rng):
    d_model = rng.randint(1, 64) if rng.random() < 0.9 else rng.randint(65, 4096)
    listed = rng.random() < 0.2
    if listed:
        d_model = min(d_model, rng.randint(1, 12))
    spec = {"d_model": d_model}

    def maybe(chance, key, values):
        value = rng.choice(values)
        if rng.random() < chance and value != DEFAULTS[key]:
            spec[key] = value

    if not listed:
        maybe(0.4, "base", BASES)
        maybe(0.5, "freq_shift", [*SHIFTS, 3.7])
    maybe(0.2, "columns", ["sin", "cos"])
    if "columns" not in spec:
        maybe(0.5, "layout", ["halves"])
        maybe(0.3, "order", ["cos_sin"])
        maybe(0.5, "odd", ["zero", "reject", "last_sin"])
        maybe(0.2, "pairing", ["unpaired"])
    maybe(0.3, "start", [1, -1, 1000, 50_000, LAST_POSITION - 10_000])
    maybe(0.3, "step", [-1, 2, -7, 1000, -(2**30)])
    maybe(0.4, "scale", unless_huge(SCALES, d_model))
    maybe(0.5, "amplitude", AMPLITUDES + NAMED_AMPLITUDES)
    maybe(0.2, "zero_row", range(8))
    if listed:
        spec["frequencies"] = [rng.choice(FREQUENCIES) for _ in range(listed_length(spec))]
    return spec


def listed_length(spec):
    """Returns the number of frequencies in a list: one per pair, or one per column except the zero column."""
    width = spec["d_model"] - (spec.get("odd") == "zero" and spec["d_model"] % 2)
    return width if "columns" in spec or "pairing" in spec else (width + 1) // 2


def allowed(spec):
    """Returns whether the parameters are compatible. Excludes the width of 1 that odd=zero leaves without a pair."""
    d_model, odd = spec["d_model"], spec.get("odd", "last_sin")
    if d_model % 2 and "columns" not in spec:
        if odd == "reject" or (odd == "zero" and d_model == 1) or (odd == "last_sin" and "order" in spec):
            return False
    if "frequencies" in spec:
        return True
    one_kind = "columns" in spec
    width = d_model - (not one_kind and odd == "zero" and d_model % 2)
    last = width - 1 if one_kind or "pairing" in spec else (width - 1) // 2 * 2
    whole = width - (1 if one_kind else 2) * Fraction(spec.get("freq_shift", 0.0))
    return last == 0 or (whole > 0 and Fraction(last) / whole <= 2)


def midpoints():
    """Yields angles and amplitudes that are themselves midpoints of two numbers of a type, or powers of two."""
    # (type, factors of the angle: position, scale and frequency): the angle is a midpoint of two numbers of the type,
    # or is next to one of its subnormal numbers, and the sine is slightly below it.
    angles = [
        ("f16", 1, 1.0, 3 * 2.0**-25),
        ("f16", 1, 1.0, 2.0**-25),
        ("f16", 0.75, 1.0, 2.0**-25),
        ("f16", 5, -1.0, 2.0**-25),
        ("f16", 1, 1.0, 2051 * 2.0**-30),
        ("f16", -1, 1.0, 2049 * 2.0**-22),
        ("f16", 2.0**-10, 1.0, 2047 * 2.0**-15),
        ("bf16", 1, 1.0, 257 * 2.0**-30),
        ("bf16", 1, 1.0, 259 * 2.0**-60),
        ("bf16", -259, 2.0**-60, 2.0**-60),
        ("bf16", 1, 1.0, 511 * 2.0**-20),
        ("bf16", 3, 1.0, 2.0**-134),
        ("bf16", 1, 1.0, 2.0**-134),
        ("bf16", -1, 1.0, 2.0**-134),
        ("bf16", 1.5, 1.0, 2.0**-134),
        ("f32", 1, 1.0, (2**24 + 1) * 2.0**-60),
        ("f32", 1, 1.0, (2**24 + 3) * 2.0**-60),
        ("f32", 2**24 + 3, 2.0**-50, 2.0**-50),
        ("f32", -1, 1.0, (2**25 - 1) * 2.0**-45),
        ("f32", 3, 1.0, 2.0**-150),
        ("f32", 1, -1.0, 2.0**-150),
        ("f32", 1, 1.0, (2**24 - 1) * 2.0**-150),
        ("f64", 2**27 - 1, 1.0, (2**27 + 1) * 2.0**-400),
        ("f64", 2**26 + 1, 2.0**-300, (2**27 + 1) * 2.0**-300),
        ("f64", 2.0**27 - 1, -1.0, (2**27 + 1) * 2.0**-90),
        ("f64", 0.5, 1.0, 5e-324),
        ("f64", 1.5, 1.0, 5e-324),
        ("f64", -0.5, 1.0, 5e-324),
        ("f64", (2**27 - 1) * 0.5, 5e-324, 2.0**26 + 1),
    ]
    # The product of three numbers is y^3 + 1, where y is a power of two times 7, 261 or 248663, whose cubes are
    # midpoints. This is so slightly above a midpoint that truncated intermediate results fall back to it.
    angles += [
        ("bf16", 492581209243649 * 2.0**-90, 965342719980139 * 2.0**-90, 251347260074563 * 2.0**-80),
        ("f32", 2295780278796289 * 2.0**-90, 4527825775224931 * 2.0**-90, 1164048121583947 * 2.0**-80),
        ("f64", 66749965795329 * 2.0**-90, 6241351015965229 * 2.0**-90, 713877159333 * 2.0**-80),
    ]
    for dtype, position, scale, f in angles:
        spec = {"d_model": 2} | ({} if scale == 1.0 else {"scale": scale}) | {"frequencies": [f]}
        yield spec, [([dtype], f"p{position!r}", [0, 1])]
    small = [2.0**-12, 2.0**-4, 2.0**-6, 2.0**-5 * 3, 2.0**-13, 2.0**-27, 2.0**-28, 1e-30]
    yield {"d_model": 16, "frequencies": small}, [(FORMATS, at, range(16)) for at in ("p1", "p-1")]
    # A cosine just below an amplitude that is a midpoint, whose even neighbour is below (1) or above (3).
    for dtype, (significand_bits, least) in FORMATS.items():
        if dtype != "f64":
            for n in 1, 3, -1, -3:
                amplitude = math.copysign(1, n) + n * 2.0**-significand_bits
                for f in 2.0**-100, 2.0**-14, 1e-300:
                    spec = {"d_model": 2, "amplitude": amplitude, "frequencies": [f]}
                    yield spec, [([dtype], at, [0, 1]) for at in ("p1", "p0", "r3")]
            for n in 1, 3, 5, 2:  # in halves of the smallest subnormal number
                amplitude = n * 2.0 ** (least - significand_bits)
                spec = {"d_model": 4, "amplitude": amplitude, "frequencies": [2.0**-20, 0.0]}
                yield spec, [([dtype], at, range(4)) for at in ("p1", "p0")]
    # Powers of two times a cosine just below one. The other amplitudes of these widths are irrational, or 1 / 3.
    for d_model in 2, 4, 8, 9, 16, 32, 128:
        for amplitude in NAMED_AMPLITUDES:
            spec = {"d_model": d_model, "amplitude": amplitude, "order": "cos_sin", "odd": "zero"}
            spec["frequencies"] = [2.0**-40, *[0.0] * (d_model // 2 - 1)]
            if d_model <= 16:
                yield spec, [(FORMATS, "p-1", [0, 1, d_model - 2])]


def ends_of_range():
    """Yields the largest and the smallest angles."""
    far = {"d_model": 4, "base": 5e-324, "freq_shift": 1.5, "scale": LARGEST}  # the exponent is 2: angles to 2**4196
    near = {"d_model": 4, "base": LARGEST, "freq_shift": 1.5, "scale": 5e-324}  # and down to 2**-4196
    for spec in far, near, far | {"scale": -1e300}, near | {"scale": -1e-5}:
        yield spec, [(FORMATS, f"p{x!r}", [0, 2, 3]) for x in (LARGEST, 5e-324, -3)]
    one = {"d_model": 2}
    yield one, [(FORMATS, f"p{x!r}", [0, 1]) for x in (NEAREST_TO_ZERO, -NEAREST_TO_ZERO, LARGEST, 5e-324, -5e-324)]
    yield one | {"amplitude": 1e300}, [(["f64"], f"p{x!r}", [0, 1]) for x in (NEAREST_TO_ZERO, 1e-300, 5e-324)]
    yield one | {"amplitude": 5e-324}, [(["f64"], f"p{x!r}", [0, 1]) for x in (0.5, 0.6, -1, -2, 3, 0)]
    # A cosine about 2**-4297 below a midpoint whose even neighbour is above it.
    yield one | {"amplitude": 1 + 3 * 2.0**-24, "frequencies": [5e-324]}, [(["f32"], "p5e-324", [0, 1])]


def rounded_twice():
    """Yields entries that are wrong if they are first rounded to another type."""
    through_f32 = lambda x, dtype: round_to_bits(value_of(round_to_bits(x, "f32"), "f32"), dtype)
    cut = lambda x, dtype: round_to_bits(value_of(round_to_bits(x, "f64") >> 32 << 32, "f64"), dtype)
    ways = {("f16", "to f32"): through_f32, ("bf16", "to f32"): through_f32, ("bf16", "to the high half of f64"): cut}
    found = {way: [] for way in ways}
    for k in range(32):
        for position, *pair in column_walk(frequency(10000.0, Fraction(2 * k, 64), 256), 2**13):
            for c, x in enumerate(pair):
                for dtype in "f16", "bf16":
                    if tie_distance(x, FORMATS[dtype][0]) < 2.0**-12:
                        value = mpf((x, -160), prec=160)
                        once = round_to_bits(value, dtype)
                        for way in [way for way in ways if way[0] == dtype and ways[way](value, dtype) != once]:
                            found[way].append(([dtype], f"p{position}", [2 * k + c]))
    for (dtype, how), all_found in found.items():
        yield f"# rounding first {how} and then to {dtype} gives other bits", None
        yield {"d_model": 64}, all_found[:: max(1, len(all_found) // 12)]
    yield "# rounding first to f64 and then to the type gives other bits", None
    for dtype, f in ("bf16", 259 * 2.0**-60), ("f32", (2**24 + 3) * 2.0**-80), ("bf16", 2.0**-134 * 3):
        yield {"d_model": 2, "frequencies": [f]}, [([dtype], at, [0]) for at in ("r1", "p-1")]
    for dtype, n in ("f16", 11), ("bf16", 8), ("f32", 24):
        spec = {"d_model": 2, "amplitude": 1 + 3 * 2.0**-n, "frequencies": [2.0**-30]}
        yield spec, [([dtype], at, [1]) for at in ("p1", "p-1")]


def value_of(bits, dtype):
    """Returns the number with these bits, which is positive and normal."""
    significand_bits, least = FORMATS[dtype]
    fraction = bits & ((1 << (significand_bits - 1)) - 1)
    exponent = (bits >> (significand_bits - 1)) - 1 + least - (significand_bits - 1)
    return mpf((fraction | 1 << (significand_bits - 1), exponent))


# The presets: each returns a row by its index, written like the implementation that it is named after.


def paper(p, d):
    return [(cos if j % 2 else sin)(p / power(10000, mpf(j // 2 * 2) / d)) for j in range(d)]


def tensor2tensor(p, d):
    num_timescales = d // 2
    increment = log(mpf(10000)) / max(num_timescales - 1, 1)
    scaled_time = [p * exp(i * -increment) for i in range(num_timescales)]
    return [*map(sin, scaled_time), *map(cos, scaled_time), *[mpf(0)] * (d % 2)]


def fairseq(p, d, zero_row):
    if p == zero_row:
        return [mpf(0)] * d
    half_dim = d // 2
    emb = log(mpf(10000)) / (half_dim - 1)
    emb = [p * exp(i * -emb) for i in range(half_dim)]
    return [*map(sin, emb), *map(cos, emb), *[mpf(0)] * (d % 2)]


def whisper(p, d):
    log_timescale_increment = log(mpf(10000)) / (d // 2 - 1)
    scaled_time = [p * exp(-log_timescale_increment * i) for i in range(d // 2)]
    return [*map(sin, scaled_time), *map(cos, scaled_time)]


def distilbert(p, d):
    position_enc = [p / power(10000, mpf(2 * (j // 2)) / d) for j in range(d)]
    out = [None] * d
    out[0::2] = map(sin, position_enc[0::2])
    out[1::2] = map(cos, position_enc[1::2])
    return out


def hf_marian(p, d):
    position_enc = [p / power(10000, mpf(2 * (j // 2)) / d) for j in range(d)]
    sentinel = d // 2 if d % 2 == 0 else d // 2 + 1
    out = [None] * d
    out[:sentinel] = map(sin, position_enc[0::2])
    out[sentinel:] = map(cos, position_enc[1::2])
    return out


def marian_nmt(p, d):
    n = d // 2
    increment = log(mpf(10000)) / (n - 1)
    return [(sin if i < n else cos)(p * exp(i % n * -increment)) for i in range(d)]


def opennmt_tf(row, d):
    return whisper(row + 1, d)  # positions = range(length) + 1, then the same


def musicgen(p, d):
    half_dim = d // 2
    emb = log(mpf(10000)) / (half_dim - 1)
    emb = [p * exp(i * -emb) for i in range(half_dim)]
    return [*map(cos, emb), *map(sin, emb), *[mpf(0)] * (d % 2)]


def ddpm(p, d, scale=1):
    half_dim = d // 2
    exponents = [-log(mpf(10000)) * i / (half_dim - 1) for i in range(half_dim)]  # freq_shift 1, of diffusers
    emb = [mpf(scale) * (p * exp(x)) for x in exponents]
    return [*map(sin, emb), *map(cos, emb), *[mpf(0)] * (d % 2)]


def adm(p, d):
    half = d // 2
    args = [p * exp(-log(mpf(10000)) * i / half) for i in range(half)]
    return [*map(cos, args), *map(sin, args), *[mpf(0)] * (d % 2)]


def nemo_fixed(p, d):
    coef = -log(mpf(10000)) / d
    div_term = [exp(coef * i) for i in range(0, d, 2)]
    return [f(p * x) / sqrt(d) for x in div_term for f in (sin, cos)]


def x_transformers(p, d):
    half_dim = d // 2
    inv_freq = [power(10000, -mpf(i) / half_dim) for i in range(half_dim)]
    return [f(p * x) * power(d, mpf(-1) / 2) for f in (sin, cos) for x in inv_freq]


def mlx(p, d):
    min_freq, max_freq = log(mpf(1) / 10000), log(mpf(1))
    one_zero = [1 - mpf(i) / (d // 2 - 1) for i in range(d // 2)]
    sigmas = [exp(x * (max_freq - min_freq) + min_freq) for x in one_zero]
    return [f(p * x) * sqrt(mpf(2) / d) for f in (sin, cos) for x in sigmas]


def keras_hub(p, d):
    min_freq = mpf(1) / 10000
    angles = [p * power(min_freq, mpf(2 * (j // 2)) / d) for j in range(d)]
    return [sin(x) * (1 - j % 2) + cos(x) * (j % 2) for j, x in enumerate(angles)]


def transformer_xl(row, d, start):
    pos_seq = range(start, -1, -1)
    inv_freq = [1 / power(10000, mpf(i) / d) for i in range(0, d, 2)]
    return [f(pos_seq[row] * x) for f in (sin, cos) for x in inv_freq]


def conformer_rel(row, d, start):
    n = start + 1
    div_term = [exp(i * -(log(mpf(10000)) / d)) for i in range(0, d, 2)]
    positive = [[f(i * x) for x in div_term for f in (sin, cos)] for i in range(n)]
    negative = [[f(-1 * i * x) for x in div_term for f in (sin, cos)] for i in range(n)]
    return [*reversed(positive), *negative[1:]][row]


def omega_0(p, d, scale=1):
    return [f(p * mpf(scale) / power(10000, mpf(2 * i) / d)) for i in range((d + 1) // 2) for f in (sin, cos)][:d]


def sine_codes(p, d):
    return [sin(p / power(10000, mpf(j) / d)) for j in range(d)]


def unpaired(p, d):
    return [(cos if j % 2 else sin)(p / power(10000, mpf(j) / d)) for j in range(d)]


def list_form(p, d):
    omegas = [1 / power(10000, mpf(2 * k) / d) for k in range((d + 1) // 2)]
    return [f(omega * p) for omega in omegas for f in (sin, cos)][:d]


# The implementation, its widths, and the parameters that a user also sets.
PRESETS = [
    (paper, (8, 7), {}),
    (tensor2tensor, (8, 7, 2, 3), {}),
    (fairseq, (8, 7), {"zero_row": 1}),
    (whisper, (8,), {}),
    (distilbert, (8, 7), {}),
    (hf_marian, (8, 7), {}),
    (marian_nmt, (8,), {}),
    (opennmt_tf, (8,), {}),
    (musicgen, (8, 7), {}),
    (ddpm, (8, 7), {}),
    (ddpm, (8, 7), {"scale": 1000.0}),
    (adm, (8, 7), {}),
    (nemo_fixed, (8, 4), {}),
    (x_transformers, (8, 4), {}),
    (mlx, (8, 4), {}),
    (keras_hub, (8, 7), {}),
    (transformer_xl, (8,), {"start": 3}),
    (conformer_rel, (8,), {"start": 2}),
    (omega_0, (8, 7), {}),
    (omega_0, (8, 7), {"scale": 30.0}),
    (sine_codes, (8, 7), {}),
    (unpaired, (8, 7), {}),
    (list_form, (8, 7), {}),
]


def presets():
    """four rows of each preset"""
    for function, widths, given in PRESETS:
        for d_model in widths:
            spec = {"preset": function.__name__, "d_model": d_model, **given}
            for row, column in itertools.product(range(4), range(d_model)):

                def interval(precision):
                    # The angles are moderate: an entry keeps nearly all bits, and zeros are exact.
                    with workprec(precision + 64):
                        value = function(row, d_model, **given)[column]
                        error = abs(value) * mpf(2) ** -precision
                        return value - error, value + error

                yield spec, ("f32", f"r{row}", column, settled("f32", interval))


# The files.


def text(theme):
    lines = [made_by(theme, "columns: dtype base d_model position column bits")]
    for dtype, base, d_model, position, column in theme():
        bits = f"{entry(dtype, {'base': base, 'd_model': d_model}, position, column):0{width_of(dtype) // 4}x}"
        lines.append(f"{dtype} {base!r} {d_model} {position} {column} {bits}")
    return "\n".join(lines) + "\n"


def grouped_text(theme):
    what = "groups: spec, then the keys that differ from the defaults; columns of an entry: dtype at column bits,"
    lines = [made_by(theme, what + " at being p<position> or r<row of the table>")]
    group = None
    for spec, rest in theme():
        if spec != group:
            group = spec
            lines.append(spec if isinstance(spec, str) else " ".join(["spec", *map(key_value, spec.items())]))
        if rest:
            dtype, at, column, bits = rest
            lines.append(f"{dtype} {at} {column} {bits:0{width_of(dtype) // 4}x}")
    return "\n".join(lines) + "\n"


def key_value(item):
    key, value = item
    return f"{key}={','.join(map(repr, value)) if isinstance(value, list) else value}"


def made_by(theme, columns):
    return f"# made by scripts/golden.py with mpmath {mpmath.__version__}: {' '.join(theme.__doc__.split())}; {columns}"


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    themes = dict.fromkeys((grid, scattered, exact_angles, near_zeros, hardest, extremes), text)
    for theme, to_text in (themes | dict.fromkeys((parameters, presets), grouped_text)).items():
        path = FOLDER / f"{theme.__name__}.txt"
        wanted = to_text(theme)
        if check:
            stale += [path.name] if not path.exists() or path.read_text() != wanted else []
        else:
            path.write_text(wanted)
    if stale:
        sys.exit("differ from what scripts/golden.py makes: " + ", ".join(stale))


if __name__ == "__main__":
    main()
