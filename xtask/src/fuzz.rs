//! Fuzzes the macros, the functions and the command's readers.

use std::path::Path;
use std::{env, fs, process};

use clap::builder::PossibleValuesParser;

use crate::run::{Context, Outcome, Run, ensure_available, has_program, remove, root, target_dir};
use crate::{check, install};

/// Any text as a call of each macro; any parameters, sizes and positions through every entry point; any bytes as a file
/// for the command-line tool; any numbers as a table that is identified.
const TARGETS: [&str; 4] = ["call", "spec", "files", "identify"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Seconds per target; 0 runs each committed seed once
    #[arg(default_value_t = 60)]
    seconds: u64,
    /// The targets to run
    #[arg(default_values = TARGETS, value_parser = PossibleValuesParser::new(TARGETS))]
    targets: Vec<String>,
}

/// The part of CI, compiled quickly instead of fuzzing fast: one build for all targets, with few optimisations.
pub(crate) fn sample() -> Outcome {
    fuzz(&TARGETS, 5, true)
}

/// The part of CI in full.
pub(crate) fn full() -> Outcome {
    fuzz(&TARGETS, 60, true)?;
    check::clippy_of_separate("fuzz", "").run()
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    fuzz(&arguments.targets, arguments.seconds, false)
}

fn fuzz(targets: &[impl AsRef<str>], seconds: u64, quick_build: bool) -> Outcome {
    install::cargo_subcommand("fuzz")?;
    ensure_available(has_program("c++"), "no C++ compiler, which compiles libFuzzer")?;
    install::dependencies("fuzz/Cargo.toml", "")?;
    let targets: Vec<_> = targets.iter().map(AsRef::as_ref).collect();
    for target in &targets {
        command("build", target, quick_build).run()?;
    }
    for target in targets {
        let executions = fuzz_target(target, seconds, command("run", target, quick_build))?;
        println!("fuzz: {target}: {executions} executions in {seconds} s, 0 findings");
    }
    Ok(())
}

/// Returns a `cargo fuzz` command. Sanitizers need a nightly compiler, or a stable one with `RUSTC_BOOTSTRAP`.
fn command(subcommand: &str, target: &str, quick_build: bool) -> Run {
    let has_nightly = Run::line("cargo +nightly --version").succeeds();
    let run = if has_nightly { Run::line("cargo +nightly") } else { Run::line("cargo").env("RUSTC_BOOTSTRAP", "1") };
    // A failed allocation is an ordinary error here.
    let run = run.args(["fuzz", subcommand]).env("ASAN_OPTIONS", "allocator_may_return_null=1");
    let run = if quick_build { run.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1") } else { run };
    // Comparisons of wide integers give the fuzzer no guidance in `spec`, and take half of the time.
    let run = run.args((quick_build || target == "spec").then_some("--no-trace-compares"));
    run.arg("--target-dir").arg(target_dir("fuzz/target")).arg(target)
}

/// Fuzzes one target, and returns the number of executions. New inputs are kept for the next run.
fn fuzz_target(target: &str, seconds: u64, run: Run) -> Outcome<u64> {
    let found = root().join("fuzz/target/corpus").join(target);
    fs::create_dir_all(&found)?;
    let run = run.arg(&found).arg(Path::new("fuzz/corpus").join(target)).arg("--");
    let run = run.words("-print_final_stats=1 -timeout=25 -rss_limit_mb=2048 -malloc_limit_mb=1024");
    let run = run.arg(if seconds > 0 { format!("-max_total_time={seconds}") } else { "-runs=0".to_owned() });
    let run = if target == "spec" { run.words("-len_control=0 -max_len=800") } else { run };
    let dictionary = format!("fuzz/{target}.dict");
    let has_dictionary = root().join(&dictionary).is_file();
    // The target `files` leaves a file if it is interrupted. It writes often, so its folder is in memory if possible.
    let memory = Path::new("/dev/shm");
    let temporary = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
    let temporary = temporary.join(format!("posenc-fuzz-{}", process::id()));
    fs::create_dir_all(&temporary)?;
    // cargo-fuzz prints a finding, and how to reproduce it.
    let output = run.args(has_dictionary.then(|| format!("-dict={dictionary}"))).env("TMPDIR", &temporary).tee();
    remove(&temporary)?;
    let executions = executions(&output?).filter(|&count| count > 0);
    executions.with_context(|| format!("fuzz: {target}: nothing was executed"))
}

fn executions(output: &str) -> Option<u64> {
    let mut lines = output.lines().rev();
    lines.find_map(|line| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::executions;

    #[test]
    fn the_last_figures_count() {
        let output = "stat::number_of_executed_units: 3\nx\nstat::number_of_executed_units: 12\nstat::peak_rss_mb: 9\n";
        assert_eq!(executions(output), Some(12));
        assert_eq!(executions(""), None);
    }
}
