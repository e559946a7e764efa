//! `cargo xtask`: all tasks of this workspace.
#![forbid(unsafe_code)]

mod bench;
mod bounds;
mod built;
mod check;
mod ci;
mod compare;
mod configurations;
mod cost;
mod executable;
mod foreign;
mod frameworks;
mod fuzz;
mod hashes;
mod install;
mod oracle;
mod proofs;
mod python;
mod release;
mod run;
mod sanitize;
mod small_machine;
mod small_tasks;
mod supply_chain;
mod test;
mod variant;
mod web;
mod workspace;
mod zero_cost;

use std::process::ExitCode;

use clap::Parser;

use crate::run::{Outcome, report};

/// All tasks of this workspace. The times are for two threads; the first run of a task takes longer.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 110)]
#[command(
    after_help = "Exit status: 0 done; 1 failed; 2 misuse; 69 something is missing, so all or some was left out."
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Run all checks, or some of them (43 min; with --full 93 min)
    #[command(after_long_help = ci::HELP)]
    Ci(ci::Arguments),
    /// Run parts of `ci` here, without a time limit
    Part(ci::Arguments),
    /// Rewrite all snapshots, compile errors and hashes (6 min)
    Bless,

    /// Compare entries with MPFR; see --help for options (10 min)
    Oracle(oracle::Arguments),
    /// Measure and break the error bounds (1 h; with --seconds 5 4 min)
    Bounds(bounds::Arguments),
    /// Prove error bounds with Sollya and Gappa (30 s)
    Proofs,
    /// Compare hashes of tables in many configurations (6 min)
    Configurations(configurations::Arguments),
    /// Run the tests of the bits for other architectures (8 min)
    Foreign,
    /// Test unsafe code with the address sanitizer and Valgrind (3 min)
    Sanitize,
    /// Test uninitialised memory with Miri, on nightly (1 min)
    Miri,
    /// Fuzz all readers and functions (2 min, then as long as given)
    Fuzz(fuzz::Arguments),
    /// Check that the libraries are ready for a registry (5 min)
    Release(release::Arguments),
    /// Build the Python package and test it with all interpreters and frameworks here (11 min)
    Python,
    /// Build the page that shows tables in the browser, and serve it here (1 min)
    Web(web::Arguments),
    /// Run the examples with candle and burn, and the study of tables (10 min)
    Frameworks,

    /// Measure the run time (10 min)
    Bench(bench::Arguments),
    /// Measure everything and write BENCHMARKS.md (40 min)
    Benchmarks,
    /// Measure the build time (11 min)
    Cost(cost::Arguments),
    /// Measure what a small machine needs (20 s)
    SmallMachine,
    /// Run the example for microcontrollers in QEMU (30 s)
    Microcontroller,
    /// Check that a baked table costs nothing at run time (20 s)
    ZeroCost,
    /// Check dependencies, unsafe code and licences (10 s)
    SupplyChain,
    /// Draw the pictures; with --readme those in the README (1 min)
    Gallery(small_tasks::Arguments),
}

fn main() -> ExitCode {
    match run(&Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(&failure),
    }
}

fn run(task: &Task) -> Outcome {
    match task {
        Task::Ci(arguments) => ci::run(arguments),
        Task::Part(arguments) => ci::run_here(arguments),
        Task::Bless => test::bless(),
        Task::Oracle(arguments) => oracle::run(arguments),
        Task::Bounds(arguments) => bounds::run(arguments),
        Task::Proofs => proofs::run(),
        Task::Python => python::run(),
        Task::Configurations(arguments) => configurations::run(arguments),
        Task::Foreign => foreign::run(),
        Task::Sanitize => sanitize::run(),
        Task::Miri => sanitize::miri(),
        Task::Fuzz(arguments) => fuzz::run(arguments),
        Task::Release(arguments) => release::run(arguments),
        Task::Web(arguments) => web::run(arguments),
        Task::Frameworks => frameworks::run(),
        Task::Bench(arguments) => bench::run(arguments),
        Task::Benchmarks => bench::write_benchmarks(),
        Task::Cost(arguments) => cost::run(arguments),
        Task::SmallMachine => small_machine::run(),
        Task::Microcontroller => small_machine::microcontroller::run(),
        Task::ZeroCost => zero_cost::run(),
        Task::SupplyChain => supply_chain::run(),
        Task::Gallery(arguments) => small_tasks::gallery(arguments),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Cli, Task};

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_of_programs_are_passed_on() {
        let rest = |line: &str| match Cli::try_parse_from(line.split(' ')).map(|cli| cli.task) {
            Ok(Task::Oracle(arguments)) => arguments.rest,
            _ => panic!("it is not understood"),
        };
        assert_eq!(rest("xtask oracle --entries 3 --fault x"), ["--entries", "3", "--fault", "x"]);
        assert_eq!(rest("xtask oracle --fault x --entries 3"), ["--entries", "3"]);
        assert_eq!(rest("xtask oracle --help"), ["--help"]);
    }
}
