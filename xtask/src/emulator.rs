//! Runs programs for other architectures in an emulator.

use std::ffi::OsString;

use crate::command::{Run, has_program};
use crate::failure::{Failure, Outcome, ensure_available};
use crate::install;

/// An architecture whose programs run here, in an emulator if necessary.
struct Architecture {
    name: &'static str,
    target: &'static str,
    /// The prefix of Debian's cross compiler.
    triple: &'static str,
    qemu: &'static str,
    /// Debian's package of the C library.
    library: &'static str,
}

const ARCHITECTURES: [Architecture; 4] = [
    Architecture {
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        triple: "aarch64-linux-gnu",
        qemu: "qemu-aarch64",
        library: "libc6-dev-arm64-cross",
    },
    Architecture {
        name: "armv7",
        target: "armv7-unknown-linux-gnueabihf",
        triple: "arm-linux-gnueabihf",
        qemu: "qemu-arm",
        library: "libc6-dev-armhf-cross",
    },
    Architecture {
        name: "i686",
        target: "i686-unknown-linux-gnu",
        triple: "i686-linux-gnu",
        qemu: "qemu-i386",
        library: "libc6-dev-i386-cross",
    },
    Architecture {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        triple: "s390x-linux-gnu",
        qemu: "qemu-s390x",
        library: "libc6-dev-s390x-cross",
    },
];

/// The tools to build programs for an architecture and to run them.
pub(crate) struct Emulator {
    pub(crate) target: &'static str,
    linker: String,
    runner: String,
}

impl Emulator {
    /// Installs the missing tools for an architecture.
    pub(crate) fn of(name: &str) -> Outcome<Self> {
        ensure_available(cfg!(target_os = "linux"), "emulators are set up on Linux only")?;
        let Some(Architecture { target, triple, qemu, library, .. }) = ARCHITECTURES.iter().find(|of| of.name == name)
        else {
            return Err(Failure::failed(format_args!("there is no emulator of {name}")));
        };
        install::target(target)?;
        let linker = format!("{triple}-gcc");
        let is_there = || has_program(qemu) && has_program(&linker);
        let installed = is_there() || install::debian(&["qemu-user", &format!("gcc-{triple}"), library]);
        ensure_available(installed, &format!("no {qemu} or {linker}"))?;
        let libraries = format!("/usr/{triple}");
        // Most x86-64 machines run 32-bit programs directly, ten times as fast as QEMU.
        let loader = format!("{libraries}/lib/ld-linux.so.2");
        let runner = if name == "i686" && Run::new(&loader).arg("--version").succeeds() {
            format!("{loader} --library-path {libraries}/lib")
        } else {
            format!("{qemu} -L {libraries}")
        };
        Ok(Self { target, linker, runner })
    }

    /// Returns the environment variables that configure cargo.
    pub(crate) fn envs(&self) -> [(String, OsString); 2] {
        let variable = |what| format!("CARGO_TARGET_{}_{what}", self.target.to_uppercase().replace('-', "_"));
        [(variable("LINKER"), self.linker.clone().into()), (variable("RUNNER"), self.runner.clone().into())]
    }

    /// Returns the program that runs the others.
    pub(crate) fn name(&self) -> &str {
        self.runner.split(' ').next().unwrap_or(&self.runner)
    }
}

#[cfg(test)]
mod tests {
    use super::Emulator;

    #[test]
    fn cargo_is_told_by_variables_named_after_the_target() {
        let [linker, runner] = ["arm-linux-gnueabihf-gcc", "qemu-arm -L /usr/arm-linux-gnueabihf"].map(str::to_owned);
        let emulator = Emulator { target: "armv7-unknown-linux-gnueabihf", linker, runner };
        let names = emulator.envs().map(|(name, _)| name);
        let expected = ["LINKER", "RUNNER"].map(|what| format!("CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_{what}"));
        assert_eq!(names, expected);
        assert_eq!(emulator.name(), "qemu-arm");
    }
}
