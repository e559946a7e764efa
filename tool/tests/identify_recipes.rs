//! `posenc identify` is right about random specs as frameworks compute them, or says that it is not certain, and finds
//! nothing in other tables. `scripts/identify_check.py` does the same with `NumPy` and more tables.

use std::f64::consts::{PI, TAU};

use testkit::{Lcg, cases, one_in};

use crate::common::{Folder, write_npy};

/// A random spec and how its table is computed.
struct Recipe {
    seq_len: usize,
    d_model: usize,
    base: f64,
    shift: f64,
    scale: f64,
    start: i64,
    step: i64,
    amplitude: f64,
    halves: bool,
    cosines_first: bool,
    way: usize,
}

/// Returns a number below `n`.
fn below(random: &mut Lcg, n: usize) -> usize {
    usize::try_from(random.next_bits() >> 33).unwrap() % n
}

fn one_of<T: Copy>(random: &mut Lcg, choices: &[T]) -> T {
    choices[below(random, choices.len())]
}

impl Recipe {
    fn random(random: &mut Lcg) -> Self {
        let odd = (10 + below(random, 9_990)) as f64;
        Self {
            seq_len: one_of(random, &[32, 50, 128, 300]),
            d_model: one_of(random, &[16, 32, 64, 128]),
            base: one_of(random, &[1e4, 1e4, 5e5, 1e6, 1e5, 100.0, 2e4, odd]),
            shift: one_of(random, &[0.0, 0.0, 1.0]),
            scale: one_of(random, &[1.0, 1.0, 1.0, 1.0, TAU, PI, 0.5, 0.125, 0.1, 2.0, 1.67]),
            start: one_of(random, &[0, 0, 1, 2, -1, 17, 1234]),
            step: one_of(random, &[1, 1, 1, 1, -1, 2, 10]),
            amplitude: one_of(random, &[1.0, 1.0, 1.0, 0.5, 0.02]),
            halves: below(random, 2) == 1,
            cosines_first: below(random, 3) == 0,
            way: below(random, 4),
        }
    }

    /// Returns the spec as options of `posenc table`.
    fn options(&self) -> String {
        let Self { seq_len, d_model, base, shift, scale, start, step, amplitude, .. } = self;
        let layout = if self.halves { "halves" } else { "interleaved" };
        let order = if self.cosines_first { "cos_sin" } else { "sin_cos" };
        format!(
            "table --seq-len {seq_len} --d-model {d_model} --base {base} --freq-shift {shift} --scale {scale} \
             --start {start} --step {step} --amplitude {amplitude} --layout {layout} --order {order}"
        )
    }

    /// Computes the table with every operation rounded to `f32`, in one of four ways; in one all but the last are in `f64`.
    #[allow(clippy::cast_possible_truncation, reason = "rounds")]
    fn entries(&self) -> Vec<f32> {
        let round = |number: f64| if self.way == 3 { number } else { f64::from(number as f32) };
        let half = self.d_model / 2;
        let denominator = half as f64 - self.shift;
        let frequency = |k: usize| match self.way {
            0 => round((k as f64 * round(-self.base.ln() / denominator)).exp()),
            1 => round(self.base.powf(round(-(k as f64) / denominator))),
            _ => round(1.0 / round(self.base.powf(round(k as f64 / denominator)))),
        };
        let frequencies: Vec<f64> = (0..half).map(frequency).collect();
        let mut table = Vec::new();
        for i in 0..self.seq_len {
            let position = round((self.start as f64 + self.step as f64 * i as f64) * round(self.scale));
            for j in 0..self.d_model {
                let (k, second) = if self.halves { (j % half, j >= half) } else { (j / 2, j % 2 == 1) };
                let angle = round(position * frequencies[k]);
                let wave = if second == self.cosines_first { angle.sin() } else { angle.cos() };
                table.push(round(round(wave) * round(self.amplitude)) as f32);
            }
        }
        table
    }
}

/// Returns the entries of a table of `f64`.
fn read(folder: &Folder, name: &str) -> Vec<f64> {
    let file = std::fs::read(folder.path(name)).unwrap();
    npyz::NpyFile::new(&file[..]).unwrap().into_vec().unwrap()
}

