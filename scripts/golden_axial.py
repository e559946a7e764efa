"""Writes tests/suite/bits_are_right/golden/axial.txt: entries of the rotary tables of images and videos.

Needs mpmath 1.3.0. `python3 scripts/golden_axial.py` rewrites the file, `--check` only compares.

Each model is described in the words of its own code: what its position ids are, and which frequencies each column gets. All is
evaluated in real numbers, at two precisions, which must round to the same bits.
"""

import math
import pathlib
import struct
import sys
from fractions import Fraction

from mpmath import cos, mp, mpf, sin, workprec

from golden import round_to_bits

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/suite/bits_are_right/golden/axial.txt"
TURN = 2 * math.pi  # the f64


def inv_freq(theta, dim):
    """1.0 / theta ** (arange(0, dim, 2) / dim)"""
    return [(theta, Fraction(2 * k, dim)) for k in range(dim // 2)]


def product(*ranges):
    """Returns the points of meshgrid(indexing="ij"), the last axis fastest."""
    points = [()]
    for values in ranges:
        points = [point + (value,) for point in points for value in values]
    return points


def cat(*axes):
    """Returns the columns of cat([outer(ids[axis], freqs), ...], dim=-1)."""
    return [(axis, w) for axis, freqs in axes for w in freqs]


def image(shape, first=0, scale=lambda i, n: Fraction(i)):
    height, width = shape
    rows = [scale(i, height) + first for i in range(height)]
    columns = [scale(i, width) + first for i in range(width)]
    return product(rows, columns)


def two(theta, head_dim, order=(0, 1)):
    half = inv_freq(theta, head_dim // 2)
    return cat(*((axis, half) for axis in order))


def alternating(theta, head_dim, order):
    half = inv_freq(theta, head_dim // 2)
    return [(axis, w) for w in half for axis in order]


def pixtral(head_dim):
    # freqs = inv_freq of the whole head; freqs_h = outer(h, freqs[::2]); freqs_w = outer(w, freqs[1::2])
    freqs = inv_freq(10000, head_dim)
    return cat((0, freqs[::2]), (1, freqs[1::2]))


def thirds(head_dim):
    dim = 2 * ((head_dim // 3) // 2)
    return cat(*((axis, inv_freq(10000, dim)) for axis in range(3)))


def axes_dims(theta, dims):
    return cat(*((axis, inv_freq(theta, dim)) for axis, dim in enumerate(dims)))


def flux(theta, head_dim):
    return axes_dims(theta, [head_dim // 8, head_dim * 7 // 16, head_dim * 7 // 16])


def quarter(theta, head_dim):
    return axes_dims(theta, [head_dim // 4, head_dim * 3 // 8, head_dim * 3 // 8])


def wan(head_dim):
    h_dim = w_dim = 2 * (head_dim // 6)
    return axes_dims(10000, [head_dim - h_dim - w_dim, h_dim, w_dim])


def cosmos(head_dim):
    dim_h = dim_w = head_dim // 6 * 2
    dims = [head_dim - dim_h - dim_w, dim_h, dim_w]
    # theta = 10000 * rope_scale ** (dim / (dim - 2))
    bases = [(10000, scale, Fraction(dim, dim - 2)) for scale, dim in zip((2, 1, 1), dims, strict=True)]
    return cat(*((axis, [(base, x) for _, x in inv_freq(10000, dim)]) for axis, (base, dim) in enumerate(zip(bases, dims, strict=True))))


def video(shape, heights=Fraction, widths=Fraction):
    frames, height, width = shape
    return product(range(frames), [heights(i) for i in range(height)], [widths(i) for i in range(width)])


def qwen_image(shape):
    frames, height, width = shape
    # freqs_height = cat([freqs_neg[-(height - height // 2):], freqs_pos[:height // 2]])
    centred = lambda n: list(range(-(n - n // 2), 0)) + list(range(n // 2))
    return product(range(frames), centred(height), centred(width))


def dinov3(shape):
    # coords = 2 * (arange(0.5, n) / n) - 1
    return image(shape, scale=lambda i, n: 2 * ((i + Fraction(1, 2)) / n) - 1)


def bf16_periods(freqs):
    """1.0 / (theta ** (arange(0, dim, 2) / dim)).to(bfloat16)"""
    def stored(base, exponent):
        period = round_to_bits(mpf(base) ** (mpf(exponent.numerator) / exponent.denominator), "bf16")
        return struct.unpack("<f", struct.pack("<I", period << 16))[0]
    return [(axis, (stored(*w), Fraction(1))) for axis, w in freqs]


IDENTITY = (0, 0, 0, 0)
H_W, T_H_W = (11, 23), (4, 9, 14)

# Preset, width of a head, shape, points, columns, factor of the angles.
MODELS = [
    ("qwen2_vl_vision", 80, H_W, image(H_W), two(10000, 80), 1),
    ("lfm3_vl_vision", 64, H_W, image(H_W), two(1000000, 64), 1),
    ("muse_vision", 96, H_W, image(H_W, first=1), two(10000, 96, (1, 0)), 1),
    ("gemma4_vision", 64, H_W, image(H_W), two(100, 64, (1, 0)), 1),
    ("inkling2_vision", 64, H_W, [IDENTITY] + image(H_W, first=1), two(10000, 64, (1, 0)), 1),
    ("kimi_k25_vision", 72, H_W, image(H_W), alternating(10000, 72, (1, 0)), 1),
    ("minimax_m3_vision", 80, T_H_W, video(T_H_W), thirds(80), 1),
    ("pixtral", 64, H_W, image(H_W), pixtral(64), 1),
    ("step_vision", 96, H_W, image(H_W), two(10000, 96, (1, 0)), 1),
    ("sam2_memory", 256, H_W, image(H_W), two(10000, 256, (1, 0)), 1),
    ("sam3_global", 64, (72, 48), image((72, 48), scale=lambda i, n: Fraction(24 * i, n)), two(10000, 64, (1, 0)), 1),
    ("llama4_vision", 88, H_W, image(H_W, first=1) + [IDENTITY], two(10000, 88, (1, 0)), 1),
    ("dinov3", 64, (14, 20), dinov3((14, 20)), two(100, 64), TURN),
    ("dinov3_bf16", 64, (14, 20), dinov3((14, 20)), bf16_periods(two(100, 64)), TURN),
    ("vjepa2", 64, T_H_W, video(T_H_W), thirds(64) + [(0, None)] * 2, 1),
    ("efficientloftr", 256, H_W, image(H_W, first=1), alternating(10000, 256, (0, 1)), 1),
    ("eva02", 64, (24, 30), image((24, 30), scale=lambda i, n: Fraction(16 * i, n)), two(10000, 64), 1),
    ("pe_vision", 64, H_W, image(H_W, first=1), two(10000, 64, (1, 0)), 1),
    ("rope_vit", 64, H_W, image(H_W), two(100, 64, (1, 0)), 1),
    ("flux", 128, T_H_W, video(T_H_W), flux(10000, 128), 1),
    ("flux2", 128, (2, 5, 7, 3), product(range(2), range(5), range(7), range(3)), axes_dims(2000, [32] * 4), 1),
    ("flux3", 128, (2, 5, 7, 3),
     product(range(2), [Fraction(i, 2) for i in range(5)], [Fraction(i, 2) for i in range(7)], range(3)),
     axes_dims(10000, [32] * 4), 1),
    ("krea2", 128, T_H_W, video(T_H_W), quarter(1000, 128), 1),
    ("z_image", 128, T_H_W, video(T_H_W), quarter(256, 128), 1),
    ("lumina2", 96, T_H_W, video(T_H_W), axes_dims(10000, [32] * 3), 1),
    ("wan", 128, T_H_W, video(T_H_W), wan(128), 1),
    ("hunyuan_video", 128, T_H_W, video(T_H_W), flux(256, 128), 1),
    ("qwen_image", 128, (2, 17, 24), qwen_image((2, 17, 24)), flux(10000, 128), 1),
    ("cosmos", 128, T_H_W, video(T_H_W), cosmos(128), 1),
    ("cogvideox_5b", 64, T_H_W, video(T_H_W, lambda i: Fraction(30 * i, 9), lambda i: Fraction(45 * i, 14)),
     quarter(10000, 64), 1),
    ("kandinsky5", 64, T_H_W, video(T_H_W, lambda i: Fraction(i, 2), lambda i: Fraction(i, 2)), quarter(10000, 64), 1),
]


def frequency(w):
    """Returns base ** -exponent. A base may be a product with a power."""
    base, exponent = w
    if isinstance(base, tuple):
        base, scale, power = base
        base = base * mpf(scale) ** (mpf(power.numerator) / power.denominator)
    return mpf(base) ** -(mpf(exponent.numerator) / exponent.denominator)


def entry(position, w, factor):
    """Returns cos and sin of an angle at the precision that is set."""
    if w is None:
        return mpf(1), mpf(0)
    position = Fraction(position)
    angle = mpf(position.numerator) / position.denominator * frequency(w) * mpf(factor)
    return cos(angle), sin(angle)


def bits(position, w, factor):
    found = []
    for precision in (200, 300):
        with workprec(precision):
            values = entry(position, w, factor)
            found.append([round_to_bits(value, dtype) for dtype in ("f32", "f64") for value in values])
    assert found[0] == found[1], (position, w)
    return found[0]


def golden():
    lines = []
    for preset, head_dim, shape, points, columns, factor in MODELS:
        count, width = len(points), len(columns)
        rows = sorted({0, 1, shape[-1] - 1, shape[-1], count // 3, count // 2 + 1, count - 2, count - 1})
        for i, row in enumerate(rows):
            places = {(7 * i) % width, width // 2 - 1, width // 2, width - 1 - i % 3, (width // 3 + 5 * i) % width}
            for column in sorted(places):
                axis, w = columns[column]
                words = " ".join(f"{word:x}" for word in bits(points[row][axis], w, factor))
                lines.append(f"{preset} {'x'.join(map(str, shape))} {head_dim} {row} {column} {words}")
    header = "preset, shape, head_dim, row, pair; bits of cos and sin as f32, then as f64."
    return f"# By scripts/golden_axial.py: {header}\n" + "\n".join(lines) + "\n"


def main():
    mp.prec = 300
    text = golden()
    if "--check" in sys.argv[1:]:
        if GOLDEN.read_text() != text:
            sys.exit(f"{GOLDEN} differs from what this script writes")
    else:
        GOLDEN.write_text(text)
    print(f"{text.count(chr(10)) - 1} entries of {len(MODELS)} presets")


if __name__ == "__main__":
    main()
