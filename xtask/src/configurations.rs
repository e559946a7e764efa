//! Compares the hashes of the tables in many configurations.

use std::env;
use std::fs;
use std::path::Path;
use std::time::Instant;

use clap::ValueEnum;

use crate::command::Run;
use crate::emulator::Architecture;
use crate::failure::{Failure, Outcome, Skipped};
use crate::hashes::{self, Program};
use crate::install;
use crate::variant::Variant;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Record the hashes of the default configuration instead
    #[arg(long, conflicts_with = "configurations")]
    record: bool,
    /// The configurations to compare, by default all
    #[arg(value_enum)]
    configurations: Vec<Configuration>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Configuration {
    /// This compiler, level 3 of optimisation, the vector instructions of this machine
    Default,
    /// Only AVX-512
    Avx512,
    /// Only AVX2
    Avx2,
    /// Only what every processor of the target has
    Target,
    Opt0,
    Opt1,
    Opt2,
    /// The oldest compiler that is supported
    Oldest,
    /// The newest stable compiler
    Newest,
    Aarch64,
    Armv7,
    I686,
    S390x,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.record {
        return record();
    }
    if arguments.configurations.is_empty() { all() } else { compare_each(&arguments.configurations) }
}

pub(crate) fn all() -> Outcome {
    compare_each(Configuration::value_variants())
}

/// Records the hashes of the default configuration.
pub(crate) fn record() -> Outcome {
    fs::write(hashes::file(), Program::default().run()?.stdout)?;
    Ok(())
}

fn compare_each(configurations: &[Configuration]) -> Outcome {
    let mut compared = 0;
    let mut skipped = Skipped::default();
    for configuration in configurations {
        match configuration.compare() {
            Ok(true) => compared += 1,
            // This cannot be installed, so it is not reported as skipped.
            Ok(false) => println!("configurations: {}: this processor does not have it", configuration.name()),
            Err(Failure::Unavailable(reason)) => skipped.add("configurations", reason),
            Err(failure) => return Err(failure),
        }
    }
    println!("configurations: {compared} of {}", configurations.len());
    skipped.finish()
}

impl Configuration {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Compares the hashes with the recorded ones. Returns `false` if this machine does not have the configuration.
    fn compare(self) -> Outcome<bool> {
        match self {
            Self::Default => compare(&format!("{}, as it is", rustc(None)?), Program::default()),
            Self::Avx512 | Self::Avx2 | Self::Target => self.compare_instructions(),
            Self::Opt0 => compare_level(0),
            Self::Opt1 => compare_level(1),
            Self::Opt2 => compare_level(2),
            Self::Oldest => compare_compiler(&install::oldest_rustc()?, "oldest"),
            Self::Newest => compare_newest(),
            Self::Aarch64 => compare_foreign(Architecture::Aarch64),
            Self::Armv7 => compare_foreign(Architecture::Armv7),
            Self::I686 => compare_foreign(Architecture::I686),
            Self::S390x => compare_foreign(Architecture::S390x),
        }
    }

    fn compare_instructions(self) -> Outcome<bool> {
        let name = self.name();
        if !has_instructions(&name) {
            return Ok(false);
        }
        let description = format!("{}, only instructions {name}", env::consts::ARCH);
        compare(&description, Program { variant: Variant::Instructions(&name), ..Program::default() })
    }
}

