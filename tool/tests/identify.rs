//! `posenc identify` names the tables of all presets, exact ones and those that a framework computes.

use posenc::half::{bf16, f16};
use posenc::{Preset, Spec};
use safetensors::tensor::TensorView;

use crate::common::{Folder, Ran, write_npy};
use testkit::{Lcg, effort, one_in};

/// Sizes from tiny to that of a real model.
const SIZES: [(usize, usize); 4] = [(16, 8), (64, 32), (512, 128), (1500, 384)];

/// Returns the spec of a preset, with values for the parameters that it leaves open.
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

/// Computes the table as frameworks do, with every operation in `f32`.
///
/// These are the factor of the exponents, the exponentials, their products with the positions, sines and cosines, and
/// the amplitude. The code follows the formulas of the presets and does not use the library.
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

/// Returns whether the command names the preset for this table.
fn named(folder: &Folder, preset: Preset, what: &str) -> bool {
    let ran = folder.posenc("identify pe.npy");
    let presets = ran.out().lines().find_map(|line| line.trim().strip_prefix("presets  ").map(str::to_owned));
    // The user sets the start and the zero row. With any other parameter it would be another table.
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
    for (i, &(seq_len, d_model)) in sizes.iter().enumerate() {
        for (j, &preset) in Preset::ALL.iter().enumerate() {
            // At an effort of 1 each preset has one size. Whisper has the largest one, which is that of a real model.
            let usual = if (seq_len, d_model) == SIZES[3] { preset == Preset::Whisper } else { (i + j) % 3 == 0 };
            if !usual && effort() == 1 {
                continue;
            }
            write(&folder, preset, seq_len, d_model);
            right += usize::from(named(&folder, preset, &format!("{what} {seq_len} x {d_model}")));
            all += 1;
        }
    }
    println!("{what}: identified {right} of {all}");
    assert_eq!(right, all, "{what}");
}

