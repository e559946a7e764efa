//! Format, lints and docs.

use crate::command::Run;
use crate::failure::Outcome;
use crate::workspace::SEPARATE;

pub(crate) fn format() -> Outcome {
    Run::cargo("fmt").args(["--all", "--check"]).run()?;
    for package in SEPARATE {
        Run::cargo("fmt").args(["--check", "--manifest-path", &format!("{package}/Cargo.toml")]).run()?;
    }
    Ok(())
}

pub(crate) fn lints() -> Outcome {
    clippy(&["--workspace", "--all-targets"])?;
    clippy(&[
        "--package",
        "posenc",
        "--package",
        "posenc-runtime",
        "--package",
        "suite",
        "--all-targets",
        "--all-features",
    ])?;
    libraries_without_default_features(&[])?;
    // `benches` is linted without the libraries that it compares with.
    separate("benches", &["--no-default-features"])?;
    separate("tests/hashes", &[])?;
    // maturin sets the first variable. With the second one, no interpreter is needed.
    let python = clippy_of_separate("python", &["--locked"]).env("PYO3_BUILD_EXTENSION_MODULE", "1");
    python.env("PYO3_NO_PYTHON", "1").run()
}

/// Lints the libraries with these features and no others.
pub(crate) fn libraries_without_default_features(options: &[&str]) -> Outcome {
    clippy(&[&["--package", "posenc", "--package", "posenc-runtime", "--no-default-features"], options].concat())
}

/// Lints a package that is its own workspace. What it shares with the others is checked once.
pub(crate) fn separate(package: &str, options: &[&str]) -> Outcome {
    clippy_of_separate(package, options).run()
}

fn clippy_of_separate(package: &str, options: &[&str]) -> Run {
    let manifest = format!("{package}/Cargo.toml");
    clippy_run(&[&["--manifest-path", &manifest, "--target-dir", "target", "--all-targets"], options].concat())
}

/// The last arguments of `cargo clippy`.
pub(crate) const WARNINGS_FAIL: [&str; 3] = ["--", "-D", "warnings"];

/// Runs clippy and fails on any warning.
pub(crate) fn clippy(options: &[&str]) -> Outcome {
    clippy_run(options).run()
}

fn clippy_run(options: &[&str]) -> Run {
    Run::cargo("clippy").args(options).args(WARNINGS_FAIL)
}

pub(crate) fn docs() -> Outcome {
    let doc = |arguments: &[&str]| {
        Run::cargo("doc").arg("--no-deps").args(arguments).env("RUSTDOCFLAGS", "-D warnings").run()
    };
    doc(&["--workspace", "--all-features"])?;
    doc(&["--package", "posenc", "--package", "posenc-runtime"])?;
    doc(&["--package", "posenc", "--package", "posenc-runtime", "--no-default-features"])
}
