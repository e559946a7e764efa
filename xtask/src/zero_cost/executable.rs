//! What an executable contains.

use std::ffi::OsStr;
use std::path::Path;

use object::read::RelocationTarget;
use object::{File, Object, ObjectSection, ObjectSymbol, Section, SectionFlags, SymbolKind, elf};

use crate::command::{Run, has_program};
use crate::disassembly::{Instruction, llvm_objdump};
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
        let has_symbols = executable.symbols().next().is_some();
        ensure(has_symbols, || format!("{} has no symbols to look at.", path.display()))?;
        Ok(executable)
    }

    /// Returns the names of all symbols and their addresses.
    ///
    /// The names of object files are skipped: a debug build takes instances of core's functions from them.
    pub(super) fn symbols(&self) -> impl Iterator<Item = (&'a str, u64)> {
        let symbols = self.file.symbols().filter(|symbol| symbol.kind() != SymbolKind::File);
        symbols.filter_map(|symbol| Some((symbol.name().ok()?, symbol.address())))
    }

    /// Returns an item of the program, by its name in either mangling scheme.
    pub(super) fn item(&self, name: &str) -> Outcome<Item<'_, 'a>> {
        let program = self.path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let mangled = format!("{}{program}{}{name}", program.len(), name.len());
        let is_it = |name: &str| without_hash(name).ends_with(&mangled);
        let symbols: Vec<_> = self.file.symbols().filter(|symbol| symbol.name().is_ok_and(is_it)).collect();
        let [symbol] = &symbols[..] else {
            let number = symbols.len();
            return Err(Failure::failed(format_args!("`{name}` should be one symbol, but there are {number}.")));
        };
        let section = symbol.section_index().and_then(|index| self.file.section_by_index(index).ok());
        let section = section.ok_or_else(|| Failure::failed(format_args!("`{name}` is in no section.")))?;
        Ok(Item { section, address: symbol.address(), size: symbol.size() })
    }

    /// Returns the names and sizes of the sections that are loaded into memory.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (&str, u64)> {
        let sections = self.file.sections().filter(|section| has_flag(section, elf::SHF_ALLOC));
        sections.filter_map(|section| Some((section.name().ok()?, section.size())))
    }

    /// Returns the instructions of a function.
    pub(super) fn disassemble(&self, function: &str) -> Outcome<Vec<Instruction>> {
        let Item { address, size, .. } = self.item(function)?;
        let tool = match ["objdump", "llvm-objdump"].into_iter().find(|name| has_program(name)) {
            Some(name) => name.into(),
            None => llvm_objdump()?,
        };
        let range = [format!("--start-address={address:#x}"), format!("--stop-address={:#x}", address + size)];
        let run = Run::new(&tool).args(["-d", "--no-show-raw-insn"]).args(range).arg(self.path);
        let instructions: Vec<_> = run.stdout()?.lines().filter_map(Instruction::parse).collect();
        let tool = tool.display();
        ensure(!instructions.is_empty(), || format!("{tool} shows no instructions of `{function}`."))?;
        Ok(instructions)
    }

    /// Returns the name of the called function, by its address or through the global offset table.
    pub(super) fn called(&self, call: &Instruction) -> Option<&'a str> {
        let address = if call.operands.contains('*') { self.pointer(call.target()?)? } else { call.target()? };
        self.symbols().find(|&(name, of)| !name.is_empty() && of == address).map(|(name, _)| name)
    }

    /// Returns the pointer that the loader writes to an address.
    fn pointer(&self, place: u64) -> Option<u64> {
        let (_, relocation) = self.file.dynamic_relocations()?.find(|(address, _)| *address == place)?;
        let is_absolute = relocation.target() == RelocationTarget::Absolute;
        is_absolute.then(|| relocation.addend().cast_unsigned())
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

/// Returns a name without the hash that the legacy mangling appends: `17h`, 16 hexadecimal digits and `E`.
fn without_hash(name: &str) -> &str {
    let parts = name.strip_suffix('E').and_then(|name| name.rsplit_once("17h"));
    parts.filter(|(_, hash)| hash.len() == 16).map_or(name, |(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::{Executable, without_hash};

    #[test]
    fn only_a_hash_at_the_end_is_left_out() {
        assert_eq!(without_hash("_ZN5baked3row17h4b83750c04d90c7dE"), "_ZN5baked3row");
        assert_eq!(without_hash("_RNvCs1234_5baked3row"), "_RNvCs1234_5baked3row");
        assert_eq!(without_hash("_ZN5baked3row17h4b83E"), "_ZN5baked3row17h4b83E");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_program_is_read() {
        let path = std::env::current_exe().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let executable = Executable::new(&path, &bytes).unwrap();
        assert!(executable.symbols().any(|(name, address)| name == "main" && address > 0));
        assert!(executable.loaded().any(|(name, size)| name == ".text" && size > 0));
        assert!(!executable.loaded().any(|(name, _)| name == ".symtab"));
        assert!(executable.item("no_such_item").is_err());
    }

    #[test]
    fn other_files_are_refused() {
        assert!(Executable::new("Cargo.toml".as_ref(), b"[package]").is_err());
    }
}