/// Asserts that the answer has a preset with parameters, between which other presets with these may be.
#[track_caller]
fn says_preset(ran: Ran, words: &str) -> Ran {
    words.split(" with ").fold(ran, |ran, part| ran.says(part))
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

#[test]
fn tables_too_small_to_tell() {
    let folder = Folder::new();
    for (sizes, words) in [
        ("--seq-len 1 --d-model 64", "1 row cannot distinguish"),
        ("--seq-len 1 --d-model 64 --start 3", "1 row cannot distinguish"),
        ("--seq-len 60 --d-model 2", "one frequency"),
        ("--seq-len 2 --d-model 2", "one frequency"),
        ("--seq-len 60 --d-model 4", "two frequencies"),
        ("--seq-len 1 --d-model 1", "one frequency"),
        ("--seq-len 100 --d-model 3", "presets  paper, "),
        ("--preset hf_marian --seq-len 100 --d-model 3", "presets  hf_marian\n"),
        ("--preset adm --start 999 --seq-len 1 --d-model 128", "1 row cannot distinguish"),
    ] {
        folder.posenc(&format!("table {sizes} -o pe.npy")).done();
        folder.posenc("identify pe.npy").status(3).says(words);
    }
}

#[test]
fn entries_that_are_not_finite_fit_nothing() {
    let folder = Folder::new();
    let mut broken = Spec::new(32).table::<f32>(64).unwrap().into_vec();
    broken[100] = f32::NAN;
    write_npy(&folder.path("pe.npy"), &[64, 32], &broken);
    folder.posenc("identify pe.npy").status(1).says("note     the entry in row 3, column 4 is not finite");
    write_npy::<f32>(&folder.path("pe.npy"), &[0, 32], &[]);
    folder.posenc("identify pe.npy").refused("no rows");
}

/// Exact tables of all kinds and types, with and without a preset, many of which were once not recognised.
///
/// The command in the answer makes the same bits. The words are part of the answer.
#[test]
fn exact_tables_of_all_kinds() {
    let folder = Folder::new();
    for (options, words) in [
        ("--columns sin --base 1e6 --scale 0.03125 --seq-len 40 --d-model 64", "base = 1000000.0, scale = 0.03125"),
        ("--columns sin --scale .02 --seq-len 60 --d-model 64", "sine_codes with scale = 0.02"),
        ("--columns cos --scale .25 --seq-len 10 --d-model 8", "columns = cos, scale = 0.25)"),
        ("--columns cos --scale .03125 --seq-len 100 --d-model 8", "columns = cos, scale = 0.03125)"),
        ("--columns sin --scale 0.001 --seq-len 100 --d-model 16", "sine_codes with scale = 0.001"),
        ("--columns sin --start 5 --seq-len 400 --d-model 64", "sine_codes with start = 5"),
        ("--columns cos --start 5 --seq-len 400 --d-model 64", "columns = cos, start = 5)"),
        ("--preset unpaired --start 5 --seq-len 400 --d-model 64", "unpaired with start = 5"),
        ("--preset sine_codes --seq-len 5 --d-model 6", "presets  sine_codes\n"),
        ("--preset mlx --scale 6.283185307179586 --seq-len 512 --d-model 64", "mlx with scale = 6.283185307179586"),
        ("--preset adm --start 981 --step -20 --seq-len 50 --d-model 320", "adm with start = 981, step = -20"),
        ("--preset adm --start 1 --step 20 --seq-len 50 --d-model 320", "adm with start = 1, step = 20"),
        ("--preset adm --scale 1000 --d-model 10 --seq-len 512", "adm with scale = 1000.0"),
        ("--amplitude -1 --seq-len 100 --d-model 32", "list_form with amplitude = -1.0"),
        ("--columns sin --amplitude -1 --seq-len 100 --d-model 32", "sine_codes with amplitude = -1.0\n"),
        ("--preset whisper --amplitude -0.5 --seq-len 100 --d-model 32", "whisper with amplitude = -0.5"),
        ("--step 0 --seq-len 20 --d-model 16", "paper with step = 0"),
        ("--step 0 --start 7 --seq-len 20 --d-model 16", "start = 7, step = 0"),
        (
            "--base 1e6 --d-model 6 --seq-len 128",
            "or       sinusoidal_table!(128, 6, base = 1000000.0), the same table",
        ),
        (
            "--base 500000 --freq-shift 1 --layout halves --seq-len 6 --d-model 16 --dtype bf16",
            "whisper with base = 500000.0",
        ),
        ("--base 9999.9 --seq-len 100 --d-model 64", "paper with base = 9999.9"),
        ("--base 500000 --seq-len 60 --d-model 64 --dtype f64", "list_form with base = 500000.0"),
        (
            "--base 100 --layout halves --start 5 --seq-len 60 --d-model 64 --dtype bf16",
            "hf_marian with base = 100.0, start = 5",
        ),
        ("--preset adm --scale 1000 --seq-len 60 --d-model 64 --dtype bf16", "adm with scale = 1000.0"),
        ("--preset whisper --scale 0.125 --seq-len 60 --d-model 64 --dtype f64", "whisper with scale = 0.125"),
        (
            "--preset fairseq --start -1 --zero-row 0 --seq-len 60 --d-model 64 --dtype bf16",
            "fairseq with start = -1, zero_row = 0",
        ),
        ("--start 40 --step -1 --seq-len 60 --d-model 64 --dtype f64", "conformer_rel with start = 40"),
        (
            "--preset x_transformers --amplitude 0.0432 --seq-len 60 --d-model 64 --dtype f64",
            "x_transformers with amplitude = 0.0432",
        ),
        ("--columns cos --seq-len 60 --d-model 64 --dtype bf16", "columns = cos"),
        (
            "--preset mlx --order cos_sin --seq-len 60 --d-model 64 --dtype bf16",
            "order = cos_sin, amplitude = sqrt_2_over_d",
        ),
        ("--freq-shift 1 --seq-len 60 --d-model 64 --dtype f64", "(60, 64, freq_shift = 1.0"),
        ("--step 3 --start 1 --seq-len 60 --d-model 64 --dtype bf16", "start = 1, step = 3"),
        ("--preset fairseq --zero-row 1 --dtype f16 --seq-len 50 --d-model 24", "fairseq with zero_row = 1"),
        ("--preset transformer_xl --start 49 --seq-len 50 --d-model 24", "transformer_xl with start = 49"),
        ("--base 77 --order cos_sin --scale 0.5 --seq-len 50 --d-model 24", "base = 77.0"),
        ("--seq-len 60 --d-model 33 --preset paper", "paper, distilbert, keras_hub, omega_0, list_form"),
        ("--seq-len 60 --d-model 33 --preset ddpm", "tensor2tensor, fairseq, ddpm"),
    ]
    .into_iter()
    .step_by(one_in(2))
    {
        folder.posenc(&format!("table {options} -o pe.safetensors")).done();
        let ran = folder.posenc("identify pe.safetensors").done().says("bitwise identical");
        folder.check_command(&says_preset(ran, words), "pe.safetensors");
    }
    // The command does not overwrite the file that was identified.
    folder.posenc("identify exact.safetensors").done().says("-o exact-table.safetensors");
    // A padding row does not lead to alternatives with other bases.
    folder.posenc("table --preset fairseq --zero-row 1 --seq-len 1026 --d-model 64 -o pe.npy").done();
    let told = folder.posenc("identify pe.npy").done().says("presets  fairseq with zero_row = 1\n").out();
    assert!(!told.contains("  or  "), "{told}");
}

/// Returns numbers of roughly a standard normal distribution: sums of twelve uniform ones.
fn normal() -> impl FnMut() -> f32 {
    let mut random = Lcg::new(1);
    move || (0..12).map(|_| random.unit()).sum::<f32>() - 6.0
}

/// Tables of a preset that were modified: the preset is the nearest candidate, and the answer says which rows differ.
#[test]
fn damaged_tables() {
    let folder = Folder::new();
    let mut normal = normal();
    let paper = |seq_len: usize, d_model: usize| Spec::new(d_model).table::<f32>(seq_len).unwrap().into_vec();
    let check = |table: Vec<f32>, d_model: usize, words: &str| {
        let seq_len = table.len() / d_model;
        write_npy(&folder.path("pe.npy"), &[seq_len as u64, d_model as u64], &table);
        folder
            .posenc("identify pe.npy")
            .status(1)
            .says(&format!("nearest  sinusoidal_table!({seq_len}, {d_model}), `paper`, "))
            .says(words);
    };
    for (seq_len, d_model) in [(64, 32), (512, 128)] {
        let noisy = paper(seq_len, d_model).into_iter().map(|entry| entry + 1e-3 * normal()).collect();
        check(noisy, d_model, "e-3 at most");
        let quantised = paper(seq_len, d_model).into_iter().map(|entry| (entry * 127.0).round() / 127.0).collect();
        check(quantised, d_model, "3.9e-3 at most");
    }
    let mut overwritten = paper(4000, 64);
    overwritten[1000 * 64..1100 * 64].fill_with(&mut normal);
    check(overwritten, 64, "100 of 4000 rows differ, the first is row 1000");
    let mut column = paper(200, 64);
    column.iter_mut().skip(7).step_by(64).for_each(|entry| *entry = 0.3);
    check(column, 64, "at most");
}

/// Other tables: random ones, ramps, and ones that are too small.
#[test]
fn tables_of_other_kinds_fit_nothing() {
    let folder = Folder::new();
    let mut normal = normal();
    let mut random = |seq_len: usize, d_model: usize| {
        (seq_len, d_model, (0..seq_len * d_model).map(|_| normal()).collect::<Vec<_>>())
    };
    let mut tables = vec![random(1, 2), random(2, 2), random(4, 2), random(3, 3), random(1, 16)];
    tables.push((40, 16, (0..640).map(|i| i as f32 / 640.0).collect()));
    tables.push((40, 8, (0..320).map(|i| (i / 8) as f32 * 0.01).collect()));
    tables.push((40, 8, vec![0.0; 320]));
    for (seq_len, d_model, table) in tables.into_iter().step_by(one_in(3)) {
        write_npy(&folder.path("pe.npy"), &[seq_len as u64, d_model as u64], &table);
        folder.posenc("identify pe.npy").status(1).says("nothing fits").says("tried");
    }
    let (seq_len, d_model, table) = random(60, 64);
    write_npy(&folder.path("pe.npy"), &[seq_len as u64, d_model as u64], &table);
    folder.posenc("identify pe.npy").status(1).says("nothing fits").says("nearest  none").says("learned");
    write_npy(&folder.path("pe.npy"), &[1, 1], &[0.0_f32]);
    folder.posenc("identify pe.npy").status(3).says("the table is too small");
}
