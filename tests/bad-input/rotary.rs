//! Rotary caches: `Rope`, rotations, and `rotary_table!`.

use std::ops::Range;

use posenc::reflection::{self, TableKind};
use posenc::{
    Columns, CosSin, F16Bits, FrequencyDtype, Head, MropePositions, Packing, Q15, Quantiser, Repeat, Rope, RopeConfig,
    RopePreset, Scaling, SectionOrder, Table, axis_of_pair, rotate_halves, rotate_pairs,
};
use serde::Deserialize;
use serde_json::json;

use crate::call::Answer;
use crate::document::Document;
use crate::the_macro::calls_of;

pub(crate) fn write(document: &mut Document) {
    document.part(
        "Rotary caches",
        "`Rope` makes `Spec`s, whose errors are listed above. Here are the errors of its own parameters, and of its buffers.",
    );
    document.functions(&["Rope::new", "Rope::rotary_dim", "Rope::partial_rotary_factor", "Rope::check"], "");
    document.calls(calls![
        Rope::new(0).check::<f32>(),
        Rope::new(7).check::<f32>(),
        Rope::new(64).rotary_dim(33).check::<f32>(),
        Rope::new(64).rotary_dim(66).check::<f32>(),
        Rope::new(64).partial_rotary_factor(1.5).check::<f32>(),
        Rope::new(64).partial_rotary_factor(-1.0).check::<f32>(),
        Rope::new(64).partial_rotary_factor(f64::NAN).check::<f32>(),
        Rope::new(1 << 26).rotary_dim((1 << 24) + 2).check::<f32>(),
        Rope::new(1 << 26).check::<f32>(),
        Rope::new(1 << 24).repeat(Repeat::Halves).packed(Packing::CosSin).map(|spec| spec.d_model()),
    ]);
    parameters(document);
    comparisons(document);
    tables(document);
    configs(document);
    vectors(document);
    rotations(document);
    the_macro(document);
}

fn vectors(document: &mut Document) {
    document.functions(&["Rope::inv_freq", "Rope::periods", "Rope::frequency_factors"], "");
    document.calls(calls![
        Rope::new(7).inv_freq::<f32>(),
        Rope::new(4).base(f64::NAN).inv_freq::<f32>(),
        Rope::new(4).inv_freq::<Q15>(),
        Rope::new(4).quantiser(Quantiser::new(0.5)).inv_freq::<f32>(),
        Rope::new(4).frequencies(&[0.0, -1e-300]).inv_freq::<f32>(),
        Rope::new(4).frequencies(&[0.0, -1e-300]).periods::<f32>(),
        Rope::new(4).scaling(Scaling::linear(65_536.0)).frequency_factors::<F16Bits>(),
        Rope::new(4).scaling(Scaling::linear(0.5)).frequency_factors::<f32>(),
    ]);
}

fn parameters(document: &mut Document) {
    document.functions(
        &[
            "Rope::preset",
            "Rope::with_head_dim",
            "Rope::base",
            "Rope::scaling",
            "Rope::attention_factor",
            "Rope::quantiser",
            "Rope::frequencies",
            "Rope::start",
            "Rope::step",
            "Rope::scale",
            "Rope::unit",
            "Rope::freq_offset",
            "Rope::frequency_dtype",
            "Rope::repeat",
        ],
        "",
    );
    document.calls(calls![
        Rope::preset(RopePreset::Phi2).with_head_dim(10).check::<f32>(),
        Rope::new(0).with_head_dim(8).check::<f32>(),
        Rope::new(4).base(0.0).check::<f32>(),
        Rope::new(4).scaling(Scaling::linear(0.0)).check::<f32>(),
        Rope::preset(RopePreset::Phi3_5MiniLong).rotary_dim(48).check::<f32>(),
        Rope::new(4).attention_factor(f64::INFINITY).check::<f32>(),
        Rope::new(4).quantiser(Quantiser::new(0.0)).check::<i8>(),
        Rope::new(4).frequencies(&[1.0]).check::<f32>(),
        Rope::new(4).scale(f64::NAN).check::<f32>(),
        Rope::new(4).unit(1, 0).check::<f32>(),
        Rope::new(4).freq_offset(2, 1).check::<f32>(),
        Rope::new(4).frequencies(&[1.0, 1e5]).frequency_dtype(FrequencyDtype::F16).check::<f32>(),
        Rope::new(4).start(i64::MAX).table::<f32>(1),
        Rope::new(4).step(i64::MAX).table::<f32>(3),
        Rope::new(4).repeat(Repeat::Pairs).rotary_dim(3).check::<f32>(),
    ]);
}

