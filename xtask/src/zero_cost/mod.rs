//! Checks that a baked table costs nothing at run time: it is read-only data, stored once, and a row of it is an address.
//!
//! Builds a small program with a table, and the same program with a constant array, in debug and in release mode, and
//! inspects the executables, and that of `examples/encoder`.

mod executable;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::command::Run;
use crate::disassembly::Instruction;
use crate::failure::{Failure, Outcome, ensure};
use crate::workspace;
use crate::zero_cost::executable::Executable;
use crate::zero_cost::names::{is_of_posenc, is_sine};

const N: usize = 128;
const D: usize = 64;
const SIZE: usize = N * D * size_of::<f32>();

/// The bounds check, the address and the jump to the panic take 11 instructions on x86-64; this leaves some room.
const MOST_INSTRUCTIONS: usize = 14;

#[derive(Clone, Copy, PartialEq)]
enum Profile {
    Dev,
    Release,
}

pub(crate) fn run() -> Outcome {
    if !cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
        return Err(Failure::unavailable("only executables of Linux on x86-64 and aarch64 are known"));
    }
    let package = workspace::root().join("target/zero-cost");
    write_package(&package)?;
    for profile in [Profile::Dev, Profile::Release] {
        check(&package, profile).map_err(|failure| match failure {
            Failure::Failed(sentence) => Failure::failed(format_args!("{}: {sentence}", profile.name())),
            unavailable @ Failure::Unavailable(_) => unavailable,
        })?;
    }
    println!("{}", check_no_sine()?);
    Ok(())
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Release => "release",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }
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
        workspace::root().display()
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
fn check(package: &Path, profile: Profile) -> Outcome {
    let target = package.join("target");
    let build = Run::cargo("build").args(["--quiet", "--profile", profile.name()]).dir(package);
    let build = build.env("CARGO_TARGET_DIR", &target).env("CARGO_INCREMENTAL", "0");
    build.without_env("CARGO_BUILD_TARGET").run()?;

    let [baked, plain] = ["baked", "plain"].map(|program| target.join(profile.folder()).join(program));
    let [baked_bytes, plain_bytes] = [fs::read(&baked)?, fs::read(&plain)?];
    let baked = Executable::new(&baked, &baked_bytes)?;
    let plain = Executable::new(&plain, &plain_bytes)?;
    let say = |found: String| println!("{}: {found}", profile.name());
    say(check_place(&baked)?);
    say(check_no_start(&baked, &plain, profile)?);
    say(check_row(&baked, &plain, profile)?);
    Ok(())
}

fn check_place(baked: &Executable) -> Outcome<String> {
    let table = baked.item("PE")?;
    let section = table.section_name();
    ensure(table.is_read_only_data(), || format!("The table should stand in .rodata, but is in {section}."))?;
    ensure(table.size == SIZE as u64, || format!("The table should take {SIZE} bytes, but takes {}.", table.size))?;
    check_entries(table.bytes()?)?;
    // Searching for a part finds copies that are cut or have a modified beginning. Row 0 is left out, because it is too
    // simple.
    let part = &table.bytes()?[4 * D..][..4096];
    let times = baked.bytes.windows(part.len()).filter(|window| *window == part).count();
    ensure(times == 1, || format!("The bytes of the table should occur once in the file, but occur {times} times."))?;
    Ok(format!("the table is in {section}, {SIZE} bytes, once in the file"))
}

/// Checks that bytes are the table. This does not prove the entries, which other tests check.
fn check_entries(table: &[u8]) -> Outcome {
    for (index, entry) in table.as_chunks().0.iter().enumerate() {
        let (p, column) = (index / D, index % D);
        let (entry, value) = (f64::from(f32::from_le_bytes(*entry)), value(p, column));
        let sentence = || format!("Entry {column} of row {p} should be near {value}, but is {entry}.");
        ensure((entry - value).abs() < 1e-6, sentence)?;
    }
    Ok(())
}

fn value(p: usize, column: usize) -> f64 {
    let angle = p as f64 / 10000_f64.powf((column / 2 * 2) as f64 / D as f64);
    if column.is_multiple_of(2) { angle.sin() } else { angle.cos() }
}

fn check_no_start(baked: &Executable, plain: &Executable, profile: Profile) -> Outcome<String> {
    let sizes = |of: &Executable| of.loaded().map(|(name, size)| (name.to_owned(), size)).collect::<BTreeMap<_, _>>();
    let (sizes, others) = (sizes(baked), sizes(plain));
    let names: BTreeSet<_> = sizes.keys().chain(others.keys()).collect();
    let different: Vec<_> = names.into_iter().filter(|name| sizes.get(*name) != others.get(*name)).collect();
    let has_start = different.iter().any(|name| *name == ".init_array");
    ensure(!has_start, || ".init_array should be as large as without a table, but is not.".into())?;
    let names: Vec<_> = baked.symbols().map(|(name, _)| name).filter(|name| is_of_posenc(name)).collect();
    ensure(names.is_empty(), || {
        let (number, first) = (names.len(), &names[..names.len().min(2)]);
        format!("No code of posenc should be in the program, but {number} symbols are: {first:?}.")
    })?;
    if profile == Profile::Dev {
        return Ok("no symbol of posenc, .init_array is as large as with a plain array".into());
    }
    let sentence = || format!("These sections should be as large as with a plain array: {different:?}.");
    ensure(different.is_empty(), sentence)?;
    Ok("no symbol of posenc, .init_array and all other sections are as large as with a plain array".into())
}

