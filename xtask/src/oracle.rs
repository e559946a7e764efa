//! Compares entries with MPFR.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::process::ExitStatus;

use crate::command::{Run, has_program};
use crate::failure::{Outcome, ensure_available};
use crate::install;
use crate::root::root;
use crate::variant::{self, Variant};

const MANIFEST: &str = "tests/mpfr/Cargo.toml";

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
    let variant = arguments.fault.as_deref().map_or(Variant::Usual, Variant::Fault);
    program(variant, &arguments.rest)?.run()
}

/// A part of CI: the tests of the program, and a few seconds for each of its parts.
pub(crate) fn quickly() -> Outcome {
    self_test()?;
    program(Variant::Usual, &["--seconds", "4"])?.run()
}

/// Runs clippy and the tests of the program.
pub(crate) fn self_test() -> Outcome {
    let options = options()?;
    Run::cargo("clippy").args(&options).args(["--all-targets", "--", "-D", "warnings"]).run()?;
    Run::cargo("test").args(&options).run()
}

/// Returns the program with these arguments, built with a variant of posenc-runtime.
fn program(variant: Variant, arguments: &[impl AsRef<OsStr>]) -> Outcome<Run> {
    Ok(variant.of(Run::cargo("run").arg("--quiet").args(options()?).arg("--").args(arguments)))
}

/// Runs the program built with a fault, and returns its exit status and its output.
pub(crate) fn with_fault(fault: &str, arguments: &[&str]) -> Outcome<(ExitStatus, String)> {
    let variant = Variant::Fault(fault);
    let (status, output) = program(variant, arguments)?.capture()?;
    variant.check(&output, &["posenc-runtime"])?;
    Ok((status, output))
}

fn options() -> Outcome<Vec<OsString>> {
    let system = find_mpfr()?;
    install::dependencies(MANIFEST, &[])?;
    let mut options: Vec<OsString> = ["--release", "--manifest-path", MANIFEST, "--target-dir"].map(Into::into).into();
    options.push(variant::target_dir().into());
    if system {
        options.extend(["--features", "system"].map(Into::into));
    }
    Ok(options)
}

/// Returns whether the system has GMP and MPFR, or `false` if they can be built from the source in the crate.
fn find_mpfr() -> Outcome<bool> {
    ensure_available(has_program("cc"), "a C compiler is missing")?;
    if !system_is_new() && !can_build() {
        // The packages may not help, because older releases have older versions.
        install::debian(&["libgmp-dev", "libmpfr-dev", "m4", "make"]);
    }
    let is_new = system_is_new();
    ensure_available(
        is_new || can_build(),
        "GMP 6.3 and MPFR 4.2 with their headers are missing, as are m4 or make, with which they could be built",
    )?;
    Ok(is_new)
}

fn can_build() -> bool {
    has_program("m4") && has_program("make")
}

fn system_is_new() -> bool {
    header_is("gmp.h", ["__GNU_MP_VERSION", "__GNU_MP_VERSION_MINOR"], [6, 3])
        && header_is("mpfr.h", ["MPFR_VERSION_MAJOR", "MPFR_VERSION_MINOR"], [4, 2])
}

/// Returns whether a header of the system has at least this version.
fn header_is(header: &str, [major, minor]: [&str; 2], [least_major, least_minor]: [u32; 2]) -> bool {
    let file = root().join("target").join(format!("has-{header}"));
    let source = format!(
        "#include <{header}>\n#if {major} < {least_major} || ({major} == {least_major} && {minor} < {least_minor})\n\
         #error old\n#endif\n"
    );
    fs::write(&file, source).is_ok() && Run::new("cc").arg("-E").arg(file).succeeds()
}

/// The counts that the program reports.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) entries: u64,
    pub(crate) differ: u64,
}

/// Adds up the totals of the types, which are in lines such as `oracle: f32: 12 entries, 0 differ`.
pub(crate) fn totals(output: &str) -> Counts {
    let mut counts = Counts::default();
    for [entries, differ] in output.lines().filter_map(total) {
        counts.entries += entries;
        counts.differ += differ;
    }
    counts
}

fn total(line: &str) -> Option<[u64; 2]> {
    let (name, counts) = line.strip_prefix("oracle: ")?.split_once(": ")?;
    let is_type = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let (entries, differ) = counts.strip_suffix(" differ")?.split_once(" entries, ")?;
    is_type.then_some([entries.parse().ok()?, differ.parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::{Counts, totals};

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
        assert_eq!(totals(output), Counts { entries: 120, differ: 3 });
        assert_eq!(totals("error: could not compile"), Counts::default());
    }
}
