//! Checks that a baked table costs nothing at run time: it is read-only data, stored once, and a row of it is an address.
//!
//! Builds a small program with a table, and the same program with a constant array, in debug and in release mode, and
//! inspects the executables, and that of `examples/encoder`.

mod executable;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::disassembly::Instruction;
use crate::failure::{Failure, Outcome, ensure, ensure_available};
use crate::root::root;
use crate::zero_cost::executable::Executable;

const N: usize = 128;
const D: usize = 64;
const SIZE: usize = N * D * size_of::<f32>();

/// The bounds check, the address and the jump to the panic take 11 instructions on x86-64; this leaves some room.
const MOST_INSTRUCTIONS: usize = 14;

pub(crate) fn run() -> Outcome {
    ensure_available(cfg!(target_os = "linux"), "only executables of Linux are known")?;
    let package = root().join("target/zero-cost");
    write_package(&package)?;
    for is_release in [false, true] {
        println!("{}:", if is_release { "release" } else { "dev" });
        check(&package, is_release)?;
    }
    println!("{}", check_no_sine()?);
    Ok(())
}

/// Writes two programs that differ only in how their tables are written. Even their names are equally long.
fn write_package(package: &Path) -> Outcome {
    let manifest = format!(
        r#"[package]
name = "zero-cost"
version = "0.0.0"
edition = "2024"

[dependencies]
posenc = {{ path = '{}' }}

[profile.release]
strip = false

[workspace]
"#,
        root().display()
    );
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
    let programs = package.join("src/bin");
    fs::create_dir_all(&programs)?;
    fs::write(package.join("Cargo.toml"), manifest)?;
    fs::write(programs.join("baked.rs"), program(&format!("posenc::sinusoidal_table!({N}, {D})")))?;
    fs::write(programs.join("plain.rs"), program(&format!("[[0.5; {D}]; {N}]")))?;
    Ok(())
}

/// Builds the programs and inspects their executables.
fn check(package: &Path, is_release: bool) -> Outcome {
    let target = package.join("target");
    let build = Run::cargo("build").args(["--quiet"]).args(is_release.then_some("--release")).dir(package);
    let build = build.env("CARGO_TARGET_DIR", &target).env("CARGO_INCREMENTAL", "0");
    build.without_env("CARGO_BUILD_TARGET").run()?;

    let [baked, plain] =
        ["baked", "plain"].map(|program| target.join(if is_release { "release" } else { "debug" }).join(program));
    let [baked_bytes, plain_bytes] = [fs::read(&baked)?, fs::read(&plain)?];
    let baked = Executable::new(&baked, &baked_bytes)?;
    let plain = Executable::new(&plain, &plain_bytes)?;
    println!("{}", check_place(&baked)?);
    println!("{}", check_no_start(&baked, &plain, is_release)?);
    println!("{}", check_row(&baked, &plain, is_release)?);
    Ok(())
}

fn check_place(baked: &Executable) -> Outcome<String> {
    let table = baked.item("baked::PE")?;
    let section = table.section_name();
    ensure(table.is_read_only_data(), || format!("The table should stand in .rodata, but is in {section}."))?;
    ensure(table.size == SIZE as u64, || format!("The table should take {SIZE} bytes, but takes {}.", table.size))?;
    // Searching for a part finds copies that are cut or have a modified beginning. Row 0 is left out, because it is too
    // simple.
    let part = &table.bytes()?[4 * D..][..4096];
    let times = baked.bytes.windows(part.len()).filter(|window| *window == part).count();
    ensure(times == 1, || format!("The bytes of the table should occur once in the file, but occur {times} times."))?;
    Ok(format!("the table is in {section}, {SIZE} bytes, once in the file"))
}

fn check_no_start(baked: &Executable, plain: &Executable, is_release: bool) -> Outcome<String> {
    let sizes = |of: &Executable| of.loaded().map(|(name, size)| (name.to_owned(), size)).collect::<BTreeMap<_, _>>();
    let (sizes, others) = (sizes(baked), sizes(plain));
    let names: BTreeSet<_> = sizes.keys().chain(others.keys()).collect();
    let different: Vec<_> = names.into_iter().filter(|name| sizes.get(*name) != others.get(*name)).collect();
    let has_start = different.iter().any(|name| *name == ".init_array");
    ensure(!has_start, || ".init_array should be as large as without a table, but is not.".into())?;
    let posenc = baked.symbols().into_iter().find(|(name, _)| name.contains("posenc"));
    ensure(posenc.is_none(), || format!("No code of posenc should be in the program, but {posenc:?} is."))?;
    if !is_release {
        return Ok("no symbol of posenc, .init_array is as large as with a plain array".into());
    }
    let sentence = || format!("These sections should be as large as with a plain array: {different:?}.");
    ensure(different.is_empty(), sentence)?;
    Ok("no symbol of posenc, .init_array and all other sections are as large as with a plain array".into())
}

fn check_row(baked: &Executable, plain: &Executable, is_release: bool) -> Outcome<String> {
    let row = baked.instructions(&baked.item("baked::row")?)?;
    let number = row.len();
    ensure(!is_release || number <= MOST_INSTRUCTIONS, || {
        format!("`row` should be {MOST_INSTRUCTIONS} instructions at most, not {number}.")
    })?;
    // Unoptimised code is long, but must not be longer than for an array. The operands have addresses.
    let mnemonics = |row: &[Instruction]| row.iter().map(|of| of.mnemonic.clone()).collect::<Vec<_>>();
    let (mnemonics, same) = (mnemonics(&row), mnemonics(&plain.instructions(&plain.item("plain::row")?)?));
    let sentence = || format!("`row` should be {same:?} as with a plain array, but is {mnemonics:?}.");
    ensure(mnemonics == same, sentence)?;
    Ok(format!("`row` is {number} instructions, those of a plain array: {}", mnemonics.join(", ")))
}

/// Checks the example with a model that uses a baked table. The example counts its allocations itself.
fn check_no_sine() -> Outcome<String> {
    let path = example()?;
    let bytes = fs::read(&path)?;
    let example = Executable::new(&path, &bytes)?;
    let symbols = example.symbols();
    let has_exponential = symbols.iter().any(|(name, _)| name.contains("expf"));
    ensure(has_exponential, || "The example should compute an exponential function, but does not.".into())?;
    let sine = symbols.iter().find(|(name, _)| is_sine(name));
    ensure(sine.is_none(), || format!("The example should have no function for sines, but has {sine:?}."))?;
    Ok(format!("examples/encoder: none of its {} symbols is a sine or cosine", symbols.len()))
}

/// Returns whether a function is a sine or cosine, or reduces an argument of one.
fn is_sine(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_ascii_lowercase());
    name.contains("rem_pio2")
        || words.any(|word| ["sin", "cos", "sincos"].contains(&word.strip_suffix('f').unwrap_or(word)))
}

/// Builds the example and returns the path of its executable.
fn example() -> Outcome<PathBuf> {
    let build = ["--quiet", "--release", "--package", "posenc-example-encoder", "--message-format", "json"];
    let messages = Run::cargo("build").args(build).stdout()?;
    let mut messages = messages.lines().filter_map(|message| serde_json::from_str::<serde_json::Value>(message).ok());
    let executable = messages.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    executable.ok_or_else(|| Failure::failed("cargo built no executable of examples/encoder"))
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
