"""The tables of `tests/hashes/src`, made in Python.

A recipe makes the entries of a line from its element type and its numbers of rows and columns. Entry points of Rust
that make the same table share a recipe.
"""

import re
import struct
from collections.abc import Callable, Iterable

import posenc

Recipe = Callable[[str, int, int], bytes]

# Where Python has no function for what a line hashes.
WITHOUT_FUNCTION = {
    ("wavelengths", "paper"): "wavelengths",
    ("wavelengths", "whisper"): "wavelengths",
    ("similarity", "paper"): "dot products",
    ("similarity", "whisper"): "dot products",
}

RECIPES: list[tuple[re.Pattern[str], re.Pattern[str], Recipe]] = []


def recipe(entry_point: str, of: str) -> Callable[[Recipe], Recipe]:
    """Registers a recipe for the entry points and the subjects that match."""

    def register(make: Recipe) -> Recipe:
        RECIPES.append((re.compile(entry_point), re.compile(of), make))
        return make

    return register


def recipes(entry_point: str, of: str) -> list[Recipe]:
    return [make for points, subjects, make in RECIPES if points.fullmatch(entry_point) and subjects.fullmatch(of)]


TABLE = "table|par_table|const_table|macro|macro with names|file|fill|par_fill"


def sinusoidal(entry_point: str, of: str, **keys: object) -> None:
    recipe(entry_point, of)(lambda dtype, rows, columns: entries(posenc.sinusoidal(rows, columns, dtype=dtype, **keys)))


def entries(*tables: posenc.Table) -> bytes:
    return b"".join(table.tobytes() for table in tables)


def rows_from(first: int, rows: int, table: posenc.Table) -> bytes:
    """Returns some rows of a table."""
    row = table.nbytes // table.shape[0]
    return table.tobytes()[first * row : (first + rows) * row]


# Tables of consecutive rows.

sinusoidal(TABLE, "paper(, past 64 MiB)?")
for preset in posenc.presets("sinusoidal"):
    # The positions of these two count down from the last position of the other tables.
    start = {"start": 127} if preset in ("transformer_xl", "conformer_rel") else {}
    if preset != "paper":
        sinusoidal(TABLE, preset, preset=preset, **start)
sinusoidal(TABLE, "base 1e9", base=1e9)
sinusoidal(TABLE, "base 0.1, far and backwards", base=0.1, start=1 << 53, step=-1_000_000_007)
sinusoidal(TABLE, "scale 0.3 from -100", scale=0.3, start=-100)
sinusoidal(TABLE, "unit 8/15", unit="8/15")
sinusoidal(TABLE, "frequencies", frequencies=[1.0, -0.0625, 1e-9])
sinusoidal(TABLE, "from -3", start=-3)
sinusoidal(TABLE, "halves, base 500000", layout="halves", base=500_000)
sinusoidal("prepare|const_fill", "adm, scale 1000", preset="adm", scale=1000)
for first in (1, 5, 77, 1_000_000):
    sinusoidal(TABLE, f"adm, scale 0.5, from row {first}", preset="adm", scale=0.5, start=first)

# Rows at any positions.


def encode(entry_point: str, of: str, positions: Iterable[float], **keys: object) -> None:
    positions = list(positions)
    recipe(entry_point, of)(lambda dtype, _, columns: entries(posenc.encode(positions, columns, dtype=dtype, **keys)))


