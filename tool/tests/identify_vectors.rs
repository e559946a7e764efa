//! `posenc identify` names vectors of frequencies: `inv_freq`, periods, and factors of rules.

use posenc::half::bf16;
use posenc::{AxialPreset, AxialRope, Element, Rope, RopePreset};
use posenc_identify::{Outcome, Slice, VectorKind, identify_vector};

use crate::common::Folder;
use crate::identify_checkpoint::{Tensor, save};
use testkit::one_in;

/// Returns the frequencies as transformers computes them, in `f32`.
fn in_single(base: f32, head_dim: u16) -> Vec<f32> {
    (0..head_dim).step_by(2).map(|k| 1.0 / base.powf(f32::from(k) / f32::from(head_dim))).collect()
}

/// All presets in all kinds, exact ones in four types. Numbers of 16 bits may be those of several.
#[test]
fn the_vectors_of_presets_are_named() {
    fn check<T: Element + posenc_identify::Number>(preset: RopePreset, kind: VectorKind) {
        let rope = Rope::preset(preset);
        let vector: Vec<T> = match kind {
            VectorKind::InvFreq => rope.inv_freq(),
            VectorKind::Periods => rope.periods(),
            VectorKind::Factors => rope.frequency_factors(),
        }
        .unwrap();
        let found = identify_vector(&Slice::new(&vector, vector.len())).unwrap();
        let factors: Vec<f64> = rope.frequency_factors().unwrap();
        if kind == VectorKind::Factors && factors.iter().all(|factor| *factor == factors[0]) {
            assert!(found.is_none(), "{preset}: equal numbers are nothing");
            return;
        }
        let found = found.unwrap_or_else(|| panic!("{preset}, {kind:?}"));
        let names: Vec<_> = found.presets.iter().map(|named| named.preset).collect();
        assert!(names.contains(&preset) && found.kind == kind && found.inexact == 0, "{preset}, {kind:?}: {found:?}");
    }
    for &preset in RopePreset::ALL.iter().step_by(one_in(3)) {
        for kind in [VectorKind::InvFreq, VectorKind::Periods, VectorKind::Factors] {
            check::<f64>(preset, kind);
            check::<f32>(preset, kind);
            check::<bf16>(preset, kind);
        }
    }
}

#[test]
fn frequencies_of_f32_and_other_bases_are_found() {
    for (base, head_dim, preset) in [(5e5, 128, Some("llama3")), (1e6, 64, Some("qwen2")), (123_456.0, 96, None)] {
        let vector = in_single(base, head_dim);
        let found = identify_vector(&Slice::new(&vector, vector.len())).unwrap().unwrap();
        assert!(found.rope.is_same_table(&Rope::new(head_dim.into()).base(base.into())), "{base}: {found:?}");
        assert!(preset.is_none_or(|preset| found.presets.iter().any(|named| named.preset.name() == preset)));
        assert!(found.inexact > 0 && found.largest < 1e-6);
    }
}

#[test]
fn a_preset_keeps_what_its_frequencies_are_rounded_to() {
    let axis = AxialRope::preset(AxialPreset::DinoV3Bf16, [4, 4], 64).axis(0).unwrap();
    let vector: Vec<f32> = axis.inv_freq().unwrap();
    let found = identify_vector(&Slice::new(&vector, vector.len())).unwrap().unwrap();
    assert_eq!((found.axial_presets, found.inexact), (vec![AxialPreset::DinoV3Bf16], 0));
    assert_eq!(found.rope.inv_freq::<f32>().unwrap(), vector);
}

#[test]
fn other_vectors_are_nothing() {
    let weights: Vec<f32> = (0..128_u16).map(|i| f32::from(i * 37 % 101) / 101.0).collect();
    let falling: Vec<f32> = (0..64_u16).map(|i| 1.0 / (1.0 + f32::from(i))).collect();
    let linear: Vec<f64> = (1..=64).map(f64::from).collect();
    let ones = [1.0_f32; 64];
    // Periods of frequencies of zero are infinite, and fit nothing else. NeRF has the powers of two as frequencies.
    for few in [[1.0, 3.0, 7.0, 1000.0], [1.0, 1.1, 1.2, 1.3], [1.0, 5.6, 31.7, 50.0], [1.0, 2.0, 4.0, 8.0]] {
        assert!(identify_vector(&Slice::new(&few, 4)).unwrap().is_none(), "{few:?}");
    }
    let layer_norm: Vec<f32> = (0..512_u16).map(|i| 1.0 + f32::from(i * 37 % 101) / 1010.0).collect();
    assert!(identify_vector(&Slice::new(&layer_norm, 512)).unwrap().is_none());
    assert!(identify_vector(&Slice::new(&weights, 128)).unwrap().is_none());
    assert!(identify_vector(&Slice::new(&falling, 64)).unwrap().is_none());
    assert!(identify_vector(&Slice::new(&linear, 64)).unwrap().is_none());
    assert!(identify_vector(&Slice::new(&ones, 64)).unwrap().is_none());
    assert!(identify_vector(&Slice::new(&ones[..3], 3)).unwrap().is_none());
    assert!(identify_vector(&Slice::new(&ones, 32)).is_err());
}

