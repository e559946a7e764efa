//! `posenc identify` tells the factors of a table to the digits that its entries determine, and says how many these are.

use std::f64::consts::SQRT_2;

use posenc::half::bf16;
use safetensors::tensor::TensorView;
use serde_json::Value;
use testkit::{Lcg, cases};

use crate::common::{Folder, write_npy};

/// Returns the paper's table of `rows` x `columns` entries in `f64` arithmetic, with an amplitude and a scale.
fn paper([rows, columns]: [u32; 2], amplitude: f64, scale: f64) -> Vec<f64> {
    let entry = |i: u32, j: u32| {
        let frequency = 1e4_f64.powf(-f64::from(j / 2 * 2) / f64::from(columns));
        let angle = f64::from(i) * scale * frequency;
        amplitude * if j.is_multiple_of(2) { angle.sin() } else { angle.cos() }
    };
    (0..rows).flat_map(|i| (0..columns).map(move |j| entry(i, j))).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "rounds")]
fn narrowed(entries: &[f64]) -> Vec<f32> {
    entries.iter().map(|&entry| entry as f32).collect()
}

const SHAPE: [u32; 2] = [300, 128];

fn write<T: npyz::AutoSerialize + Copy>(folder: &Folder, [rows, columns]: [u32; 2], entries: &[T]) {
    write_npy(&folder.path("pe.npy"), &[rows.into(), columns.into()], entries);
}

/// Roots of integers have many digits, but they are common.
#[test]
fn roots() {
    let folder = Folder::new();
    for (amplitude, text) in [
        (128_f64.sqrt(), "amplitude = 11.313708498984761"),
        (SQRT_2, "amplitude = 1.4142135623730951"),
        (3_f64.sqrt().recip(), "amplitude = 0.5773502691896258"),
    ] {
        let entries = paper(SHAPE, amplitude, 1.0);
        write(&folder, SHAPE, &entries);
        folder.posenc("identify pe.npy").done().says(&format!("{text}, dtype = f64)")).says("as computed in f64");
        write(&folder, SHAPE, &narrowed(&entries));
        folder.posenc("identify pe.npy").done().says(&format!("(300, 128, {text})"));
    }
}

/// The 28 timesteps of Flux are multiples of 1000/28.
#[test]
fn quotients() {
    let folder = Folder::new();
    let entry = |i: u32, j: u32| {
        let time = f64::from(28 - i) / 28.0 * 1000.0;
        let angle = time * (-(1e4_f64.ln()) * f64::from(j % 64) / 64.0).exp();
        if j < 64 { angle.cos() } else { angle.sin() }
    };
    let entries: Vec<f64> = (0..28).flat_map(|i| (0..128).map(move |j| entry(i, j))).collect();
    let words = "layout = halves, order = cos_sin, start = 28, step = -1, unit = 250/7";
    write(&folder, [28, 128], &entries);
    let told = folder.posenc("identify pe.npy").done().says(words).says("as computed in f64");
    write(&folder, [28, 128], &narrowed(&entries));
    folder.posenc("identify pe.npy").done().says(words);
    // The command is valid.
    folder.posenc(&told.command()).done();
}

/// Random factors of tables in `f64` are found to the last bit.
#[test]
fn random_factors_in_f64() {
    let folder = Folder::new();
    let mut random = Lcg::new(33);
    for number in 0..cases(4) {
        let factor = 0.1 + 3.0 * f64::from(random.unit()) + 1e-9 * f64::from(random.unit());
        let (key, entries) = match number % 2 {
            0 => ("amplitude", paper(SHAPE, factor, 1.0)),
            _ => ("scale", paper(SHAPE, 1.0, factor)),
        };
        write(&folder, SHAPE, &entries);
        let ran = folder.posenc("identify pe.npy").done().says("as computed in f64");
        ran.says(&format!("sinusoidal_table!(300, 128, {key} = {factor:?}, dtype = f64)"));
    }
}

