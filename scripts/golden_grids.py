"""Writes tests/suite/bits_are_right/golden/grids.txt: small grids of every preset, from a direct evaluation of the formulas.

Needs mpmath 1.3.0. `python3 scripts/golden_grids.py` rewrites the file, `--check` only compares.

Each preset is a function with the structure of the code that it is named after (meshgrid, halves, concatenation), but in
real numbers. Each table is evaluated at two precisions, which must round to the same bits.
"""

import itertools
import math
import pathlib
import sys

from mpmath import cos, mp, mpf, power, sin, workprec

from golden import round_to_bits

TARGET = pathlib.Path(__file__).resolve().parent.parent / "tests/suite/bits_are_right/golden/grids.txt"
TAU = 2 * math.pi  # the float that the sources multiply by


def halves(position, d, base=10000, last=0):
    """Sines and then cosines of d / 2 frequencies. The exponent of the last one is 1 if `last` is 1."""
    m = d // 2
    angles = [position * power(base, -mpf(k) / (m - last)) for k in range(m)]
    return [sin(angle) for angle in angles] + [cos(angle) for angle in angles]


def pairs(position, d):
    """A sine and a cosine of each of d / 2 frequencies."""
    angles = [position * power(10000, -mpf(2 * (j // 2)) / d) for j in range(d)]
    return [cos(angle) if j % 2 else sin(angle) for j, angle in enumerate(angles)]


def points(*sizes):
    """The points in the order of an array of these sizes."""
    return itertools.product(*map(range, sizes))


def mae(h, w, d):
    return [halves(x, d // 2) + halves(y, d // 2) for y, x in points(h, w)]


def simple_vit(h, w, d):
    return [halves(x, d // 2, last=1) + halves(y, d // 2, last=1) for y, x in points(h, w)]


def simple_vit_3d(t, h, w, d):
    each = d // 6 * 2
    rows = [[halves(i, each, last=1) for i in (x, y, z)] for z, y, x in points(t, h, w)]
    return [sum(row, []) + [mpf(0)] * (d - 3 * each) for row in rows]


def hf_2d(h, w, d):
    return [halves(y, d // 2) + halves(x, d // 2) for y, x in points(h, w)]


def moco_v3(w, h, d):
    return [[mpf(0)] * d] + [halves(x, d // 2) + halves(y, d // 2) for x, y in points(w, h)]


def timm(h, w, d):
    quarter = d // 4
    both = [(halves(y, d // 2), halves(x, d // 2)) for y, x in points(h, w)]
    return [y[:quarter] + x[:quarter] + y[quarter:] + x[quarter:] for y, x in both]


def detr(h, w, d):
    return [pairs(y + 1, d // 2) + pairs(x + 1, d // 2) for y, x in points(h, w)]


def normalized(shift):
    def table(h, w, d):
        def position(i, n):
            return (i + mpf(shift)) / (n + mpf(1) / 10**6) * mpf(TAU)

        return [pairs(position(y, h), d // 2) + pairs(position(x, w), d // 2) for y, x in points(h, w)]

    return table


def pixart(h, w, d):  # base_size 64, interpolation_scale 2
    return [halves(mpf(x * 64) / (w * 2), d // 2) + halves(mpf(y * 64) / (h * 2), d // 2) for y, x in points(h, w)]


def sd3(h, w, d):
    def position(i, n):
        return mpf((192 - n) // 2 + i) * 64 / 192

    return [halves(position(x, w), d // 2) + halves(position(y, h), d // 2) for y, x in points(h, w)]


def cogvideox(t, h, w, d):
    def row(z, y, x):
        return halves(z, d // 4) + halves(mpf(x) * 8 / 15, d * 3 // 8) + halves(mpf(y) * 8 / 15, d * 3 // 8)

    return [[mpf(0)] * d] * 226 + [row(*point) for point in points(t, h, w)]


def vjepa(t, h, w, d):
    return [halves(z, d // 2) + halves(y, d // 4) + halves(x, d // 4) for z, y, x in points(t, h, w)]


def vjepa_uniform(t, h, w, d):
    each = -(-d // 6) * 2
    return [sum((halves(i, each) for i in point), [])[:d] for point in points(t, h, w)]


def tatp22(*arguments):
    *sizes, d = arguments
    each = -(-d // (2 * len(sizes))) * 2
    return [sum((pairs(i, each) for i in point), [])[:d] for point in points(*sizes)]


def monai_3d(h, w, z, d):
    return [halves(x, d // 3) + halves(y, d // 3) + halves(k, d // 3) for y, x, k in points(h, w, z)]


# Preset, function, sizes in the order of the shape, columns.
TABLES = [
    ("mae", mae, (3, 5), 16),
    ("simple_vit", simple_vit, (5, 3), 16),
    ("simple_vit", simple_vit_3d, (4, 2, 3), 26),
    ("hf_2d", hf_2d, (3, 5), 16),
    ("moco_v3", moco_v3, (5, 3), 16),
    ("timm", timm, (3, 5), 16),
    ("detr", detr, (3, 5), 16),
    ("detr_normalized", normalized(1), (3, 5), 16),
    ("deformable_detr", normalized(0.5), (3, 5), 16),
    ("pixart", pixart, (3, 5), 16),
    ("sd3", sd3, (3, 6), 16),
    ("cogvideox", cogvideox, (4, 2, 3), 32),
    ("vjepa", vjepa, (4, 2, 3), 16),
    ("vjepa_uniform", vjepa_uniform, (4, 2, 3), 16),
    ("tatp22", tatp22, (3, 5), 10),
    ("tatp22", tatp22, (4, 2, 3), 10),
    ("monai", mae, (3, 5), 16),
    ("monai", monai_3d, (4, 2, 3), 18),
]


def table(function, sizes, d_model, precision):
    with workprec(precision):
        rows = function(*sizes, d_model)
        return [" ".join(f"{round_to_bits(+value, dtype):x}" for value in row) for dtype in ("f32", "f64") for row in rows]


def text():
    lines = ["# By scripts/golden_grids.py: preset, shape, d_model, rows of zeros; the bits of each other row, as f32, then as f64."]
    for preset, function, sizes, d_model in TABLES:
        found = table(function, sizes, d_model, 300)
        assert found == table(function, sizes, d_model, 500), preset
        zeros = " ".join("0" * d_model)
        lines.append(f"{preset} {','.join(map(str, sizes))} {d_model} {found.count(zeros) // 2}")
        lines += [row for row in found if row != zeros]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    mp.prec = 300
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if TARGET.read_text() == text() else f"{TARGET} is not what {__file__} makes")
    TARGET.write_text(text())
