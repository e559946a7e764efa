"""Writes tests/suite/bits_are_right/golden/rotary.txt and frequency_vectors.txt: entries of rotary caches, and their frequencies,
from a direct evaluation of their rules.

Needs mpmath 1.3.0. `python3 scripts/golden_rotary.py` rewrites the files, `--check` only compares.

The configurations are those of config.json files, evaluated as transformers' `modeling_rope_utils` describes them, but
in real numbers. Each entry is evaluated at two precisions, which must round to the same bits.
"""

import pathlib
import re
import sys

from mpmath import ceil, cos, floor, log, mp, mpf, pi, sin, sqrt, workprec

from golden import round_to_bits

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/suite/bits_are_right/golden"
FACTORS = ROOT / "pe-runtime/src/rope/factors.rs"

LLAMA3 = {"type": "llama3", "factor": 8, "low": 1, "high": 4, "original": 8192}
YARN = {"type": "yarn", "fast": 32, "slow": 1, "truncate": True, "mscale": 0, "mscale_all_dim": 0}
EQUAL = {"factor": 40, "original": 4096, "mscale": 1, "mscale_all_dim": 1}

# Name, head_dim, rope_theta, rotary_dim, rope_scaling, rows.
MODELS = [
    ("llama2", 128, 10000, 128, None, 4096),
    ("llama3_1", 128, 500000, 128, LLAMA3, 131072),
    ("llama3_2_1b", 64, 500000, 64, LLAMA3 | {"factor": 32}, 131072),
    ("llama4_scout", 128, 500000, 128, LLAMA3 | {"factor": 16, "high": 1}, 10485760),
    ("mixtral", 128, 1000000, 128, None, 32768),
    ("ministral3", 128, 1000000, 128, YARN | EQUAL | {"factor": 16, "original": 16384}, 262144),
    ("qwen2_5_yarn", 128, 1000000, 128, YARN | {"factor": 4, "original": 32768}, 131072),
    ("gemma3_global", 256, 1000000, 256, {"type": "linear", "factor": 8}, 131072),
    ("gemma4_global", 512, 1000000, 512, {"type": "proportional", "share": 0.25}, 262144),
    ("phi2", 80, 10000, 32, None, 2048),
    ("phi3_5_mini_short", 96, 10000, 96, {"type": "longrope", "list": "PHI3_5_SHORT", "factor": 32, "original": 4096}, 4096),
    ("phi3_5_mini_long", 96, 10000, 96, {"type": "longrope", "list": "PHI3_5_LONG", "factor": 32, "original": 4096}, 131072),
    ("deepseek_v2", 64, 10000, 64, YARN | EQUAL | {"mscale": 0.707, "mscale_all_dim": 0.707}, 163840),
    ("deepseek_v3", 64, 10000, 64, YARN | EQUAL, 163840),
    ("gpt_oss", 64, 150000, 64, YARN | {"factor": 32, "original": 4096, "truncate": False}, 131072),
    ("gpt_neox_20b", 96, 10000, 24, None, 2048),
    ("gpt_j", 256, 10000, 64, None, 2048),
    ("hunyuan_dense", 128, 10000, 128, {"type": "ntk", "alpha": 1000}, 32768),
]


def factors(name):
    text = FACTORS.read_text().split(f"const {name}: [f64; 48] = [")[1].split("]")[0]
    return [float(number) for number in re.findall(r"[\d._]+", text)]