/// Asserts that the answer has the digits of a factor that it says are determined, at least `least`, and no more.
#[track_caller]
fn check_rounded(folder: &Folder, file: &str, key: &str, factor: f64, least: usize) {
    let ran = folder.posenc(&format!("identify {file} --json")).status(3);
    let answer: Value = serde_json::from_str(&ran.out()).unwrap();
    let undetermined = answer["undetermined"].as_array().unwrap();
    assert_eq!(undetermined.len(), 1, "{answer}");
    assert_eq!(undetermined[0]["parameter"], key, "{answer}");
    let digits = usize::try_from(undetermined[0]["digits"].as_u64().unwrap()).unwrap();
    assert!(digits >= least, "{answer}");
    let rounded: f64 = format!("{factor:.*e}", digits - 1).parse().unwrap();
    assert!(answer["call"].as_str().unwrap().contains(&format!("{key} = {rounded:?}")), "{factor}: {answer}");
    let told = answer.to_string();
    for words in
        [format!("the entries determine {digits} digits of {key}, and no more"), format!("with more digits of {key}")]
    {
        assert!(told.contains(&words), "{told}\nhas no: {words}");
    }
}

/// Fewer entries, or entries with fewer digits, determine fewer digits of a factor.
#[test]
fn what_the_entries_do_not_determine() {
    let folder = Folder::new();
    let factor = 0.736_451_827_364_512_3;
    for (key, entries) in [("amplitude", paper(SHAPE, factor, 1.0)), ("scale", paper(SHAPE, 1.0, factor))] {
        write(&folder, SHAPE, &narrowed(&entries));
        check_rounded(&folder, "pe.npy", key, factor, 8);
        let bytes: Vec<u8> = entries.iter().flat_map(|&entry| bf16::from_f64(entry).to_le_bytes()).collect();
        let tensor = TensorView::new(safetensors::Dtype::BF16, SHAPE.map(|size| size as usize).into(), &bytes).unwrap();
        safetensors::serialize_to_file([("pe", tensor)], None, &folder.path("pe.safetensors")).unwrap();
        check_rounded(&folder, "pe.safetensors", key, factor, 3);
    }
    let shape = [12, 32];
    write(&folder, shape, &paper(shape, 1.0, factor));
    check_rounded(&folder, "pe.npy", "scale", factor, 13);
}

/// In `f32`, an amplitude is rounded before it is multiplied, so its further digits are in no entry.
#[test]
fn factors_in_f32() {
    let folder = Folder::new();
    let factor = 0.736_451_827_364_512_3;
    let [amplitude] = narrowed(&[factor])[..] else { unreachable!() };
    let entries: Vec<f32> = narrowed(&paper(SHAPE, 1.0, 1.0)).into_iter().map(|entry| amplitude * entry).collect();
    write(&folder, SHAPE, &entries);
    check_rounded(&folder, "pe.npy", "amplitude", factor, 6);
}

/// Writes a table with the command and identifies it.
#[track_caller]
fn identify(folder: &Folder, table: &str, status: i32, words: &[&str]) {
    folder.posenc(&format!("{table} -o pe.safetensors")).done();
    let ran = folder.posenc("identify pe.safetensors").status(status);
    words.iter().fold(ran, |ran, words| ran.says(words));
}

/// The exact entries of a narrow type, or integers, are those of many numbers.
#[test]
fn exact_entries_of_narrow_types() {
    let folder = Folder::new();
    let base = "table --seq-len 200 --d-model 128 --base 12345.678";
    identify(
        &folder,
        &format!("{base} -t f16"),
        3,
        &["base = 12346.0", "the entries determine 5 digits of base, and no more"],
    );
    identify(&folder, &format!("{base} -t 'i8(1/127)'"), 3, &["digits of base, and no more"]);
    identify(&folder, &format!("{base} -t f64"), 0, &["base = 12345.678,"]);
    identify(
        &folder,
        "table -n 50 -d 64 --base 17557.342 -t q15",
        3,
        &["base = 17560.0", "4 digits of base, and no more"],
    );
}

