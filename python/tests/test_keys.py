"""Every key of every kind of table, bit for bit as the command writes it."""

from fractions import Fraction

import pytest
from command import needs_command, written

import posenc

HALF = Fraction(1, 2)

# The kind, the sizes, the keys, and the options of the command that mean the same.
CASES = [
    ("sinusoidal", (9, 6), {"base": 500}, "--base 500"),
    ("sinusoidal", (9, 6), {"freq_shift": 1}, "--freq-shift 1"),
    ("sinusoidal", (9, 6), {"freq_offset": HALF}, "--freq-offset 1/2"),
    ("sinusoidal", (9, 6), {"frequencies": [1, 0.5, -0.25]}, "--frequencies 1,0.5,-0.25"),
    ("sinusoidal", (9, 8), {"scaling": "yarn(4, 512, beta_fast=30)"}, "--scaling 'yarn(4, 512, beta_fast=30)'"),
    ("sinusoidal", (9, 6), {"frequency_dtype": "f16"}, "--frequency-dtype f16"),
    ("sinusoidal", (9, 6), {"layout": "halves", "order": "cos_sin"}, "--layout halves --order cos_sin"),
    ("sinusoidal", (9, 6), {"columns": "cos"}, "--columns cos"),
    ("sinusoidal", (9, 6), {"pairing": "unpaired"}, "--pairing unpaired"),
    ("sinusoidal", (9, 8), {"repeat": "pairs"}, "--repeat pairs"),
    ("sinusoidal", (9, 7), {"odd": "zero"}, "--odd zero"),
    ("sinusoidal", (9, 6), {"scale": 0.3, "unit": "8/15"}, "--scale 0.3 --unit 8/15"),
    ("sinusoidal", (9, 6), {"amplitude": -2.5}, "--amplitude=-2.5"),
    ("sinusoidal", (9, 6), {"amplitude": "sqrt_2_over_d"}, "--amplitude sqrt_2_over_d"),
    ("sinusoidal", (9, 6), {"start": -4, "step": 3, "zero_row": 2}, "--start=-4 --step 3 --zero-row 2"),
    ("sinusoidal", (9, 6), {"preset": "fairseq", "zero_row": 1}, "--preset fairseq --zero-row 1"),
    ("rotary", (9, 8), {"rotary_dim": 4}, "--rotary-dim 4"),
    ("rotary", (9, 8), {"partial_rotary_factor": 0.5}, "--partial-rotary-factor 0.5"),
    ("rotary", (9, 8), {"base": 1e6, "freq_offset": "1/3"}, "--base 1e6 --freq-offset 1/3"),
    ("rotary", (9, 8), {"frequencies": (1, 0.5, 0.2, 0)}, "--frequencies 1,0.5,0.2,0"),
    ("rotary", (9, 8), {"scaling": "llama3(8, 8192)"}, "--scaling 'llama3(8, 8192)'"),
    ("rotary", (9, 10), {"frequency_dtype": "bf16_period"}, "--frequency-dtype bf16_period"),
    ("rotary", (9, 8), {"repeat": "halves"}, "--repeat halves"),
    ("rotary", (9, 8), {"start": 100, "step": -1}, "--start 100 --step=-1"),
    ("rotary", (9, 8), {"scale": 2, "unit": Fraction(2, 3)}, "--scale 2 --unit 2/3"),
    ("rotary", (9, 8), {"attention_factor": 1.25}, "--attention-factor 1.25"),
    ("rotary", (9,), {"preset": "phi2", "rotary_dim": 8}, "--preset phi2 --rotary-dim 8"),
    ("rotary", (), {"preset": "phi2"}, "--preset phi2"),
    ("grid", ((3, 4), 8), {"first": "w,h", "nest": "pairs"}, "--first w,h --nest pairs"),
    ("grid", ((3, 4), 8), {"first": ("w", "h")}, "--first w,h"),
    ("grid", ((3, 4), 8), {"widths": (2, 4), "rest": "zero"}, "--widths 2,4 --rest zero"),
    ("grid", ((3, 4), 8), {"zero_rows": 2}, "--zero-rows 2"),
    (
        "grid",
        ((3, 4), 8),
        {"identity_rows": 1, "identity_rows_after": 2},
        "--identity-rows 1 --identity-rows-after 2",
    ),
    ("grid", ((4, 6), 8), {"merge": 2}, "--merge 2"),
    ("grid", ((3, 4), 8), {"extent": "64/2"}, "--extent 64/2"),
    ("grid", ((3, 4), 8), {"base": (20, 1e4), "freq_shift": (0, 1)}, "--base 20,1e4 --freq-shift 0,1"),
    ("grid", ((3, 4), 8), {"freq_offset": (0, HALF)}, "--freq-offset 0,1/2"),
    ("grid", ((3, 4), 8), {"scaling": ("ntk(2)", "none")}, "--scaling 'ntk(2),none'"),
    ("grid", ((3, 4), 8), {"frequency_dtype": "bf16"}, "--frequency-dtype bf16"),
    ("grid", ((3, 4), 8), {"order": "cos_sin"}, "--order cos_sin"),
    ("grid", ((3, 4), 8), {"columns": "sin"}, "--columns sin"),
    ("grid", ((3, 4), 8), {"repeat": "pairs"}, "--repeat pairs"),
    ("grid", ((3, 4), 8), {"start": (1, -2), "step": 3}, "--start 1,-2 --step 3"),
    ("grid", ((3, 4), 8), {"scale": 0.5, "unit": (1, "8/15")}, "--scale 0.5 --unit 1,8/15"),
    ("grid", ((3, 4), 8), {"amplitude": 3}, "--amplitude 3"),
    ("rotary_grid", ((3, 4), 8), {"first": "w,h", "nest": "frequencies"}, "--first w,h --nest frequencies"),
    ("rotary_grid", ((3, 4), 8), {"widths": (2, 4), "rest": "identity"}, "--widths 2,4 --rest identity"),
    (
        "rotary_grid",
        ((3, 4), 8),
        {"identity_rows": 1, "identity_rows_after": 2},
        "--identity-rows 1 --identity-rows-after 2",
    ),
    ("rotary_grid", ((4, 6), 8), {"merge": 2}, "--merge 2"),
    ("rotary_grid", ((3, 4), 8), {"extent": 16}, "--extent 16"),
    ("rotary_grid", ((3, 4), 8), {"rotary_dim": 4}, "--rotary-dim 4"),
    ("rotary_grid", ((3, 4), 8), {"partial_rotary_factor": 0.5}, "--partial-rotary-factor 0.5"),
    ("rotary_grid", ((3, 4), 8), {"base": (100, 1e4)}, "--base 100,1e4"),
    ("rotary_grid", ((3, 4), 8), {"freq_offset": HALF}, "--freq-offset 1/2"),
    ("rotary_grid", ((3, 4), 8), {"scaling": "ntk(2)"}, "--scaling 'ntk(2)'"),
    ("rotary_grid", ((3, 4), 8), {"frequency_dtype": "f16"}, "--frequency-dtype f16"),
    ("rotary_grid", ((3, 4), 8), {"repeat": "axis_halves"}, "--repeat axis_halves"),
    ("rotary_grid", ((3, 4), 8), {"start": -1, "step": (2, 3)}, "--start=-1 --step 2,3"),
    ("rotary_grid", ((3, 4), 8), {"scale": 0.5, "unit": HALF}, "--scale 0.5 --unit 1/2"),
]