/// Returns the distance of the table that a command makes from another one.
fn distance(folder: &Folder, command: &str, other: &[f64]) -> f64 {
    let words = command.split_whitespace().filter(|word| !word.starts_with("--dtype")).collect::<Vec<_>>().join(" ");
    folder.posenc(&format!("{} told.npy --dtype f64", words.replace("exact.safetensors", ""))).done();
    let told = read(folder, "told.npy");
    told.iter().zip(other).map(|(told, other)| (told - other).abs()).fold(0.0, f64::max)
}

#[test]
fn random_specs_are_found_or_not_certain() {
    let folder = Folder::new();
    let mut random = Lcg::new(7);
    let (mut right, mut uncertain, mut missed) = (0, 0, 0);
    let all = cases(20);
    for _ in 0..all {
        let recipe = Recipe::random(&mut random);
        let (options, entries) = (recipe.options(), recipe.entries());
        let shape = [recipe.seq_len as u64, recipe.d_model as u64];
        if below(&mut random, 3) == 0 {
            let entries: Vec<_> = entries.iter().map(|&entry| posenc::half::f16::from_f32(entry)).collect();
            write_npy(&folder.path("pe.npy"), &shape, &entries);
        } else {
            write_npy(&folder.path("pe.npy"), &shape, &entries);
        }
        folder.posenc(&format!("{options} --dtype f64 -o exact.npy")).done();
        let exact = read(&folder, "exact.npy");
        let ran = folder.posenc("identify pe.npy");
        let answer = ran.out();
        let command = answer.lines().find_map(|line| line.trim().strip_prefix("command  posenc "));
        let is_right = command.is_some_and(|command| distance(&folder, command, &exact) <= 1e-11 * recipe.amplitude);
        match ran.code() {
            0 => {
                assert!(is_right, "{options}, way {}\n{answer}", recipe.way);
                right += 1;
            }
            3 => uncertain += 1,
            _ => {
                println!("missed: {options}, way {}", recipe.way);
                missed += 1;
            }
        }
    }
    println!("right {right}, uncertain {uncertain}, missed {missed}");
    assert!(uncertain * 20 <= all && missed * 20 <= all);
}

/// The example that once came back as `base = 407310.0, freq_shift = 1.0`.
#[test]
fn common_bases_win_over_odd_digits() {
    let folder = Folder::new();
    for base in [5e5, 1e6] {
        for d_model in [32, 64, 128, 256] {
            let common = Recipe { halves: true, cosines_first: true, ..computed(512, d_model, base, 1.0, 1, 1) };
            write_npy(&folder.path("pe.npy"), &[512, d_model as u64], &common.entries());
            folder
                .posenc("identify pe.npy")
                .done()
                .says(&format!("adm with base = {base:?}, start = 1\n"))
                .says("as computed in f32");
        }
    }
}

/// Returns a table of the common arrangement, as computed in `f32`.
fn computed(seq_len: usize, d_model: usize, base: f64, scale: f64, start: i64, step: i64) -> Recipe {
    Recipe {
        seq_len,
        d_model,
        base,
        shift: 0.0,
        scale,
        start,
        step,
        amplitude: 1.0,
        halves: false,
        cosines_first: false,
        way: 1,
    }
}

/// Timesteps scaled by 1000 make many turns per row, in all columns or with the errors of `f32` beyond a quadrant.
#[test]
fn angles_beyond_a_turn_per_row() {
    let folder = Folder::new();
    for (recipe, words) in [
        (computed(128, 64, 98.0, 1000.0, 1, 7), "base = 98.0, start = 1, step = 7, scale = 1000.0"),
        (computed(300, 64, 37_600.0, 1000.0, 1, 10), "base = 37600.0, start = 1, step = 10, scale = 1000.0"),
        (computed(200, 32, 1e4, 1000.0, 3663, 1), "start = 3663, scale = 1000.0"),
    ] {
        write_npy(&folder.path("pe.npy"), &[recipe.seq_len as u64, recipe.d_model as u64], &recipe.entries());
        folder.posenc("identify pe.npy").done().says(words).says("as computed in f32");
    }
}

