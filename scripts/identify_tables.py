"""Random tables for identify_check.py: sinusoidal ones as frameworks compute them, and others. Needs NumPy."""

import math
import struct
from dataclasses import dataclass, field

import numpy as np

DTYPES = ["f32", "f64", "f16", "bf16"]
WAYS = ["exp", "power", "reciprocal", "double"]


@dataclass
class Recipe:
    """A spec with the names of the macro's keys, and how its table is computed."""

    seq_len: int
    d_model: int
    dtype: str
    way: str
    keys: dict = field(default_factory=dict)

    def key(self, name):
        defaults = dict(base=10000.0, freq_shift=0.0, scale=1.0, start=0, step=1, amplitude=1.0, layout="interleaved",
                        order="sin_cos", columns="both", pairing="paired")
        return self.keys.get(name, defaults[name])

    def __str__(self):
        keys = ", ".join(f"{name} = {value}" for name, value in self.keys.items())
        return f"{self.seq_len} x {self.d_model} {self.dtype} by {self.way}: {keys or 'paper'}"

    def options(self):
        """The spec as options of `posenc table`."""
        keys = " ".join(f"--{name.replace('_', '-')}={value}" for name, value in self.keys.items())
        return f"--seq-len {self.seq_len} --d-model {self.d_model} {keys}"

    def amplitude(self):
        named = {"rsqrt_d": 1 / math.sqrt(self.d_model), "sqrt_2_over_d": math.sqrt(2 / self.d_model)}
        amplitude = self.key("amplitude")
        return named.get(amplitude, amplitude)

    def largest_angle(self):
        positions = (self.key("start") + self.key("step") * i for i in (0, self.seq_len))
        return max(abs(self.key("scale") * position) for position in positions)

    def entries(self):
        """The table as the framework computes it."""
        real = np.float64 if self.way == "double" or self.dtype == "f64" else np.float32
        return rounded(self.computed(real), self.dtype)

    def computed(self, real):
        d = self.d_model
        single = self.key("columns") != "both"
        unpaired = self.key("pairing") == "unpaired"
        count = d if single or unpaired else d // 2
        # The exponent of a frequency is its number by this.
        denominator = count - self.key("freq_shift") * (2 if unpaired else 1)
        k = np.arange(count).astype(real)
        base = real(self.key("base"))
        if self.way == "exp":
            frequencies = np.exp(k * real(-math.log(self.key("base")) / denominator))
        elif self.way == "power":
            frequencies = base ** (-k / real(denominator))
        else:
            frequencies = real(1) / (base ** (k / real(denominator)))
        positions = (self.key("start") + self.key("step") * np.arange(self.seq_len)).astype(real)
        if self.key("scale") != 1.0:
            positions = positions * real(self.key("scale"))
        angles = positions[:, None] * frequencies[None, :]
        sines, cosines = np.sin(angles), np.cos(angles)
        if single:
            table = sines if self.key("columns") == "sin" else cosines
        else:
            first, second = (sines, cosines) if self.key("order") == "sin_cos" else (cosines, sines)
            if unpaired:
                first, second = first[:, 0::2], second[:, 1::2]
            table = np.empty((self.seq_len, d), real)
            if self.key("layout") == "halves":
                table[:, : first.shape[1]], table[:, first.shape[1] :] = first, second
            else:
                table[:, 0::2], table[:, 1::2] = first, second
        return table if self.key("amplitude") == 1.0 else table * real(self.amplitude())


def rounded(table, dtype):
    """The entries in a type. Those of bf16 are the upper halves of f32, rounded to even."""
    if dtype != "bf16":
        return table.astype({"f32": np.float32, "f64": np.float64, "f16": np.float16}[dtype])
    bits = table.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def random_recipe(rng):
    """A table that somebody may have made: usual parameters, and often one or two that are not."""

    def of(*weighted):
        values, weights = zip(*weighted)
        weights = np.array(weights, float)
        return values[rng.choice(len(values), p=weights / weights.sum())]

    d_model = int(of((16, 1), (32, 2), (64, 3), (96, 1), (128, 3), (256, 2), (320, 1), (384, 1), (512, 2)))
    seq_len = int(of((32, 1), (50, 1), (100, 2), (128, 2), (200, 2), (512, 3), (1024, 1), (1500, 1)))
    digits = int(rng.integers(2, 5))
    odd_base = float(rng.integers(10 ** (digits - 1), 10**digits)) * 10 ** int(rng.integers(0, 3))
    keys = {
        "base": float(of((10000, 8), (500000, 2), (1e6, 2), (1e5, 1), (1000, 1), (100, 1), (5e6, 1), (20000, 1),
                         (150000, 1), (1e7, 1), (odd_base, 3))),
        "freq_shift": float(of((0, 3), (1, 2))),
        "scale": float(of((1, 10), (2 * math.pi, 1), (math.pi, 1), (1000, 1), (0.5, 1), (0.25, 1), (0.125, 1), (0.1, 1),
                          (0.01, 1), (2, 1), (100, 1), (30, 1), (round(float(rng.uniform(0.1, 3)), 2), 1))),
        "start": int(of((0, 8), (1, 3), (2, 1), (-1, 1), (int(rng.integers(3, 50)), 2), (int(rng.integers(50, 5000)), 2))),
        "step": int(of((1, 12), (2, 1), (-1, 1), (10, 1), (int(rng.integers(3, 20)), 1))),
        "amplitude": of((1.0, 10), ("rsqrt_d", 1), ("sqrt_2_over_d", 1), (0.5, 1), (2.0, 1), (0.1, 1), (0.02, 1)),
        "layout": of(("interleaved", 1), ("halves", 1)),
        "order": of(("sin_cos", 2), ("cos_sin", 1)),
        "columns": of(("both", 12), ("sin", 1), ("cos", 1)),
        "pairing": of(("paired", 14), ("unpaired", 1)),
    }
    if keys["columns"] != "both":
        del keys["pairing"], keys["layout"], keys["order"]
    recipe = Recipe(seq_len, d_model, of(("f32", 4), ("f64", 1), ("f16", 1), ("bf16", 1)), of(*((way, 1) for way in WAYS)))
    for name, value in keys.items():
        if value != recipe.key(name):
            recipe.keys[name] = value
    return recipe