def float_from(bits: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


SQUARES = [i * i / 100.0 - 300.0 for i in range(300)]
TIMESTEPS = [i * 0.997 for i in range(300)]
BINADES = [float_from(((948 << 52) + (i << 51)) ^ 0x3_1415_9265_3589) for i in range(300)]
ADM = {"preset": "adm", "scale": 1000}

encode("fill_positions", "adm, scale 1000", SQUARES, **ADM)
encode("encode", "adm, scale 1000", [position * 1e12 for position in SQUARES], **ADM)
encode("encode", "adm, scale 1000, timesteps", TIMESTEPS, **ADM)
encode(
    "encode of an encoder", "adm, scale 1000, timesteps below 0", [-position / 1000 for position in TIMESTEPS], **ADM
)
encode("fill_positions of an encoder", "adm, scale 1000, every binade", BINADES, **ADM)

# Scaling rules, with their attention factors.

BASES = {"llama3": 500_000, "proportional": 1e6, "yarn(factor = 32.0": 150_000}
for rule in (
    "linear(factor = 8.0)",
    "ntk(alpha = 4.0)",
    "dynamic(factor = 2.0, max_position_embeddings = 4096, seq_len = 10000)",
    "yarn(factor = 40.0, original_max_position_embeddings = 4096)",
    "yarn(factor = 32.0, original_max_position_embeddings = 4096, truncate = false)",
    "yarn(factor = 40.0, original_max_position_embeddings = 4096, mscale = 1.0, mscale_all_dim = 0.707)",
    "llama3(factor = 8.0, original_max_position_embeddings = 8192)",
    "longrope(factors = [1.0, 1.02, 1.25, 2.5, 7.0, 59.71, 64.8, 64.86], factor = 32.0, "
    "original_max_position_embeddings = 4096)",
    "proportional(partial_rotary_factor = 0.25)",
):
    base = next((base for prefix, base in BASES.items() if rule.startswith(prefix)), 10_000)
    sinusoidal("table", re.escape(rule), base=base, scaling=rule, amplitude="attention_factor")
sinusoidal(TABLE, "base 500000, llama3", base=500_000, scaling="llama3(8, 8192)")
sinusoidal(TABLE, "yarn", scaling="yarn(40, 4096)", amplitude="attention_factor")
sinusoidal(
    TABLE,
    "longrope",
    scaling="longrope([1.0, 1.02, 1.25, 2.5, 7.0, 59.71, 64.8, 64.86], 32, 4096)",
    amplitude="attention_factor",
)

# Frequencies that are rounded to 16 bits.

recipe("table", "cosines, frequencies in bf16")(
    lambda dtype, rows, columns: entries(
        posenc.rotary(rows, 2 * columns, frequency_dtype="bf16", packing="cos", dtype=dtype)
    )
)
sinusoidal("const_fill", "ntk, frequencies in f16", base=1e9, frequency_dtype="f16", scaling="ntk(8)", start=-5)
sinusoidal(TABLE, "yarn, frequencies in f16", scaling="yarn(4, 4096)", frequency_dtype="f16")
sinusoidal(TABLE, "periods in bf16", freq_offset="1/3", frequency_dtype="bf16_period")

# What is not a table.


@recipe("angular_frequencies", "paper")
def _(dtype: str, rows: int, _: int) -> bytes:
    return entries(posenc.inv_freq(2 * rows, dtype=dtype))


@recipe("angular_frequencies", "whisper")
def _(_: str, rows: int, __: int) -> bytes:
    of_column = [posenc.explain(1, column, 2 * rows, preset="whisper").frequency for column in range(rows)]
    return struct.pack(f"={rows}d", *map(float, of_column))


@recipe("translation", "paper|whisper")
def _(dtype: str, rows: int, _: int) -> bytes:
    """A translation by n has the cosines and sines of position n, pair by pair."""
    shift = {256: 0, 192: 1}[rows]
    return entries(posenc.sinusoidal(1, 2 * rows, freq_shift=shift, order="cos_sin", start=12_345, dtype=dtype))


# Grids.


def grid(of: str, shape: tuple[int, ...], **keys: object) -> None:
    """Registers a grid, or the rows of one from the row that the subject names."""
    first = int(of.split("from row ")[1]) if "from row" in of else 0
    recipe("grid.*|const_grid", of)(
        lambda dtype, rows, columns: rows_from(first, rows, posenc.grid(shape, columns, dtype=dtype, **keys))
    )


grid("mae, 14 x 16 and a row of zeros", (14, 16), preset="mae", zero_rows=1)
grid("detr_normalized, 28 x 40", (28, 40), preset="detr_normalized")
grid("timm, 31 x 17", (31, 17), preset="timm")
for first in (200, 220):
    grid(f"cogvideox, 5 x 6 x 7 from row {first}", (5, 6, 7), preset="cogvideox")
grid("tatp22, 4 x 3 x 2", (4, 3, 2), preset="tatp22")


@recipe("grid, fill_points", "points of four axes")
def _(dtype: str, rows: int, columns: int) -> bytes:
    """Each point is a grid of its own."""
    points = [[[unit * i] for unit in (0.003, 0.7, 1.0, 1e6)] for i in range(rows)]
    keys = {"nest": "frequencies", "first": "y,x,w,h", "base": 20, "dtype": dtype}
    return entries(*(posenc.grid((1, 1, 1, 1), columns, positions=point, **keys) for point in points))


# Rotary tables of several axes.


def axial(entry_point: str, of: str, shape: tuple[int, ...], packing: str, **keys: object) -> None:
    # The columns of a table with both functions are those of the head.
    pairs = 1 if packing in ("cos_sin", "complex") or "repeat" in keys else 2
    preset = of.split(",")[0]
    first = int(of.split("from row ")[1]) if "from row" in of else 0

    def make(dtype: str, rows: int, columns: int) -> bytes:
        table = posenc.rotary_grid(shape, pairs * columns, preset=preset, packing=packing, dtype=dtype, **keys)
        return rows_from(first, rows, table)

    recipe(f"axial, ({entry_point})", of)(make)


for function in ("cos", "sin"):
    axial(function, "qwen2_vl_vision, 12 x 20 in blocks", (12, 20), function, merge=2, repeat="halves")
axial("par_table", "wan, 5 x 15 x 26", (5, 15, 26), "cos_sin")
axial("const_fill", "dinov3, 14 x 20 from row 30", (14, 20), "complex")
axial("sin", "dinov3_bf16, 14 x 20", (14, 20), "sin")
axial("macro", "llama4_vision, 6 x 8", (6, 8), "complex")
axial("macro", "vjepa2, 2 x 6 x 8", (2, 6, 8), "cos", repeat="axis_halves")
axial("const_grid", "pixtral, 6 x 8", (6, 8), "sin")


@recipe("axial, fill_points", "kimi_k25_vision")
def _(dtype: str, rows: int, columns: int) -> bytes:
    points = [[[0.25 * i], [1e6 / (i + 1)]] for i in range(rows)]
    keys = {"preset": "kimi_k25_vision", "packing": "sin", "dtype": dtype}
    return entries(*(posenc.rotary_grid((1, 1), 2 * columns, positions=point, **keys) for point in points))


# Integers. The type of the line lacks the scale, which is the subject.


def integers(scale: str, entry_point: str, of: str, table: Callable[[str, int, int], posenc.Table]) -> None:
    def make(dtype: str, rows: int, columns: int) -> bytes:
        return entries(table(dtype if scale == "fixed point" else f"{dtype}({scale})", rows, columns))

    recipe(entry_point, of)(make)


def other_parameters(dtype: str, rows: int, columns: int) -> posenc.Table:
    keys = {"start": -20, "layout": "halves", "odd": "zero", "zero_row": 2, "base": 500_000}
    return posenc.sinusoidal(rows, columns, dtype=dtype, **keys)


def at_positions(dtype: str, _: int, __: int) -> posenc.Table:
    """Returns rows of 64 columns, which Rust hashed as rows of 320."""
    return posenc.encode([i * 0.37 - 3.0 for i in range(40)], 64, dtype=dtype)


for scale in ("fixed point", "1/100, -3", "1/127", "1/32767", "0.007843138, 127"):
    integers(
        scale,
        "table|const_table|sinusoidal_table!",
        scale,
        lambda dtype, rows, columns: posenc.sinusoidal(rows, columns, dtype=dtype),
    )
    if scale != "1/127":
        integers(scale, "table", f"{scale}, other parameters", other_parameters)
        integers(scale, "fill_positions", scale, at_positions)