fn comparisons(document: &mut Document) {
    document
        .functions(&["Rope::is_same_table", "Rope::macro_call", "RopeMacroCall::preset", "RopeMacroCall::packing"], "");
    document.calls(calls![
        Rope::new(0).is_same_table(&Rope::new(0)),
        Rope::new(7).is_same_table(&Rope::new(8).rotary_dim(7)),
        Rope::new(4).base(f64::NAN).is_same_table(&Rope::new(4).base(f64::NAN)),
        Rope::new(4).scale(0.0).is_same_table(&Rope::new(4).scale(-0.0)),
        Rope::new(7).macro_call(usize::MAX),
        Rope::new(0).base(f64::NAN).macro_call(0).packing(Packing::Cos).dtype::<f64>(),
        Rope::new(4).quantiser(Quantiser::quotient(1, 0)).macro_call(2),
        Rope::new(0).macro_call(2).preset(RopePreset::Phi2),
    ]);
}

fn tables(document: &mut Document) {
    document.functions(
        &[
            "Rope::spec",
            "Rope::packed",
            "Rope::table",
            "Rope::par_table",
            "Rope::fill",
            "Rope::encode",
            "Rope::prepare",
        ],
        "",
    );
    document.calls(calls![
        Rope::new(3).spec(Columns::Cos).map(|spec| spec.d_model()),
        Rope::new(3).packed(Packing::Complex).map(|spec| spec.d_model()),
        Rope::new(4).table::<f32>(0),
        Rope::new(4).table::<f32>(usize::MAX),
        Rope::new(3).par_table::<f32>(2),
        Rope::new(4).fill(0.., &mut [7.0f32; 4], &mut [7.0; 2]),
        Rope::new(4).fill(0.., &mut [7.0f32; 3], &mut [7.0; 3]),
        Rope::new(4).fill(0..3, &mut [7.0f32; 4], &mut [7.0; 4]),
        Rope::new(4).encode(1, &mut [7.0f32; 2], &mut [7.0; 3]),
        Rope::new(4).encode(f64::NAN, &mut [7.0f32; 2], &mut [7.0; 2]),
        Rope::new(4).encode(1, &mut [7.0f32; 4], &mut [7.0; 4]),
        Rope::new(3).prepare::<f32>(2).map(|both| both.cos),
        Rope::new(4).prepare::<f32>(usize::MAX).map(|both| both.cos),
    ]);
}

