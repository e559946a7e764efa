//! Prints a SHA-256 of each of a list of tables, from every entry point.
//!
//! The output is in `recorded.txt`, and must be the same for every processor, byte order, compiler and optimisation
//! level. `cargo xtask configurations` runs it for many of them, and `cargo xtask configurations --record` updates the file.
//! Changes belong under **Output** in the changelog.

#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "cargo xtask bounds makes all entries take the slow path")]

mod axial;
#[path = "../../testkit/src/bits.rs"]
mod bits;
mod digest;
mod frequency_dtype;
mod grids;
mod integers;

use bits::Bits;
use digest::{add, digits, flat};
use posenc::scaling::Yarn;
use posenc::{Amplitude, Bf16Bits, F16Bits, Flat, Layout, Preset, Scaling, Spec, const_table, sinusoidal_table};
use sha2::{Digest, Sha256};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let large = match arguments.next().as_deref() {
        None => true,
        Some("--without-large") => false,
        Some(other) => panic!("`{other}` is no argument; there is only `--without-large`"),
    };
    let mut lines = list();
    if large {
        lines += &large_tables();
    }
    print!("{lines}");
    eprintln!("posenc-runtime: {}", posenc_runtime::PROOF);
    eprintln!("posenc-runtime of the macro: {}", env!("PROOF_ON_HOST"));
    eprintln!("hashes: together {}", &digits(&Sha256::digest(&lines))[..16]);
}

/// Hashes tables of 66 MiB, written to memory in use and therefore past the caches if possible.
///
/// They come last. An emulator skips them, because it would take minutes.
fn large_tables() -> String {
    fn table<T: Bits>(lines: &mut String) {
        let spec = Spec::new(1024);
        let rows = (66 << 20) / 1024 / size_of::<T>();
        let mut table = spec.table::<T>(rows).expect("a table");
        table.as_mut_slice().fill(T::default());
        spec.fill(0.., table.as_mut_slice()).expect("rows");
        add(lines, "fill", "paper, past 64 MiB", &table);
    }
    let mut lines = String::new();
    table::<f32>(&mut lines);
    table::<f64>(&mut lines);
    table::<F16Bits>(&mut lines);
    table::<Bf16Bits>(&mut lines);
    lines
}

/// Returns a line for each table: its hash, entry point, element type and subject.
fn list() -> String {
    let mut lines = String::new();
    run_time::<f32>(&mut lines);
    run_time::<f64>(&mut lines);
    run_time::<F16Bits>(&mut lines);
    run_time::<Bf16Bits>(&mut lines);
    evaluated(&mut lines);
    baked(&mut lines);
    spectra(&mut lines);
    any_positions::<f32>(&mut lines);
    any_positions::<f64>(&mut lines);
    any_positions::<F16Bits>(&mut lines);
    any_positions::<Bf16Bits>(&mut lines);
    scaled::<f32>(&mut lines);
    scaled::<f64>(&mut lines);
    scaled::<F16Bits>(&mut lines);
    scaled::<Bf16Bits>(&mut lines);
    scaled_by_the_compiler(&mut lines);
    grids::all(&mut lines);
    axial::all(&mut lines);
    frequency_dtype::all(&mut lines);
    integers::all(&mut lines);
    lines
}

fn run_time<T: Bits>(lines: &mut String) {
    for (seq_len, d_model) in [(1, 1), (2, 1), (1, 2), (3, 5), (128, 64), (1500, 384), (4096, 1024)] {
        let table = Spec::new(d_model).table::<T>(seq_len).expect("a table");
        add(lines, "table", "paper", &table);
    }
    for &preset in Preset::ALL {
        let spec = Spec::preset(preset, 64);
        // If the preset requires a start, the rows begin at the last position of the other tables.
        let spec = if spec.check_table::<T>(1, usize::MAX).is_ok() { spec } else { spec.start(127) };
        add(lines, "table", preset.name(), &spec.table::<T>(128).expect("a table"));
    }
    let table = Spec::preset(Preset::Whisper, 1024).table::<T>(4096).expect("a table");
    add(lines, "table", "whisper", &table);
    for (of, spec) in [
        ("base 1e9", Spec::new(128).base(1e9)),
        ("base 0.1, far and backwards", Spec::new(33).base(0.1).start(1 << 53).step(-1_000_000_007)),
        ("scale 0.3 from -100", Spec::new(65).scale(0.3).start(-100)),
        ("unit 8/15", Spec::new(64).unit(8, 15)),
        ("frequencies", Spec::new(6).frequencies(&[1.0, -0.0625, 1e-9])),
    ] {
        add(lines, "table", of, &spec.table::<T>(200).expect("a table"));
    }
    single_rows::<T>(lines);
    other_rows::<T>(lines);
}