# The command has no option for these, so equal keys are compared.
EQUAL = [
    ("grid", ((3, 4), 8), {"frequencies": ([1, 0.5], [1, 0.5])}, {"frequencies": [1, 0.5]}),
    ("grid", ((3, 4), 8), {"frequencies": [1, 0.01]}, {}),
    ("grid", ((3, 4), 8), {"positions": ([5, 7, 9], [])}, {"start": (5, 0), "step": (2, 1)}),
    ("rotary_grid", ((3, 4), 8), {"positions": ([], [4, 3, 2, 1])}, {"start": (0, 4), "step": (1, -1)}),
    ("rotary_grid", ((3, 4), 8), {"frequencies": ([1, 0.01], [1, 0.01])}, {}),
]


def tables(kind, sizes, **keys):
    made = getattr(posenc, kind)(*sizes, **keys)
    return made if isinstance(made, tuple) else (made,)


@needs_command
@pytest.mark.parametrize(("kind", "sizes", "keys", "options"), CASES, ids=lambda value: str(value).replace(" ", ""))
def test_as_the_command(tmp_path, kind, sizes, keys, options):
    command = {"sinusoidal": "table", "grid": "grid"}.get(kind, "rope")
    names = ["--shape" if isinstance(size, tuple) else name for size, name in zip(sizes, ("-n", "-d"), strict=False)]
    values = ["x".join(map(str, size)) if isinstance(size, tuple) else size for size in sizes]
    line = " ".join([command, *(f"{name} {value}" for name, value in zip(names, values, strict=True)), options])
    packings = ["--packing cos", "--packing sin"] if command == "rope" else [""]
    for table, packing in zip(tables(kind, sizes, **keys), packings, strict=True):
        file = written(f"{line} {packing}", tmp_path / "pe.npy")
        assert table.shape == file.shape
        assert table.tobytes() == file.entries
        assert table.macro == file.macro


@pytest.mark.parametrize(("kind", "sizes", "keys", "equal"), EQUAL)
def test_equal_keys(kind, sizes, keys, equal):
    assert tables(kind, sizes, **keys) == tables(kind, sizes, **equal)


@pytest.mark.parametrize("kind", ["sinusoidal", "rotary", "grid", "rotary_grid"])
def test_every_key_has_a_case(kind):
    keys = {key for case in CASES + EQUAL if case[0] == kind for key in case[2]}
    assert keys - {"preset"} == set(posenc._posenc._keys(kind))


def test_the_keys_of_a_case_change_the_table():
    for kind, sizes, keys, _ in CASES:
        if "preset" not in keys:
            assert tables(kind, sizes, **keys) != tables(kind, sizes), keys


def test_a_key_that_is_none_is_not_given():
    assert posenc.sinusoidal(9, 6, base=None, layout=None) == posenc.sinusoidal(9, 6)
    assert posenc.rotary(9, 6, scaling=None, preset=None, config=None) == posenc.rotary(9, 6)


def test_rotary_tables_at_positions():
    all_rows = [table.tolist() for table in posenc.rotary(10, preset="llama3_1")]
    for positions in ([5, 9, 0], (5.0, 9.0, 0.0), range(3, 6)):
        rows = [int(position) for position in positions]
        made = posenc.rotary(positions=positions, preset="llama3_1")
        assert [table.tolist() for table in made] == [[table[row] for row in rows] for table in all_rows]
    half = posenc.rotary(positions=[0.5], head_dim=8, packing="cos")
    assert half.tolist()[0] == posenc.rotary(2, 8, unit="1/2", packing="cos").tolist()[1]