#[test]
fn the_command_of_an_answer_makes_the_file() {
    let folder = Folder::new();
    for (options, title, presets) in [
        ("--preset llama3_1 --inv-freq", "inv_freq of rotary_table!(seq_len, 128, base = 500000.0", "llama3_1"),
        ("--preset phi3_5_mini_long --factors", "frequency_factors of phi3_5_mini_long", "phi3_5_mini_long"),
        ("--preset gemma --head-dim 256 --frequency-dtype bf16 --inv-freq --dtype f64", "inv_freq", "gemma"),
        ("--head-dim 32 --base 100 --frequency-dtype bf16_period --periods", "periods", "each axis of dinov3_bf16"),
        ("--head-dim 96 --base 123456 --inv-freq --dtype f64", "inv_freq of", "none"),
        (
            "--head-dim 64 --base 4294967296 --inv-freq",
            "inv_freq of rotary_table!(seq_len, 64, base = 4294967296.0)",
            "none",
        ),
    ] {
        folder.posenc(&format!("rope {options} -o vector.npy")).done();
        let told = folder.posenc("identify vector.npy").done().says("the exact numbers, rounded once");
        assert!(told.out().starts_with(title), "{}", told.out());
        folder.check_command(&told.says(&format!("presets  {presets}")), "vector.npy");
    }
}

#[test]
fn vectors_of_a_checkpoint_are_told_beside_its_tables() {
    let folder = Folder::new();
    let inv_freq = in_single(5e5, 128);
    let tensors = [
        Tensor::weights("norm.weight", &[64]),
        Tensor::of("rotary_emb.inv_freq", &[64], &inv_freq),
        Tensor::weights("up.weight", &[64, 64]),
        Tensor::weights("down.weight", &[64, 64]),
    ];
    save(&folder.path("model.safetensors"), &tensors);
    let text = "rotary_emb.inv_freq: 64 f32, inv_freq of llama3";
    let told = folder.posenc("identify model.safetensors").done().says(text);
    told.says("tables: 0 of 2 matrices in 1 file, and 1 vector of frequencies, beside 1 other tensor");
    folder.posenc("identify model.safetensors --name rotary_emb.inv_freq").done().says("presets  llama3");
    folder.posenc("identify model.safetensors --name norm.weight").status(1).says("nothing fits this vector of 64 f32");
    folder
        .posenc("identify model.safetensors --name norm.weight --shape 8x8")
        .refused("--shape does not apply to a vector");
    folder.posenc("identify model.safetensors --json").done().says("\"vectors\": [");
}

/// The base of exact frequencies has the digits that they determine, and the answer is certain only if it is a common one.
#[test]
fn no_base_is_certain_whose_digits_are_not_determined() {
    let folder = Folder::new();
    let bases = [30_527.123_45, 1_234_567.8, 12_345.678, 7_654_321.123_45, 54_321.0, 98_765.4, 10_000.01];
    for (base, head_dim) in bases.into_iter().zip([128, 64, 32, 256].into_iter().cycle()) {
        folder.posenc(&format!("rope --head-dim {head_dim} --base {base} --inv-freq -o vector.npy")).done();
        let told = folder.posenc("identify vector.npy");
        let out = told.out();
        if told.code() == 0 {
            folder.check_command(&told.says(&format!("base = {base:?})")), "vector.npy");
            continue;
        }
        let (_, digits) = out.split_once("the entries determine ").unwrap_or_else(|| panic!("{base}: {out}"));
        let digits: usize = digits.split(' ').next().unwrap().parse().unwrap();
        assert!(digits >= 7, "{base}: {out}");
        let rounded: f64 = format!("{base:.*e}", digits - 1).parse().unwrap();
        told.status(3).says(&format!("inv_freq of rotary_table!(seq_len, {head_dim}, base = {rounded:?})"));
    }
}

#[test]
fn a_rule_that_has_the_effect_of_another_base_is_found() {
    let folder = Folder::new();
    folder.posenc("rope --head-dim 128 --scaling 'dynamic(2, 4096, 8192)' --inv-freq -o vector.npy").done();
    let told = folder.posenc("identify vector.npy").done().says("scaling = ntk(alpha = 3.0)").says("rounded once");
    folder.check_command(&told, "vector.npy");
}

/// Frequencies computed in `f32` determine fewer digits than exact ones.
#[test]
fn bases_of_f32_have_the_digits_that_are_determined() {
    let (base, vector) = (123_456.0, in_single(123_456.0, 96));
    let found = identify_vector(&Slice::new(&vector, vector.len())).unwrap().unwrap();
    assert_eq!(found.outcome(), Outcome::Several);
    let undetermined = found.undetermined.unwrap();
    assert!(undetermined.key == "base" && (5..=7).contains(&undetermined.digits), "{undetermined:?}");
    let rounded: f64 = format!("{base:.*e}", undetermined.digits - 1).parse().unwrap();
    assert!(found.rope.is_same_table(&Rope::new(96).base(rounded)), "{:?}", found.rope);
}
