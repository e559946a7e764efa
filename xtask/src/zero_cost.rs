//! Checks that a baked table costs nothing at run time: it is read-only data, stored once, and a row of it is an address.
//!
//! Builds a small program with a table, and the same program with a constant array, in debug and in release mode, and
//! inspects the executables, and that of `examples/encoder`.

use std::path::Path;

use crate::built::{executable, posenc, write_package};
use crate::compare::same;
use crate::executable::{Executable, Instruction};
use crate::run::{Outcome, Run, ensure, ensure_available, root};

const N: usize = 128;
const D: usize = 64;
const SIZE: usize = N * D * size_of::<f32>();

/// The bounds check, the address and the jump to the panic take 11 instructions on x86-64; this leaves some room.
const MOST_INSTRUCTIONS: usize = 14;

pub(crate) fn run() -> Outcome {
    ensure_available(cfg!(target_os = "linux"), "only executables of Linux are known")?;
    let package = root().join("target/zero-cost");
    write_programs(&package)?;
    for is_release in [false, true] {
        println!("{}:", if is_release { "release" } else { "dev" });
        check(&package, is_release)?;
    }
    check_no_sine()
}

/// Writes two programs that differ only in how their tables are written. Even their names are equally long.
fn write_programs(package: &Path) -> Outcome {
    let program = |table: &str| {
        format!(
            r#"static PE: [[f32; {D}]; {N}] = {table};

#[inline(never)]
pub fn row(p: usize) -> &'static [f32; {D}] {{
    &PE[p]
}}

fn main() {{
    let p = std::env::args().count();
    println!("{{:?}}", row(p));
}}
"#
        )
    };
    let manifest = format!("\n[dependencies]\n{}\n[profile.release]\nstrip = false\n", posenc(""));
    let baked = program(&format!("posenc::sinusoidal_table!({N}, {D})"));
    let plain = program(&format!("[[0.5; {D}]; {N}]"));
    write_package(package, &manifest, &[("bin/baked.rs", &baked), ("bin/plain.rs", &plain)])
}

/// Builds the programs and inspects their executables.
fn check(package: &Path, is_release: bool) -> Outcome {
    let build = |program| {
        let run = Run::line("cargo build --quiet --bin").arg(program).args(is_release.then_some("--release"));
        let run = run.env("CARGO_TARGET_DIR", package.join("target")).env("CARGO_INCREMENTAL", "0");
        Executable::read(&executable(run.without_env("CARGO_BUILD_TARGET").dir(package))?)
    };
    let (baked, plain) = (build("baked")?, build("plain")?);
    check_place(&baked)?;
    check_no_start(&baked, &plain, is_release)?;
    check_row(&baked, &plain, is_release)
}

fn check_place(baked: &Executable) -> Outcome {
    let table = baked.item("baked::PE")?;
    let (section, size) = (&table.section, table.bytes.len());
    ensure!(table.is_read_only_data, "The table should stand in .rodata, but is in {section}.");
    ensure!(size == SIZE, "The table should take {SIZE} bytes, but takes {size}.");
    // Searching for a part finds copies that are cut or have a modified beginning. Row 0 is left out, because it is too
    // simple.
    let part = &table.bytes[4 * D..][..4096];
    let times = baked.bytes.windows(part.len()).filter(|window| *window == part).count();
    ensure!(times == 1, "The bytes of the table should occur once in the file, but occur {times} times.");
    println!("the table is in {section}, {SIZE} bytes, once in the file");
    Ok(())
}

fn check_no_start(baked: &Executable, plain: &Executable, is_release: bool) -> Outcome {
    let posenc = baked.symbols()?.into_iter().find(|name| name.contains("posenc"));
    ensure!(posenc.is_none(), "No code of posenc should be in the program, but {posenc:?} is.");
    let sizes = |of: &Executable| -> Outcome<Vec<_>> {
        Ok(of.loaded()?.into_iter().filter(|(section, _)| is_release || section == ".init_array").collect())
    };
    same("the sizes of sections", sizes(plain)?, sizes(baked)?)?;
    let sections = if is_release { ".init_array and all other sections are" } else { ".init_array is" };
    println!("no symbol of posenc, {sections} as large as with a plain array");
    Ok(())
}

fn check_row(baked: &Executable, plain: &Executable, is_release: bool) -> Outcome {
    let row = |of: &Executable, path| of.instructions(&of.item(path)?);
    let (row, other) = (row(baked, "baked::row")?, row(plain, "plain::row")?);
    let number = row.len();
    let is_short = !is_release || number <= MOST_INSTRUCTIONS;
    ensure!(is_short, "`row` should be {MOST_INSTRUCTIONS} instructions at most, not {number}.");
    // Unoptimised code is long, but must not be longer than for an array. The operands have addresses.
    let mnemonics = |row: &[Instruction]| row.iter().map(|of| of.mnemonic.clone()).collect::<Vec<_>>().join(", ");
    let (mnemonics, same) = (mnemonics(&row), mnemonics(&other));
    ensure!(mnemonics == same, "`row` should be {same} as with a plain array, but is {mnemonics}.");
    println!("`row` is {number} instructions, those of a plain array: {mnemonics}");
    Ok(())
}

/// Checks the example with a model that uses a baked table. The example counts its allocations itself.
fn check_no_sine() -> Outcome {
    let example = executable(Run::line("cargo build --quiet --release --package posenc-example-encoder"))?;
    let symbols = Executable::read(&example)?.symbols()?;
    let has_exponential = symbols.iter().any(|name| name.contains("expf"));
    ensure!(has_exponential, "The example should compute an exponential function, but does not.");
    let sine = symbols.iter().find(|name| is_sine(name));
    ensure!(sine.is_none(), "The example should have no function for sines, but has {sine:?}.");
    println!("examples/encoder: none of its {} symbols is a sine or cosine", symbols.len());
    Ok(())
}

/// Returns whether a function is a sine or cosine, or reduces an argument of one.
fn is_sine(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_ascii_lowercase());
    name.contains("rem_pio2")
        || words.any(|word| ["sin", "cos", "sincos"].contains(&word.strip_suffix('f').unwrap_or(word)))
}

#[cfg(test)]
mod tests {
    use super::is_sine;

    #[test]
    fn sines_are_known_by_their_names() {
        for sine in ["sin", "cosf", "libm::math::k_sin", "libm::sincosf", "__ieee754_rem_pio2f", "__sin_fma"] {
            assert!(is_sine(sine), "{sine}");
        }
        for other in ["using", "cosine", "basin::core", "expf"] {
            assert!(!is_sine(other), "{other}");
        }
    }
}
