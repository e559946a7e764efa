//! What an executable contains.

use std::path::Path;

use object::{File, Object, ObjectSection, ObjectSymbol, Section, SectionFlags, SymbolKind, elf};
use rustc_demangle::demangle;

use crate::disassembly::{Instruction, disassemble};
use crate::failure::{Failure, Outcome, ensure};

pub(super) struct Executable<'a> {
    path: &'a Path,
    pub(super) bytes: &'a [u8],
    file: File<'a>,
}

/// A function or a static.
pub(super) struct Item<'file, 'a> {
    section: Section<'a, 'file>,
    pub(super) address: u64,
    pub(super) size: u64,
}

impl<'a> Executable<'a> {
    pub(super) fn new(path: &'a Path, bytes: &'a [u8]) -> Outcome<Self> {
        let file = File::parse(bytes).map_err(|error| Failure::failed(format_args!("{}: {error}", path.display())))?;
        let executable = Self { path, bytes, file };
        ensure(!executable.symbols().is_empty(), || format!("{} has no symbols to look at.", path.display()))?;
        Ok(executable)
    }

    /// Returns the names of all symbols, without hashes, and their addresses.
    ///
    /// The names of object files are skipped: a debug build takes instances of core's functions from them. So are the
    /// crates that instantiate a generic function, which the names have in the newer mangling scheme.
    pub(super) fn symbols(&self) -> Vec<(String, u64)> {
        let symbols = self.file.symbols().filter(|symbol| symbol.kind() != SymbolKind::File);
        let name = |name| format!("{:#}", demangle(name));
        symbols.filter_map(|symbol| Some((name(symbol.name().ok()?), symbol.address()))).collect()
    }

    /// Returns an item by its path.
    pub(super) fn item(&self, path: &str) -> Outcome<Item<'_, 'a>> {
        let is_it = |name: &str| format!("{:#}", demangle(name)) == path;
        let symbols: Vec<_> = self.file.symbols().filter(|symbol| symbol.name().is_ok_and(is_it)).collect();
        let [symbol] = &symbols[..] else {
            let number = symbols.len();
            return Err(Failure::failed(format_args!("`{path}` should be one symbol, but there are {number}.")));
        };
        let section = symbol.section_index().and_then(|index| self.file.section_by_index(index).ok());
        let section = section.ok_or_else(|| Failure::failed(format_args!("`{path}` is in no section.")))?;
        Ok(Item { section, address: symbol.address(), size: symbol.size() })
    }

    /// Returns the names and sizes of the sections that are loaded into memory.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (&str, u64)> {
        let sections = self.file.sections().filter(|section| has_flag(section, elf::SHF_ALLOC));
        sections.filter_map(|section| Some((section.name().ok()?, section.size())))
    }

    /// Returns the instructions of a function.
    pub(super) fn instructions(&self, item: &Item) -> Outcome<Vec<Instruction>> {
        let (start, end) = (item.address, item.address + item.size);
        let range = [format!("--start-address={start:#x}"), format!("--stop-address={end:#x}")];
        let instructions: Vec<_> = disassemble(self.path, &range)?.lines().filter_map(Instruction::parse).collect();
        ensure(!instructions.is_empty(), || format!("{} shows no instructions.", self.path.display()))?;
        Ok(instructions)
    }
}

impl Item<'_, '_> {
    pub(super) fn section_name(&self) -> &str {
        self.section.name().unwrap_or_default()
    }

    /// Returns whether its section is read-only data in the file.
    pub(super) fn is_read_only_data(&self) -> bool {
        let is_named_so = self.section_name().starts_with(".rodata");
        is_named_so && !has_flag(&self.section, elf::SHF_WRITE) && self.section.file_range().is_some()
    }

    pub(super) fn bytes(&self) -> Outcome<&[u8]> {
        let bytes = self.section.data_range(self.address, self.size).ok().flatten();
        bytes.ok_or_else(|| Failure::failed("a symbol is not within its section"))
    }
}

fn has_flag(section: &Section, flag: u32) -> bool {
    matches!(section.flags(), SectionFlags::Elf { sh_flags } if sh_flags & u64::from(flag) != 0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Executable;

    #[test]
    fn this_program_is_read() {
        let path = std::env::current_exe().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let executable = Executable::new(&path, &bytes).unwrap();
        assert!(executable.symbols().iter().any(|(name, address)| name == "main" && *address > 0));
        assert!(executable.loaded().any(|(name, size)| name == ".text" && size > 0));
        assert!(!executable.loaded().any(|(name, _)| name == ".symtab"));
        assert!(executable.item("xtask::main").unwrap().size > 0);
        assert!(executable.item("xtask::no_such_item").is_err());
        assert!(Executable::new("Cargo.toml".as_ref(), b"[package]").is_err());
    }
}
