//! What an executable contains: sections, symbols, and instructions, as objdump prints them.

use std::fs;
use std::path::{Path, PathBuf};

use object::{File, Object, ObjectSection, ObjectSymbol, Section, SectionFlags, SymbolKind, elf};
use rustc_demangle::demangle;

use crate::run::{Context, Outcome, Run, bail, ensure};
use crate::{install, workspace};

pub(crate) struct Executable {
    path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// A function or a static.
pub(crate) struct Item<'a> {
    address: u64,
    pub(crate) section: String,
    /// Whether its section is read-only data in the file.
    pub(crate) is_read_only_data: bool,
    pub(crate) bytes: &'a [u8],
}

impl Executable {
    pub(crate) fn read(path: &Path) -> Outcome<Self> {
        let executable = Self { path: path.to_owned(), bytes: fs::read(path)? };
        ensure!(!executable.symbols()?.is_empty(), "{} has no symbols to look at.", path.display());
        Ok(executable)
    }

    fn file(&self) -> Outcome<File<'_>> {
        File::parse(&*self.bytes).with_context(|| self.path.display().to_string())
    }

    /// Returns the names of all symbols, except those of object files: a debug build takes instances of core's functions
    /// from them.
    pub(crate) fn symbols(&self) -> Outcome<Vec<String>> {
        let file = self.file()?;
        let symbols = file.symbols().filter(|symbol| symbol.kind() != SymbolKind::File);
        Ok(symbols.filter_map(|symbol| symbol.name().ok().map(readable)).collect())
    }

    /// Returns an item by its path.
    pub(crate) fn item(&self, path: &str) -> Outcome<Item<'_>> {
        let file = self.file()?;
        let is_it = |name: &str| readable(name) == path;
        let symbols: Vec<_> = file.symbols().filter(|symbol| symbol.name().is_ok_and(is_it)).collect();
        let [symbol] = &symbols[..] else { bail!("`{path}` should be one symbol, but there are {}.", symbols.len()) };
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let section = section.with_context(|| format!("`{path}` is in no section."))?;
        let is_constant = section.name()?.starts_with(".rodata") && !has_flag(&section, elf::SHF_WRITE);
        Ok(Item {
            address: symbol.address(),
            section: section.name()?.to_owned(),
            is_read_only_data: is_constant && section.file_range().is_some(),
            bytes: section.data_range(symbol.address(), symbol.size())?.unwrap_or_default(),
        })
    }

    /// Returns the names and sizes of the sections that are loaded into memory.
    pub(crate) fn loaded(&self) -> Outcome<Vec<(String, u64)>> {
        let file = self.file()?;
        let sections = file.sections().filter(|section| has_flag(section, elf::SHF_ALLOC));
        sections.map(|section| Ok((section.name()?.to_owned(), section.size()))).collect()
    }

    /// Returns what the compiler's own disassembler prints, which knows everything that the compiler writes.
    pub(crate) fn disassembly(&self, options: &[String]) -> Outcome<String> {
        install::rustup("component", "llvm-tools")?;
        let sysroot = Run::line("rustc --print sysroot").stdout()?;
        let tools = Path::new(sysroot.trim()).join("lib/rustlib").join(workspace::host()?).join("bin");
        let objdump = Run::new(tools.join("llvm-objdump")).words("--disassemble --no-show-raw-insn");
        objdump.args(options).arg(&self.path).stdout()
    }

    /// Returns the instructions of a function.
    pub(crate) fn instructions(&self, item: &Item) -> Outcome<Vec<Instruction>> {
        // The name alone would include what fills the space up to the next function.
        let (start, end) = (item.address, item.address + item.bytes.len() as u64);
        let range = [format!("--start-address={start:#x}"), format!("--stop-address={end:#x}")];
        let instructions: Vec<_> = self.disassembly(&range)?.lines().filter_map(Instruction::parse).collect();
        ensure!(!instructions.is_empty(), "{} shows no instructions.", self.path.display());
        Ok(instructions)
    }
}

/// Returns the name of a symbol without its hash, and without the crate that instantiates a generic function, which the
/// names have in the newer mangling scheme.
pub(crate) fn readable(symbol: &str) -> String {
    format!("{:#}", demangle(symbol))
}

fn has_flag(section: &Section, flag: u32) -> bool {
    matches!(section.flags(), SectionFlags::Elf { sh_flags } if sh_flags & u64::from(flag) != 0)
}

#[derive(PartialEq, Debug)]
pub(crate) struct Instruction {
    pub(crate) mnemonic: String,
    /// The operands and the comment, if any.
    pub(crate) operands: String,
}

impl Instruction {
    /// Parses a line of `objdump --disassemble --no-show-raw-insn`. Returns `None` if it is no instruction.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (address, code) = line.trim_start().split_once(':')?;
        u64::from_str_radix(address, 16).ok()?;
        let code = code.trim();
        let (mnemonic, operands) = code.split_once([' ', '\t']).unwrap_or((code, ""));
        (!mnemonic.is_empty()).then(|| Self { mnemonic: mnemonic.into(), operands: operands.trim().into() })
    }

    /// Returns the address that the operands refer to: `1d5b5` in `1d5b5 <name+0x15>`.
    pub(crate) fn target(&self) -> Option<u64> {
        self.operands.match_indices(" <").find_map(|(at, _)| {
            let before = &self.operands[..at];
            let digits = before.rsplit(|c: char| !matches!(c, '0'..='9' | 'a'..='f')).next()?;
            u64::from_str_radix(digits, 16).ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Executable, Instruction};

    #[cfg(target_os = "linux")]
    #[test]
    fn this_program_is_read() {
        let executable = Executable::read(&std::env::current_exe().unwrap()).unwrap();
        assert!(executable.symbols().unwrap().iter().any(|name| name == "main"));
        let loaded = executable.loaded().unwrap();
        assert!(loaded.iter().any(|(name, size)| name == ".text" && *size > 0));
        assert!(!loaded.iter().any(|(name, _)| name == ".symtab"));
        assert!(!executable.item("xtask::main").unwrap().bytes.is_empty());
        assert!(executable.item("xtask::no_such_item").is_err());
        assert!(Executable::read(Path::new("Cargo.toml")).is_err());
    }

    fn parsed(line: &str) -> (String, String, Option<u64>) {
        let instruction = Instruction::parse(line).unwrap();
        let target = instruction.target();
        (instruction.mnemonic, instruction.operands, target)
    }

    #[test]
    fn an_instruction_has_a_mnemonic_and_operands() {
        let jump = parsed("   1d5a4:\tja     1d5b5 <_ZN3row17hE+0x15>");
        assert_eq!(jump, ("ja".into(), "1d5b5 <_ZN3row17hE+0x15>".into(), Some(0x1d5b5)));
        assert_eq!(parsed("    10c:\tbl\t0x2f4 <f> @ imm = #484").2, Some(0x2f4));
        assert_eq!(parsed("1d5b4:\tret"), ("ret".into(), String::new(), None));
    }

    #[test]
    fn other_lines_are_no_instructions() {
        for line in ["", "/a/b:     file format elf64-x86-64", "000000000001d5a0 <_ZN3row17hE>:", "\t...", "1d5b4:\t"] {
            assert_eq!(Instruction::parse(line), None, "{line}");
        }
    }
}
