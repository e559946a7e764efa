//! Measures the flash memory and the stack that rows need on a processor without an operating system.
//!
//! Builds the programs of `tests/bare-metal` for a Cortex-M4, optimised for size, and reads their object code.

pub(crate) mod microcontroller;
mod program;

use std::path::PathBuf;

use crate::built::executable;
use crate::run::{Outcome, Run, root};
use crate::small_machine::program::{FLASH, Program};
use crate::{compare, install, workspace};

pub(crate) const TARGET: &str = "thumbv7em-none-eabi";

/// Measures the programs without and with the scaling rules, and compares the figures with those in the documents.
pub(crate) fn run() -> Outcome {
    println!("{}, {TARGET}", workspace::rustc("rustc")?);
    install::rustup("target", TARGET)?;
    for features in ["", "posenc/scaling"] {
        let program = |name| Program::read(&build(name, features)?);
        let empty = program("empty")?.flash();
        for name in ["encode", "fill"] {
            let with = if features.is_empty() { "" } else { ", with the feature `scaling`" };
            let cell = format!("`Spec::{name}`{with}");
            compare::document_has_about("docs/tiers.md", &cell, &report(&cell, &program(name)?, empty)?)?;
        }
    }
    Ok(())
}

/// Builds a program with some features, and returns its path.
fn build(name: &str, features: &str) -> Outcome<PathBuf> {
    let build = "cargo build --quiet --release --manifest-path tests/bare-metal/Cargo.toml --target-dir";
    let build = Run::line(build).arg(root().join("target/small-machine")).args(["--target", TARGET]);
    executable(build.args(["--bin", name, "--features", features]).without_compiler_flags())
}

/// Prints what a program needs, and returns its flash beyond that of an empty one, its largest frame, and its stack.
///
/// A frame is what a function's instructions subtract from the stack pointer, so the deepest chain of calls is an upper
/// bound: it may never occur.
fn report(name: &str, program: &Program, empty: u64) -> Outcome<[u64; 3]> {
    let sizes = FLASH.iter().filter_map(|section| Some(format!("{section} {}", program.sizes.get(*section)?)));
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    let flash = program.flash() - empty;
    println!("\n{name}: {flash} bytes of flash beyond an empty program ({sizes})");
    let largest = program.functions.values().max_by_key(|function| function.frame);
    let (frame, of) = largest.map_or((0, ""), |function| (function.frame, &function.name));
    println!("    the largest frame of {} functions, {frame} bytes: {of}", program.functions.len());
    let deepest = program.deepest()?;
    println!("    the deepest chain of calls takes {} bytes of stack:", deepest.depth);
    for function in deepest.functions.iter().map(|start| &program.functions[start]) {
        println!("    {:6} {}", function.frame, function.name);
    }
    let unknown: usize = program.functions.values().map(|function| function.unknown_calls).sum();
    if unknown > 0 {
        println!("    without {unknown} calls of addresses that are known at run time alone");
    }
    Ok([flash, frame, deepest.depth])
}
