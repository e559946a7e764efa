//! Runs the example for microcontrollers on boards that QEMU emulates, and reads its object code.
//!
//! None of these processors has a floating-point unit, so floats would show as functions that compute them.

use std::path::Path;
use std::time::Duration;

use crate::built::executable;
use crate::run::{Outcome, Run, Skipped, ensure, ensure_available, has_program, root};
use crate::small_machine::program::{Function, Program};
use crate::{check, compare, install};

const PACKAGE: &str = "examples/microcontroller";
const NAME: &str = "microcontroller";

/// The section of the table.
const TABLE: &str = ".posenc";
/// The other sections in flash.
const CODE: [&str; 3] = [".start", ".text", ".rodata"];

/// How long a program may run. It takes less than a second, but one that fails may never end.
const LIMIT: Duration = Duration::from_secs(60);

/// A kind of processor. The package's `.cargo/config.toml` says on which board QEMU runs its programs.
struct Processor {
    name: &'static str,
    target: &'static str,
    emulator: &'static str,
}

const PROCESSORS: [Processor; 3] = [
    Processor { name: "Cortex-M0", target: "thumbv6m-none-eabi", emulator: "qemu-system-arm" },
    Processor {
        name: "Cortex-M4 without its floating-point unit",
        target: "thumbv7em-none-eabi",
        emulator: "qemu-system-arm",
    },
    Processor { name: "RV32IMC", target: "riscv32imc-unknown-none-elf", emulator: "qemu-system-riscv32" },
];

/// The packages of the emulators in several releases of Debian.
const PACKAGES: [&str; 3] = ["qemu-system-arm", "qemu-system-riscv", "qemu-system-misc"];

pub(crate) fn run() -> Outcome {
    let target_dir = root().join("target/microcontroller");
    install::dependencies(&format!("{PACKAGE}/Cargo.toml"), "")?;
    let mut skipped = Skipped::default();
    PROCESSORS.iter().try_for_each(|processor| skipped.check(NAME, processor.check(&target_dir)))?;
    skipped.finish()
}

impl Processor {
    /// Builds the program, reads it and runs it.
    fn check(&self, target_dir: &Path) -> Outcome {
        install::rustup("target", self.target)?;
        let cargo = |subcommand: &str| {
            // The runner is in the package's configuration.
            let run = Run::line("cargo").words(subcommand).dir(&root().join(PACKAGE)).without_compiler_flags();
            run.args(["--release", "--target", self.target, "--target-dir"]).arg(target_dir)
        };
        let program = executable(cargo("build --quiet"))?;
        cargo("clippy").words(check::WARNINGS_FAIL).run()?;
        self.report(&Program::read(&program)?)?;
        let is_there = || has_program(self.emulator);
        let installed = is_there() || PACKAGES.iter().any(|package| install::debian(&[package]) && is_there());
        ensure_available(installed, format_args!("no {}", self.emulator))?;
        let succeeds = cargo("run --quiet").succeeds_within(LIMIT);
        ensure!(succeeds, "{}: the program ended with an error, or not at all", self.target);
        println!("    it runs in {}", self.emulator);
        Ok(())
    }

    fn report(&self, program: &Program) -> Outcome {
        for Function { name, .. } in program.functions.values() {
            ensure!(!is_unwanted(name), "{}: {name} computes with floats or allocates", self.target);
        }
        let size = |section: &str| program.sizes.get(section).copied().unwrap_or(0);
        let (table, code) = (size(TABLE), CODE.into_iter().map(size).sum::<u64>());
        ensure!(table > 0, "{}: there is no section {TABLE}", self.target);
        println!("{} ({}): {table} bytes of flash for the table, {code} for all else", self.target, self.name);
        compare::document_has_about("src/guide/small_machines.md", &format!("`{}`", self.target), &[table, code])
    }
}

/// Returns whether a function computes with floats or belongs to an allocator.
fn is_unwanted(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    let is_eabi = last.strip_prefix("__aeabi_").is_some_and(|operation| {
        ["f", "d", "cf", "cd"].iter().any(|prefix| operation.starts_with(prefix))
            || ["2f", "2d", "h2"].iter().any(|conversion| operation.contains(conversion))
    });
    // The names that compilers share, such as `__addsf3`, have the formats of the operands in them.
    let is_builtin = last.starts_with("__") && ["hf", "sf", "df", "tf"].iter().any(|format| last.contains(format));
    is_eabi || is_builtin || ["f32", "f64", "float", "flt2dec", "alloc"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::is_unwanted;

    #[test]
    fn floats_and_allocators_are_recognised_by_the_names_of_functions() {
        for name in
            "__aeabi_fadd __aeabi_d2iz __aeabi_cdcmple __aeabi_ui2f __aeabi_l2d __addsf3 __floatsidf __extendhfsf2 \
            compiler_builtins::arm::__aeabi_fmul compiler_builtins::float::mul::mul \
            core::fmt::float::float_to_decimal_common_exact <f64>::round __rustc::__rust_alloc \
            alloc::raw_vec::handle_error"
                .split(' ')
        {
            assert!(is_unwanted(name), "{name}");
        }
        for name in "__aeabi_memcpy __aeabi_uidiv __aeabi_lmul __aeabi_idiv0 __udivsi3 __muldi3 reset".split(' ') {
            assert!(!is_unwanted(name), "{name}");
        }
    }
}
