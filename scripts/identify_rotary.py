"""Random rotary caches with parameters of no model for identify_check.py, as frameworks compute them. Needs NumPy."""

import math
from dataclasses import dataclass

import numpy as np

from identify_tables import rounded

KINDS = ["yarn", "yarn", "yarn", "real yarn", "llama3", "llama3", "longrope", "linear", "ntk", "dynamic", "proportional", "plain"]
PACKINGS = ["cos", "sin", "cos_sin", "sin_cos", "complex"]
REPEATS = ["none", "halves", "pairs"]


@dataclass
class Cache:
    """The parameters of a cache, and how it is computed."""

    rule: str
    base: float
    pairs: int
    seq_len: int
    dtype: str
    way: str
    packing: str
    repeat: str
    keys: dict

    def __str__(self):
        keys = ", ".join(f"{name} = {value}" for name, value in self.keys.items())
        size = f"{self.seq_len} x {self.pairs} pairs {self.dtype} in {self.way}"
        return f"{size}, {self.packing}, repeat {self.repeat}: base {self.base:g}, {self.rule}({keys})"

    def entries(self):
        """The cache as the framework computes it."""
        single = self.way == "f32" and self.dtype != "f64"
        return rounded(self.computed(np.float32 if single else np.float64), self.dtype)

    def amplitude(self):
        return self.frequencies(np.float64)[1]

    def largest_angle(self):
        return self.seq_len

    def computed(self, real):
        frequencies, factor = self.frequencies(real)
        angles = np.arange(self.seq_len).astype(real)[:, None] * frequencies[None, :]
        # As torch does, the factor is narrowed first.
        cos, sin = (self.repeated(wave(angles) * real(factor)) for wave in (np.cos, np.sin))
        if self.packing == "complex":
            return np.stack([cos, sin], 2).reshape(self.seq_len, -1)
        tables = {"cos": [cos], "sin": [sin], "cos_sin": [cos, sin], "sin_cos": [sin, cos]}
        return np.concatenate(tables[self.packing], 1)

    def repeated(self, table):
        ways = {"none": lambda: table, "halves": lambda: np.tile(table, 2), "pairs": lambda: np.repeat(table, 2, 1)}
        return ways[self.repeat]()

    def frequencies(self, real):
        """The frequencies and the attention factor, by the formulas of transformers."""
        keys, h = self.keys, self.pairs
        base = real(self.base)
        exponents = (np.arange(h) * 2).astype(real) / real(2 * h)
        plain = real(1) / base**exponents
        factor = real(keys.get("factor", 1))
        if self.rule == "linear":
            return plain / factor, 1.0
        if self.rule in ("ntk", "dynamic"):
            alpha = keys.get("alpha")
            if self.rule == "dynamic":
                alpha = keys["factor"] * keys["seq_len"] / keys["max_position_embeddings"] - (keys["factor"] - 1)
            return real(1) / real(self.base * alpha ** (h / (h - 1))) ** exponents, 1.0
        if self.rule == "proportional":
            count = int(keys["share"] * 2 * h // 2)
            return np.where(np.arange(h) < count, plain / factor, real(0)), 1.0
        if self.rule == "longrope":
            of_context = math.sqrt(1 + math.log(keys["factor"]) / math.log(keys["length"]))
            return real(1) / (np.array(keys["factors"]).astype(real) * base**exponents), of_context
        if self.rule == "llama3":
            low, high, length = keys["low"], keys["high"], keys["length"]
            wavelengths = real(2 * math.pi) / plain
            smooth = (real(length) / wavelengths - real(low)) / real(high - low)
            blended = (real(1) - smooth) * plain / factor + smooth * plain
            divided = np.where(wavelengths > length / low, plain / factor, plain)
            return np.where((wavelengths <= length / low) & (wavelengths >= length / high), blended, divided), 1.0
        if self.rule in ("yarn", "real yarn"):
            bounds = [2 * h * math.log(keys["length"] / (turns * 2 * math.pi)) / (2 * math.log(self.base))
                      for turns in (keys["fast"], keys["slow"])]
            low, high = bounds if self.rule == "real yarn" else (math.floor(bounds[0]), math.ceil(bounds[1]))
            low, high = max(low, 0), min(high, 2 * h - 1)
            high += 0.001 if low == high else 0
            ramp = np.clip((np.arange(h).astype(real) - real(low)) / real(high - low), 0, 1)
            return (plain / factor) * ramp + plain * (real(1) - ramp), self.attention_factor()
        return plain, 1.0

    def attention_factor(self):
        keys = self.keys
        log = 0.1 * math.log(keys["factor"])
        if "attention_factor" in keys:
            return keys["attention_factor"]
        if "mscale" in keys:
            return (keys["mscale"] * log + 1) / (keys["mscale_all_dim"] * log + 1)
        return log + 1


def random_cache(rng, number):
    """A cache that somebody may have made: a rule of a model with other parameters."""

    def of(*values):
        return values[rng.integers(len(values))]

    rule = KINDS[number % len(KINDS)]
    pairs = of(16, 24, 32, 32, 40, 48, 64, 64, 64, 128)
    base = float(of(1e4, 1e4, 5e5, 5e5, 1e6, 1e6, 1e5, 25000, 150000, 1.5e6, 2e6, 5e6, 8e6, 77000, int(rng.integers(11, 99)) * 1e4))
    seq_len = of(128, 200, 512, 1024, 2048, 4096)
    length = of(2048, 4096, 8192, 16384, 32768, 40960, 65536)
    factor = of(2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 16.0, 20.0, 24.0, 32.0, 40.0, 64.0)
    keys = {}
    if rule in ("yarn", "real yarn"):
        fast, slow = of((32, 1), (32, 1), (32, 1), (16, 1), (32, 2), (24, 2), (64, 1), (8, 1))
        keys = {"factor": factor, "length": length, "fast": fast, "slow": slow}
        scale = of("rule", "rule", "one", "mscales", "given")
        if scale == "one":
            keys |= {"mscale": 1.0, "mscale_all_dim": 1.0}
        elif scale == "mscales":
            keys |= {"mscale": of(0.707, 1.0), "mscale_all_dim": of(0.5, 0.8)}
        elif scale == "given":
            keys["attention_factor"] = of(1.0, 1.1, 1.25)
    elif rule == "llama3":
        low, high = of((1, 4), (1, 4), (1, 8), (2, 8), (1, 2))
        keys = {"factor": factor, "length": length, "low": low, "high": high}
    elif rule == "longrope":
        digits = of(1, 2, 2, 3)
        factors = np.sort(np.round(np.exp(rng.uniform(0, 4, pairs)), digits))
        # As in a config.json: some have the digits of f32.
        factors = factors.astype(np.float32) if rng.integers(2) else factors
        keys = {"factors": [float(x) for x in factors], "factor": of(4, 16, 32), "length": of(2048, 4096, 8192)}
    elif rule == "linear":
        keys = {"factor": of(1.5, 2.5, 5.0, 6.0, 7.5, 10.0, 12.0)}
    elif rule == "ntk":
        keys = {"alpha": of(1.5, 2.5, 3.0, 6.0, 10.0)}
    elif rule == "dynamic":
        seq_len = 4096
        keys = {"factor": of(2.0, 4.0, 6.0), "max_position_embeddings": 2048, "seq_len": 4096}
    elif rule == "proportional":
        keys = {"share": of(0.25, 0.5, 0.75), "factor": of(1.0, 1.0, 8.0)}
    if rule == "plain":
        base = float(of(25000, 25000, 77000, 1000042, int(rng.integers(101, 999)) * 1e3))
    repeat = of("none", "halves", "halves", "pairs")
    packing = of("cos", "cos", "sin", "sin", "cos_sin", "sin_cos", "complex")
    dtype = of("f32", "f32", "f32", "f64", "f16", "bf16")
    return Cache(rule, base, pairs, seq_len, dtype, of("f32", "f32", "f64"), packing, repeat, keys)
