//! `posenc identify` names the tables of all presets, exact ones and those that a framework computes.

mod common;

use common::{Folder, write_npy};
use posenc::half::{bf16, f16};
use posenc::{Preset, Spec};
use safetensors::tensor::TensorView;

/// Sizes from tiny to that of a real model.
const SIZES: [(usize, usize); 4] = [(16, 8), (64, 32), (512, 128), (1500, 384)];

/// The spec of a preset with what it leaves to be given.
fn spec(preset: Preset, seq_len: usize, d_model: usize) -> Spec<'static> {
    let spec = Spec::preset(preset, d_model);
    let n = i64::try_from(seq_len).unwrap();
    match preset {
        Preset::Fairseq => spec.zero_row(1),
        Preset::TransformerXl => spec.start(n - 1),
        Preset::ConformerRel => spec.start(n / 2),
        _ => spec,
    }
}

/// The table as frameworks compute it, every operation in `f32`: the exponent's factor, the exponentials, their products with the
/// positions, sines and cosines, and the amplitude. Written from the presets' formulas, not with the library.
fn recipe(preset: Preset, seq_len: usize, d_model: usize) -> Vec<f32> {
    use Preset as P;
    let half = d_model / 2;
    let (shift, halves, cosines_first) = match preset {
        P::Tensor2Tensor | P::Fairseq | P::Whisper | P::MarianNmt | P::OpennmtTf | P::Ddpm | P::Mlx => (1, true, false),
        P::Musicgen => (1, true, true),
        P::Adm => (0, true, true),
        P::HfMarian | P::XTransformers | P::TransformerXl => (0, true, false),
        _ => (0, false, false),
    };
    let amplitude = match preset {
        P::NemoFixed | P::XTransformers => 1.0 / (d_model as f32).sqrt(),
        P::Mlx => (2.0 / d_model as f32).sqrt(),
        _ => 1.0,
    };
    let factor = |denominator: usize| -(10_000_f32.ln() / denominator as f32);
    let mut table = Vec::new();
    for i in 0..seq_len {
        let position = match preset {
            P::OpennmtTf => i as f32 + 1.0,
            P::TransformerXl => (seq_len - 1) as f32 - i as f32,
            P::ConformerRel => (seq_len / 2) as f32 - i as f32,
            _ => i as f32,
        };
        let entry = |j: usize| {
            if preset == P::Fairseq && i == 1 {
                return 0.0;
            }
            let (k, second) = if halves { (j % half, j >= half) } else { (j / 2, j % 2 == 1) };
            let frequency = match preset {
                P::SineCodes | P::Unpaired => (factor(d_model) * j as f32).exp(),
                _ => (factor(half - shift) * k as f32).exp(),
            };
            let angle = position * frequency;
            let cosine = preset != P::SineCodes && second != cosines_first;
            amplitude * if cosine { angle.cos() } else { angle.sin() }
        };
        table.extend((0..d_model).map(entry));
    }
    table
}

/// Whether the command names the preset for this table.
fn named(folder: &Folder, preset: Preset, what: &str) -> bool {
    let ran = folder.posenc("identify pe.npy");
    let presets = ran.out().lines().find_map(|line| line.trim().strip_prefix("presets  ").map(str::to_owned));
    // A start and a row of zeros are the user's to give; anything else beside the name is another table.
    let is_it = |words: &[&str]| match words {
        [word] | [word, "with", "start" | "zero_row", ..] => *word == preset.name(),
        _ => false,
    };
    let names =
        |presets: &str| presets.split([',', ';']).any(|name| is_it(&name.split_whitespace().collect::<Vec<_>>()));
    let found = presets.as_deref().is_some_and(names);
    if !found {
        println!("not named: {} {what}: {}{}", preset.name(), ran.out(), ran.err());
    }
    found
}

fn count(what: &str, sizes: &[(usize, usize)], write: impl Fn(&Folder, Preset, usize, usize)) {
    let folder = Folder::new();
    let (mut right, mut all) = (0, 0);
    for &(seq_len, d_model) in sizes {
        for &preset in Preset::ALL {
            write(&folder, preset, seq_len, d_model);
            right += usize::from(named(&folder, preset, &format!("{what} {seq_len} x {d_model}")));
            all += 1;
        }
    }
    println!("{what}: identified {right} of {all}");
    assert_eq!(right, all, "{what}");
}

#[test]
fn exact_tables() {
    count("exact f32", &SIZES, |folder, preset, seq_len, d_model| {
        let table = spec(preset, seq_len, d_model).table::<f32>(seq_len).unwrap();
        write_npy(&folder.path("pe.npy"), &[seq_len as u64, d_model as u64], &table.into_vec());
    });
}

#[test]
fn tables_computed_in_f32() {
    count("computed in f32", &SIZES, |folder, preset, seq_len, d_model| {
        write_npy(&folder.path("pe.npy"), &[seq_len as u64, d_model as u64], &recipe(preset, seq_len, d_model));
    });
}

#[test]
fn tables_computed_in_f32_and_stored_in_f16() {
    count("stored in f16", &SIZES[..3], |folder, preset, seq_len, d_model| {
        let table: Vec<_> = recipe(preset, seq_len, d_model).into_iter().map(f16::from_f32).collect();
        write_npy(&folder.path("pe.npy"), &[seq_len as u64, d_model as u64], &table);
    });
}