/// The parameters of a rule may make up for each other, and a few rows hardly show slow frequencies.
#[test]
fn parameters_of_rules() {
    let folder = Folder::new();
    let rope = "rope --head-dim 128 --packing cos";
    let llama3 = "--scaling 'llama3(64, 65536, 1, 8)'";
    identify(
        &folder,
        &format!("{rope} {llama3} -n 200"),
        3,
        &["if the other numbers are right", "digits of factor, and no more"],
    );
    identify(
        &folder,
        &format!("{rope} {llama3} -n 8192 --base 500000"),
        0,
        &["high_freq_factor = 8.0", "turns in another unit"],
    );
    let few = "the entries determine no digit of factor";
    identify(
        &folder,
        "rope --head-dim 64 -n 512 -t bf16 --packing cos --base 150000 --scaling 'llama3(16, 65536)'",
        3,
        &[few],
    );
    // The frequencies of a length are exactly those of others: the table is determined.
    let bounds = "the bounds of yarn are integers";
    identify(&folder, &format!("{rope} --scaling 'yarn(12.5, 4096)' -n 4096"), 0, &["factor = 12.5", bounds]);
    let same = "digit of original_max_position_embeddings: with others the table is the same";
    identify(&folder, &format!("{rope} --scaling 'yarn(12.5, 5123)' -n 4096"), 0, &["factor = 12.5", same]);
    identify(&folder, &format!("{rope} --scaling 'proportional(0.3)' -n 100"), 0, &["only whole pairs turn"]);
    identify(&folder, &format!("{rope} --base 10001.5 -n 60 -t f16"), 3, &["digits of base, and no more"]);
}

/// A list is an answer, with any digits, and says how many are determined.
#[test]
fn numbers_of_lists() {
    let folder = Folder::new();
    let list = (1..=16).map(|k| (1.0 / f64::from(k * k + 1)).to_string()).collect::<Vec<_>>().join(",");
    let table = format!("table --seq-len 300 --d-model 32 --frequencies {list}");
    identify(&folder, &format!("{table} -t f16"), 0, &["digits of each of the frequencies, or more"]);
}

/// A cache may have a base or an attention factor with all digits.
#[test]
fn unlikely_numbers_of_caches() {
    let folder = Folder::new();
    let rope = "rope --head-dim 64 -n 2000 -t f64 --packing cos --repeat halves";
    identify(&folder, &format!("{rope} --base 12345.678901234"), 0, &["base = 12345.678901234,"]);
    // An attention factor that no rule has, with frequencies that none has.
    let rows = (0..300_u32).flat_map(|row| {
        let wave = move |k: u32| 8.0 * (f64::from(row) / f64::from(k * k + k + 1)).cos();
        (0..32).map(move |column| wave(column % 16))
    });
    write(&folder, [300, 32], &narrowed(&rows.collect::<Vec<_>>()));
    folder.posenc("identify pe.npy").done().says("a list of frequencies, rule none, attention factor 8,");
}

/// The errors of `f32` do not explain entries that `f64` explains with another base.
#[test]
fn bases_of_grids() {
    let folder = Folder::new();
    let grid = "grid --preset mae --shape 14x14 --d-model 64";
    identify(&folder, &format!("{grid} --base 10000.01 -t f64"), 0, &["base = 10000.01,", "--base 10000.01"]);
    identify(&folder, &format!("{grid} -t f64"), 0, &["presets  mae"]);
    let base = "grid --preset pixart --shape 14x14 --d-model 64 --extent 32 --base 9999.999";
    identify(&folder, &format!("{base} -t f64"), 0, &["--extent 32 --base 9999.999"]);
}

/// A short number that explains the entries less well than the nearest one is not certain, and those that do are.
#[test]
fn short_numbers_explain_the_entries_as_well_as_others() {
    let folder = Folder::new();
    // The first is the scale of the frequencies of gte-large, near 137/140, and the others are near 1.36, 163/95 and 0.9946.
    for factor in [f64::exp2(-2.0 / 64.0), 1.359_999_076_4, 1.715_790_076_4, 0.994_599_423_483_633_2] {
        write(&folder, SHAPE, &single(SHAPE, factor));
        check_rounded(&folder, "pe.npy", "scale", factor, 5);
    }
    for (factor, words) in
        [(1.36, "scale = 1.36)"), (0.125, "scale = 0.125)"), (25.0 / 7.0, "step = 25, scale = 0.14285714285714285)")]
    {
        write(&folder, SHAPE, &single(SHAPE, factor));
        folder.posenc("identify pe.npy").done().says(words);
    }
}

/// Returns the paper's table with a scale in `f32` arithmetic.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "rounds, and the integers are small")]
fn single([rows, columns]: [u32; 2], scale: f64) -> Vec<f32> {
    let entry = |i: u32, j: u32| {
        let frequency = (-(1e4_f32.ln()) * ((j / 2 * 2) as f32 / columns as f32)).exp();
        let angle = i as f32 * scale as f32 * frequency;
        if j.is_multiple_of(2) { angle.sin() } else { angle.cos() }
    };
    (0..rows).flat_map(|i| (0..columns).map(move |j| entry(i, j))).collect()
}
