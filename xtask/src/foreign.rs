//! Runs the tests of the bits for other targets, in an emulator if necessary.

use crate::command::Run;
use crate::emulator::Architecture;
use crate::failure::{Failure, Outcome, Skipped};
use crate::suite;

/// The modules of the suite that run everywhere: they compare bits of tables from every entry point and tier.
const MODULES: [&str; 4] = ["agreement::", "fast_tier::", "golden::", "snapshots::"];

/// The modules that also run for 32-bit x86, whose programs most machines run directly.
///
/// Their arithmetic is in integers, or their entries are others of the same formula. They would take an emulator minutes.
const MODULES_OF_I686: [&str; 4] = ["oracle::", "properties::", "translation::", "wavelengths::"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which architectures: a big-endian one, a 32-bit one, and one that fuses multiplications and additions
    #[arg(value_enum, default_values = ["s390x", "i686", "aarch64"])]
    architectures: Vec<Architecture>,
}

pub(crate) fn all() -> Outcome {
    test_each(&[Architecture::S390x, Architecture::I686, Architecture::Aarch64])
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    test_each(&arguments.architectures)
}

fn test_each(architectures: &[Architecture]) -> Outcome {
    let mut skipped = Skipped::default();
    for &architecture in architectures {
        match test(architecture) {
            Err(Failure::Unavailable(reason)) => skipped.add("foreign", reason),
            other => other?,
        }
    }
    skipped.finish()
}

/// Tests one architecture. The macro runs on this machine, and the program on the other.
fn test(architecture: Architecture) -> Outcome {
    let emulator = architecture.prepare()?;
    println!("{} under {}", emulator.target, emulator.name());
    // Of the dependencies, only those that Cargo.toml names are worth being optimised.
    let target = ["--target", &emulator.target, "--config", r#"profile.dev.package."*".opt-level=0"#];
    // The tests compute much, also in code of their own: an emulator takes twice as long without optimisation.
    let prepared = |run: Run| run.envs(emulator.envs()).env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    let test = |options: &[&str]| prepared(Run::cargo("test").args(target).args(options)).run();
    test(&["--package", "posenc-runtime", "--lib"])?;
    if architecture == Architecture::I686 {
        test(&["--package", "build-script", "--package", "random-specs"])?;
    }
    let options = [&target[..], &["--no-default-features", "--features", "inspect,macros,std"]].concat();
    let modules = modules(architecture);
    suite::check_modules(&prepared(suite::run(&options, &modules)).tee()?, &modules)
}

fn modules(architecture: Architecture) -> Vec<&'static str> {
    let more: &[&str] = match architecture {
        Architecture::Aarch64 => &["subnormals::"], // it has tests for this architecture
        Architecture::I686 => &MODULES_OF_I686,
        Architecture::Armv7 | Architecture::S390x => &[],
    };
    [&MODULES, more].concat()
}
