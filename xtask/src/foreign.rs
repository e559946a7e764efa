//! Runs the tests of the bits for other targets, in an emulator if necessary.

use crate::cargo_test::{check_modules, suite};
use crate::emulator::Emulator;
use crate::run::{Outcome, Run, Skipped};

/// The modules of the suite that run everywhere: they compare bits of tables from every entry point and tier.
const MODULES: [&str; 4] = ["agreement::", "fast_tier::", "golden::", "snapshots::"];

/// The modules that also run for 32-bit x86, whose programs most machines run directly.
///
/// Their arithmetic is in integers, or their entries are others of the same formula. They would take an emulator minutes.
const MODULES_OF_I686: [&str; 4] = ["oracle::", "properties::", "translation::", "wavelengths::"];

/// The part of CI. Most machines run programs for i686 directly.
pub(crate) fn sample() -> Outcome {
    test("i686", &[], "")
}

pub(crate) fn run() -> Outcome {
    let mut skipped = Skipped::default();
    // A big-endian architecture, a 32-bit one, and one that fuses multiplications and additions, which has tests of its
    // own.
    skipped.check("foreign", test("s390x", &[], ""))?;
    skipped.check("foreign", test("i686", &MODULES_OF_I686, "--package build-script --package random-specs"))?;
    skipped.check("foreign", test("aarch64", &["subnormals::"], ""))?;
    skipped.finish()
}

/// Tests [`MODULES`] and more modules of the suite, and packages, for one architecture. The macro runs on this machine.
fn test(architecture: &str, more: &[&str], packages: &str) -> Outcome {
    let emulator = Emulator::of(architecture)?;
    println!("{} under {}", emulator.target, emulator.name());
    // Of the dependencies, only those that Cargo.toml names are worth being optimised.
    let target = format!(r#"--target {} --config profile.dev.package."*".opt-level=0"#, emulator.target);
    // The tests compute much, also in code of their own: an emulator takes twice as long without optimisation.
    let prepared = |run: Run| run.envs(emulator.envs()).env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    let test = |options: &str| prepared(Run::line("cargo test").words(&target).words(options)).run();
    test("--package posenc-runtime --lib")?;
    if !packages.is_empty() {
        test(packages)?;
    }
    let modules = [&MODULES, more].concat();
    let suite = suite(&format!("{target} --no-default-features --features inspect,macros,std"), &modules);
    check_modules(&prepared(suite).tee()?, &modules)
}