def inverse_frequencies(d, theta, scaling):
    """Returns the frequencies in radians per position."""
    w = [mpf(theta) ** (-mpf(2 * k) / d) for k in range(d // 2)]
    kind = scaling["type"] if scaling else None
    if kind is None:
        return w
    if kind == "linear":
        return [x / scaling["factor"] for x in w]
    if kind == "proportional":
        turning = int(scaling["share"] * d) // 2
        return [x if k < turning else mpf(0) for k, x in enumerate(w)]
    if kind == "ntk":
        base = theta * mpf(scaling["alpha"]) ** (mpf(d) / (d - 2))
        return [base ** (-mpf(2 * k) / d) for k in range(d // 2)]
    if kind == "longrope":
        return [x / mpf(f) for x, f in zip(w, factors(scaling["list"]), strict=True)]
    if kind == "llama3":
        return [llama3(x, scaling) for x in w]
    assert kind == "yarn"
    return yarn(w, d, theta, scaling)


def llama3(w, scaling):
    wavelength = 2 * pi / w
    low, high, length = scaling["low"], scaling["high"], scaling["original"]
    if wavelength < mpf(length) / high:
        return w
    if wavelength > mpf(length) / low:
        return w / scaling["factor"]
    smooth = (length / wavelength - low) / (high - low)
    return (1 - smooth) * w / scaling["factor"] + smooth * w


def yarn(w, d, theta, scaling):
    def dimension(rotations):
        return d * log(scaling["original"] / (rotations * 2 * pi)) / (2 * log(theta))

    low, high = dimension(scaling["fast"]), dimension(scaling["slow"])
    if scaling["truncate"]:
        low, high = floor(low), ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(d - 1))
    ramp = [min(max((k - low) / (high - low), mpf(0)), mpf(1)) for k in range(d // 2)]
    return [x / scaling["factor"] * r + x * (1 - r) for x, r in zip(w, ramp, strict=True)]


def attention_factor(scaling):
    kind = scaling["type"] if scaling else None
    if kind == "longrope":
        return sqrt(1 + log(scaling["factor"]) / log(scaling["original"]))
    if kind != "yarn":
        return mpf(1)

    def mscale(scale):
        return mpf(scale) * log(scaling["factor"]) / 10 + 1

    if scaling["mscale"] and scaling["mscale_all_dim"]:
        return mscale(scaling["mscale"]) / mscale(scaling["mscale_all_dim"])
    return mscale(1)


def entries(model, precision):
    """Returns the lines of a model: its name, the position, the pair, and the bits of cosine and sine."""
    name, _, theta, d, scaling, rows = model
    lines = []
    with workprec(precision):
        w, factor = inverse_frequencies(d, theta, scaling), attention_factor(scaling)
        positions = sorted({0, 1, 17, 4095, rows - 1})
        pairs = sorted({k for at in range(8) for k in (at * (d // 2 - 1) // 7, at * (d // 2 - 1) // 7 + 1) if k < d // 2})
        for position in positions:
            for k in pairs:
                values = [factor * cos(position * w[k]), factor * sin(position * w[k])]
                bits = [f"{round_to_bits(value, dtype):x}" for dtype in ("f32", "f64") for value in values]
                lines.append(" ".join([name, str(position), str(k), *bits]))
    return lines


def vectors(model, precision):
    """Returns the lines of a model: its name, the pair, and the bits of the frequency, its reciprocal and the factor of the rule."""
    name, _, theta, d, scaling, _ = model
    lines = []
    with workprec(precision):
        plain, scaled = inverse_frequencies(d, theta, None), inverse_frequencies(d, theta, scaling)
        for k, (before, after) in enumerate(zip(plain, scaled, strict=True)):
            # Zeros are those of Gemma 4.
            values = [after, 1 / after, before / after] if after else [after, mpf("inf"), mpf(10) ** 30]
            infinities = {"bf16": "7f80", "f32": "7f800000", "f64": "7ff0000000000000"}
            bits = [
                infinities[dtype] if value == mpf("inf") else f"{round_to_bits(value, dtype):x}"
                for dtype in ("bf16", "f32", "f64")
                for value in values
            ]
            lines.append(" ".join([name, str(k), *bits]))
    return lines


def text(header, lines_of):
    lines = []
    for model in MODELS:
        found = lines_of(model, 300)
        assert found == lines_of(model, 500), model[0]
        lines += found
    return f"# By scripts/golden_rotary.py: {header}\n" + "\n".join(lines) + "\n"


FILES = {
    "rotary.txt": ("preset, position, pair; bits of cos and sin as f32, then as f64.", entries),
    "frequency_vectors.txt": ("preset, pair; bits of inv_freq, period and factor as bf16, f32 and f64.", vectors),
}

if __name__ == "__main__":
    mp.prec = 300
    for name, contents in FILES.items():
        target = GOLDEN / name
        if sys.argv[1:] != ["--check"]:
            target.write_text(text(*contents))
        elif target.read_text() != text(*contents):
            sys.exit(f"{target} is not what {__file__} makes")
