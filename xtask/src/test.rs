//! Runs the tests of the workspace, also with other features and with more random cases.

use std::env;
use std::iter;

use crate::command::{Run, has_program};
use crate::failure::{Failure, Outcome, ensure};
use crate::{check, install, suite, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also test sets of features, in release mode, and ten times as many random cases (15 min)
    #[arg(long)]
    full: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    workspace_tests()?;
    if arguments.full {
        features()?;
        examples()?;
        effort()?;
    }
    Ok(())
}

/// Runs the command of the README, and then the tests that it ignores because they need other programs.
///
/// The packages share their features: `half`, `macros` and `rayon` are enabled.
pub(crate) fn workspace_tests() -> Outcome {
    workspace::readme_command(workspace::TEST).run()?;
    with_other_programs(Run::cargo("test").args(["--workspace", "--test", "command", "--", "--ignored"]))?.run()
}

/// Installs what the ignored tests of the command-line tool need, and returns a run that finds it.
fn with_other_programs(run: Run) -> Outcome<Run> {
    for (program, package) in [("bash", "bash"), ("c++", "g++")] {
        if !has_program(program) && !install::debian(&[package]) {
            return Err(Failure::unavailable(format_args!("`{program}` is missing and cannot be installed")));
        }
    }
    let python = install::python_with("numpy")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = iter::once(python.with_file_name("")).chain(env::split_paths(&path));
    Ok(run.env("PATH", env::join_paths(folders).map_err(Failure::failed)?))
}

/// Tests without the standard library, with each feature alone, and with all features.
pub(crate) fn features() -> Outcome {
    for feature in ["alloc", "std", "inspect"] {
        check::libraries_without_default_features(&["--features", feature])?;
    }
    posenc_with("macros")?;
    without_the_macro_there_are_no_dependencies()?;
    let std = ["--no-default-features", "--features", "std"];
    Run::cargo("test").args(["--package", "posenc"]).args(std).run()?;
    suite::passes(&std, &["golden::", "fast_tier::"])?;
    Run::cargo("test").args(["--package", "posenc", "--package", "posenc-runtime", "--all-features", "--doc"]).run()?;
    Run::cargo("test").args(["--package", "ui", "--no-default-features"]).run()?;
    Run::cargo("test").args(["--package", "ui", "--features", "half"]).run()
}

/// Tests the suite and the doc tests of the facade with one feature alone.
fn posenc_with(feature: &str) -> Outcome {
    let packages = ["--package", "posenc", "--package", "suite"];
    Run::cargo("test").args(packages).args(["--no-default-features", "--features", feature]).run()
}

fn without_the_macro_there_are_no_dependencies() -> Outcome {
    let tree = Run::cargo("tree").args(["--package", "posenc", "--edges", "normal", "--prefix", "none"]);
    let crates = tree.args(["--no-default-features", "--features", "std", "--format", "{lib}"]).stdout()?;
    ensure(crates.trim() == "posenc\nposenc_runtime", || format!("without the macro these are compiled:\n{crates}"))
}

/// Runs the examples, and tests how release builds treat subnormal numbers.
pub(crate) fn examples() -> Outcome {
    Run::cargo("run").args(["--release", "--example", "attention"]).run()?;
    Run::cargo("run").args(["--release", "--example", "resolution"]).run()?;
    Run::cargo("run").args(["--release", "--package", "posenc-example-encoder"]).run()?;
    suite::passes(&["--release", "--no-default-features", "--features", "inspect,std"], &["subnormals::"])
}

/// Runs the random tests with ten times as many cases.
pub(crate) fn effort() -> Outcome {
    let packages = ["suite", "posenc-runtime", "posenc-cli", "posenc-macros-core", "random-specs"];
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let tests = Run::cargo("test").args(packages).args(["--lib", "--tests", "--", "--include-ignored"]);
    with_other_programs(tests)?.env("POSENC_TEST_EFFORT", "10").run()
}
