"""Identifying tables."""

import random

import pytest

import posenc
from test_presets import example, keys_of

np = pytest.importorskip("numpy")


def presets(kind):
    return pytest.mark.parametrize("preset", posenc.presets(kind).values(), ids=lambda preset: preset.name)


def check(found, preset, kind, **options):
    """The preset is named, alone or with others that make the same table."""
    answer = posenc.identify(found, **options)
    if example(preset)[1].keys() - {"--preset"}:
        # The preset makes no table without other parameters, such as an extent.
        assert preset.name in dict(answer.lines)["presets"]
        assert (answer[0].kind, answer[0].inexact) == (kind, 0)
        return
    matches = [match for match in answer if preset.name in match.presets]
    assert matches
    for match in matches:
        assert (match.kind, match.same_table, match.max_abs_error, match.inexact) == (kind, True, 0.0, 0)


@presets("sinusoidal")
def test_sinusoidal(preset):
    keys = keys_of(example(preset)[1])
    check(posenc.sinusoidal(60, 64, **keys), preset, "sinusoidal")


@presets("rotary")
def test_rotary(preset):
    check(posenc.rotary(64, preset=preset.name, packing="cos_sin"), preset, "rotary")


@presets("grid")
def test_grid(preset):
    sizes, options = example(preset)
    shape = {2: (8, 12), 3: (3, 8, 12)}[sizes["--shape"].count("x") + 1]
    table = posenc.grid(shape, 96, **keys_of(options))
    check(table, preset, "grid", shape=shape)


@presets("rotary_grid")
def test_rotary_grid(preset):
    sizes, options = example(preset)
    shape = {2: (8, 12), 3: (3, 8, 12), 4: (2, 4, 6, 3)}[sizes["--shape"].count("x") + 1]
    table = posenc.rotary_grid(shape, int(sizes["--head-dim"]), packing="cos_sin", **keys_of(options))
    check(table, preset, "rotary_grid", shape=shape)


@pytest.mark.parametrize(
    ("vector", "preset"),
    [
        *(
            (vector, preset)
            for vector in ("inv_freq", "periods")
            for preset in ("llama2", "llama3_1", "phi2", "gpt_oss")
        ),
        ("frequency_factors", "llama3_1"),
        ("frequency_factors", "gpt_oss"),
    ],
)
def test_vectors(preset, vector):
    answer = posenc.identify(posenc.inv_freq(preset=preset, vector=vector))
    assert answer[0].kind == vector
    assert preset in [name for match in answer for name in match.presets]


def test_vectors_of_one_number_are_nothing():
    assert not posenc.identify(posenc.inv_freq(preset="gemma3_global", vector="frequency_factors"))


@pytest.mark.parametrize(
    "dtype", ["float64", "float16", "bfloat16", "q15", "q7", "i8(1/127)", "u8(1/127, 128)", "i16(1/32767)"]
)
def test_types(dtype):
    table = posenc.sinusoidal(60, 64, preset="whisper", dtype=dtype)
    answer = posenc.identify(table)
    assert "freq_shift = 1.0, layout = halves" in answer[0].macro
    assert answer[0].inexact == 0
    assert answer[0].dtype == table.dtype_name


def float32_recipe(rows, columns):
    exponent = np.arange(0, columns, 2, dtype=np.float32) / columns
    angle = np.arange(rows, dtype=np.float32)[:, None] / np.float32(10_000) ** exponent
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(rows, columns)


def test_the_recipe_in_float32_is_identified():
    answer = posenc.identify(float32_recipe(1000, 128))
    assert answer.outcome == "identified"
    assert answer[0].macro == "sinusoidal_table!(1000, 128)"
    assert answer[0].inexact > 1000
    assert 1e-7 < answer[0].max_abs_error < 1e-3


@pytest.mark.parametrize(
    "change", [np.asfortranarray, lambda a: a.astype(">f4"), lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: a[None]]
)
def test_arrays_of_any_layout(change):
    table = posenc.sinusoidal(60, 64, preset="musicgen")
    assert "musicgen" in posenc.identify(change(table.numpy()))[0].presets


