"""Frequencies, periods and factors of rotary embeddings."""

import re

import pytest
from command import needs_command, written

import posenc

KINDS = {"inv_freq": "--inv-freq", "periods": "--periods", "frequency_factors": "--factors"}


def test_the_frequencies_of_the_paper():
    assert posenc.inv_freq(8, dtype="float64").tolist() == [1.0, 0.1, 0.01, 0.001]
    assert posenc.inv_freq(8, dtype="float64", vector="periods").tolist() == [1.0, 10.0, 100.0, 1000.0]
    assert posenc.inv_freq(8, vector="frequency_factors").tolist() == [1.0] * 4


def test_they_are_rounded_once():
    """Each is at most half a unit in the last place from the power, which Python computes to about one unit."""
    frequencies = posenc.inv_freq(128, base=500_000, dtype="float64").tolist()
    for i, frequency in enumerate(frequencies):
        assert frequency == pytest.approx(500_000 ** (-2 * i / 128), rel=4e-16)
    rounded = posenc.inv_freq(128, base=500_000).tolist()
    assert rounded == pytest.approx(frequencies, rel=2**-24)
    assert rounded != frequencies


def test_the_frequencies_make_the_table():
    frequencies = posenc.inv_freq(preset="llama3_1", dtype="float64").tolist()
    of_list = posenc.rotary(9, 128, frequencies=frequencies)
    assert of_list[0].tolist()[8] == pytest.approx(posenc.rotary(9, preset="llama3_1")[0].tolist()[8], rel=1e-6)


@needs_command
@pytest.mark.parametrize("vector", KINDS)
@pytest.mark.parametrize("preset", posenc.presets("rotary"))
def test_presets(tmp_path, preset, vector):
    for dtype, name in (("float32", "vector.npy"), ("bfloat16", "vector.safetensors")):
        line = f"rope --preset {preset} {KINDS[vector]} --dtype {dtype}"
        file = written(line, tmp_path / name)
        made = posenc.inv_freq(preset=preset, vector=vector, dtype=dtype)
        assert (made.shape, made.tobytes()) == (file.shape, file.entries)
        assert re.sub(r"!\(\d+", "!(seq_len", file.macro) in repr(made)


@needs_command
def test_rules_that_depend_on_the_length(tmp_path):
    rule = "dynamic(2, 16, 64)"
    file = written(f"rope -d 16 --inv-freq --scaling '{rule}'", tmp_path / "vector.npy")
    assert posenc.inv_freq(16, scaling=rule).tobytes() == file.entries
    config = {
        "head_dim": 16,
        "rope_theta": 1e4,
        "max_position_embeddings": 16,
        "rope_scaling": {"type": "dynamic", "factor": 2},
    }
    assert posenc.inv_freq(config=config, seq_len=64) == posenc.inv_freq(16, scaling=rule)
    assert posenc.inv_freq(config=config, seq_len=16) == posenc.inv_freq(16)


def test_keys():
    assert posenc.inv_freq(8, rotary_dim=4).shape == (2,)
    assert posenc.inv_freq(8, partial_rotary_factor=0.5).shape == (2,)
    assert posenc.inv_freq(4, frequencies=[0, -1e-300], dtype="float32").tolist() == [0.0, -0.0]
    assert str(posenc.inv_freq(4, frequencies=[0, -1e-300], vector="periods").tolist()) == "[inf, -inf]"
    assert posenc.inv_freq(64, preset="llama2") == posenc.inv_freq(64)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"head_dim": 7}, ValueError, "`head_dim` is 7, but must be even"),
        ({"head_dim": 8, "vector": "wavelengths"}, ValueError, "`vector` is `wavelengths`, but must be one of"),
        ({"head_dim": 8, "dtype": "q15"}, ValueError, "`dtype` is `q15`, but must be one of f32, f64, f16, bf16"),
        ({"head_dim": 8, "repeat": "halves"}, TypeError, "`repeat` does not apply to frequencies"),
        ({"head_dim": 8, "packing": "cos"}, TypeError, "`packing`"),
        ({}, TypeError, "`head_dim` is missing"),
        ({"preset": "wan"}, ValueError, "unknown preset `wan`"),
    ],
)
def test_errors(arguments, error, words):
    with pytest.raises(error, match=words):
        posenc.inv_freq(**arguments)
