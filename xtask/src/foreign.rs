//! Runs the tests of the bits for other targets, in an emulator if necessary.

use crate::command::Run;
use crate::emulator::Emulator;
use crate::failure::{Outcome, Skipped};
use crate::suite;

/// The modules of the suite that run everywhere: they compare bits of tables from every entry point and tier.
const MODULES: [&str; 4] = ["agreement::", "fast_tier::", "golden::", "snapshots::"];

/// The modules that also run for 32-bit x86, whose programs most machines run directly.
///
/// Their arithmetic is in integers, or their entries are others of the same formula. They would take an emulator minutes.
const MODULES_OF_I686: [&str; 4] = ["oracle::", "properties::", "translation::", "wavelengths::"];

/// The part of CI. Most machines run programs for i686 directly.
pub(crate) fn sample() -> Outcome {
    test("i686", &MODULES, &[])
}

pub(crate) fn run() -> Outcome {
    let mut skipped = Skipped::default();
    // A big-endian architecture, a 32-bit one, and one that fuses multiplications and additions.
    for architecture in ["s390x", "i686", "aarch64"] {
        let (more, packages): (&[&str], &[&str]) = match architecture {
            "aarch64" => (&["subnormals::"], &[]), // it has tests for this architecture
            "i686" => (&MODULES_OF_I686, &["--package=build-script", "--package=random-specs"]),
            _ => (&[], &[]),
        };
        skipped.check("foreign", test(architecture, &[&MODULES, more].concat(), packages))?;
    }
    skipped.finish()
}

/// Tests modules of the suite, and packages, for one architecture. The macro runs on this machine.
fn test(architecture: &str, modules: &[&str], packages: &[&str]) -> Outcome {
    let emulator = Emulator::of(architecture)?;
    println!("{} under {}", emulator.target, emulator.name());
    // Of the dependencies, only those that Cargo.toml names are worth being optimised.
    let target = ["--target", emulator.target, "--config", r#"profile.dev.package."*".opt-level=0"#];
    // The tests compute much, also in code of their own: an emulator takes twice as long without optimisation.
    let prepared = |run: Run| run.envs(emulator.envs()).env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    let test = |options: &[&str]| prepared(Run::cargo("test").args(target).args(options)).run();
    test(&["--package", "posenc-runtime", "--lib"])?;
    if !packages.is_empty() {
        test(packages)?;
    }
    let options = [&target[..], &["--no-default-features", "--features", "inspect,macros,std"]].concat();
    suite::check_modules(&prepared(suite::run(&options, modules)).tee()?, modules)
}
