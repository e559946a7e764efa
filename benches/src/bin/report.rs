//! Prints the table of run times in BENCHMARKS.md: `cargo run --release --manifest-path benches/Cargo.toml [-- rounds]`.
//!
//! With `-- worst` it prints the table of the slowest parameters, and with `-- sizes` the points of the picture.

#![forbid(unsafe_code)]

use std::process::Command;

use posenc_benches::paired::measure;
use posenc_benches::tables::{MIDDLE, SMALL, TYPICAL};
use posenc_benches::{Work, fill, grid, positions, rotate, row, sizes, tables, worst};

const ROUNDS: usize = 31;

fn main() {
    if cfg!(debug_assertions) {
        eprintln!("This build is not optimised; measure with `--release`.");
    }
    match std::env::args().nth(1).as_deref() {
        None => everything(ROUNDS),
        Some("worst") => most_expensive(),
        Some("sizes") => by_size(),
        Some(rounds) => everything(rounds.parse().expect("a number of rounds, `worst`, or `sizes`")),
    }
}

fn most_expensive() {
    header(ROUNDS);
    let (single, double) = worst::works();
    report(single, ROUNDS);
    report(double, ROUNDS);
}

/// Prints the points of a picture: the largest width, the number of entries, the contender, and its time.
fn by_size() {
    println!("{}", machine());
    for width in sizes::WIDTHS {
        for mut work in sizes::works(width) {
            for measured in measure(&mut work, ROUNDS) {
                println!("{width}\t{}\t{}\t{}", work.entries, measured.name, measured.time);
            }
        }
    }
}

fn everything(rounds: usize) {
    header(rounds);
    report(tables::existing_memory(TYPICAL), rounds);
    report(tables::existing_memory(MIDDLE), rounds);
    report(tables::existing_memory(SMALL), rounds);
    #[cfg(not(feature = "peers"))]
    report(tables::new_memory(TYPICAL), rounds);
    #[cfg(feature = "peers")]
    report(posenc_benches::peers::work(), rounds);
    report(tables::new_memory(fill::LARGE), rounds);
    report(fill::f32(TYPICAL), rounds);
    report(fill::f32(fill::LARGE), rounds);
    report(fill::f64(TYPICAL), rounds);
    report(fill::f16(TYPICAL), rounds);
    report(fill::bf16(TYPICAL), rounds);
    report(fill::integers(TYPICAL), rounds);
    report(fill::rotary(), rounds);
    report(grid::image(), rounds);
    report(grid::frequencies(), rounds);
    report(grid::video(), rounds);
    report(grid::rotary_video(), rounds);
    report(row::work(), rounds);
    report(row::scaled(), rounds);
    report(rotate::work(), rounds);
    report(positions::f32(), rounds);
    report(positions::f64(), rounds);
    #[cfg(feature = "rayon")]
    report(fill::on_all_threads(fill::LARGE), rounds);
}

fn header(rounds: usize) {
    println!("{}; medians of {rounds} interleaved rounds\n", machine());
    println!("| work | contender | time | ns per entry | ratio |\n|---|---|---|---|---|");
}

/// Prints the rows of one unit of work. Consumes it, to free its buffers before the next is measured.
fn report<S>(mut work: Work<S>, rounds: usize) {
    let mut name = work.name.clone();
    for measured in measure(&mut work, rounds) {
        let each = measured.time / work.entries as f64;
        println!("| {name} | {} | {} | {each:.3} | {:.2} |", measured.name, duration(measured.time), measured.ratio);
        name.clear();
    }
}

fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e4 => format!("{nanoseconds:.0} ns"),
        ..1e6 => format!("{:.1} µs", nanoseconds / 1e3),
        _ => format!("{:.2} ms", nanoseconds / 1e6),
    }
}

fn machine() -> String {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (rustc, date) = (output_of("rustc", "--version"), output_of("date", "+%F"));
    format!("{date}, {}, {threads} threads, {}, {rustc}", processor(), instruction_sets())
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned())
}

#[cfg(target_arch = "x86_64")]
fn instruction_sets() -> String {
    let (avx2, fma) = (is_x86_feature_detected!("avx2"), is_x86_feature_detected!("fma"));
    let sets = [("avx2", avx2), ("fma", fma), ("avx512f", is_x86_feature_detected!("avx512f"))];
    let names: Vec<String> = sets.map(|(name, here)| if here { name.into() } else { format!("no {name}") }).into();
    names.join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn instruction_sets() -> String {
    "instruction sets unknown".to_owned()
}

fn output_of(program: &str, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output();
    output.map_or_else(
        |_| format!("{program} unknown"),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}