/// Columns without a partner that turn little, by half a turn per row, or backwards from 0.
#[test]
fn unusual_columns_without_a_partner() {
    let folder = Folder::new();
    for (options, words) in [
        (
            "--seq-len 128 --d-model 512 --columns sin --base 368 --scale 0.01 --dtype bf16",
            "base = 368.0, scale = 0.01",
        ),
        ("--seq-len 50 --d-model 128 --pairing unpaired --scale 0.01 --start 431", "start = 431, scale = 0.01"),
        (
            "--seq-len 512 --d-model 256 --columns cos --base 95270 --scale 3.141592653589793 --amplitude 0.02 --dtype f64",
            "base = 95270.0, columns = cos, scale = 3.141592653589793, amplitude = 0.02",
        ),
        ("--seq-len 128 --d-model 64 --base 7117 --pairing unpaired --step -1 --scale 100", "step = -1, scale = 100.0"),
    ] {
        folder.posenc(&format!("table {options} -o pe.safetensors")).done();
        folder.posenc("identify pe.safetensors").done().says(words).says("bitwise identical");
    }
}

/// Many entries of 16 bits are rounded to the other side by errors of `f32`, and another base fits more of them.
#[test]
fn common_bases_win_in_16_bits() {
    let folder = Folder::new();
    let recipe = Recipe { shift: 1.0, way: 0, ..computed(512, 32, 1e7, 1.0, 0, 10) };
    let entries: Vec<_> = recipe.entries().into_iter().map(posenc::half::f16::from_f32).collect();
    write_npy(&folder.path("pe.npy"), &[512, 32], &entries);
    folder.posenc("identify pe.npy").done().says("base = 10000000.0, freq_shift = 1.0, step = 10");
}

/// In few entries of 16 bits a base fits as well as another one with another shift, and neither is more common.
#[test]
fn an_uncertain_answer_says_so() {
    let folder = Folder::new();
    let options = "--seq-len 60 --d-model 16 --base 7117 --freq-shift 1 --dtype bf16";
    folder.posenc(&format!("table {options} -o pe.safetensors")).done();
    let ran = folder.posenc("identify pe.safetensors").status(3).says("several tables fit within the error");
    ran.says("base = 7117.0, freq_shift = 1.0").says("or       sinusoidal_table!(60, 16, base = 25271.0");
    // Nor is a round base if the entries are exactly those of another one.
    folder.posenc("table --seq-len 8 --d-model 16 --base 10000.01 -o pe.npy").done();
    folder.posenc("identify pe.npy").status(3).says("or       sinusoidal_table!(8, 16, base = 10000.01), off by 0.0e0");
}

/// Returns tables that no parameters make.
fn other_tables(random: &mut Lcg, n: usize, d: usize) -> Vec<(&'static str, Vec<f32>)> {
    let mut normal = || (0..12).map(|_| random.unit()).sum::<f32>() - 6.0;
    let noise: Vec<f32> = (0..n * d).map(|_| normal()).collect();
    let of = |entry: &dyn Fn(usize, usize) -> f32| (0..n * d).map(|at| entry(at / d, at % d)).collect::<Vec<f32>>();
    let sinusoid = |i: usize, j: usize| {
        let angle = i as f32 * 1e4_f32.powf(-((j / 2 * 2) as f32) / d as f32);
        if j.is_multiple_of(2) { angle.sin() } else { angle.cos() }
    };
    let pi = std::f32::consts::PI;
    let mut sorted = noise.clone();
    sorted.sort_by(f32::total_cmp);
    let (left, right) = (&noise[..n], &noise[n..]);
    vec![
        ("learned", of(&|i, j| 0.02 * noise[i * d + j] + 0.01 * (i as f32 / 20.0).sin())),
        ("smooth", of(&|i, j| (0..=i).map(|i| noise[i * d + j]).sum::<f32>() / n as f32)),
        ("dct", of(&|i, j| (pi * (i as f32 + 0.5) * j as f32 / n as f32).cos())),
        ("polynomial", of(&|i, j| (i as f32 / n as f32).powf(1.0 + j as f32 / 8.0))),
        ("sorted", sorted),
        ("constant", of(&|_, _| 0.5)),
        ("constant columns", of(&|_, j| noise[j])),
        ("low rank", of(&|i, j| left[i] * right[j])),
        ("shuffled columns", of(&|i, j| sinusoid(i, j * 13 % d))),
        ("every second column", of(&|i, j| if j < d / 2 { sinusoid(i, 2 * j) } else { sinusoid(i, j) })),
        ("random frequencies", of(&|i, j| (i as f32 * noise[j]).sin())),
        ("absolute", of(&|i, j| sinusoid(i, j).abs())),
        ("noisy", of(&|i, j| sinusoid(i, j) + 0.01 * noise[i * d + j])),
        ("signs", of(&|i, j| noise[i * d + j].signum())),
        ("identity", of(&|i, j| f32::from(u8::from(i == j)))),
    ]
}