#[test]
fn tables_computed_in_f32_and_stored_in_bf16() {
    count("stored in bf16", &SIZES[..3], |folder, preset, seq_len, d_model| {
        let table = recipe(preset, seq_len, d_model)
            .into_iter()
            .flat_map(|entry| bf16::from_f32(entry).to_le_bytes())
            .collect::<Vec<_>>();
        let tensor = TensorView::new(safetensors::Dtype::BF16, vec![seq_len, d_model], &table).unwrap();
        safetensors::serialize_to_file([("pe", tensor)], None, &folder.path("pe.npy")).unwrap();
    });
}

/// Parameters beside a preset, and tables without one: what they are called, exact and with the roundings of bf16.
#[test]
fn other_parameters() {
    let folder = Folder::new();
    for (options, words) in [
        ("--base 500000", "paper with base = 500000.0"),
        ("--base 100 --layout halves --start 5", "hf_marian with base = 100.0, start = 5"),
        ("--preset adm --scale 1000", "adm with scale = 1000.0"),
        ("--preset whisper --scale 0.125", "whisper with scale = 0.125"),
        ("--preset fairseq --start -1 --zero-row 0", "fairseq with start = -1, zero_row = 0"),
        ("--start 40 --step -1", "conformer_rel with start = 40"),
        ("--preset x_transformers --amplitude 0.0432", "x_transformers with amplitude = 0.0432"),
        ("--columns cos", "columns = cos"),
        ("--preset mlx --order cos_sin", "order = cos_sin, amplitude = sqrt_2_over_d"),
        ("--freq-shift 1", "(60, 64, freq_shift = 1.0"),
        ("--step 3 --start 1", "start = 1, step = 3"),
    ] {
        for dtype in ["f64", "bf16"] {
            folder
                .posenc(&format!("table --seq-len 60 --d-model 64 {options} --dtype {dtype} -o pe.safetensors"))
                .done();
            folder.posenc("identify pe.safetensors").done().says(words).says("identical in bits");
        }
    }
    for (preset, words) in
        [("paper", "paper, distilbert, keras_hub, omega_0, list_form"), ("ddpm", "tensor2tensor, fairseq, ddpm")]
    {
        folder.posenc(&format!("table --seq-len 60 --d-model 33 --preset {preset} -o pe.npy")).done();
        folder.posenc("identify pe.npy").done().says(words);
    }
}

/// What it says, it can make.
#[test]
fn the_command_that_it_tells_makes_the_table() {
    let folder = Folder::new();
    for options in [
        "--preset fairseq --zero-row 1 --dtype f16",
        "--preset transformer_xl --start 49",
        "--base 77 --order cos_sin --scale 0.5",
    ] {
        folder.posenc(&format!("table --seq-len 50 --d-model 24 {options} -o pe.safetensors")).done();
        let told = folder.posenc("identify pe.safetensors").done().out();
        let command = told.lines().find_map(|line| line.trim().strip_prefix("command  posenc ")).unwrap().to_owned();
        let expected = std::fs::read(folder.path("pe.safetensors")).unwrap();
        folder.posenc(&command).done();
        let made = std::fs::read(folder.path("pe.safetensors")).unwrap();
        let entries =
            |file: &[u8]| safetensors::SafeTensors::deserialize(file).unwrap().tensor("pe").unwrap().data().to_vec();
        assert_eq!(entries(&made), entries(&expected), "{command}");
    }
}

#[test]
fn tables_too_small_to_tell() {
    let folder = Folder::new();
    for (sizes, words) in [
        ("--seq-len 1 --d-model 64", "1 row does not tell"),
        ("--seq-len 1 --d-model 64 --start 3", "1 row does not tell"),
        ("--seq-len 60 --d-model 2", "one frequency"),
        ("--seq-len 2 --d-model 2", "one frequency"),
        ("--seq-len 60 --d-model 4", "two frequencies"),
        ("--seq-len 1 --d-model 1", "one frequency"),
    ] {
        folder.posenc(&format!("table {sizes} -o pe.npy")).done();
        folder.posenc("identify pe.npy").done().says("paper").says(words);
    }
}

#[test]
fn other_tables_fit_nothing() {
    let folder = Folder::new();
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    let learned: Vec<f32> = (0..64 * 32).map(|_| random()).collect();
    let angles = |columns: posenc::Columns| Spec::new(16).columns(columns).table::<f32>(64).unwrap();
    let (cos, sin) = (angles(posenc::Columns::Cos), angles(posenc::Columns::Sin));
    let rotary: Vec<f32> = cos.rows().flat_map(|row| [row, row].concat()).collect();
    let absolute: Vec<f32> = sin.rows().flat_map(|row| [row, row].concat()).map(f32::abs).collect();
    for table in [learned, rotary, absolute, vec![0.0; 64 * 32], vec![1.0; 64 * 32]] {
        write_npy(&folder.path("pe.npy"), &[64, 32], &table);
        folder.posenc("identify pe.npy").status(1).says("nothing fits").says("nearest").says("learned");
    }
    let mut broken = Spec::new(32).table::<f32>(64).unwrap().into_vec();
    broken[100] = f32::NAN;
    write_npy(&folder.path("pe.npy"), &[64, 32], &broken);
    folder.posenc("identify pe.npy").refused("row 3, column 4 is not finite");
    write_npy::<f32>(&folder.path("pe.npy"), &[0, 32], &[]);
    folder.posenc("identify pe.npy").refused("no rows");
}
