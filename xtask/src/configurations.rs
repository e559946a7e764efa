//! Compares the hashes of the tables in many configurations.

use std::env::consts;
use std::path::PathBuf;
use std::time::Instant;

use clap::builder::PossibleValuesParser;

use crate::foreign::Emulator;
use crate::hashes::{Program, record};
use crate::run::{Context, Outcome, Run, Skipped, unavailable};
use crate::variant::Variant;
use crate::{install, workspace};

pub(crate) const ALL: [&str; 14] = [
    "default", "avx512", "avx2", "target", "opt0", "opt1", "opt2", "oldest", "newest", "aarch64", "armv7", "i686",
    "s390x", "wasm32",
];

/// The vector instructions, the least optimisation, fused operations and big-endian numbers. `default` has AVX-512 on a
/// machine that has it.
pub(crate) const SAMPLE: [&str; 6] = ["default", "avx2", "target", "opt0", "aarch64", "s390x"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Record the hashes of the default configuration instead
    #[arg(long, conflicts_with = "configurations")]
    record: bool,
    /// The configurations: as this machine compiles, its vector instructions, levels of optimisation, compilers, other
    /// architectures
    #[arg(default_values = ALL, value_parser = PossibleValuesParser::new(ALL))]
    configurations: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.record { record() } else { compare_each(&arguments.configurations) }
}

pub(crate) fn compare_each(configurations: &[impl AsRef<str>]) -> Outcome {
    let (mut compared, mut skipped) = (0, Skipped::default());
    for name in configurations.iter().map(AsRef::as_ref) {
        if !has_instructions(name) {
            // These cannot be installed, so they are not reported as skipped.
            println!("configurations: {name}: this processor does not have it");
            continue;
        }
        skipped.check("configurations", compare(name).map(|()| compared += 1))?;
    }
    println!("configurations: {compared} of {}", ALL.len());
    skipped.finish()
}

/// Returns whether the processor has the vector instructions of this name. Names of other things count as present.
fn has_instructions(name: &str) -> bool {
    match name {
        #[cfg(target_arch = "x86_64")]
        "avx512" => is_x86_feature_detected!("avx512bw"),
        #[cfg(target_arch = "x86_64")]
        "avx2" => is_x86_feature_detected!("avx2"),
        #[cfg(not(target_arch = "x86_64"))]
        "avx512" | "avx2" => false,
        _ => true,
    }
}

/// Returns the program in a configuration, and what to call it.
fn prepare(name: &str) -> Outcome<(String, Program<'_>)> {
    let default = Program::default();
    Ok(match name {
        "default" => (format!("{}, as it is", workspace::rustc("rustc")?), default),
        "avx512" | "avx2" | "target" => (
            format!("{}, only instructions {name}", consts::ARCH),
            Program { variant: Variant::instructions(name), ..default },
        ),
        "opt0" | "opt1" | "opt2" => {
            // Everything else is compiled once, for all levels.
            let level = &name["opt".len()..];
            let option = |package| format!("--config=profile.release.package.{package}.opt-level={level}").into();
            let options = ["hashes", "posenc", "posenc-runtime"].map(option).into();
            (format!("opt-level {level}"), Program { options, ..default })
        }
        "oldest" | "newest" => {
            let rustc = if name == "oldest" { install::oldest_rustc()? } else { newest_rustc()? };
            let description = format!("{}, the {name}", workspace::rustc(&rustc)?);
            (description, Program { envs: [("RUSTC".to_owned(), rustc.into())].into(), ..default })
        }
        architecture => {
            let emulator = Emulator::of(architecture)?;
            let options = ["--target".into(), emulator.target.into()].into();
            let description = format!("{} under {}", emulator.target, emulator.name());
            // Emulators are slow.
            (description, Program { options, envs: emulator.envs(), without_large: true, ..default })
        }
    })
}

/// Installs the newest compiler by its version number, so that the default compiler stays the same.
fn newest_rustc() -> Outcome<PathBuf> {
    let checked = Run::line("rustup check").capture();
    let newest = checked.ok().and_then(|(_, output)| newest_stable(&output));
    install::rustc(&newest.ok_or_else(|| unavailable("the newest compiler: rustup does not say which it is"))?)
}

/// Returns the newest stable version, read from the output of `rustup check`.
fn newest_stable(checked: &str) -> Option<String> {
    let (_, versions) = checked.lines().find(|line| line.starts_with("stable"))?.split_once(": ")?;
    let newest = versions.rsplit(" -> ").next()?;
    newest.split(' ').next().map(str::to_owned)
}

fn compare(name: &str) -> Outcome {
    let start = Instant::now();
    let (description, program) = prepare(name)?;
    println!("configurations: {description}");
    let result = program.check(&description).context("configurations")?;
    println!("configurations: {description}: {result} ({} s)", start.elapsed().as_secs());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::newest_stable;

    #[test]
    fn the_newest_compiler_is_the_one_that_could_be_installed() {
        let older = "1.85-x86_64-unknown-linux-gnu - Up to date : 1.85.1 (4eb161250 2025-03-15)\n";
        for (stable, newest) in [
            ("Up to date : 1.95.0 (59807616e 2026-04-14)", "1.95.0"),
            ("Update available : 1.95.0 (5980 2026-04-14) -> 1.99.1 (a 2026-11-01)", "1.99.1"),
            ("up to date: 1.99.1 (a 2026-11-01)", "1.99.1"),
        ] {
            let checked = format!("{older}stable-x86_64-unknown-linux-gnu - {stable}\n");
            assert_eq!(newest_stable(&checked).as_deref(), Some(newest));
        }
        assert_eq!(newest_stable(older), None);
    }
}
