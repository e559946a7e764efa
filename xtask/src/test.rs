//! Runs the tests of the workspace, also with other features and with more random cases, and reads their output.

use std::{env, iter};

use crate::run::{Context, Outcome, Run, ensure};
use crate::{check, compare, hashes, install, workspace};

/// Runs the command of the README, and then the tests that it ignores because of what they need or how long they take.
///
/// The packages share their features: `half`, `macros` and `rayon` are enabled.
pub(crate) fn workspace_tests() -> Outcome {
    Run::line(workspace::TEST).run()?;
    let ignored = "cargo test --workspace --test command --test bad-input --test rebuilds -- --ignored";
    with_other_programs(Run::line(ignored))?.run()
}

/// Installs what the ignored tests of the command-line tool need, and returns a run that finds it.
fn with_other_programs(run: Run) -> Outcome<Run> {
    install::programs(&["bash", "c++"], &["bash", "g++"])?;
    let python = install::python_with("numpy")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = iter::once(python.with_file_name("")).chain(env::split_paths(&path));
    Ok(run.env("PATH", env::join_paths(folders)?))
}

/// Tests without the standard library, with each feature alone, and with all features.
pub(crate) fn features() -> Outcome {
    for feature in ["alloc", "std", "inspect"] {
        check::libraries_with(&format!("--features {feature}")).run()?;
    }
    let std = "--no-default-features --features std";
    Run::line("cargo test --package posenc --package suite --no-default-features --features macros").run()?;
    without_the_macro_there_are_no_dependencies(std)?;
    Run::line("cargo test --package posenc").words(std).run()?;
    suite_passes(std, &["golden::", "fast_tier::"])?;
    Run::line("cargo test --package posenc --package posenc-runtime --all-features --doc").run()?;
    Run::line("cargo test --package ui --no-default-features").run()?;
    Run::line("cargo test --package ui --features half").run()
}

fn without_the_macro_there_are_no_dependencies(features: &str) -> Outcome {
    let tree = Run::line("cargo tree --package posenc --edges normal --prefix none --format {lib}");
    let crates = tree.words(features).stdout()?;
    ensure!(crates.trim() == "posenc\nposenc_runtime", "without the macro these are compiled:\n{crates}");
    Ok(())
}

/// Runs the examples, and tests how release builds treat subnormal numbers.
pub(crate) fn examples() -> Outcome {
    Run::line("cargo run --release --example attention").run()?;
    the_guide_has_the_differences(&Run::line("cargo run --release --example resolution").tee()?)?;
    the_guide_has_the_order(&Run::line("cargo run --release --package posenc-example-encoder").tee()?)?;
    suite_passes("--release --no-default-features --features inspect,std", &["subnormals::"])
}

/// The rows look like `14 -> 16, bicubic interpolation and a new table   1.6698   0.06904`.
fn the_guide_has_the_differences(printed: &str) -> Outcome {
    let rows = printed.lines().filter(|line| line.contains(" -> ")).map(|line| line.split_whitespace().collect());
    let rows: Vec<Vec<_>> = rows.collect();
    ensure!(rows.len() == 6, "{} rows are printed", rows.len());
    rows.iter().try_for_each(|row| {
        let (what, numbers) = row.split_at(row.len() - 2);
        let what = what.join(" ").replace(" -> ", " to ");
        compare::document_has("src/guide/grids.md", &format!("| {what} | {} |", numbers.join(" | ")))
    })
}

fn the_guide_has_the_order(printed: &str) -> Outcome {
    for (what, sentence) in [("without", "with differences of up to {} because"), ("with", "the outputs differ by {}.")]
    {
        let number = printed.lines().find_map(|line| line.trim().strip_prefix(&format!("{what} the encoding")));
        let number = number.context("the example does not print the differences")?;
        compare::document_has("src/guide/concepts.md", &sentence.replace("{}", number.trim()))?;
    }
    Ok(())
}

/// Runs the random tests with so many times as many cases.
pub(crate) fn effort(times: u32) -> Outcome {
    let packages = ["suite", "posenc-runtime", "posenc-identify", "posenc-cli", "posenc-macros-core", "random-specs"];
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let tests = Run::line("cargo test --lib --tests").args(packages).words("-- --include-ignored");
    with_other_programs(tests)?.env("POSENC_TEST_EFFORT", times.to_string()).run()
}

/// Rewrites the expected results of the tests.
pub(crate) fn bless() -> Outcome {
    snapshots()?;
    let output = Run::line("cargo test --package ui").env("TRYBUILD", "overwrite").tee()?;
    let has_ignored = output.contains("... ignored");
    ensure!(!has_ignored, "the compile errors are those of another compiler, which tests/compiler/tests/ui.rs names");
    hashes::record()?;
    Run::line("cargo test --package corpus every_line").env("POSENC_RECORD", "1").run()?;
    Run::line("git status --short").run()
}

/// Updates the snapshot files, and then the inline snapshots, which only cargo-insta writes.
fn snapshots() -> Outcome {
    // The list of public functions, which the next command reads.
    accepting(Run::line("cargo test --package bad-input -- --ignored")).run()?;
    accepting(Run::line("cargo test --package bad-input --package posenc-macros-core")).run()?;
    accepting(suite("", &["snapshots::", "explain::", "properties::"])).run()?;
    if workspace::files("*.pending-snap")?.is_empty() {
        return Ok(());
    }
    install::cargo_subcommand("insta")?;
    Run::line("cargo insta accept --workspace").run()
}

fn accepting(run: Run) -> Run {
    run.env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1")
}

/// Returns a run of the integration tests, the package `suite`, limited to tests that match one of the filters.
pub(crate) fn suite(options: &str, filters: &[&str]) -> Run {
    Run::line("cargo test --package suite").words(options).arg("--").args(filters)
}

/// Runs these modules of the suite, and fails if a test fails or a module has no tests.
pub(crate) fn suite_passes(options: &str, modules: &[&str]) -> Outcome {
    check_modules(&suite(options, modules).tee()?, modules)
}

/// Fails if one of the modules of the suite, such as `golden::`, has no passing test.
pub(crate) fn check_modules(output: &str, modules: &[&str]) -> Outcome {
    let passed = output.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... ok"));
    let passed: Vec<_> = passed.map(|test| format!("::{test}")).collect();
    for module in modules {
        let has_passed = passed.iter().any(|test| test.contains(&format!("::{module}")));
        ensure!(has_passed, "suite: no test of {module} has run");
    }
    Ok(())
}

/// Adds up the numbers in the lines `test result: ok. 12 passed; ...`.
pub(crate) fn passed(output: &str) -> u64 {
    let counts = output.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next());
    counts.filter_map(|count| count.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::{check_modules, passed};

    #[test]
    fn passed_tests_are_added_up_and_belong_to_modules() {
        let output = "test bits_are_right::golden::grid ... ok\ntest golden_two::other ... FAILED\n\
                      test result: ok. 12 passed; 0 failed; 1 ignored\ntest result: FAILED. 100 passed; 1 failed\n\
                      test result: ok. 3 passed; 0 failed\n";
        assert_eq!(passed(output), 15);
        assert!(check_modules(output, &["golden::"]).is_ok());
        assert!(check_modules(output, &["golden::", "golden_two::"]).is_err());
        assert!(check_modules(output, &["right::golden::"]).is_err());
    }
}
