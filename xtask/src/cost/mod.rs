//! Measures what it costs to build a crate with a baked table, to run the stages of the macro, and to compute an entry.
//!
//! Builds small crates in `target/cost` and prints Markdown tables.

mod measure;
mod package;
mod slowest;
mod sources;

use std::env::consts;
use std::path::Path;
use std::{fs, thread};

use crate::command::Run;
use crate::cost::measure::Cost;
pub(crate) use crate::cost::measure::{Command, measure};
use crate::cost::package::{Contender, Measured, Package, ROUNDS, opt_level};
use crate::cost::sources::Size;
use crate::failure::{Failure, Outcome};
use crate::root::root;

const D_MODEL: u32 = 1024;

/// The index of the contender with which the ratios compare.
const REFERENCE: usize = 1;

const TOKENS: &str = "an array of float literals";

/// The number of rounds for builds that take seconds.
const FEW_ROUNDS: usize = 3;

/// The smallest size, in MiB, of tables whose builds take seconds.
const LARGE: u32 = 64;

#[derive(clap::Args)]
#[command(after_help = "\
Prints the cost of building a crate with a baked table, of the stages of the macro, and of an entry at run time. Machines \
differ and measurements are noisy: compare only ratios within one run.")]
pub(crate) struct Arguments {
    /// Sizes of tables in MiB
    #[arg(default_values_t = [1, 4, 16, 128, 256], value_parser = clap::value_parser!(u32).range(1..=256))]
    sizes: Vec<u32>,
    /// Measure the first build of a crate with a small table instead, without downloads
    #[arg(long, conflicts_with = "sizes")]
    cold: bool,
    /// Measure the slowest calls that the macros accept instead
    #[arg(long, conflicts_with_all = ["sizes", "cold"])]
    slowest: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if cfg!(not(unix)) {
        return Err(Failure::unavailable("CPU time and memory can only be measured on Unix"));
    }
    let folder = root().join("target/cost");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    if arguments.cold {
        header(&format!("{FEW_ROUNDS} rounds"))?;
        print_first_build(&folder.join("cold"))?;
    } else if arguments.slowest {
        header("1 round")?;
        slowest::print(&Package::with_probe(&folder.join("package"))?)?;
    } else {
        header(&format!("{ROUNDS} rounds ({FEW_ROUNDS} for named sizes, and for {LARGE} MiB and more)"))?;
        let package = Package::with_probe(&folder.join("package"))?;
        print_named(&package)?;
        arguments.sizes.iter().try_for_each(|mebibytes| print_builds(&package, *mebibytes))?;
        print_stages(&package)?;
        print_per_entry(&package)?;
    }
    // It can be gigabytes.
    Ok(fs::remove_dir_all(&folder)?)
}

/// Prints the date, the machine, the compiler and the method.
fn header(rounds: &str) -> Outcome {
    let cores = thread::available_parallelism()?;
    let date = Run::new("date").arg("+%F").stdout()?;
    let rustc = Run::new("rustc").arg("--version").stdout()?;
    println!("{}, {}, {cores} cores, {}; dev profile, medians of {rounds}", date.trim(), processor(), rustc.trim());
    Ok(())
}

fn processor() -> String {
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or(consts::ARCH, |(_, model)| model.trim()).to_owned()
}

/// Prints the cost of tables that the compiler evaluates, and of a crate without a table.
fn print_named(package: &Package) -> Outcome {
    let shapes = [(128, 64, "f32"), (128, 512, "f32"), (512, 512, "f32"), (512, 512, "f64"), (512, 512, "bf16_bits")];
    let named = shapes.map(|(n, d, dtype)| Contender::new(format!("{n} x {d}, {dtype}"), Size { n, d }.named(dtype)));
    let contenders: Vec<_> = [Contender::new("no table", sources::EMPTY)].into_iter().chain(named).collect();
    let builds = package.rounds(FEW_ROUNDS, "build", &contenders)?;
    let checks = package.rounds(FEW_ROUNDS, "check", &contenders)?;
    println!("\n| named sizes | check s | build s | peak MiB |\n|---|---|---|---|");
    for ((contender, check), build) in contenders.iter().zip(checks).zip(builds) {
        let [check, build] = [check, build].map(|costs| Cost::median(&costs));
        println!("| {} | {:.2} | {:.2} | {:.0} |", contender.name, check.wall, build.wall, build.peak);
    }
    Ok(())
}

/// Prints the cost of each way to bake a table of a given size.
fn print_builds(package: &Package, mebibytes: u32) -> Outcome {
    let size = Size { n: mebibytes * (1 << 18) / D_MODEL, d: D_MODEL };
    package.write_build_script(size)?;
    package.run(&size.writes_entries(), &[])?;
    let rounds = if mebibytes < LARGE { ROUNDS } else { FEW_ROUNDS };
    print_contenders(package, &format!("{mebibytes} MiB: {} x {}", size.n, size.d), &contenders(size), rounds)?;
    if !size.has_literal() {
        println!("| `sinusoidal_table!`, as a literal | not run | | | | | | |");
    }
    if !size.has_tokens() {
        println!("| {TOKENS} | not run | | | | | | |");
    }
    // Cargo sets the variable only for build scripts.
    let endian = if cfg!(target_endian = "big") { "big" } else { "little" };
    let writing = package.median_of_runs(&size.writes_file(), &[("CARGO_CFG_TARGET_ENDIAN", endian)])?;
    println!("\nThe build script writes its file once, in {writing:.2} s.");
    Ok(())
}