fn configs(document: &mut Document) {
    document.functions(
        &[
            "RopeConfig::rope",
            "RopeConfig::rope_of_layers",
            "RopeConfig::with_head_dim",
            "RopeConfig::with_base",
            "RopeConfig::ignore_key",
            "reflection::check_unread_keys",
        ],
        "`json!` is the macro of the crate `serde_json`.",
    );
    document.calls(calls![
        RopeConfig::deserialize(json!([])).map(|_| ()),
        RopeConfig::deserialize(json!({})).unwrap().rope(9),
        RopeConfig::deserialize(json!({})).unwrap().with_head_dim(4).rope(9),
        RopeConfig::deserialize(json!({})).unwrap().with_head_dim(4).with_base(-1.0).rope(9),
        RopeConfig::deserialize(json!({"model_type": "gpt2"})).unwrap().with_head_dim(4).with_base(1e4).rope(9),
        RopeConfig::deserialize(json!({"model_type": "whisper"})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"model_type": "new"})).unwrap().with_head_dim(4).with_base(1e4).rope(9),
        RopeConfig::deserialize(json!({"model_type": "esm", "head_dim": 4, "rope_theta": 9})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_theta": 9, "mla_use_nope": true})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_pct": 0.5, "yarn": {"factor": 2}})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_theta": 9})).unwrap().ignore_key("rope_theta").rope(9),
        reflection::check_unread_keys(&json!([]), &[], &["a".to_owned()]),
        reflection::check_unread_keys(&json!({"d_model": 4, "use_rope": false}), &[], &[]),
        RopeConfig::deserialize(json!({"head_dim": 4.5})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": -4})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"num_attention_heads": 0, "hidden_size": 4})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_theta": "many"})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "max_position_embeddings": 1e9})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_scaling": {"type": "fope"}})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_scaling": {"type": 3}})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_scaling": {"type": "linear"}})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_scaling": {"type": "longrope"}})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_scaling": {"type": "yarn", "factor": 2, "truncate": 0}}))
            .unwrap()
            .rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_local_base_freq": 10})).unwrap().rope(9),
        RopeConfig::deserialize(json!({"head_dim": 4, "rope_local_base_freq": 10})).unwrap().rope_of_layers("main", 9),
        RopeConfig::deserialize(json!({"rope_theta": 9}))
            .unwrap()
            .with_head_dim(3)
            .rope(9)
            .map(|rope| rope.check::<f32>()),
    ]);
}

fn rotations(document: &mut Document) {
    document.functions(&["axis_of_pair"], "");
    document.calls(calls![
        axis_of_pair::<3>(&[1, 1], SectionOrder::Contiguous),
        axis_of_pair::<3>(&[], SectionOrder::Contiguous),
        axis_of_pair::<3>(&[usize::MAX, 4], SectionOrder::Interleaved),
        axis_of_pair::<3>(&[0, 3], SectionOrder::Interleaved),
    ]);
    document.functions(&["rotate_halves", "rotate_pairs"], "`cache` makes a `CosSin`, and `mrope` a `MropePositions`.");
    fn cache<R>(cos: R, sin: R) -> CosSin<R> {
        CosSin { cos, sin }
    }
    fn mrope<'a>(positions: &'a [[usize; 2]], axis_of_pair: &'a [u8]) -> MropePositions<'a, 2> {
        MropePositions { positions, axis_of_pair }
    }
    document.calls(calls![
        rotate_halves(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 0..2),
        rotate_halves(&mut [1.0; 24], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 0..2),
        rotate_halves(&mut [1.0; 7], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 0..2),
        rotate_halves(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 1..3),
        rotate_halves(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), Range { start: 2, end: 1 }),
        rotate_halves(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 1..1),
        rotate_halves(&mut [1.0; 8], 0, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 0..2),
        rotate_halves(&mut [1.0; 8], 4, &cache([[1.0; 4]; 2], [[0.0; 4]; 2]), 0..2),
        rotate_halves(&mut [1.0; 8], 4, &cache(vec![vec![1.0; 2]; 2], vec![vec![0.0; 1]; 2]), 0..2),
        rotate_halves(&mut [1.0; 8], 4, &cache(vec![vec![1.0; 2]; 2], vec![vec![0.0; 2]; 1]), 0..2),
        rotate_halves(&mut [1.0; 16], 8, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 0..2),
        rotate_halves(&mut [1.0; 16], Head { head_dim: 8, rotary_dim: 4 }, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 0..2),
        rotate_halves(&mut [1.0; 16], Head { head_dim: 8, rotary_dim: 4 }, &cache([[1.0; 4]; 2], [[0.0; 4]; 2]), 0..2),
        rotate_halves(&mut [1.0; 16], Head { head_dim: 8, rotary_dim: 3 }, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), 0..2),
        rotate_halves(&mut [1.0; 16], Head { head_dim: 4, rotary_dim: 8 }, &cache([[1.0; 4]; 2], [[0.0; 4]; 2]), 0..2),
        rotate_halves(&mut [0.0f32; 0], 4, &cache([[0.0f32; 2]; 0], [[0.0; 2]; 0]), 0..0),
        rotate_pairs(&mut [1.0; 8], 4, &cache([[1.0; 3]; 2], [[0.0; 3]; 2]), 0..2),
        rotate_pairs(&mut [1.0; 8], 4, &cache([[1.0; 1]; 2], [[0.0; 1]; 2]), 0..2),
        rotate_pairs(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), &[1, 0]),
        rotate_pairs(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), &[1, 2]),
        rotate_pairs(&mut [1.0; 8], 4, &cache(vec![[1.0; 2]; 2], vec![[0.0; 2]; 1]), &[0, 1]),
        rotate_pairs(&mut [1.0; 8], 4, &cache(vec![vec![1.0; 2]; 2], vec![vec![0.0; 2], vec![0.0; 3]]), &[0, 1]),
        rotate_pairs(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), &[0; 3]),
        rotate_pairs(&mut [1.0; 8], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), &[0; 0]),
        rotate_pairs(&mut [1.0; 4], 4, &cache([[1.0; 2]; 0], [[0.0; 2]; 0]), &[0]),
        rotate_pairs(&mut [1.0; 4], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), mrope(&[[1, 2]], &[0, 1])),
        rotate_pairs(&mut [1.0; 4], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), mrope(&[[1, 2]], &[0, 0])),
        rotate_pairs(&mut [1.0; 4], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), mrope(&[[1, 1]], &[0, 2])),
        rotate_pairs(&mut [1.0; 4], 4, &cache([[1.0; 2]; 2], [[0.0; 2]; 2]), mrope(&[[1, 1]], &[0])),
        rotate_pairs(&mut [1.0; 4], 4, &cache([[1.0; 4]; 2], [[0.0; 4]; 2]), mrope(&[[1, 1]], &[0, 1])),
        rotate_pairs(&mut [1.0; 4], 4, &cache([[1.0; 2]; 0], [[0.0; 2]; 0]), mrope(&[[0, 0]], &[0, 1])),
        rotate_pairs(&mut [1.0; 0], 4, &cache([[1.0; 2]; 0], [[0.0; 2]; 0]), mrope(&[], &[0, 1])),
        rotate_pairs(&mut [1.0; 4], 4, &cache(vec![[1.0; 2]; 2], vec![]), &[0]),
    ]);
}

