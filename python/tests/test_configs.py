"""The `config.json` of a model, as a dict, an object and a path, as the command reads it."""

import json
import types

import pytest
from command import needs_command, written

import posenc

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 70,
    "rope_theta": 500000.0,
    "rope_scaling": {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}
GEMMA3 = {
    "model_type": "gemma3_text",
    "head_dim": 256,
    "max_position_embeddings": 50,
    "rope_theta": 1_000_000,
    "rope_local_base_freq": 10_000,
    "rope_scaling": {"rope_type": "linear", "factor": 8},
}
NEOX = {"head_dim": 96, "rotary_pct": 0.25, "max_position_embeddings": 20, "rope_theta": 10_000}
FLUX = {"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], "attention_head_dim": 128}
QWEN = {
    "model_type": "qwen2_5_vl",
    "hidden_size": 2048,
    "num_attention_heads": 16,
    "vision_config": {"model_type": "qwen2_5_vl", "hidden_size": 1280, "num_heads": 16, "spatial_merge_size": 2},
}

ROTARY = [
    (LLAMA, (), {}, ""),
    (LLAMA, (9,), {"dtype": "bfloat16"}, "-n 9 --dtype bf16"),
    (LLAMA, (9, 64), {}, "-n 9 -d 64"),
    (LLAMA, (), {"scaling": "linear(2)", "base": 10}, "--scaling 'linear(2)' --base 10"),
    (LLAMA, (5,), {"repeat": "halves", "start": 7}, "-n 5 --repeat halves --start 7"),
    (GEMMA3, (), {"layers": "full_attention"}, "--layers full_attention"),
    (GEMMA3, (), {"layers": "sliding_attention"}, "--layers sliding_attention"),
    (NEOX, (), {}, ""),
    ({"head_dim": 8}, (4,), {"base": 100}, "-n 4 --base 100"),
]
AXIAL = [
    (FLUX, (1, 4, 6), {"repeat": "pairs"}, "--repeat pairs"),
    (FLUX, (2, 4, 6), {"base": 50}, "--base 50"),
    (QWEN, (4, 6), {}, ""),
]


def config_file(tmp_path, config):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    return path


@needs_command
@pytest.mark.parametrize(("config", "sizes", "keys", "options"), ROTARY)
def test_rotary(tmp_path, config, sizes, keys, options):
    path = config_file(tmp_path, config)
    tables = posenc.rotary(*sizes, config=config, **keys)
    for table, packing in zip(tables, ("cos", "sin"), strict=True):
        file = written(f"rope --config {path} --packing {packing} {options}", tmp_path / "pe.safetensors")
        assert (table.shape, table.tobytes(), table.macro) == file


@needs_command
@pytest.mark.parametrize(("config", "shape", "keys", "options"), AXIAL)
def test_rotary_grid(tmp_path, config, shape, keys, options):
    path = config_file(tmp_path, config)
    table = posenc.rotary_grid(shape, config=config, packing="cos_sin", **keys)
    text = "x".join(map(str, shape))
    file = written(f"rope --config {path} --shape {text} --packing cos_sin {options}", tmp_path / "pe.npy")
    assert (table.shape, table.tobytes(), table.macro) == file


class Config:
    """As in transformers: an object with attributes, some of which JSON cannot hold."""

    def to_dict(self):
        return LLAMA | {"torch_dtype": complex, "use_cache": None}


def test_a_config_may_be_a_dict_an_object_or_a_path(tmp_path):
    expected = posenc.rotary(9, 128, base=500_000, scaling="llama3(8, 8192)")
    path = config_file(tmp_path, LLAMA)
    of_mapping = types.MappingProxyType(LLAMA)
    for config in (LLAMA, LLAMA | {"torch_dtype": complex}, of_mapping, Config(), path, str(path)):
        assert posenc.rotary(9, config=config) == expected
    assert posenc.inv_freq(config=path) == posenc.inv_freq(128, base=500_000, scaling="llama3(8, 8192)")
    flux = config_file(tmp_path, FLUX)
    assert posenc.rotary_grid((1, 2, 3), config=flux) == posenc.rotary_grid((1, 2, 3), config=FLUX)


def test_the_length_of_the_model_is_the_default():
    assert posenc.rotary(config=LLAMA)[0].shape == (70, 64)
    assert posenc.rotary(preset="phi2")[0].shape == (2048, 16)


def test_layers_of_several_types_need_a_choice():
    with pytest.raises(ValueError, match="caches for layers of several types; choose one of"):
        posenc.rotary(config=GEMMA3)
    with pytest.raises(ValueError, match="no cache of its own for layers of type `main`"):
        posenc.rotary(config=GEMMA3, layers="main")
    with pytest.raises(TypeError, match="`layers` selects layers of a config"):
        posenc.rotary(9, 8, layers="full_attention")


@pytest.mark.parametrize(
    ("config", "error", "words"),
    [
        ([], TypeError, "`config` is"),
        (7, TypeError, "`config` is `7`, but must be"),
        ({}, ValueError, "the config has no `head_dim`"),
        ({"head_dim": 8}, ValueError, "the config has no `rope_theta`"),
        ({"head_dim": 4.5}, ValueError, "the config has `head_dim` 4.5, which is not an integer"),
        ({"model_type": "gpt2", "head_dim": 8}, ValueError, "uses learned positions and has no rotary embedding"),
        ({"head_dim": 4, "rope_scaling": {"type": "fope"}}, ValueError, "the config has the rope type `fope`"),
        (FLUX, ValueError, "rotary table of several axes"),
        ("/no/such/config.json", FileNotFoundError, "No such file"),
        ("/", OSError, "directory"),
        ("config\0.json", ValueError, "NUL"),
    ],
)
def test_a_config_that_cannot_be_used(config, error, words):
    with pytest.raises(error, match=words):
        posenc.rotary(9, config=config)


def test_a_sentence_about_a_config_does_not_name_the_command():
    for config in ({}, {"head_dim": 8}, {"head_dim": 8, "rope_theta": 9}, {"model_type": "whisper"}, FLUX):
        with pytest.raises((ValueError, TypeError)) as raised:
            posenc.rotary(config=config)
        assert "--" not in str(raised.value)
        assert "posenc rope" not in str(raised.value)
        assert "posenc table" not in str(raised.value)
        assert "with_" not in str(raised.value)


def test_keys_that_are_not_understood_are_refused():
    config = {**LLAMA, "use_scaled_rope": True, "layer_rope_theta": [5e5, 0]}
    with pytest.raises(ValueError, match="`layer_rope_theta` .*, `use_scaled_rope` true, .* them with `ignore_keys` if"):
        posenc.rotary(config=config)
    keys = ("use_scaled_rope", "layer_rope_theta")
    assert posenc.rotary(config=config, ignore_keys=keys) == posenc.rotary(config=LLAMA)
    assert posenc.inv_freq(config=config, ignore_keys=keys) == posenc.inv_freq(config=LLAMA)
    with pytest.raises(ValueError, match="has no key `head_dim` that is not understood"):
        posenc.rotary(config=LLAMA, ignore_keys=["head_dim"])
    with pytest.raises(TypeError, match="`ignore_keys` names keys of a config"):
        posenc.rotary(9, 8, ignore_keys=["a"])
    flux = {**FLUX, "rope_new": 1}
    with pytest.raises(ValueError, match="the config has `rope_new` 1, which"):
        posenc.rotary_grid((1, 2, 3), config=flux)
    assert posenc.rotary_grid((1, 2, 3), config=flux, ignore_keys=["rope_new"]) == posenc.rotary_grid((1, 2, 3), config=FLUX)


def test_numbers_that_json_lacks_are_read(tmp_path):
    config = {**LLAMA, "time_step_limit": (0.0, float("inf")), "other": float("nan")}
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    assert posenc.rotary(config=config) == posenc.rotary(config=path) == posenc.rotary(config=LLAMA)


def test_the_largest_position_decides_the_rule():
    phi3 = {
        "head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 64, "original_max_position_embeddings": 16,
        "rope_scaling": {"type": "longrope", "short_factor": [1, 2], "long_factor": [3, 4]},
    }  # fmt: skip
    dynamic = {
        "head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 16,
        "rope_scaling": {"type": "dynamic", "factor": 4},
    }  # fmt: skip
    for config in (phi3, dynamic):
        for last in (15, 16, 40):
            whole = posenc.rotary(last + 1, config=config, packing="cos_sin").tolist()
            assert posenc.rotary(positions=[last, 3], config=config, packing="cos_sin").tolist() == [whole[last], whole[3]]
            assert posenc.rotary(2, config=config, packing="cos_sin", start=last - 1).tolist() == whole[-2:]
    beyond = posenc.rotary(positions=[15.5, 16], config=phi3, packing="cos").tolist()[0]
    assert posenc.rotary(positions=[15.5], config=phi3, packing="cos").tolist() == [beyond]


def test_a_model_that_is_not_known_is_not_given_a_base():
    with pytest.raises(ValueError, match="`siglip2_new` is not known to have one"):
        posenc.rotary(9, config={"model_type": "siglip2_new", "head_dim": 8}, base=1e4)


def test_a_file_that_is_not_json(tmp_path):
    path = tmp_path / "config.json"
    for content in (b"", b"{", b"[1]", b"\xff\xfe", b'{"head_dim": 8', b"[" * 100_000):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=".") as raised:
            posenc.rotary(9, config=path)
        assert "`config`" in str(raised.value)


def test_a_config_that_contains_itself():
    config = {"head_dim": 8}
    config["config"] = config
    with pytest.raises(ValueError, match=".+"):
        posenc.rotary(9, config=config)


def test_heads_of_several_axes_have_the_width_of_the_config():
    with pytest.raises(ValueError, match="`head_dim` is 64, but the heads of the config have 128 columns"):
        posenc.rotary_grid((1, 4, 6), 64, config=FLUX)
