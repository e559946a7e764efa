//! Fuzzes the macros, the functions and the command's readers.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::command::{Run, has_program};
use crate::failure::{Failure, Outcome};
use crate::root::{root, target_dir};
use crate::{check, install};

/// A failed allocation is an ordinary error here.
const ASAN_OPTIONS: &str = "allocator_may_return_null=1";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Seconds per target; 0 runs each committed seed once
    #[arg(default_value_t = 60)]
    seconds: u64,
    /// The targets to run, by default all
    #[arg(value_enum)]
    targets: Vec<Target>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Target {
    /// Any text as a call of each macro
    Call,
    /// Any parameters, sizes and positions through every entry point
    Spec,
    /// Any bytes as a file for the command-line tool
    Files,
    /// Any numbers as a table that is identified
    Identify,
}

/// The part of CI: all targets in one build, and clippy.
pub(crate) fn within(seconds: u64) -> Outcome {
    fuzz(&Fuzzer::prepare(true)?, &Arguments { seconds, targets: Vec::new() })?;
    check::separate("fuzz", &[])
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    fuzz(&Fuzzer::prepare(false)?, arguments)
}

fn fuzz(fuzzer: &Fuzzer, arguments: &Arguments) -> Outcome {
    let targets = if arguments.targets.is_empty() { Target::value_variants() } else { &arguments.targets };
    for target in targets {
        fuzzer.command("build", *target).run()?;
    }
    let lines = targets.iter().map(|target| fuzzer.fuzz(*target, arguments.seconds)).collect::<Outcome<Vec<_>>>()?;
    for line in lines {
        println!("{line}");
    }
    Ok(())
}

struct Fuzzer {
    nightly: bool,
    target_dir: PathBuf,
    /// Whether to compile quickly instead of fuzzing fast: one build for all targets, with few optimisations.
    quick_build: bool,
}

impl Fuzzer {
    fn prepare(quick_build: bool) -> Outcome<Self> {
        install::cargo_subcommand("fuzz")?;
        if !has_program("c++") {
            return Err(Failure::unavailable("no C++ compiler, which compiles libFuzzer"));
        }
        install::dependencies("fuzz/Cargo.toml", &[])?;
        let nightly = Run::new("cargo").args(["+nightly", "--version"]).succeeds();
        Ok(Self { nightly, target_dir: target_dir("fuzz/target"), quick_build })
    }

    /// Returns a `cargo fuzz` command. Sanitizers need a nightly compiler, or a stable one with `RUSTC_BOOTSTRAP`.
    fn cargo_fuzz(&self, subcommand: &str) -> Run {
        let run = if self.nightly { Run::cargo("+nightly") } else { Run::new("cargo").env("RUSTC_BOOTSTRAP", "1") };
        let run = run.args(["fuzz", subcommand]).env("ASAN_OPTIONS", ASAN_OPTIONS);
        if self.quick_build { run.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1") } else { run }
    }

    fn command(&self, subcommand: &str, target: Target) -> Run {
        let run = self.cargo_fuzz(subcommand).arg("--target-dir").arg(&self.target_dir);
        run.args(self.flags(target)).arg(target.name())
    }

    /// Comparisons of wide integers give the fuzzer no guidance in `spec`, and take half of the time.
    fn flags(&self, target: Target) -> &'static [&'static str] {
        if self.quick_build || target == Target::Spec { &["--no-trace-compares"] } else { &[] }
    }

    /// Fuzzes one target, and returns a line of statistics. New inputs are kept for the next run.
    fn fuzz(&self, target: Target, seconds: u64) -> Outcome<String> {
        let name = target.name();
        let found = root().join("fuzz/target/corpus").join(name);
        fs::create_dir_all(&found)?;
        let seeds = Path::new("fuzz/corpus").join(name);
        let run = self.command("run", target).arg(&found).arg(&seeds).arg("--").args(target.options(seconds));
        let _files = Files; // removes what the target `files` leaves
        let (status, output) = run.show()?;
        if !status.success() {
            return Err(self.finding(target, &output));
        }
        let executions = executions(&output).filter(|&count| count > 0);
        let Some(executions) = executions else {
            return Err(Failure::failed(format_args!("fuzz: {name}: nothing was executed")));
        };
        let corpus = count_files(&found) + count_files(&root().join(seeds));
        Ok(format!("fuzz: {name}: {executions} executions in {seconds} s, corpus {corpus}, 0 findings"))
    }

    fn finding(&self, target: Target, output: &str) -> Failure {
        let name = target.name();
        let Some(artifact) = artifact(output) else {
            return Failure::failed(format_args!("fuzz: {name}: failed without an input, see above"));
        };
        let artifact = Path::new(artifact);
        let artifact = artifact.strip_prefix(root()).unwrap_or(artifact);
        let again = self.cargo_fuzz("run").args(self.flags(target)).arg(name).arg(artifact);
        Failure::failed(format_args!("fuzz: {name}: failed on {}\nfuzz: reproduce: {again}", artifact.display()))
    }
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Spec => "spec",
            Self::Files => "files",
            Self::Identify => "identify",
        }
    }

    /// Returns the options for libFuzzer.
    fn options(self, seconds: u64) -> Vec<OsString> {
        let common = ["-print_final_stats=1", "-timeout=25", "-rss_limit_mb=2048", "-malloc_limit_mb=1024"];
        let mut options: Vec<OsString> = common.map(Into::into).into();
        options.push(if seconds > 0 { format!("-max_total_time={seconds}") } else { "-runs=0".to_owned() }.into());
        if self == Self::Spec {
            options.extend(["-len_control=0", "-max_len=400"].map(Into::into));
        }
        let dictionary = format!("fuzz/{}.dict", self.name());
        if root().join(&dictionary).is_file() {
            options.push(format!("-dict={dictionary}").into());
        }
        options
    }
}

/// Removes the temporary files that the target `files` leaves if it is interrupted.
struct Files;

impl Drop for Files {
    fn drop(&mut self) {
        for directory in [PathBuf::from("/dev/shm"), env::temp_dir()] {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                if entry.file_name().to_string_lossy().starts_with("posenc-fuzz-") {
                    // Another run may have removed it already.
                    let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
                }
            }
        }
    }
}

fn executions(output: &str) -> Option<u64> {
    let mut lines = output.lines().rev();
    lines.find_map(|line| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok())
}

fn artifact(output: &str) -> Option<&str> {
    output.lines().rev().find_map(|line| Some(line.split_once("Test unit written to ")?.1))
}

fn count_files(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().is_file()).count()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{Target, artifact, executions};

    #[test]
    fn the_last_figures_count() {
        let output = "stat::number_of_executed_units: 3\nx\nstat::number_of_executed_units: 12\nstat::peak_rss_mb: 9\n";
        assert_eq!(executions(output), Some(12));
        let output = "artifact_prefix='a/'; Test unit written to /a/crash-0\nBase64: AA==\n";
        assert_eq!(artifact(output), Some("/a/crash-0"));
        assert_eq!((executions(""), artifact("")), (None, None));
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        for target in Target::value_variants() {
            assert_eq!(target.to_possible_value().unwrap().get_name(), target.name());
        }
    }
}
