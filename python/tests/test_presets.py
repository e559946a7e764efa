"""Every preset, bit for bit, as the command writes it."""

import shlex

import pytest
from command import needs_command, written

import posenc

pytestmark = needs_command

COUNTS = {"sinusoidal": 21, "rotary": 48, "grid": 15, "rotary_grid": 31}

# One shape for each number of axes, whose points along the axes differ.
SHAPES = {2: (5, 7), 3: (2, 5, 3), 4: (2, 3, 5, 2)}


def example(preset):
    """Returns the options of a preset's example as text, without the sizes and the file."""
    words = shlex.split(preset.command)
    options = dict(zip(words[2::2], words[3::2], strict=True))
    sizes = {name: options.pop(name, None) for name in ("--seq-len", "--d-model", "--head-dim", "--shape", "-o")}
    return sizes, options


def keys_of(options):
    keys = {name[2:].replace("-", "_"): value for name, value in options.items()}
    return keys | {key: int(keys[key]) for key in ("start", "zero_row") if key in keys}


def check(tmp_path, make, line):
    """Compares a table in two element types with two files."""
    for dtype, name in (("float32", "pe.npy"), ("bfloat16", "pe.safetensors")):
        table = make(dtype)
        file = written(f"{line} --dtype {dtype}", tmp_path / name)
        assert table.shape == file.shape
        assert table.tobytes() == file.entries
        assert table.macro == file.macro
        assert table.bits().tobytes() == file.entries


def all_of(kind, without=()):
    presets = [preset for name, preset in posenc.presets(kind).items() if name not in without]
    return pytest.mark.parametrize("preset", presets, ids=[preset.name for preset in presets])


def test_the_presets_are_counted():
    assert {kind: len(posenc.presets(kind)) for kind in COUNTS} == COUNTS


@all_of("sinusoidal")
@pytest.mark.parametrize(("rows", "columns"), [(20, 16), (513, 100)])
def test_sinusoidal(tmp_path, preset, rows, columns):
    _, options = example(preset)
    keys = keys_of(options)
    line = f"table --seq-len {rows} --d-model {columns} {shlex.join(sum(options.items(), ()))}"
    check(tmp_path, lambda dtype: posenc.sinusoidal(rows, columns, dtype=dtype, **keys), line)


@all_of("rotary")
def test_rotary(tmp_path, preset):
    name = preset.name
    for i, packing in enumerate(("cos", "sin")):
        line = f"rope --preset {name} --seq-len 40 --packing {packing}"
        check(tmp_path, lambda dtype, i=i: posenc.rotary(40, preset=name, dtype=dtype)[i], line)
    line = f"rope --preset {name} --seq-len 7 --packing complex --repeat halves --start 1000"
    keys = {"packing": "complex", "repeat": "halves", "start": 1000}
    check(tmp_path, lambda dtype: posenc.rotary(7, preset=name, dtype=dtype, **keys), line)


@all_of("rotary", without=("phi3_5_mini_short", "phi3_5_mini_long"))  # They have a factor for each pair of a head.
def test_rotary_of_another_head(tmp_path, preset):
    line = f"rope --preset {preset.name} --seq-len 9 --head-dim 160"
    check(tmp_path, lambda dtype: posenc.rotary(9, 160, preset=preset.name, packing="cos_sin", dtype=dtype), line)


@all_of("grid")
@pytest.mark.parametrize("times", [1, 2])
def test_grid(tmp_path, preset, times):
    sizes, options = example(preset)
    shape, columns = SHAPES[sizes["--shape"].count("x") + 1], times * int(sizes["--d-model"])
    text = "x".join(map(str, shape))
    line = f"grid --shape {text} --d-model {columns} {shlex.join(sum(options.items(), ()))}"
    check(tmp_path, lambda dtype: posenc.grid(shape, columns, dtype=dtype, **keys_of(options)), line)


@all_of("rotary_grid")
def test_rotary_grid(tmp_path, preset):
    sizes, options = example(preset)
    shape, columns = SHAPES[sizes["--shape"].count("x") + 1], int(sizes["--head-dim"])
    text = "x".join(map(str, shape))
    line = f"rope --shape {text} --head-dim {columns} {shlex.join(sum(options.items(), ()))}"
    for i, packing in enumerate(("cos", "sin")):
        check(
            tmp_path,
            lambda dtype, i=i: posenc.rotary_grid(shape, columns, dtype=dtype, **keys_of(options))[i],
            f"{line} --packing {packing}",
        )
    keys = keys_of(options) | {"packing": "cos_sin", "repeat": "pairs"}
    check(
        tmp_path,
        lambda dtype: posenc.rotary_grid(shape, columns, dtype=dtype, **keys),
        f"{line} --packing cos_sin --repeat pairs",
    )