/// Hashes rows that do not begin with the first, a few of them and many, and rows on all threads.
fn other_rows<T: Bits>(lines: &mut String) {
    let spec = Spec::preset(Preset::Adm, 320).scale(0.5);
    let mut buffer = vec![T::default(); 3000 * 320];
    for (first, rows) in [(1, 3), (77, 5), (1_000_000, 3000)] {
        let buffer = &mut buffer[..rows * 320];
        spec.fill(first.., buffer).expect("rows");
        add(lines, "fill", &format!("adm, scale 0.5, from row {first}"), &flat(buffer, 320));
    }
    spec.par_fill(5.., &mut buffer).expect("rows");
    add(lines, "par_fill", "adm, scale 0.5, from row 5", &flat(&buffer, 320));
    let table = Spec::preset(Preset::Whisper, 1024).par_table::<T>(4096).expect("a table");
    add(lines, "par_table", "whisper", &table);
}

/// Hashes the entry points that write one row at a time, and the tier for programs without an allocator.
fn single_rows<T: Bits>(lines: &mut String) {
    let spec = Spec::preset(Preset::Adm, 320).scale(1000.0);
    let encoder = spec.prepare::<T>(300).expect("an encoder");
    let mut buffer = vec![T::default(); 300 * 320];
    for (i, row) in buffer.chunks_exact_mut(320).enumerate() {
        encoder.encode_row(i, row).expect("a row");
    }
    add(lines, "prepare", "adm, scale 1000", &flat(&buffer, 320));

    spec.const_fill(0.., &mut buffer).expect("rows");
    add(lines, "const_fill", "adm, scale 1000", &flat(&buffer, 320));

    let positions: Vec<f64> = (0..300).map(|i| f64::from(i * i) / 100.0 - 300.0).collect();
    spec.fill_positions(&positions, &mut buffer).expect("rows");
    add(lines, "fill_positions", "adm, scale 1000", &flat(&buffer, 320));

    for (row, position) in buffer.chunks_exact_mut(320).zip(positions) {
        spec.encode(position * 1e12, row).expect("a row");
    }
    add(lines, "encode", "adm, scale 1000", &flat(&buffer, 320));
}

/// Hashes tables evaluated by the compiler.
fn evaluated(lines: &mut String) {
    const ROWS: usize = 12;
    const COLUMNS: usize = 6;
    macro_rules! evaluated {
        ($($element:ty, $dtype:ident;)*) => { $({
            static ONE: [[$element; 1]; 1] = const_table(Spec::new(1));
            add(lines, "const_table", "paper", &ONE);
            static ODD: [[$element; 5]; 7] = const_table(Spec::new(5).start(-3));
            add(lines, "const_table", "from -3", &ODD);
            static HALVES: [[$element; 8]; 24] = const_table(Spec::new(8).layout(Layout::Halves).base(500_000.0));
            add(lines, "const_table", "halves, base 500000", &HALVES);
            static NAMED: [[$element; COLUMNS]; ROWS] = sinusoidal_table!(ROWS, COLUMNS, dtype = $dtype);
            add(lines, "macro with names", "paper", &NAMED);
        })* };
    }
    evaluated! {
        f32, f32;
        f64, f64;
        F16Bits, f16_bits;
        Bf16Bits, bf16_bits;
    }
}

/// Hashes tables of the macro, which runs on the compiler's machine, and of files that the build script writes there.
fn baked(lines: &mut String) {
    macro_rules! baked {
        ($($element:ty, $dtype:ident, $file:literal;)*) => { $({
            static FILE: [[$element; 384]; 1500] = sinusoidal_table!(1500, 384, dtype = $dtype, preset = whisper, file = $file);
            add(lines, "file", "whisper", &FILE);
            static ONE: [[$element; 1]; 1] = sinusoidal_table!(1, 1, dtype = $dtype);
            add(lines, "macro", "paper", &ONE);
            static ODD: [[$element; 5]; 3] = sinusoidal_table!(3, 5, dtype = $dtype);
            add(lines, "macro", "paper", &ODD);
            static SMALL: [[$element; 64]; 128] = sinusoidal_table!(128, 64, dtype = $dtype, preset = musicgen);
            add(lines, "macro", "musicgen", &SMALL);
            static FAR: [[$element; 33]; 200] =
                sinusoidal_table!(200, 33, dtype = $dtype, base = 0.1, start = 1 << 53, step = -1_000_000_007);
            add(lines, "macro", "base 0.1, far and backwards", &FAR);
            static LARGE: [[$element; 1024]; 4096] = sinusoidal_table!(4096, 1024, dtype = $dtype);
            add(lines, "macro", "paper", &LARGE);
        })* };
    }
    baked! {
        f32, f32, "f32";
        f64, f64, "f64";
        F16Bits, f16_bits, "f16_bits";
        Bf16Bits, bf16_bits, "bf16_bits";
    }
}

