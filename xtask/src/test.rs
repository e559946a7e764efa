//! Runs the tests of the workspace, also with other features and with more random cases.

use std::env;
use std::iter;

use crate::command::Run;
use crate::failure::{Failure, Outcome, ensure};
use crate::{check, document, install, suite, workspace};

/// Runs the command of the README, and then the tests that it ignores because of what they need or how long they take.
///
/// The packages share their features: `half`, `macros` and `rayon` are enabled.
pub(crate) fn workspace_tests() -> Outcome {
    workspace::readme_command(workspace::TEST).run()?;
    let with_ignored =
        ["--workspace", "--test", "command", "--test", "bad-input", "--test", "rebuilds", "--", "--ignored"];
    with_other_programs(Run::cargo("test").args(with_ignored))?.run()
}

/// Installs what the ignored tests of the command-line tool need, and returns a run that finds it.
fn with_other_programs(run: Run) -> Outcome<Run> {
    install::programs(&["bash", "c++"], &["bash", "g++"])?;
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
    let macros = ["--no-default-features", "--features", "macros"];
    Run::cargo("test").args(["--package", "posenc", "--package", "suite"]).args(macros).run()?;
    without_the_macro_there_are_no_dependencies()?;
    let std = ["--no-default-features", "--features", "std"];
    Run::cargo("test").args(["--package", "posenc"]).args(std).run()?;
    suite::passes(&std, &["golden::", "fast_tier::"])?;
    Run::cargo("test").args(["--package", "posenc", "--package", "posenc-runtime", "--all-features", "--doc"]).run()?;
    Run::cargo("test").args(["--package", "ui", "--no-default-features"]).run()?;
    Run::cargo("test").args(["--package", "ui", "--features", "half"]).run()
}

fn without_the_macro_there_are_no_dependencies() -> Outcome {
    let tree = Run::cargo("tree").args(["--package", "posenc", "--edges", "normal", "--prefix", "none"]);
    let crates = tree.args(["--no-default-features", "--features", "std", "--format", "{lib}"]).stdout()?;
    ensure(crates.trim() == "posenc\nposenc_runtime", || format!("without the macro these are compiled:\n{crates}"))
}

/// Runs the examples, and tests how release builds treat subnormal numbers.
pub(crate) fn examples() -> Outcome {
    let example = |name: &[&str]| Run::cargo("run").arg("--release").args(name);
    example(&["--example", "attention"]).run()?;
    the_guide_has_the_differences(&example(&["--example", "resolution"]).tee()?)?;
    the_guide_has_the_order(&example(&["--package", "posenc-example-encoder"]).tee()?)?;
    suite::passes(&["--release", "--no-default-features", "--features", "inspect,std"], &["subnormals::"])
}

/// The rows look like `14 -> 16, bicubic interpolation and a new table   1.6698   0.06904`.
fn the_guide_has_the_differences(printed: &str) -> Outcome {
    let rows: Vec<Vec<_>> =
        printed.lines().filter(|line| line.contains(" -> ")).map(|line| line.split_whitespace().collect()).collect();
    ensure(rows.len() == 6, || format!("{} rows are printed", rows.len()))?;
    rows.iter().try_for_each(|row| {
        let (what, numbers) = row.split_at(row.len() - 2);
        let what = what.join(" ").replace(" -> ", " to ");
        document::has("src/guide/grids.md", &format!("| {what} | {} |", numbers.join(" | ")))
    })
}

fn the_guide_has_the_order(printed: &str) -> Outcome {
    for (what, sentence) in [("without", "with differences of up to {} because"), ("with", "the outputs differ by {}.")]
    {
        let number = printed.lines().find_map(|line| line.trim().strip_prefix(&format!("{what} the encoding")));
        let number = number.ok_or_else(|| Failure::failed("the example does not print the differences"))?;
        document::has("src/guide/concepts.md", &sentence.replace("{}", number.trim()))?;
    }
    Ok(())
}

/// Runs the random tests with so many times as many cases.
pub(crate) fn effort(times: u32) -> Outcome {
    let packages = ["suite", "posenc-runtime", "posenc-identify", "posenc-cli", "posenc-macros-core", "random-specs"];
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let tests = Run::cargo("test").args(packages).args(["--lib", "--tests", "--", "--include-ignored"]);
    with_other_programs(tests)?.env("POSENC_TEST_EFFORT", times.to_string()).run()
}