fn the_macro(document: &mut Document) {
    document.section("`rotary_table!`", "Keys that it shares with `sinusoidal_table!` have the same errors.");
    calls_of(document, "rotary_table!", [TableKind::Rotary; 2], INPUTS);
}

const INPUTS: &[&str] = &[
    "2",
    "2, 7",
    "2, 8, rotary_dim = 3",
    "2, 8, rotary_dim = 10",
    "2, 8, partial_rotary_factor = 2.0",
    "2, 8, rotary_dim = 4, partial_rotary_factor = 0.5",
    "2, HEAD_DIM, partial_rotary_factor = 0.5",
    "2, 8, preset = llama_3_1",
    "2, 8, preset = phi3_5_mini_long",
    "2, 8, packing = interleaved",
    "2, 8, repeat = twice",
    "2, 8, attention_factor = large",
    "2, 8, attention_factor = rsqrt_d",
    "2, 8, rope_theta = 0",
    "2, 8, layout = halves",
    "2, 8, base = 2, base = 3",
    "2, 8, base = 0",
    "2, 8, frequencies = [1, 0.5]",
    "2, 8, frequencies = [1, 0.5, 0.25, 0.125], scaling = linear(2)",
    "2, 8, scaling = yarn(0, 4096)",
    "2, 8, start = 9007199254740992",
    "2, 8, step = 0.5",
    "2, 8, scale = 1 / 8",
    "2, 8, unit = 1 / 0",
    "2, 8, freq_offset = 1",
    "2, 8, frequency_dtype = f32",
    "2, 8, frequency_dtype = bf16(period)",
    "2, 8, dtype = f8",
    "2, 8, max_bytes = 31",
    "2, 8, file = \"rope\"",
    "2, 8, packing = cos, file = rope",
];

impl<T: posenc::Element> Answer for CosSin<Table<T>> {
    fn told(&self) -> String {
        format!("two: {}", self.cos.told())
    }
}
