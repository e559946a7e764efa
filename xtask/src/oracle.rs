//! Compares entries with MPFR.

use std::ffi::OsString;

use crate::check::WARNINGS_FAIL;
use crate::install;
use crate::run::{Outcome, Run};
use crate::variant::{self, Variant};

#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Run clippy and the tests of the program instead
    #[arg(long)]
    self_test: bool,
    /// Build posenc with one of the faults in pe-runtime/build.rs: the oracle must then find wrong entries
    #[arg(long)]
    fault: Option<String>,
    /// Arguments of the program; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) rest: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.self_test {
        return self_test();
    }
    let variant = arguments.fault.as_deref().map_or_else(Variant::default, Variant::fault);
    program(variant)?.args(&arguments.rest).run()
}

/// A part of CI: the tests of the program, and a few seconds for each of its parts.
pub(crate) fn quickly() -> Outcome {
    self_test()?;
    program(Variant::default())?.words("--seconds 4").run()
}

/// Runs clippy and the tests of the program.
pub(crate) fn self_test() -> Outcome {
    cargo("clippy")?.arg("--all-targets").words(WARNINGS_FAIL).run()?;
    cargo("test")?.run()
}

/// Returns a run of the program, built with a variant of posenc-runtime.
fn program(variant: Variant) -> Outcome<Run> {
    Ok(variant.of(cargo("run")?.words("--quiet --")))
}

/// Runs the program built with a fault, and returns whether it succeeds, and its output.
pub(crate) fn with_fault(fault: &str, arguments: &str) -> Outcome<(bool, String)> {
    let variant = Variant::fault(fault);
    let (succeeds, output) = program(variant)?.words(arguments).capture()?;
    variant.check(&output, &["posenc-runtime"])?;
    Ok((succeeds, output))
}

/// Returns a run of cargo. GMP and MPFR are built from the source in the crate unless the system has new ones.
fn cargo(subcommand: &str) -> Outcome<Run> {
    let system = Run::line("pkg-config --exists").args(["gmp >= 6.3", "mpfr >= 4.2"]).succeeds();
    if !system {
        install::programs(&["cc", "m4", "make"], &["gcc", "m4", "make"])?;
    }
    install::dependencies("tests/mpfr/Cargo.toml", "")?;
    let run = Run::line(&format!("cargo {subcommand} --release --manifest-path tests/mpfr/Cargo.toml --target-dir"));
    Ok(run.arg(variant::target_dir()).args(system.then_some("--features=system")))
}

/// Adds up the numbers of entries and of those that differ, which are in lines such as
/// `oracle: f32: 12 entries, 0 differ`, one for each type.
pub(crate) fn totals(output: &str) -> [u64; 2] {
    let total = |line: &str| -> Option<[u64; 2]> {
        let (name, counts) = line.strip_prefix("oracle: ")?.split_once(": ")?;
        let is_type = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        let (entries, differ) = counts.strip_suffix(" differ")?.split_once(" entries, ")?;
        is_type.then_some([entries.parse().ok()?, differ.parse().ok()?])
    };
    output.lines().filter_map(total).fold([0, 0], |[entries, differ], [more, wrong]| [entries + more, differ + wrong])
}

#[cfg(test)]
mod tests {
    use super::totals;

    #[test]
    fn totals_are_those_of_the_types_and_not_of_the_parts() {
        let output = "\
oracle: random
oracle: random, f32: 7 entries, 7 differ
oracle: random: 1.0 s, 8 entries/s, 3 values took more digits
oracle: block 3 of 9, 1.00e3 entries, 0 differ
oracle: f32: 100 entries, 2 differ
oracle: bf16_bits: 20 entries, 1 differ
";
        assert_eq!(totals(output), [120, 3]);
        assert_eq!(totals("error: could not compile"), [0, 0]);
    }
}
