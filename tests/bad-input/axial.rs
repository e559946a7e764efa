//! Rotary tables of several axes: `AxialRope`, and `rotary_table!` with a shape.

use posenc::reflection::TableKind;
use posenc::{
    AxialConfig, AxialNest, AxialPreset, AxialRest, AxialRope, FrequencyDtype, Packing, Quantiser, Repeat, Scaling,
};
use serde::Deserialize;
use serde_json::json;

use crate::document::Document;
use crate::the_macro::calls_of;

pub(crate) fn write(document: &mut Document) {
    document.part(
        "Rotary tables of several axes",
        "Parameters that an `AxialRope` shares with a `Grid` have the same errors. Here are the errors of the columns of a head, and \
         of its buffers.",
    );
    columns(document);
    axes(document);
    tables(document);
    rows(document);
    configs(document);
    the_macro(document);
}

fn configs(document: &mut Document) {
    document.functions(
        &["AxialConfig::preset", "AxialConfig::rope", "AxialConfig::with_head_dim", "AxialConfig::ignore_key"],
        "`json!` is the macro of the crate `serde_json`.",
    );
    document.calls(calls![
        AxialConfig::deserialize(json!([])).map(|_| ()),
        AxialConfig::deserialize(json!({})).unwrap().rope([2, 3]),
        AxialConfig::deserialize(json!({"model_type": "llama"})).unwrap().preset(),
        AxialConfig::deserialize(json!({"_class_name": "MochiTransformer3DModel"})).unwrap().preset(),
        AxialConfig::deserialize(json!({"model_type": "pixtral"})).unwrap().rope([2, 3]),
        AxialConfig::deserialize(json!({"model_type": "pixtral", "head_dim": "x"})).unwrap().rope([2, 3]),
        AxialConfig::deserialize(json!({"model_type": "pixtral", "head_dim": 8, "rope_theta": "x"})).unwrap().preset(),
        AxialConfig::deserialize(json!({"model_type": "pixtral", "head_dim": 6}))
            .unwrap()
            .rope([2, 3])
            .map(|rope| rope.check::<f32>()),
        AxialConfig::deserialize(json!({"model_type": "pixtral"}))
            .unwrap()
            .with_head_dim(8)
            .rope([2, 3, 4])
            .map(|rope| rope.check::<f32>()),
        AxialConfig::deserialize(json!({"_class_name": "Flux2Transformer2DModel", "axes_dims_rope": 32}))
            .unwrap()
            .rope([1, 2, 3, 4]),
        AxialConfig::deserialize(json!({"_class_name": "Flux2Transformer2DModel", "axes_dims_rope": [32, 32, 32, 32]}))
            .unwrap()
            .rope([1, 2, 3]),
        AxialConfig::deserialize(
            json!({"_class_name": "CogVideoXTransformer3DModel", "use_rotary_positional_embeddings": false})
        )
        .unwrap()
        .rope([1, 2, 3]),
        AxialConfig::deserialize(json!({"_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64}))
            .unwrap()
            .rope([1, 4, 10]),
        AxialConfig::deserialize(json!({"model_type": "pixtral", "head_dim": 8, "rope_new": 1})).unwrap().rope([2, 3]),
        AxialConfig::deserialize(json!({"model_type": "pixtral", "head_dim": 8}))
            .unwrap()
            .ignore_key("head_dim")
            .rope([2, 3]),
    ]);
}

fn columns(document: &mut Document) {
    document.functions(
        &[
            "AxialRope::new",
            "AxialRope::preset",
            "AxialRope::rotary_dim",
            "AxialRope::partial_rotary_factor",
            "AxialRope::widths",
            "AxialRope::rest",
            "AxialRope::nest",
            "AxialRope::repeat",
            "AxialRope::packed",
            "AxialRope::check",
            "AxialRope::axis",
        ],
        "",
    );
    document.calls(calls![
        AxialRope::new([2, 2], 0).check::<f32>(),
        AxialRope::new([2, 2], 7).check::<f32>(),
        AxialRope::new([2, 2], 6).check::<f32>(),
        AxialRope::new([2, 2, 2, 2], 4).check::<f32>(),
        AxialRope::new([2, 2], usize::MAX).check::<f32>(),
        AxialRope::new([2, 2], 8).rotary_dim(12).check::<f32>(),
        AxialRope::new([2, 2], 8).rotary_dim(0).check::<f32>(),
        AxialRope::new([2, 2], 8).partial_rotary_factor(0.3).check::<f32>(),
        AxialRope::new([2, 2], 8).widths([3, 5]).check::<f32>(),
        AxialRope::new([2, 2], 8).widths([2, 4]).check::<f32>(),
        AxialRope::new([2, 2], 8).widths([8, 4]).check::<f32>(),
        AxialRope::new([2, 2], 8).widths([0, 0]).check::<f32>(),
        AxialRope::new([2, 2], 8).widths([8, 0]).table::<f32>(),
        AxialRope::new([2, 2], 8).widths([2, usize::MAX - 1]).check::<f32>(),
        AxialRope::new([2, 2], 8).widths([6, 4]).rest(AxialRest::Identity).check::<f32>(),
        AxialRope::new([2, 2], 2).rest(AxialRest::IdentityFirst).check::<f32>(),
        AxialRope::new([2, 2], 8).widths([2, 6]).nest(AxialNest::Frequencies).check::<f32>(),
        AxialRope::new([2, 2], 10).rest(AxialRest::Identity).nest(AxialNest::Frequencies).check::<f32>(),
        AxialRope::new([2, 2], 8).nest(AxialNest::Frequencies).repeat(Repeat::AxisHalves).check::<f32>(),
        AxialRope::new([2, 2], 1 << 24).repeat(Repeat::Halves).packed(Packing::Complex).map(|grid| grid.d_model()),
        AxialRope::preset(AxialPreset::Wan, [2, 2], 128).check::<f32>(),
        AxialRope::preset(AxialPreset::Flux, [1, 2, 2], 24).check::<f32>(),
        AxialRope::preset(AxialPreset::Eva02, [2, 2], 64).check::<f32>(),
        AxialRope::preset(AxialPreset::QwenImage, [1, usize::MAX, 2], 128).check::<f32>(),
        AxialRope::new([2, 2], 6).axis(0).map(|axis| axis.pairs()),
        AxialRope::new([2, 2], 8).axis(2).map(|axis| axis.pairs()),
    ]);
}

fn axes(document: &mut Document) {
    document.functions(
        &[
            "AxialRope::first",
            "AxialRope::merge",
            "AxialRope::positions",
            "AxialRope::base",
            "AxialRope::freq_offset",
            "AxialRope::frequency_dtype",
            "AxialRope::frequencies",
            "AxialRope::scaling",
            "AxialRope::start",
            "AxialRope::step",
            "AxialRope::unit",
            "AxialRope::extent",
            "AxialRope::scale",
            "AxialRope::identity_rows",
            "AxialRope::identity_rows_after",
        ],
        "",
    );
    document.calls(calls![
        AxialRope::new([2, 2], 8).first([0, 0]).check::<f32>(),
        AxialRope::new([2, 3], 8).merge(2).check::<f32>(),
        AxialRope::new([2, 2], 8).merge(0).check::<f32>(),
        AxialRope::new([2], 8).merge(2).check::<f32>(),
        AxialRope::new([2, 2], 8).positions([&[1.0], &[]]).check::<f32>(),
        AxialRope::new([2, 2], 8).positions([&[], &[1.0, f64::NAN]]).check::<f32>(),
        AxialRope::new([2, 2], 8).base([1.0, 0.0]).check::<f32>(),
        AxialRope::new([2, 2], 8).freq_offset([(0, 1), (1, 1)]).check::<f32>(),
        AxialRope::new([2, 2], 8).base([1.0, 1e-300]).frequency_dtype(FrequencyDtype::Bf16).check::<f32>(),
        AxialRope::new([2, 2], 8).frequencies([&[1.0], &[1.0, 2.0]]).check::<f32>(),
        AxialRope::new([2, 2], 8).scaling([Scaling::yarn(4.0, 4096); 2]).check::<f32>(),
        AxialRope::new([2, 2], 8).scaling([Scaling::None, Scaling::linear(0.5)]).check::<f32>(),
        AxialRope::new([2, 2], 8).start([0, i64::MIN]).check::<f32>(),
        AxialRope::new([1, 3], 8).step([0, i64::MAX]).check::<f32>(),
        AxialRope::new([2, 2], 8).unit([(1, 1), (1, 0)]).check::<f32>(),
        AxialRope::new([2, 2], 8).extent(0, 1).check::<f32>(),
        AxialRope::new([2, 2], 8).scale(f64::NAN).check::<f32>(),
        AxialRope::new([2, 2], 8).identity_rows(usize::MAX).check::<f32>(),
        AxialRope::new([0, 2], 8).identity_rows_after(1).table::<f32>(),
    ]);
}

fn tables(document: &mut Document) {
    document.functions(
        &[
            "AxialRope::table",
            "AxialRope::par_table",
            "AxialRope::quantiser",
            "AxialRope::is_same_table",
            "AxialRope::macro_call",
            "AxialMacroCall::packing",
        ],
        "",
    );
    document.calls(calls![
        AxialRope::new([1, 1], 6).table::<f32>(),
        AxialRope::new([1 << 31, 1 << 31], 4).table::<f32>(),
        AxialRope::new([1 << 31, 1 << 31], 4).par_table::<f32>(),
        AxialRope::new([1, 1], 4).table::<i8>(),
        AxialRope::new([1, 1], 4).quantiser(Quantiser::quotient(1, 0)).table::<i8>(),
        AxialRope::new([2, 2], 6).is_same_table(&AxialRope::new([2, 2], 6)),
        AxialRope::new([2, 2], 6).is_same_table(&AxialRope::new([2, 2], 8)),
        AxialRope::preset(AxialPreset::Wan, [2, 2], 128).macro_call().dtype::<f64>(),
        AxialRope::preset(AxialPreset::Eva02, [2, 2], 64).macro_call().packing(Packing::Cos),
    ]);
}

fn rows(document: &mut Document) {
    document.functions(
        &["AxialRope::fill", "AxialRope::encode", "AxialRope::fill_points"],
        "`x` is `[7.0f32; 8]` before each call.",
    );
    document.calls(fills!([7.0f32; 8], |x| [
        AxialRope::new([1, 2], 8).fill(1.., x, &mut [0.0; 8]),
        AxialRope::new([1, 2], 8).fill(0.., &mut x[..7], &mut [0.0; 7]),
        AxialRope::new([1, 2], 8).fill(0.., x, &mut [0.0; 4]),
        AxialRope::new([1, 2], 6).fill(0.., x, &mut [0.0; 8]),
        AxialRope::new([1, 2], 8).encode([0, i64::MAX], &mut x[..4], &mut [0.0; 4]),
        AxialRope::new([1, 2], 8).encode([0, 0], x, &mut [0.0; 8]),
        AxialRope::new([1, 2], 8).repeat(Repeat::Pairs).encode([0, 0], &mut x[..4], &mut [0.0; 4]),
        AxialRope::new([1, 2], 8).fill_points(&[[0.0, f64::INFINITY]], &mut x[..4], &mut [0.0; 4]),
        AxialRope::new([1, 2], 8).fill_points(&[[0.0, 0.0]], x, &mut [0.0; 8]),
        AxialRope::new([1, 2], 8).fill_points(&[], &mut x[..0], &mut [0.0; 0]),
    ]));
}

fn the_macro(document: &mut Document) {
    document.section("`rotary_table!` with a shape", "Keys that it shares with `grid_table!` have the same errors.");
    calls_of(document, "rotary_table!", [TableKind::Rotary, TableKind::Axial], INPUTS);
}

const INPUTS: &[&str] = &[
    "(2, 3)",
    "(2, 3, 4, 5, 6), 8",
    "(2, -3), 8",
    "(2, 3), 0",
    "(2, 3), 7",
    "(2, 3), 10",
    "(2, 3), 8, preset = llama2",
    "(2, 3), 8, preset = wan",
    "(1, 2, 3), 24, preset = flux",
    "(2, 3), 64, preset = eva02",
    "(2, 3), 8, first = (w, w)",
    "(2, 3), 8, nest = phases",
    "(2, 3), 8, nest = frequencies, widths = (2, 6)",
    "(2, 3), 8, widths = (3, 5)",
    "(2, 3), 8, widths = (2, 4)",
    "(2, 3), 8, widths = (2, 4), rest = zero",
    "(2, 3), 8, rotary_dim = 12",
    "(2, 3), 8, rotary_dim = 4, partial_rotary_factor = 0.5",
    "(2, 3), 8, merge = 2",
    "(2, 3), 8, merge = 0",
    "(2, 3), 8, identity_rows = -1",
    "(2, 3), 8, identity_rows_after = 0.5",
    "(2, 3), 8, zero_rows = 1",
    "(2, 3), 8, positions = ([1, 2], [3])",
    "(2, 3), 8, positions = ([1, 2], [3, 4, 5], [])",
    "(2, 3), 8, extent = 16, unit = 1/2",
    "(2, 3), 8, base = (1e4, 0)",
    "(2, 3), 8, freq_offset = (0, 3/2)",
    "(2, 3), 8, frequency_dtype = half",
    "(2, 3), 8, freq_offset = 1/2, scaling = ntk(2)",
    "(2, 3), 8, frequencies = ([1, 0.5], [1])",
    "(2, 3), 8, scaling = (ntk(2), none, none)",
    "(2, 3), 8, scaling = (ntk(2), linear(0.5))",
    "(2, 3), 8, scaling = yarn(4, 4096)",
    "(2, 3), 8, repeat = axis",
    "(2, 3), 8, packing = both",
    "(2, 3), 8, start = (0.5, 1)",
    "(2, 3), 8, step = 1 << 60",
    "(2, 3), 8, scale = 1 / 8",
    "(2, 3), 8, attention_factor = 1",
    "(2, 3), 8, dtype = i8",
    "(2, 3), 8, max_bytes = 10",
    "(2, 3), 8, file = \"patches\"",
    "(2, 3), 8, axes_dim = (4, 4)",
];