fn check_row(baked: &Executable, plain: &Executable, profile: Profile) -> Outcome<String> {
    let row = baked.disassemble("row")?;
    let number = row.len();
    if profile == Profile::Release {
        let item = baked.item("row")?;
        let end = item.address + item.size;
        row.iter().try_for_each(|instruction| check_instruction(instruction, end, baked))?;
        ensure(number <= MOST_INSTRUCTIONS, || {
            format!("`row` should be {MOST_INSTRUCTIONS} instructions at most, not {number}.")
        })?;
    }
    // Unoptimised code is long, but must not be longer than for an array.
    let mnemonics = |row: &[Instruction]| row.iter().map(|of| of.mnemonic.clone()).collect::<Vec<_>>();
    let (mnemonics, same) = (mnemonics(&row), mnemonics(&plain.disassemble("row")?));
    let sentence = || format!("`row` should be {same:?} as with a plain array, but is {mnemonics:?}.");
    ensure(mnemonics == same, sentence)?;
    let found = if profile == Profile::Release { ", no loop, no call but the bounds check's panic" } else { "" };
    let listing = row.iter().map(|of| format!("\n    {:x}: {} {}", of.address, of.mnemonic, of.operands));
    let listing: String = listing.map(|line| line.trim_end().to_owned()).collect();
    Ok(format!("`row` is {number} instructions, those of a plain array{found}{listing}"))
}

/// Checks that an instruction of `row`, which ends at `end`, is no jump backward, and calls nothing except the panic.
fn check_instruction(instruction: &Instruction, end: u64, baked: &Executable) -> Outcome {
    let Instruction { address, mnemonic, operands } = instruction;
    match Flow::of(mnemonic) {
        Flow::Call => {
            let to = baked.called(instruction).unwrap_or(operands);
            let sentence = || format!("`row` should call the bounds check's panic alone, not {to}.");
            ensure(to.contains("panic_bounds_check"), sentence)
        }
        Flow::Jump => {
            let is_forward = instruction.target().is_some_and(|target| *address < target && target < end);
            let sentence = || format!("`row` should only jump forward, within itself: {mnemonic} {operands}.");
            ensure(is_forward, sentence)
        }
        Flow::Next => Ok(()),
    }
}

/// Where an instruction continues.
#[derive(PartialEq, Debug)]
enum Flow {
    Next,
    Jump,
    Call,
}

impl Flow {
    /// Returns the kind of an instruction of x86-64 or aarch64.
    fn of(mnemonic: &str) -> Self {
        let begins = |with: &[&str]| with.iter().any(|prefix| mnemonic.starts_with(prefix));
        if begins(&["call", "bl"]) {
            Self::Call
        } else if mnemonic == "b" || begins(&["j", "loop", "b.", "cbz", "cbnz", "tbz", "tbnz"]) {
            Self::Jump
        } else {
            Self::Next
        }
    }
}

/// Checks the example with a model that uses a baked table. The example counts its allocations itself.
fn check_no_sine() -> Outcome<String> {
    let path = example()?;
    let bytes = fs::read(&path)?;
    let example = Executable::new(&path, &bytes)?;
    let names: Vec<_> = example.symbols().map(|(name, _)| name).collect();
    let has_exponential = names.iter().any(|name| name.contains("expf"));
    ensure(has_exponential, || "The example should compute an exponential function, but does not.".into())?;
    let sines: Vec<_> = names.iter().filter(|name| is_sine(name)).take(2).collect();
    ensure(sines.is_empty(), || format!("The example should have no function for sines, but has {sines:?}."))?;
    Ok(format!("examples/encoder: none of its {} symbols is a sine or cosine", names.len()))
}

/// Builds the example and returns the path of its executable.
fn example() -> Outcome<PathBuf> {
    #[derive(Deserialize)]
    struct Message {
        executable: Option<PathBuf>,
    }
    let build = ["--quiet", "--release", "--package", "posenc-example-encoder", "--message-format", "json"];
    let messages = Run::cargo("build").args(build).stdout()?;
    let mut messages = messages.lines().filter_map(|message| serde_json::from_str::<Message>(message).ok());
    let executable = messages.find_map(|message| message.executable);
    executable.ok_or_else(|| Failure::failed("cargo built no executable of examples/encoder"))
}

#[cfg(test)]
mod tests {
    use super::{D, Flow, N, check_entries, value};

    #[test]
    fn calls_and_jumps_are_known() {
        for call in ["call", "callq", "bl", "blr"] {
            assert_eq!(Flow::of(call), Flow::Call, "{call}");
        }
        for jump in ["jmp", "jae", "loopne", "b", "b.hs", "cbz", "cbnz", "tbz", "tbnz"] {
            assert_eq!(Flow::of(jump), Flow::Jump, "{jump}");
        }
        for other in ["mov", "bic", "ret", "cmp", "bfi", "tbl"] {
            assert_eq!(Flow::of(other), Flow::Next, "{other}");
        }
    }

    #[test]
    fn a_wrong_entry_is_found() {
        #[expect(clippy::cast_possible_truncation, reason = "it rounds")]
        let mut table: Vec<u8> =
            (0..N * D).flat_map(|index| (value(index / D, index % D) as f32).to_le_bytes()).collect();
        check_entries(&table).unwrap();
        table[4 * D + 3] ^= 1;
        assert!(check_entries(&table).unwrap_err().sentence().starts_with("Entry 0 of row 1 should be near 0.84147"));
    }
}
