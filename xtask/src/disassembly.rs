//! Instructions, as objdump prints them.

use std::path::Path;

use crate::command::Run;
use crate::failure::Outcome;
use crate::{install, workspace};

/// Prints a program's instructions with the compiler's own disassembler, which knows everything that the compiler writes.
pub(crate) fn disassemble(program: &Path, options: &[String]) -> Outcome<String> {
    install::component("llvm-tools")?;
    let sysroot = Run::new("rustc").args(["--print", "sysroot"]).stdout()?;
    let tools = Path::new(sysroot.trim()).join("lib/rustlib").join(workspace::host()?).join("bin");
    Run::new(tools.join("llvm-objdump"))
        .args(["--disassemble", "--no-show-raw-insn"])
        .args(options)
        .arg(program)
        .stdout()
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
    use super::Instruction;

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