/// Hashes the numbers that are not tables.
fn spectra(lines: &mut String) {
    for (of, spec) in [("paper", Spec::new(512)), ("whisper", Spec::preset(Preset::Whisper, 384))] {
        let frequencies: Vec<f64> = spec.angular_frequencies().expect("frequencies").collect();
        let wavelengths: Vec<f64> = spec.wavelengths().expect("wavelengths").collect();
        let dot_products: Vec<f64> = (0..50).map(|n| spec.dot_product(f64::from(n)).expect("a number")).collect();
        for (what, numbers) in
            [("angular_frequencies", &frequencies), ("wavelengths", &wavelengths), ("similarity", &dot_products)]
        {
            add(lines, what, of, &Flat::new(numbers, 1).expect("a column"));
        }
        let mut pairs = vec![[0.0f32; 2]; spec.d_model() / 2];
        spec.translation(12_345, &mut pairs).expect("pairs");
        add(lines, "translation", of, &pairs);
    }
}

/// Hashes encodings of positions that are no integers, by a spec and by its encoder.
fn any_positions<T: Bits>(lines: &mut String) {
    let spec = Spec::preset(Preset::Adm, 320).scale(1000.0);
    let encoder = spec.prepare::<T>(0).expect("an encoder");
    let mut buffer = vec![T::default(); 300 * 320];
    let timesteps = (0..300).map(|i| f64::from(i) * 0.997);

    for (row, position) in buffer.chunks_exact_mut(320).zip(timesteps.clone()) {
        spec.encode(position, row).expect("a row");
    }
    add(lines, "encode", "adm, scale 1000, timesteps", &flat(&buffer, 320));

    for (row, position) in buffer.chunks_exact_mut(320).zip(timesteps) {
        encoder.encode(-position / 1000.0, row).expect("a row");
    }
    add(lines, "encode of an encoder", "adm, scale 1000, timesteps below 0", &flat(&buffer, 320));

    // From 2^-75 to 2^75: beyond the limits of direct evaluation, and every binade below.
    let positions: Vec<f64> =
        (0..300).map(|i| f64::from_bits(((948 << 52) + (i << 51)) ^ 0x3_1415_9265_3589)).collect();
    encoder.fill_positions(&positions, &mut buffer).expect("rows");
    add(lines, "fill_positions of an encoder", "adm, scale 1000, every binade", &flat(&buffer, 320));
}

const FACTORS: [f64; 8] = [1.0, 1.02, 1.25, 2.5, 7.0, 59.71, 64.8, 64.86];

/// Hashes tables with each of the scaling rules, with their attention factors.
fn scaled<T: Bits>(lines: &mut String) {
    for (d_model, base, rule) in [
        (128, 10_000.0, Scaling::linear(8.0)),
        (128, 10_000.0, Scaling::ntk(4.0)),
        (128, 10_000.0, Scaling::dynamic(2.0, 4096, 10_000)),
        (64, 10_000.0, Scaling::yarn(40.0, 4096)),
        (64, 150_000.0, Scaling::Yarn(Yarn { truncate: false, ..Yarn::new(32.0, 4096) })),
        (64, 10_000.0, Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 0.707, ..Yarn::new(40.0, 4096) })),
        (128, 500_000.0, Scaling::llama3(8.0, 8192)),
        (16, 10_000.0, Scaling::longrope(&FACTORS, 32.0, 4096)),
        (512, 1e6, Scaling::proportional(0.25)),
    ] {
        let spec = Spec::new(d_model).base(base).scaling(rule).amplitude(Amplitude::AttentionFactor);
        add(lines, "table", &rule.to_string(), &spec.table::<T>(300).expect("a table"));
    }
}

/// Hashes tables with scaling rules that the compiler or the macro evaluates.
fn scaled_by_the_compiler(lines: &mut String) {
    const LLAMA: Spec = Spec::new(16).base(500_000.0).scaling(Scaling::llama3(8.0, 8192));
    static EVALUATED: [[f64; 16]; 12] = const_table(LLAMA);
    add(lines, "const_table", "base 500000, llama3", &EVALUATED);
    static BAKED: [[f32; 64]; 128] = sinusoidal_table!(128, 64, scaling = yarn(40, 4096), amplitude = attention_factor);
    add(lines, "macro", "yarn", &BAKED);
    static NAMED: [[f64; 16]; 12] =
        sinusoidal_table!(12, 16, dtype = f64, scaling = longrope(FACTORS, 32, 4096), amplitude = attention_factor);
    add(lines, "macro with names", "longrope", &NAMED);
}