def test_parameters_are_found():
    table = posenc.sinusoidal(200, 64, base=777, start=5, layout="halves")
    (match, *_) = posenc.identify(table)
    assert match.macro == "sinusoidal_table!(200, 64, base = 777.0, layout = halves, start = 5)"
    rotary = posenc.identify(posenc.rotary(200, 64, scaling="llama3(4, 512)", base=1234, packing="complex"))[0]
    assert rotary.kind == "rotary"
    assert "base = 1234.0, scaling = llama3(factor = 4.0, original_max_position_embeddings = 512)" in rotary.macro


def test_a_preset_makes_the_table_by_its_name_alone():
    table = posenc.sinusoidal(200, 64, base=777, layout="halves")
    for match in posenc.identify(table):
        assert [posenc.sinusoidal(200, 64, preset=name) == table for name in match.presets] == [True] * len(
            match.presets
        )


def test_the_command_is_one_of_the_shell():
    match = posenc.identify(posenc.sinusoidal(60, 64, preset="whisper"))[0]
    assert match.command.startswith("posenc table --preset ")
    assert "-o exact.safetensors" in match.command


generator = random.Random(1)
RUBBISH = {
    "noise": np.array([[generator.gauss(0, 1) for _ in range(32)] for _ in range(60)]),
    "zeros": np.zeros((60, 32)),
    "ones": np.ones((60, 32), np.float32),
    "a ramp": np.arange(60 * 32.0).reshape(60, 32),
    "not finite": np.full((60, 32), np.nan),
    "infinite": np.full((60, 32), np.inf, np.float32),
    "integers": np.array([[generator.randrange(-100, 100) for _ in range(32)] for _ in range(60)], np.int8),
    "huge": np.full((60, 32), 1e308),
    "one row": np.ones((1, 32), np.float32),
    "a vector of noise": np.array([generator.random() for _ in range(64)]),
}


@pytest.mark.parametrize("found", RUBBISH)
def test_rubbish_is_nothing(found):
    answer = posenc.identify(RUBBISH[found])
    assert (answer.outcome, len(answer), bool(answer), list(answer)) == ("nothing", 0, False, [])
    assert str(answer)
    with pytest.raises(IndexError):
        answer[0]


def test_what_is_nearly_a_table_is_told():
    table = posenc.sinusoidal(60, 64).numpy()
    answer = posenc.identify(np.ascontiguousarray(table.T))
    assert answer.outcome == "nothing"
    assert "transpose" in str(answer)


def test_a_tolerance_accepts_noise():
    table = posenc.sinusoidal(200, 64, dtype="float64").numpy()
    noisy = table + np.array([[generator.uniform(-1e-4, 1e-4) for _ in range(64)] for _ in range(200)])
    assert not posenc.identify(noisy)
    assert posenc.identify(noisy, tolerance=1e-3)[0].macro.startswith("sinusoidal_table!(200, 64")


def test_shapes_of_grids():
    table = posenc.grid((5, 11), 64, preset="mae")
    assert posenc.identify(table, shape=(5, 11))[0].kind == "grid"
    assert posenc.identify(table, shape=[5, 11])[0].presets == posenc.identify(table, shape=(5, 11))[0].presets


@pytest.mark.parametrize(
    ("found", "options", "error", "words"),
    [
        ([[1.0]], {}, TypeError, "`found` is a list"),
        (np.zeros((2, 3, 4)), {}, ValueError, "`found` has the shape"),
        (np.zeros(()), {}, ValueError, "`found` has the shape"),
        (np.zeros((3, 4), complex), {}, TypeError, "`found` has entries of"),
        (np.zeros((30, 40)), {"tolerance": -1}, ValueError, "tolerance is -1"),
        (np.zeros((30, 40)), {"tolerance": float("nan")}, ValueError, "tolerance is NaN"),
        (np.zeros((30, 40)), {"tolerance": "1"}, TypeError, "`tolerance`"),
        (np.zeros((30, 40)), {"shape": 30}, TypeError, "`shape`"),
        (np.zeros((30, 40)), {"shape": (5, -6)}, ValueError, "`shape`"),
        (np.zeros(30), {"shape": (30,)}, TypeError, "`shape` and `tolerance` do not apply"),
    ],
)
def test_errors(found, options, error, words):
    with pytest.raises(error, match=words):
        posenc.identify(found, **options)