/// Prints the cost of the first build of a crate with a table, without downloads.
fn print_first_build(folder: &Path) -> Outcome {
    let mut costs = Vec::new();
    for _ in 0..FEW_ROUNDS {
        let package = Package::with_table(folder, Size { n: 128, d: 64 })?;
        package.cost("fetch", &[])?;
        costs.push(package.cost("build", &[("CARGO_NET_OFFLINE", "true")])?);
        fs::remove_dir_all(folder)?;
    }
    let Cost { wall, cpu, peak } = Cost::median(&costs);
    println!("\n| first build of a crate with a table | build s | CPU s | peak MiB |\n|---|---|---|---|");
    println!("| 128 x 64, f32 | {wall:.1} | {cpu:.1} | {peak:.0} |");
    Ok(())
}

/// Builds the contenders in rounds and prints a row for each.
fn print_contenders(package: &Package, title: &str, contenders: &[Contender], rounds: usize) -> Outcome {
    let builds = package.rounds(rounds, "build", contenders)?;
    let checks = package.rounds(rounds, "check", contenders)?;
    println!("\n| {title}, f32 | check s | build s | ratio | CPU s | ratio | peak MiB | ratio |");
    println!("|---|---|---|---|---|---|---|---|");
    for (i, contender) in contenders.iter().enumerate() {
        if contender.measured == Measured::Run {
            // Its time is part of the previous contender's.
            let [check, build] = [&checks, &builds].map(|costs| Cost::without(&costs[i - 1], &costs[i]));
            let name = format!("the same without {} ({:.2} s)", contender.name, Cost::median(&builds[i]).wall);
            print_build(&name, &check, &build, &builds[REFERENCE]);
        } else {
            print_build(&contender.name, &checks[i], &builds[i], &builds[REFERENCE]);
        }
    }
    Ok(())
}

/// Returns the ways to bake a table.
fn contenders(size: Size) -> Vec<Contender> {
    let mut contenders = vec![
        Contender::new("no table", sources::EMPTY),
        Contender::new("`include_bytes!` of the finished bytes", size.included()),
        Contender::new("`sinusoidal_table!` of a build script's file", size.read()),
        Contender::new("`sinusoidal_table!`, first build", size.baked()).measured(Measured::FirstBuild),
        Contender::new("evaluating the table", size.evaluates()).measured(Measured::Run),
        Contender::new("`sinusoidal_table!`, later build", size.baked()),
    ];
    if size.has_literal() {
        contenders.push(Contender::new("`sinusoidal_table!`, as a literal", size.baked()).literal());
    }
    if size.has_tokens() {
        contenders.push(Contender::new(TOKENS, size.tokens()));
    }
    contenders
}

/// Prints a row, with ratios to another build in the same round.
fn print_build(name: &str, checks: &[Cost], builds: &[Cost], references: &[Cost]) {
    let [check, build] = [checks, builds].map(Cost::median);
    let ratio = Cost::median(&Cost::ratios(builds, references));
    print!("| {name} | {:.2} | {:.2} | {:.2} ", check.wall, build.wall, ratio.wall);
    println!("| {:.2} | {:.2} | {:.0} | {:.2} |", build.cpu, ratio.cpu, build.peak, ratio.peak);
}

/// Prints how long the stages of the macro take, for 16 MiB. Some are differences of two builds.
fn print_stages(package: &Package) -> Outcome {
    let size = Size { n: 4096, d: 1024 };
    package.run(&size.writes_entries(), &[])?;
    let plain = stages(package, size, false)?;
    let optimised = stages(package, size, true)?;
    println!("\n| stages of 4096 x 1024, f32 | macro at opt-level 0, s | opt-level 3, s |\n|---|---|---|");
    for ((name, plain), (_, optimised)) in plain.into_iter().zip(optimised) {
        println!("| {name} | {plain:.2} | {optimised:.2} |");
    }
    Ok(())
}

/// Returns the seconds of each stage.
fn stages(package: &Package, size: Size, optimised: bool) -> Outcome<Vec<(&'static str, f64)>> {
    let sources = [sources::EMPTY.into(), size.included(), size.probed(), size.baked()];
    // Only a literal goes through all of these stages.
    let contenders = sources.map(|source| Contender {
        name: String::new(),
        source,
        optimised,
        literal: true,
        measured: Measured::Build,
    });
    let builds = package.rounds(ROUNDS, "build", &contenders)?;
    let [none, included, probed, baked] = [0, 1, 2, 3].map(|contender| Cost::median(&builds[contender]).wall);
    let evaluate = package.median_of_runs(&size.evaluates(), &[opt_level(if optimised { "3" } else { "0" })])?;
    let escape = package.probed_seconds()?;
    let mut stages = vec![
        ("evaluate: `Spec::fill`", evaluate),
        ("escape: `Literal::byte_string`", escape),
        ("pass to the compiler, which undoes the escapes", probed - included - escape),
        ("compile the bytes, as `include_bytes!` does", included - none),
        ("the crate without a table", none),
    ];
    stages.push(("sum", stages.iter().map(|(_, seconds)| seconds).sum()));
    stages.push(("measured: the crate with `sinusoidal_table!`, as a literal", baked));
    Ok(stages)
}

fn print_per_entry(package: &Package) -> Outcome {
    println!(
        "\n| f32, d_model 512, ns per pair of entries, medians of 9 runs | `Spec::fill` | `Spec::const_fill` | `Spec::encode` |"
    );
    println!("|---|---|---|---|");
    for level in ["0", "3"] {
        let nanoseconds = package.run(sources::PER_ENTRY, &[opt_level(level)])?;
        println!("| opt-level {level} | {nanoseconds} |");
    }
    Ok(())
}
