//! Runs programs and tests for other architectures, in an emulator if necessary.

use std::ffi::OsString;

use crate::install;
use crate::run::{Context, Outcome, Run, Skipped, ensure_available, root};
use crate::test::{check_modules, suite};
use crate::workspace::target_variable;

/// The architectures whose programs run here, beside `wasm32`, in an emulator if necessary: the name, the target, the
/// prefix of Debian's cross compiler, the emulator, and Debian's package of the C library.
const ARCHITECTURES: [[&str; 5]; 4] = [
    ["aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu", "qemu-aarch64", "libc6-dev-arm64-cross"],
    ["armv7", "armv7-unknown-linux-gnueabihf", "arm-linux-gnueabihf", "qemu-arm", "libc6-dev-armhf-cross"],
    ["i686", "i686-unknown-linux-gnu", "i686-linux-gnu", "qemu-i386", "libc6-dev-i386-cross"],
    ["s390x", "s390x-unknown-linux-gnu", "s390x-linux-gnu", "qemu-s390x", "libc6-dev-s390x-cross"],
];

/// The tools to build programs for an architecture and to run them.
pub(crate) struct Emulator {
    pub(crate) target: &'static str,
    /// A linker other than the compiler's own.
    linker: Option<String>,
    runner: String,
}

impl Emulator {
    /// Installs the missing tools for an architecture.
    pub(crate) fn of(name: &str) -> Outcome<Self> {
        if name == "wasm32" {
            let target = "wasm32-wasip1";
            install::rustup("target", target)?;
            install::programs(&["node"], &["nodejs"])?;
            let script = root().join("tests/hashes/wasi.mjs");
            let runner = format!("node --no-warnings {}", script.display());
            return Ok(Self { target, linker: None, runner });
        }
        ensure_available(cfg!(target_os = "linux"), "emulators are set up on Linux only")?;
        let row = ARCHITECTURES.iter().find(|row| row[0] == name);
        let [_, target, triple, qemu, library] = *row.with_context(|| format!("there is no emulator of {name}"))?;
        install::rustup("target", target)?;
        let linker = format!("{triple}-gcc");
        install::programs(&[qemu, &linker], &["qemu-user", &format!("gcc-{triple}"), library])?;
        let libraries = format!("/usr/{triple}");
        // Most x86-64 machines run 32-bit programs directly, ten times as fast as QEMU.
        let loader = format!("{libraries}/lib/ld-linux.so.2");
        let runner = if name == "i686" && Run::new(&loader).arg("--version").succeeds() {
            format!("{loader} --library-path {libraries}/lib")
        } else {
            format!("{qemu} -L {libraries}")
        };
        Ok(Self { target, linker: Some(linker), runner })
    }

    /// Returns the environment variables that configure cargo.
    pub(crate) fn envs(&self) -> Vec<(String, OsString)> {
        let variables = [("LINKER", self.linker.as_ref()), ("RUNNER", Some(&self.runner))];
        let variables = variables.iter().filter_map(|(what, value)| Some((what, (*value)?.into())));
        variables.map(|(what, value)| (target_variable(self.target, what), value)).collect()
    }

    /// Returns the program that runs the others.
    pub(crate) fn name(&self) -> &str {
        self.runner.split(' ').next().unwrap_or(&self.runner)
    }
}

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
