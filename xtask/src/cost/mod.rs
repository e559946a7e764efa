//! Measures what it costs to build a crate with a baked table.
//!
//! Builds small crates in `target/cost` and prints Markdown tables.

mod first_build;
mod measure;
mod package;
mod slowest;

use std::env::consts;
use std::{fs, thread};

use crate::cost::package::Build::{First, Later, Literal};
use crate::cost::package::{Contender, EMPTY, Package, ROTARY, ROTARY_SIZE, Size};
use crate::run::{Outcome, Run, ensure_available, remove, root};

const D_MODEL: u32 = 1024;

/// The number of rounds, except for builds that take seconds.
const ROUNDS: usize = 5;

/// The number of rounds for builds that take seconds.
const FEW_ROUNDS: usize = 3;

/// The smallest size, in MiB, of tables whose builds take seconds.
const LARGE: u32 = 64;

/// The largest table, in MiB, that is compiled as float literals; they take rustc about 1 s and 150 MB per MiB.
const MOST_OF_TOKENS: u32 = 4;

/// The largest table, in MiB, that is compiled as a literal; it takes rustc several times the cost of a file.
const MOST_OF_LITERAL: u32 = 128;

#[derive(clap::Args)]
#[command(after_help = "\
Prints the cost of building a crate with a baked table. Machines differ and measurements \
are noisy: compare only what one run prints.")]
pub(crate) struct Arguments {
    /// Sizes of tables in MiB
    #[arg(default_values_t = [1, 4, 16, 128, 256], value_parser = clap::value_parser!(u32).range(1..=256))]
    sizes: Vec<u32>,
    /// Measure the first build of a crate with a small table instead, without downloads, beside other macros
    #[arg(long, conflicts_with = "sizes")]
    cold: bool,
    /// Measure the slowest calls that the macros accept instead
    #[arg(long, conflicts_with_all = ["sizes", "cold"])]
    slowest: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    ensure_available(cfg!(unix), "CPU time and memory can only be measured on Unix")?;
    let folder = root().join("target/cost");
    remove(&folder)?;
    if arguments.cold {
        header(&format!("medians of {FEW_ROUNDS} rounds"))?;
        first_build::print(&folder, FEW_ROUNDS)?;
    } else if arguments.slowest {
        header("dev profile, medians of 1 round")?;
        slowest::print(&Package::with_build_script(&folder)?)?;
    } else {
        header(&format!(
            "dev profile, medians of {ROUNDS} rounds ({FEW_ROUNDS} for named sizes, and for {LARGE} MiB and more)"
        ))?;
        let package = Package::with_build_script(&folder)?;
        print_named(&package)?;
        print_rotary(&package)?;
        arguments.sizes.iter().try_for_each(|mebibytes| print_builds(&package, *mebibytes))?;
    }
    // It can be gigabytes.
    remove(&folder)
}

/// Prints the date, the machine, the compiler and the method.
fn header(method: &str) -> Outcome {
    let cores = thread::available_parallelism()?;
    let [date, rustc] = ["date +%F", "rustc --version"].map(|line| Run::line(line).stdout());
    let (date, rustc) = (date?, rustc?);
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let processor = model.map_or(consts::ARCH, |(_, model)| model.trim());
    println!("{}, {processor}, {cores} cores, {}; {method}", date.trim(), rustc.trim());
    Ok(())
}

/// Prints the cost of tables that the compiler evaluates, and of a crate without a table.
fn print_named(package: &Package) -> Outcome {
    let shapes = [(128, 64, "f32"), (128, 512, "f32"), (512, 512, "f32"), (512, 512, "f64"), (512, 512, "bf16_bits")];
    let named =
        shapes.map(|(n, d, dtype)| Contender::new(format!("{n} x {d}, {dtype}"), Size { n, d }.named(dtype), Later));
    let contenders: Vec<_> = [Contender::new("no table", EMPTY, Later)].into_iter().chain(named).collect();
    print_contenders(package, "named sizes", &contenders, FEW_ROUNDS)
}

/// Prints the cost of a rotary table of two axes beside the cost of a sinusoidal table of as many entries.
fn print_rotary(package: &Package) -> Outcome {
    let size = ROTARY_SIZE;
    package.write_build_script(size)?;
    package.run(&size.writes_entries(false))?;
    let contenders = [
        Contender::new("`include_bytes!` of the finished bytes", size.included(), Later),
        Contender::new("`sinusoidal_table!(4096, 128)`, first build", size.baked(), First),
        Contender::new("`sinusoidal_table!(4096, 128)`, later build", size.baked(), Later),
        Contender::new("`rotary_table!((64, 64), 128)`, first build", ROTARY, First),
        Contender::new("`rotary_table!((64, 64), 128)`, later build", ROTARY, Later),
    ];
    print_contenders(package, "2 MiB, f32", &contenders, ROUNDS)
}

/// Prints the cost of each way to bake a table of a given size.
fn print_builds(package: &Package, mebibytes: u32) -> Outcome {
    let size = Size { n: mebibytes * (1 << 18) / D_MODEL, d: D_MODEL };
    package.write_build_script(size)?;
    package.run(&size.writes_entries(mebibytes <= MOST_OF_TOKENS))?;
    let mut contenders = vec![
        Contender::new("no table", EMPTY, Later),
        Contender::new("`include_bytes!` of the finished bytes", size.included(), Later),
        Contender::new("`sinusoidal_table!` of a build script's file", size.read(), Later),
        Contender::new("`sinusoidal_table!`, first build", size.baked(), First),
        Contender::new("`sinusoidal_table!`, later build", size.baked(), Later),
    ];
    if mebibytes <= MOST_OF_LITERAL {
        contenders.push(Contender::new("`sinusoidal_table!`, as a literal", size.baked(), Literal));
    }
    if mebibytes <= MOST_OF_TOKENS {
        contenders.push(Contender::new("an array of float literals", size.tokens(), Later));
    }
    let rounds = if mebibytes < LARGE { ROUNDS } else { FEW_ROUNDS };
    print_contenders(package, &format!("{mebibytes} MiB: {} x {}, f32", size.n, size.d), &contenders, rounds)
}

/// Builds the contenders in rounds and prints a row for each.
fn print_contenders(package: &Package, title: &str, contenders: &[Contender], rounds: usize) -> Outcome {
    let builds = package.medians(contenders, rounds, "build")?;
    let checks = package.medians(contenders, rounds, "check")?;
    println!("\n| {title} | check s | build s | CPU s | peak MiB |\n|---|---|---|---|---|");
    for ((Contender { name, .. }, check), build) in contenders.iter().zip(checks).zip(builds) {
        println!("| {name} | {:.2} | {:.2} | {:.2} | {:.0} |", check.wall, build.wall, build.cpu, build.peak);
    }
    Ok(())
}