def factor_recipe(rng, number):
    """A table of f64 whose amplitude or scale is a random number with all digits of an f64."""
    d_model, seq_len = int(rng.choice([32, 48, 64, 128, 256])), int(rng.choice([50, 100, 128, 300, 512, 1000]))
    way = ["exp", "power", "reciprocal"][rng.integers(3)]
    recipe = Recipe(seq_len, d_model, "f64", way)
    keys = {
        "base": float(rng.choice([10000, 10000, 500000, 1000000, 100])),
        "freq_shift": float(rng.choice([0, 0, 1])),
        "scale": float(rng.uniform(0.05, 3)) if number % 2 else 1.0,
        "start": int(rng.choice([0, 0, 1, 2, 30])),
        "amplitude": 1.0 if number % 2 else float(rng.uniform(0.02, 30)),
        "layout": str(rng.choice(["interleaved", "halves"])),
        "order": str(rng.choice(["sin_cos", "sin_cos", "cos_sin"])),
    }
    recipe.keys = {name: value for name, value in keys.items() if value != recipe.key(name)}
    return recipe


def negative(rng, number):
    """A table that no parameters make, and what it is."""
    n, d = int(rng.choice([24, 64, 200, 512])), int(rng.choice([8, 32, 64, 128]))
    i, j = np.arange(n)[:, None], np.arange(d)[None, :]
    noise = rng.standard_normal((n, d))
    sinusoid = Recipe(n, d, "f64", "exp").computed(np.float64)
    smooth = np.cumsum(noise, 0) / math.sqrt(n)
    waves = rng.uniform(0.01, 3, (1, d))
    kinds = {
        "normal": lambda: noise,
        "uniform": lambda: rng.uniform(-1, 1, (n, d)),
        "learned": lambda: 0.02 * noise + 0.01 * np.sin(i * waves / 20),
        "random walk": lambda: smooth,
        "smooth noise": lambda: np.apply_along_axis(lambda c: np.convolve(c, np.hanning(15), "same"), 0, noise),
        "dct": lambda: np.cos(math.pi * (i + 0.5) * j / n) * math.sqrt(2 / n),
        "dct of columns": lambda: np.cos(math.pi * (j + 0.5) * i / d),
        "polynomial": lambda: (i / n) ** (1 + j / 8),
        "chebyshev": lambda: np.cos(j * np.arccos(np.clip(2 * i / n - 1, -1, 1))),
        "sorted": lambda: np.sort(noise, 0),
        "constant": lambda: np.full((n, d), float(rng.choice([0, 1, 0.5, -1]))),
        "constant columns": lambda: np.broadcast_to(rng.standard_normal((1, d)), (n, d)).copy(),
        "low rank": lambda: rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)),
        "shuffled columns": lambda: sinusoid[:, rng.permutation(d)],
        "shuffled rows": lambda: sinusoid[rng.permutation(n)],
        "part of the columns": lambda: sinusoid[:, np.sort(rng.permutation(d)[: d // 2])],
        "random frequencies": lambda: np.sin(i * waves),
        "linear frequencies": lambda: np.where(j % 2 == 0, np.sin(i * 0.01 * (j // 2 + 1)), np.cos(i * 0.01 * (j // 2 + 1))),
        "fourier": lambda: np.where(j % 2 == 0, np.sin(2 * math.pi * i * (j // 2) / n), np.cos(2 * math.pi * i * (j // 2) / n)),
        "absolute": lambda: np.abs(sinusoid),
        "noisy": lambda: sinusoid + 0.01 * noise,
        "trained further": lambda: sinusoid + 0.05 * smooth,
        "signs": lambda: np.sign(noise),
        "steps": lambda: np.sign(sinusoid) + 0.0,
        "identity": lambda: np.eye(n, d),
    }
    kind = list(kinds)[number % len(kinds)]
    return kind, kinds[kind](), str(rng.choice(DTYPES))


def save(path, entries, dtype):
    """Writes a .safetensors file with one tensor."""
    entries = np.ascontiguousarray(entries)
    header = (
        f'{{"pe":{{"dtype":"{dtype.upper()}","shape":[{entries.shape[0]},{entries.shape[1]}],'
        f'"data_offsets":[0,{entries.nbytes}]}}}}'
    ).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + entries.tobytes())
