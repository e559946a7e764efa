//! `posenc identify` says what was done to a table of the formula.

use posenc::{Layout, Order, Spec};

use crate::common::{Folder, write_npy};
use testkit::Lcg;

const N: usize = 100;
const D: usize = 64;

fn paper() -> Vec<f32> {
    Spec::new(D).table::<f32>(N).unwrap().into_vec()
}

/// Asserts that a table has no spec, and that the answer has these words.
fn check(folder: &Folder, n: usize, entry: impl Fn(usize, usize) -> f32, d: usize, words: &str) {
    let entries: Vec<f32> = (0..n * d).map(|at| entry(at / d, at % d)).collect();
    write_npy(&folder.path("pe.npy"), &[n as u64, d as u64], &entries);
    folder.posenc("identify pe.npy").status(1).says("nothing fits").says(words);
}

#[test]
fn rows_and_columns_in_other_places() {
    let folder = Folder::new();
    let paper = paper();
    let at = |i: usize, j: usize| paper[i * D + j];
    check(&folder, D, |i, j| at(j, i), N, "  turned   the transpose of sinusoidal_table!(100, 64)\n");
    let twice = "  stacked  sinusoidal_table!(100, 64) twice, one below the other\n";
    check(&folder, 2 * N, |i, j| at(i % N, j), D, twice);
    let halves = Spec::new(D).layout(Layout::Halves).table::<f32>(N).unwrap().into_vec();
    let both = |i: usize, j: usize| if i < N { at(i, j) } else { halves[(i - N) * D + j] };
    let words =
        "rows 0 to 99 are sinusoidal_table!(100, 64), and the others sinusoidal_table!(100, 64, layout = halves)\n";
    check(&folder, 2 * N, both, D, words);
    let words = "sinusoidal_table!(100, 64) in another order: its columns are here 0, 5, 10, 15,";
    check(&folder, N, |i, j| at(i, j * 13 % D), D, words);
}

/// Sines and cosines together occur twice, which no rotary cache has.
#[test]
fn repeated_columns() {
    let folder = Folder::new();
    let once = Spec::new(D).base(77_000.0).layout(Layout::Halves).order(Order::CosSin).table::<f32>(N).unwrap();
    let call = "sinusoidal_table!(100, 64, base = 77000.0, layout = halves, order = cos_sin)\n";
    let words = format!("each column occurs twice (halves); once, they are {call}");
    check(&folder, N, |i, j| once.row(i)[j % D], 2 * D, &words);
}

#[test]
fn noisy_and_scaled_tables() {
    let folder = Folder::new();
    let mut random = Lcg::new(5);
    let noisy: Vec<f32> = paper().into_iter().map(|entry| entry + 2e-3 * (random.unit() - 0.5)).collect();
    write_npy(&folder.path("pe.npy"), &[N as u64, D as u64], &noisy);
    folder.posenc("identify pe.npy").status(1).says("nearest  sinusoidal_table!(100, 64), `paper`");
    folder.posenc("identify pe.npy --tolerance 1e-4").status(1);
    let told = folder.posenc("identify pe.npy --tolerance 2e-3").done().says("within 2e-3").out();
    assert!(told.starts_with("sinusoidal_table!(100, 64)\n"), "{told}");
    folder.posenc("identify pe.npy --tolerance -1").status(2);
    let scaled: Vec<f32> = paper().into_iter().map(|entry| 0.7312 * entry).collect();
    write_npy(&folder.path("pe.npy"), &[N as u64, D as u64], &scaled);
    folder.posenc("identify pe.npy").done().says("list_form with amplitude = 0.7312");
}

/// Grids of known models, with guessed shapes and given ones. The command makes the table.
#[test]
fn grids() {
    let folder = Folder::new();
    for (options, words) in [
        (
            "--preset mae --shape 14x14 --d-model 64 --zero-rows 1",
            "grid_table!((14, 14), 64, first = (w, h), zero_rows = 1)",
        ),
        ("--preset detr --shape 12x17 --d-model 32 --dtype bf16", "presets  detr\n"),
        ("--preset detr_normalized --shape 9x8 --d-model 64 --dtype f16", "presets  detr_normalized\n"),
        ("--preset pixart --shape 16x16 --d-model 64 --extent 64", "first = (w, h), extent = 64"),
        ("--preset moco_v3 --shape 6x8 --d-model 64", ", moco_v3\n"),
    ] {
        folder.posenc(&format!("grid {options} -o pe.safetensors")).done();
        let told = folder.posenc("identify pe.safetensors").done().says(words).says("equal to the exact table");
        folder.check_command(&told, "pe.safetensors");
    }
    folder.posenc("grid --preset simple_vit --shape 3x5x6 --d-model 96 -o pe.npy").done();
    folder.posenc("identify pe.npy").status(1);
    folder.posenc("identify pe.npy --shape 3x5x6").done().says("presets  simple_vit\n");
    folder.posenc("identify pe.npy --shape 3x5x7").status(1);
}
