"""The sentences of `docs/bad_input.md` about calls of Rust, for the calls of Python that mean the same."""

from math import inf, nan

import pytest
from macro_calls import rows

import posenc

MAX = 2**64 - 1
FAR = 1 << 53
F64_MAX = 1.7976931348623157e308


def spec(*sizes, **keys):
    return lambda: posenc.sinusoidal(*sizes, **keys)


def rotary(*sizes, **keys):
    return lambda: posenc.rotary(*sizes, **keys)


def grid(*sizes, **keys):
    return lambda: posenc.grid(*sizes, **keys)


def axial(*sizes, **keys):
    return lambda: posenc.rotary_grid(*sizes, **keys)


def config(keys, *sizes, **given):
    return lambda: posenc.rotary(9, *sizes, config=keys, **given)


def axial_config(keys, shape, *sizes):
    return lambda: posenc.rotary_grid(shape, *sizes, config=keys)


def explain(*arguments, **keys):
    return lambda: posenc.explain(*arguments, **keys)


CALLS = {
    "sinusoidal_table(usize::MAX, 4)": spec(MAX, 4),
    "sinusoidal_table(1 << 59, 4)": spec(1 << 59, 4),
    "Spec::new(1).table::<F16Bits>((1 << 53) + 2)": spec(FAR + 2, 1, dtype="f16"),
    "Spec::new(4).par_table::<f64>(usize::MAX)": spec(MAX, 4, dtype="f64"),
    "Spec::new(4).base(f64::NAN)": spec(2, 4, base=nan),
    "Spec::new(4).base(f64::INFINITY)": spec(2, 4, base=inf),
    "Spec::new(4).freq_shift(f64::NAN)": spec(2, 4, freq_shift=nan),
    "Spec::new(4).frequencies(&[1.0, f64::NAN])": spec(2, 4, frequencies=[1, nan]),
    "Spec::new(4).scale(f64::NAN)": spec(2, 4, scale=nan),
    "Spec::new(4).unit(MAX_POSITION + 1, 1)": spec(2, 4, unit=FAR + 1),
    "Spec::new(2).amplitude(Amplitude::Value(f64::NAN))": spec(2, 2, amplitude=nan),
    "Spec::new(2).amplitude(Amplitude::Value(65505.0)).table::<F16Bits>(2)": spec(2, 2, amplitude=65505, dtype="f16"),
    "Spec::new(2).zero_row(usize::MAX)": spec(2, 2, zero_row=MAX),
    "Spec::new(4).zero_row(0).check_table::<f32>(0, 0)": spec(0, 4, zero_row=0),
    "Spec::new(4).quantiser(Quantiser::new(0.0)).table::<i8>(2)": spec(2, 4, dtype="i8(0)"),
    "Spec::new(4).quantiser(Quantiser::new(f64::from_bits(1))).table::<i8>(2)": spec(2, 4, dtype="i8(5e-324)"),
    "Spec::new(4).quantiser(Quantiser::quotient(0, 127)).table::<i8>(2)": spec(2, 4, dtype="i8(0/127)"),
    "Spec::new(4).quantiser(Quantiser::quotient(1, 127).zero_point(128)).table::<i8>(2)": spec(
        2, 4, dtype="i8(1/127, 128)"
    ),
    "Spec::new(4).quantiser(Quantiser::quotient(1, 127).zero_point(i32::MIN)).table::<u8>(2)": spec(
        2, 4, dtype="u8(1/127, -2147483648)"
    ),
    "Spec::new(4).quantiser(Quantiser::quotient(1, 127).zero_point(1)).table::<i16>(2)": spec(
        2, 4, dtype="i16(1/127, 1)"
    ),
    "Spec::new(4).quantiser(Quantiser::quotient(1, 129)).table::<i8>(2)": spec(2, 4, dtype="i8(1/129)"),
    "Spec::new(4).amplitude(Amplitude::Value(2.0)).table::<Q15>(2)": spec(2, 4, amplitude=2, dtype="q15"),
    "Spec::new(4).amplitude(Amplitude::Value(f64::INFINITY)).table::<Q31>(2)": spec(2, 4, amplitude=inf, dtype="q31"),
    "Spec::new(4).amplitude(Amplitude::Value(f64::MAX)).table::<Q7>(2)": spec(2, 4, amplitude=F64_MAX, dtype="q7"),
    "Spec::new(2).fill_positions(&[0.0, f64::NAN], row)": lambda: posenc.encode([0.0, nan], 2),
    "Spec::new(2).fill_positions(&[f64::NEG_INFINITY, 0.0], row)": lambda: posenc.encode([-inf, 0.0], 2),
    "Spec::new(4).explain::<f32>(0, 4)": explain(0, 4, 4),
    "Spec::new(4).explain::<f32>(f64::NAN, 0)": explain(nan, 0, 4),
    "Rope::new(0).check::<f32>()": rotary(2, 0),
    "Rope::new(7).check::<f32>()": rotary(2, 7),
    "Rope::new(64).rotary_dim(66).check::<f32>()": rotary(2, 64, rotary_dim=66),
    "Rope::new(64).partial_rotary_factor(-1.0).check::<f32>()": rotary(2, 64, partial_rotary_factor=-1),
    "Rope::new(64).partial_rotary_factor(f64::NAN).check::<f32>()": rotary(2, 64, partial_rotary_factor=nan),
    "Rope::new(1 << 26).rotary_dim((1 << 24) + 2).check::<f32>()": rotary(2, 1 << 26, rotary_dim=(1 << 24) + 2),
    "Rope::new(1 << 26).check::<f32>()": rotary(2, 1 << 26),
    "Rope::new(1 << 24).repeat(Repeat::Halves).packed(Packing::CosSin).map(|spec| spec.d_model())": rotary(
        2, 1 << 24, repeat="halves", packing="cos_sin"
    ),
    "Rope::preset(RopePreset::Phi3_5MiniLong).rotary_dim(48).check::<f32>()": rotary(
        2, preset="phi3_5_mini_long", rotary_dim=48
    ),
    "Rope::new(4).attention_factor(f64::INFINITY).check::<f32>()": rotary(2, 4, attention_factor=inf),
    "Rope::new(4).scale(f64::NAN).check::<f32>()": rotary(2, 4, scale=nan),
    "Rope::new(4).unit(1, 0).check::<f32>()": rotary(2, 4, unit="1/0"),
    "Rope::new(4).start(i64::MAX).table::<f32>(1)": rotary(1, 4, start=2**63 - 1),
    "Rope::new(4).step(i64::MAX).table::<f32>(3)": rotary(3, 4, step=2**63 - 1),
    "Rope::new(4).table::<f32>(usize::MAX)": rotary(MAX, 4),
    'RopeConfig::deserialize(json!({"model_type": "gpt2"})).unwrap().with_head_dim(4).with_base(1e4).rope(9)': config(
        {"model_type": "gpt2"}, 4, base=1e4
    ),
    'RopeConfig::deserialize(json!({"head_dim": 4.5})).unwrap().rope(9)': config({"head_dim": 4.5}),
    'RopeConfig::deserialize(json!({"num_attention_heads": 0, "hidden_size": 4})).unwrap().rope(9)': config(
        {"num_attention_heads": 0, "hidden_size": 4}
    ),
    'RopeConfig::deserialize(json!({"head_dim": 4, "rope_theta": "many"})).unwrap().rope(9)': config(
        {"head_dim": 4, "rope_theta": "many"}
    ),
    'RopeConfig::deserialize(json!({"head_dim": 4, "rope_scaling": {"type": 3}})).unwrap().rope(9)': config(
        {"head_dim": 4, "rope_scaling": {"type": 3}}
    ),
    'RopeConfig::deserialize(json!({"head_dim": 4, "rope_local_base_freq": 10})).unwrap().rope(9)': config(
        {"head_dim": 4, "rope_local_base_freq": 10}
    ),
    "Rope::new(7).inv_freq::<f32>()": lambda: posenc.inv_freq(7),
    "Rope::new(4).base(f64::NAN).inv_freq::<f32>()": lambda: posenc.inv_freq(4, base=nan),
    "Rope::new(4).scaling(Scaling::linear(0.5)).frequency_factors::<f32>()": lambda: posenc.inv_freq(
        4, scaling="linear(0.5)", vector="frequency_factors"
    ),
    "Grid::new([2, 2], 1 << 26).check::<f32>()": grid((2, 2), 1 << 26),
    "Grid::new([usize::MAX, 2], 4).check::<f32>()": grid((MAX, 2), 4),
    "Grid::preset(GridPreset::VJepa, [2, 2, 2], 12).check::<f32>()": grid((2, 2, 2), 12, preset="vjepa"),
    "Grid::preset(GridPreset::Sd3, [192, 193], 8).check::<f32>()": grid((192, 193), 8, preset="sd3"),
    "Grid::preset(GridPreset::PixArt, [2, 2], 4).extent(64, 0).check::<f32>()": grid(
        (2, 2), 4, preset="pixart", extent="64/0"
    ),
    "Grid::new([2, 2], 4).widths([2, 4]).check::<f32>()": grid((2, 2), 4, widths=(2, 4)),
    "Grid::new([2, 2], 4).widths([2, usize::MAX]).check::<f32>()": grid((2, 2), 4, widths=(2, MAX)),
    "Grid::new([2], 4).merge(2).check::<f32>()": grid((2,), 4, merge=2),
    "Grid::new([2, 2], 7).rest(Rest::IdentityFirst).check::<f32>()": grid((2, 2), 7, rest="identity_first"),
    "Grid::new([2, 2], 4).start([0, i64::MIN]).check::<f32>()": grid((2, 2), 4, start=(0, -(2**63))),
    "Grid::new([2, 2], 4).scale(f64::NAN).check::<f32>()": grid((2, 2), 4, scale=nan),
    "Grid::new([2, 2], 4).amplitude(f64::INFINITY).check::<f32>()": grid((2, 2), 4, amplitude=inf),
    "Grid::new([1 << 31, 1 << 31], 4).table::<f32>()": grid((1 << 31, 1 << 31), 4),
    "Grid::new([1, 1], 4).zero_rows(usize::MAX).check_table::<f32>(usize::MAX)": grid((1, 1), 4, zero_rows=MAX),
    "AxialRope::new([2, 2], usize::MAX).check::<f32>()": axial((2, 2), MAX),
    "AxialRope::new([2, 2], 8).widths([0, 0]).check::<f32>()": axial((2, 2), 8, widths=(0, 0)),
    "AxialRope::new([2, 2], 8).widths([2, usize::MAX - 1]).check::<f32>()": axial((2, 2), 8, widths=(2, MAX - 1)),
    "AxialRope::preset(AxialPreset::Wan, [2, 2], 128).check::<f32>()": axial((2, 2), 128, preset="wan"),
    "AxialRope::preset(AxialPreset::Eva02, [2, 2], 64).check::<f32>()": axial((2, 2), 64, preset="eva02"),
    "AxialRope::new([2, 2], 8).positions([&[], &[1.0, f64::NAN]]).check::<f32>()": axial(
        (2, 2), 8, positions=([], [1, nan])
    ),
    "AxialRope::new([2, 2], 8).scale(f64::NAN).check::<f32>()": axial((2, 2), 8, scale=nan),
    "AxialRope::new([1 << 31, 1 << 31], 4).table::<f32>()": axial((1 << 31, 1 << 31), 4),
    "AxialConfig::deserialize(json!({})).unwrap().rope([2, 3])": axial_config({}, (2, 3)),
    'AxialConfig::deserialize(json!({"model_type": "pixtral", "head_dim": "x"})).unwrap().rope([2, 3])': axial_config(
        {"model_type": "pixtral", "head_dim": "x"}, (2, 3)
    ),
    'AxialConfig::deserialize(json!({"model_type": "pixtral"})).unwrap().with_head_dim(8).rope([2, 3, 4])'
    ".map(|rope| rope.check::<f32>())": axial_config({"model_type": "pixtral"}, (2, 3, 4), 8),
}
ANSWERS = {row.call: row.answer for row in rows()}


@pytest.mark.parametrize("call", CALLS)
def test_a_call(call):
    with pytest.raises(ValueError, match=".") as raised:
        CALLS[call]()
    # The element type of Python is `f16` of the crate `half`.
    assert str(raised.value) == ANSWERS[call].replace("f16_bits", "f16")
