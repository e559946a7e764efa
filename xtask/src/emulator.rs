//! Runs programs for other architectures in an emulator.

use std::ffi::OsString;

use crate::install;
use crate::run::{Context, Outcome, Run, ensure_available, root};
use crate::workspace::target_variable;

/// The architectures whose programs run here, in an emulator if necessary: the name, the target, the prefix of Debian's
/// cross compiler, the emulator, and Debian's package of the C library.
const ARCHITECTURES: [[&str; 5]; 4] = [
    ["aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu", "qemu-aarch64", "libc6-dev-arm64-cross"],
    ["armv7", "armv7-unknown-linux-gnueabihf", "arm-linux-gnueabihf", "qemu-arm", "libc6-dev-armhf-cross"],
    ["i686", "i686-unknown-linux-gnu", "i686-linux-gnu", "qemu-i386", "libc6-dev-i386-cross"],
    ["s390x", "s390x-unknown-linux-gnu", "s390x-linux-gnu", "qemu-s390x", "libc6-dev-s390x-cross"],
];

/// The target of the architecture `wasm32`, whose programs Node runs.
const WASM32: &str = "wasm32-wasip1";

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
        if name == "wasm32" { Self::of_wasm32() } else { Self::of_linux(name) }
    }

    fn of_wasm32() -> Outcome<Self> {
        install::target(WASM32)?;
        install::programs(&["node"], &["nodejs"])?;
        let script = root().join("tests/hashes/wasi.mjs");
        Ok(Self { target: WASM32, linker: None, runner: format!("node --no-warnings {}", script.display()) })
    }

    fn of_linux(name: &str) -> Outcome<Self> {
        ensure_available(cfg!(target_os = "linux"), "emulators are set up on Linux only")?;
        let row = ARCHITECTURES.iter().find(|row| row[0] == name);
        let [_, target, triple, qemu, library] = *row.with_context(|| format!("there is no emulator of {name}"))?;
        install::target(target)?;
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
