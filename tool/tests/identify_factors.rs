//! `posenc identify` tells the factors of a table to the digits that its entries determine, and says how many these are.

use std::f64::consts::SQRT_2;

use posenc::half::bf16;
use safetensors::tensor::TensorView;
use serde_json::Value;
use testkit::Lcg;

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

/// Roots of integers have many digits, but they are usual.
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
    let told = folder.posenc("identify pe.npy").done().says(words).says("as computed in f64").out();
    write(&folder, [28, 128], &narrowed(&entries));
    folder.posenc("identify pe.npy").done().says(words);
    // The command is valid.
    let command = told.lines().find_map(|line| line.trim().strip_prefix("command  posenc ")).unwrap();
    folder.posenc(command).done();
}

/// Random factors of tables in `f64` are found to the last bit.
#[test]
fn random_factors_in_f64() {
    let folder = Folder::new();
    let mut random = Lcg::new(33);
    for number in 0..8 {
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
    let words = format!("the entries determine {digits} digits of {key}, and no more");
    folder.posenc(&format!("identify {file}")).status(3).says(&words).says(&format!("with more digits of {key}"));
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
