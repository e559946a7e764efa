//! Runs programs for other architectures in an emulator.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::ValueEnum;

use crate::command::has_program;
use crate::failure::{Failure, Outcome};
use crate::install;

/// An architecture whose programs run here, in an emulator if necessary.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Architecture {
    Aarch64,
    /// 32-bit Arm with hard floats
    Armv7,
    /// 32-bit x86
    I686,
    /// Big-endian
    S390x,
}

impl Architecture {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Aarch64 => "aarch64",
            Self::Armv7 => "armv7",
            Self::I686 => "i686",
            Self::S390x => "s390x",
        }
    }

    fn target(self) -> String {
        let environment = if self == Self::Armv7 { "gnueabihf" } else { "gnu" };
        format!("{}-unknown-linux-{environment}", self.name())
    }

    /// Returns the prefix of Debian's cross compiler.
    fn triple(self) -> &'static str {
        match self {
            Self::Aarch64 => "aarch64-linux-gnu",
            Self::Armv7 => "arm-linux-gnueabihf",
            Self::I686 => "i686-linux-gnu",
            Self::S390x => "s390x-linux-gnu",
        }
    }

    fn qemu(self) -> &'static str {
        match self {
            Self::Aarch64 => "qemu-aarch64",
            Self::Armv7 => "qemu-arm",
            Self::I686 => "qemu-i386",
            Self::S390x => "qemu-s390x",
        }
    }

    /// Returns Debian's package of the C library.
    fn library(self) -> &'static str {
        match self {
            Self::Aarch64 => "libc6-dev-arm64-cross",
            Self::Armv7 => "libc6-dev-armhf-cross",
            Self::I686 => "libc6-dev-i386-cross",
            Self::S390x => "libc6-dev-s390x-cross",
        }
    }

    /// Installs the missing tools.
    pub(crate) fn prepare(self) -> Outcome<Emulator> {
        if !cfg!(target_os = "linux") {
            return Err(Failure::unavailable(format_args!("{}: emulators are set up on Linux only", self.name())));
        }
        let target = self.target();
        install::target(&target)?;
        let linker = format!("{}-gcc", self.triple());
        if !(has_program(self.qemu()) && has_program(&linker)) {
            let gcc = format!("gcc-{}", self.triple());
            if !install::debian(&["qemu-user", &gcc, self.library()]) {
                return Err(Failure::unavailable(format_args!("no {} or {linker}", self.qemu())));
            }
        }
        Ok(Emulator { target, linker, runner: self.runner() })
    }

    fn runner(self) -> String {
        // Most x86-64 machines run 32-bit programs directly, ten times as fast as QEMU.
        let libraries = "/usr/i686-linux-gnu/lib";
        let loader = format!("{libraries}/ld-linux.so.2");
        if self == Self::I686 && runs(&loader) {
            return format!("{loader} --library-path {libraries}");
        }
        format!("{} -L /usr/{}", self.qemu(), self.triple())
    }
}

fn runs(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Path::new(program).exists() && command.status().is_ok_and(|status| status.success())
}

/// The tools to build programs for an architecture and to run them.
pub(crate) struct Emulator {
    pub(crate) target: String,
    linker: String,
    runner: String,
}

impl Emulator {
    /// Returns the environment variables that configure cargo.
    pub(crate) fn envs(&self) -> [(String, OsString); 2] {
        let target = self.target.to_uppercase().replace('-', "_");
        [
            (format!("CARGO_TARGET_{target}_LINKER"), self.linker.clone().into()),
            (format!("CARGO_TARGET_{target}_RUNNER"), self.runner.clone().into()),
        ]
    }

    /// Returns the program that runs the others.
    pub(crate) fn name(&self) -> &str {
        self.runner.split(' ').next().unwrap_or(&self.runner)
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{Architecture, Emulator};

    #[test]
    fn cargo_is_told_by_variables_named_after_the_target() {
        let emulator = Emulator {
            target: Architecture::Armv7.target(),
            linker: "arm-linux-gnueabihf-gcc".to_owned(),
            runner: "qemu-arm -L /usr/arm-linux-gnueabihf".to_owned(),
        };
        let names = emulator.envs().map(|(name, _)| name);
        assert_eq!(names[0], "CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_LINKER");
        assert_eq!(names[1], "CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_RUNNER");
        assert_eq!(emulator.name(), "qemu-arm");
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        for architecture in Architecture::value_variants() {
            assert_eq!(architecture.to_possible_value().unwrap().get_name(), architecture.name());
        }
    }
}