#[test]
fn other_tables_have_no_spec() {
    let folder = Folder::new();
    let mut random = Lcg::new(3);
    // Every second one, each kind in one of the sizes.
    let tables = [(64, 32), (200, 8)]
        .into_iter()
        .flat_map(|size| other_tables(&mut random, size.0, size.1).into_iter().map(move |table| (size, table)));
    for ((n, d), (kind, table)) in tables.step_by(one_in(2)) {
        write_npy(&folder.path("pe.npy"), &[n as u64, d as u64], &table);
        let ran = folder.posenc("identify pe.npy");
        assert_eq!(ran.code(), 1, "{kind} {n} x {d}\n{}", ran.out());
        ran.says("nothing fits");
    }
}

/// Frequencies that are no progression are a list, with the digits that the entries determine.
#[test]
fn frequencies_that_are_no_progression() {
    let folder = Folder::new();
    for (next, (frequencies, words)) in [
        ("1,0.5,0.3,0.123,0.01,0.007,0.0004,0.9", "[1.0, 0.5, 0.3, 0.123, 0.01, 0.007, 0.0004, 0.9]"),
        ("0.01,0.02,0.03,0.04,0.05,0.06,0.07,1e-7", "[0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 1e-7]"),
        ("1,0.70710678,0.5,0.1,0.05,0.01,0.005,0.001", "[1.0, 0.70710678, 0.5, 0.1, 0.05, 0.01, 0.005, 0.001]"),
    ]
    .into_iter()
    .enumerate()
    {
        let arrangements = ["", "--layout halves", "--columns cos --repeat halves", "--columns sin --repeat pairs"];
        for options in arrangements.into_iter().skip(next % one_in(3)).step_by(one_in(3)) {
            let options = format!("--seq-len 100 --d-model 16 --frequencies {frequencies} {options}");
            folder.posenc(&format!("table {options} -o pe.safetensors")).done();
            // Half of the last frequencies hardly turn a cosine.
            let words = if options.contains("cos") { words.replace("1e-7", "0.0") } else { words.to_owned() };
            folder.check_command(&folder.posenc("identify pe.safetensors").done().says(&words), "pe.safetensors");
        }
    }
}

/// All rows of an accepted table are compared, also those that are in no sample, in both orders of the entries.
#[test]
fn a_single_wrong_row_far_from_the_sample_is_found() {
    let folder = Folder::new();
    let mut table = posenc::Spec::new(8).table::<f32>(5000).unwrap().into_vec();
    write_npy(&folder.path("pe.npy"), &[5000, 8], &table);
    folder.posenc("identify pe.npy").done().says("bitwise identical");
    table[3333 * 8 + 5] += 0.25;
    write_npy(&folder.path("pe.npy"), &[5000, 8], &table);
    folder.posenc("identify pe.npy").status(1).says("1 of 5000 rows differ, the first is row 3333");
    table[3333 * 8 + 5] = f32::NAN;
    write_npy(&folder.path("pe.npy"), &[5000, 8], &table);
    folder.posenc("identify pe.npy").status(1).says("note     the entry in row 3333, column 5 is not finite");
}
