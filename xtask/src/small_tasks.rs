//! Tasks of a few commands.

use std::ffi::OsString;

use crate::run::{Context, Outcome, Run, root};
use crate::small_machine::{self, TARGET};
use crate::{check, compare, install, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Arguments of the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Runs the first command of the README, which has two of the numbers that it prints.
pub(crate) fn quickstart() -> Outcome {
    let printed = Run::line(workspace::QUICKSTART).tee()?;
    let between = |before: &str, after: &str| Some(printed.split_once(before)?.1.split_once(after)?.0);
    let numbers = between("In that table, ", " % of the entries").zip(between("The largest error is ", ".\n"));
    let (share, error) = numbers.context("the example does not print the errors")?;
    compare::document_has(
        "README.md",
        &format!("gets {share} % of the entries of a 4096 x 512 table wrong, by up to {error},"),
    )
}

/// Builds without `std` and an allocator: for this target, and whole programs for a bare-metal one.
pub(crate) fn bare_metal() -> Outcome {
    Run::line("cargo build --package posenc --no-default-features").run()?;
    small_machine::run()?;
    let programs = "--manifest-path tests/bare-metal/Cargo.toml --target-dir target/small-machine --target";
    check::clippy(&format!("{programs} {TARGET}")).run()?;
    let macros = "cargo build --package posenc --no-default-features --features macros --target";
    Run::line(macros).arg(TARGET).run()
}

/// Checks that constants and golden bits are what their programs compute.
pub(crate) fn constants() -> Outcome {
    let python = install::python_with("mpmath==1.3.0")?;
    let scripts = ["constants", "golden", "golden_rotary", "golden_axial", "golden_grids", "golden_integers"];
    scripts.iter().try_for_each(|script| Run::new(&python).words(&format!("scripts/{script}.py --check")).run())
}

/// Builds the libraries and the expansions of the macro with the oldest compiler.
pub(crate) fn oldest_compiler() -> Outcome {
    let rustc = install::oldest_rustc()?;
    let libraries = ["posenc", "posenc-macros", "posenc-macros-core", "posenc-runtime"];
    let libraries = libraries.map(|library| format!(" --package {library}")).concat();
    for options in [&format!("--all-features{libraries}"), "--package hygiene-* --package build-script"] {
        let check = Run::line("cargo check").words(options).env("RUSTC", &rustc);
        check.env("CARGO_TARGET_DIR", root().join("target/msrv")).run()?;
    }
    Ok(())
}

const GALLERY: &str = "--release --manifest-path examples/gallery/Cargo.toml --target-dir target/gallery";

/// Draws the pictures, and runs clippy on the program that draws them.
pub(crate) fn gallery_part() -> Outcome {
    drawing(&["target/gallery/pictures".into()])?.run()?;
    check::clippy(GALLERY).run()
}

pub(crate) fn gallery(arguments: &Arguments) -> Outcome {
    drawing(&arguments.rest)?.run()
}

/// Returns a run of the program that draws.
pub(crate) fn drawing(arguments: &[OsString]) -> Outcome<Run> {
    install::dependencies("examples/gallery/Cargo.toml", "")?;
    Ok(Run::line("cargo run").words(GALLERY).arg("--").args(arguments))
}
