//! Measures the flash memory and the stack that rows need on a processor without an operating system.
//!
//! Builds the programs of `tests/bare-metal` for a Cortex-M4, optimised for size, and reads their object code.

mod function;
pub(crate) mod microcontroller;
mod name;
mod program;

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::disassembly::llvm_objdump;
use crate::failure::Outcome;
use crate::small_machine::program::{FLASH, Program};
use crate::{document, install, workspace};

const TARGET: &str = "thumbv7em-none-eabi";
const PACKAGE: &str = "tests/bare-metal";

/// The most lines that are printed of a list, of which the rest says little.
const MOST_LINES: usize = 6;

#[derive(clap::Args)]
#[command(after_help = "\
Prints for each program, without and with the scaling rules, the flash memory beyond that of an empty program, the \
functions with the most copies (one for every precision or type), the largest stack frames, and the chain of calls with \
the largest stack use. A frame is what a function's instructions subtract from the stack pointer, so the deepest chain is \
an upper bound: it may never occur.")]
pub(crate) struct Arguments {
    /// Build the programs with the libraries of another revision
    #[arg(long, value_name = "REVISION")]
    at: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let version = Run::new("rustc").arg("--version").stdout()?;
    println!("{}, {TARGET}, {}", version.trim(), arguments.at.as_deref().unwrap_or("as the files are"));
    install::target(TARGET)?;
    let target = workspace::root().join("target/small-machine");
    match &arguments.at {
        Some(revision) => {
            let tree = target.join("tree");
            checkout(revision, &tree)?;
            measure(&tree, &tree.join("target")).map(drop)
        }
        None => measure(workspace::root(), &target)?.iter().try_for_each(Figures::are_in_the_docs),
    }
}

/// The part of CI: measures the libraries as their files are.
pub(crate) fn of_this_tree() -> Outcome {
    run(&Arguments { at: None })
}

/// Checks out a revision, but with the current programs.
fn checkout(revision: &str, tree: &Path) -> Outcome {
    workspace::checkout(revision, tree)?;
    let package = tree.join(PACKAGE);
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    for file in workspace::files(PACKAGE)? {
        let copy = tree.join(&file);
        fs::create_dir_all(copy.parent().unwrap_or(tree))?;
        fs::copy(workspace::root().join(&file), copy)?;
    }
    Ok(())
}

/// The figures of a program: its flash beyond that of an empty one, its largest frame, and its stack.
struct Figures {
    name: String,
    bytes: [u64; 3],
}

impl Figures {
    fn are_in_the_docs(&self) -> Outcome {
        document::has_about("docs/tiers.md", &self.name, &self.bytes)
    }
}

fn measure(tree: &Path, target: &Path) -> Outcome<Vec<Figures>> {
    let objdump = llvm_objdump()?;
    // Revisions before that feature always have the rules.
    let has_feature = fs::read_to_string(tree.join("Cargo.toml"))?.lines().any(|line| line.starts_with("scaling ="));
    let mut figures = Vec::new();
    for features in if has_feature { &["", "posenc/scaling"][..] } else { &[""] } {
        let programs = build(tree, target, features)?;
        let read = |name: &str| Program::read(&programs.join(name), &objdump);
        let empty = read("empty")?;
        for name in ["encode", "fill"] {
            let with = if features.is_empty() { "" } else { ", with the feature `scaling`" };
            figures.push(report(format!("`Spec::{name}`{with}"), &read(name)?, &empty)?);
        }
    }
    Ok(figures)
}

/// Builds the programs with the libraries in a tree and with some features, and returns their folder.
fn build(tree: &Path, target: &Path, features: &str) -> Outcome<PathBuf> {
    let build = Run::cargo("build").args(["--quiet", "--release", "--target", TARGET]);
    let build = build.arg("--manifest-path").arg(tree.join(PACKAGE).join("Cargo.toml"));
    let build = build.arg("--target-dir").arg(target).args(["--features", features]);
    build.without_compiler_flags().run()?;
    Ok(target.join(TARGET).join("release"))
}

fn report(name: String, program: &Program, empty: &Program) -> Outcome<Figures> {
    let sizes = FLASH.iter().filter_map(|section| Some(format!("{section} {}", program.sizes.get(*section)?)));
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    let flash = program.flash() - empty.flash();
    println!("\n{name}: {flash} bytes of flash beyond an empty program ({sizes})");

    println!("    {} functions; those that are there more than once:", program.functions.len());
    for (bytes, number, name) in program.copies().iter().take(MOST_LINES) {
        println!("    {number:6} x {name}, {bytes} bytes together");
    }

    println!("    the largest frames:");
    let mut largest: Vec<_> = program.functions.values().collect();
    largest.sort_by_key(|function| Reverse(function.frame));
    for function in largest.iter().take(MOST_LINES) {
        println!("    {:6} {}", function.frame, function.name);
    }

    let deepest = program.deepest()?;
    println!("    the deepest chain of calls takes {} bytes of stack:", deepest.depth);
    for function in deepest.functions.iter().map(|start| &program.functions[start]) {
        println!("    {:6} {}", function.frame, function.name);
    }
    let unknown: usize = program.functions.values().map(|function| function.unknown_calls).sum();
    if unknown > 0 {
        println!("    without {unknown} calls of addresses that are known at run time alone");
    }
    let largest = largest.first().map_or(0, |function| function.frame);
    Ok(Figures { name, bytes: [flash, largest, deepest.depth] })
}
