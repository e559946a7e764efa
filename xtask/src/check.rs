//! Format, lints and docs.

use crate::run::{Outcome, Run};
use crate::workspace::SEPARATE;

pub(crate) fn format() -> Outcome {
    Run::line("cargo fmt --all --check").run()?;
    let format = |package| Run::line(&format!("cargo fmt --check --manifest-path {package}/Cargo.toml")).run();
    SEPARATE.into_iter().try_for_each(format)
}

pub(crate) fn lints() -> Outcome {
    clippy("--workspace --all-targets").run()?;
    clippy("--package posenc --package posenc-runtime --package suite --all-targets --all-features").run()?;
    libraries_with("").run()?;
    // `benches` is linted without the libraries that it compares with.
    clippy_of_separate("benches", "--no-default-features").run()?;
    clippy_of_separate("tests/hashes", "").run()?;
    // maturin sets the first variable. With the second one, no interpreter is needed.
    let python = clippy_of_separate("python", "--locked").env("PYO3_BUILD_EXTENSION_MODULE", "1");
    python.env("PYO3_NO_PYTHON", "1").run()
}

/// Lints the libraries without their default features.
pub(crate) fn libraries_with(features: &str) -> Run {
    clippy(&format!("--package posenc --package posenc-runtime --no-default-features {features}"))
}

/// Lints a package that is its own workspace. What it shares with the others is checked once.
pub(crate) fn clippy_of_separate(package: &str, options: &str) -> Run {
    clippy(&format!("--manifest-path {package}/Cargo.toml --target-dir target --all-targets {options}"))
}

/// The last arguments of `cargo clippy`.
pub(crate) const WARNINGS_FAIL: &str = "-- -D warnings";

/// Returns a run of clippy that fails on any warning.
pub(crate) fn clippy(options: &str) -> Run {
    Run::line("cargo clippy").words(options).words(WARNINGS_FAIL)
}

pub(crate) fn docs() -> Outcome {
    let libraries = "--package posenc --package posenc-runtime";
    for options in ["--workspace --all-features", libraries, &format!("{libraries} --no-default-features")] {
        Run::line("cargo doc --no-deps").words(options).env("RUSTDOCFLAGS", "-D warnings").run()?;
    }
    Ok(())
}