#[cfg(target_arch = "x86_64")]
fn has_instructions(name: &str) -> bool {
    match name {
        "avx512" => is_x86_feature_detected!("avx512bw"),
        "avx2" => is_x86_feature_detected!("avx2"),
        _ => true,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn has_instructions(name: &str) -> bool {
    name == "target"
}

/// Compares with posenc and the program at a level of optimisation. Everything else is compiled once, for all levels.
fn compare_level(level: u8) -> Outcome<bool> {
    let packages = ["hashes", "posenc", "posenc-runtime"];
    let options = packages
        .iter()
        .flat_map(|package| ["--config".into(), format!("profile.release.package.{package}.opt-level={level}").into()]);
    compare(&format!("opt-level {level}"), Program { options: options.collect(), ..Program::default() })
}

fn compare_compiler(rustc_path: &Path, which: &str) -> Outcome<bool> {
    let description = format!("{}, the {which}", rustc(Some(rustc_path))?);
    let envs = [("RUSTC".to_owned(), rustc_path.into())].into();
    compare(&description, Program { envs, ..Program::default() })
}

/// Selects the newest compiler by its version number, so that the default compiler stays the same.
fn compare_newest() -> Outcome<bool> {
    let checked = Run::new("rustup").arg("check").capture();
    let newest = checked.ok().and_then(|(_, output)| newest_stable(&output));
    let newest = newest.ok_or_else(|| Failure::unavailable("the newest compiler: rustup does not say which it is"))?;
    let this = rustc(None)?;
    if this == format!("rustc {newest}") {
        println!("configurations: {this}, the default one, is the newest");
        return Ok(true);
    }
    if !install::toolchain(&newest, 300) {
        return Err(Failure::unavailable(format_args!("no rustc {newest}")));
    }
    let path = Run::new("rustup").args(["which", "--toolchain", &newest, "rustc"]).stdout()?;
    compare_compiler(Path::new(path.trim()), "newest")
}

/// Returns the newest stable version, read from the output of `rustup check`.
fn newest_stable(checked: &str) -> Option<String> {
    let line = checked.lines().find(|line| line.starts_with("stable"))?;
    let (_, version) = line.split_once(" -> ").or_else(|| {
        let up_to_date = line.to_lowercase().find("up to date")?;
        line[up_to_date..].split_once(':')
    })?;
    version.trim_start().split(' ').next().map(str::to_owned)
}

/// Compares without the large tables, because emulators are slow.
fn compare_foreign(architecture: Architecture) -> Outcome<bool> {
    let emulator = architecture.prepare()?;
    let options = ["--target".into(), emulator.target.clone().into()].into();
    let program = Program { options, envs: emulator.envs().into(), without_large: true, ..Program::default() };
    compare(&format!("{} under {}", emulator.target, emulator.name()), program)
}

/// Returns the name and the version of a compiler, by default the usual one.
fn rustc(path: Option<&Path>) -> Outcome<String> {
    let default = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = Run::new(path.map_or(default, Into::into)).arg("--version").stdout()?;
    Ok(printed.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

fn compare(description: &str, program: Program) -> Outcome<bool> {
    let start = Instant::now();
    let expected = hashes::recorded(!program.without_large)?;
    let output = program.run().map_err(|failure| match failure {
        Failure::Failed(output) => {
            Failure::failed(format_args!("{output}\nconfigurations: {description}: the program failed"))
        }
        Failure::Unavailable(reason) => Failure::Unavailable(reason),
    })?;
    hashes::compare(&expected, &output.stdout).map_err(|lines| {
        Failure::failed(format_args!("{lines}\nconfigurations: {description}: other hashes than recorded"))
    })?;
    println!(
        "configurations: {description}: {} hashes, all as recorded, together {} ({} s)",
        output.stdout.lines().count(),
        hashes::together(&output.stderr)?,
        start.elapsed().as_secs()
    );
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::newest_stable;

    #[test]
    fn the_newest_compiler_is_the_one_that_could_be_installed() {
        let older = "1.85-x86_64-unknown-linux-gnu - Up to date : 1.85.1 (4eb161250 2025-03-15)\n";
        let current = "stable-x86_64-unknown-linux-gnu - Up to date : 1.95.0 (59807616e 2026-04-14)\n";
        assert_eq!(newest_stable(&[older, current].concat()).as_deref(), Some("1.95.0"));
        let update =
            "stable-x86_64-unknown-linux-gnu - Update available : 1.95.0 (5980 2026-04-14) -> 1.99.1 (a 2026-11-01)";
        assert_eq!(newest_stable(update).as_deref(), Some("1.99.1"));
        let lower_case = "stable-x86_64-unknown-linux-gnu - up to date: 1.99.1 (a 2026-11-01)";
        assert_eq!(newest_stable(lower_case).as_deref(), Some("1.99.1"));
        assert_eq!(newest_stable(older), None);
        assert_eq!(newest_stable(""), None);
    }
}
