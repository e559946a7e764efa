//! What the instructions of a function do to the stack, and where they continue.

use std::collections::BTreeSet;

use crate::executable::Instruction;
use crate::failure::{Context, Outcome};

#[derive(Default)]
pub(super) struct Function {
    pub(super) name: String,
    /// The number of bytes that are subtracted from the stack pointer.
    pub(super) frame: u64,
    /// The addresses of the functions that are called.
    pub(super) calls: BTreeSet<u64>,
    /// The addresses that are jumped to.
    pub(super) jumps: BTreeSet<u64>,
    /// The number of calls of addresses that are known at run time alone.
    pub(super) unknown_calls: usize,
}

impl Function {
    /// Reads an instruction of ARM's Thumb.
    pub(super) fn read(&mut self, instruction: &Instruction) -> Outcome {
        let Instruction { mnemonic, operands, .. } = instruction;
        let mnemonic = mnemonic.split('.').next().unwrap_or_default();
        let operands = operands.split('@').next().unwrap_or_default().trim(); // without the comment
        match (mnemonic, instruction.target()) {
            ("push", _) => self.frame += 4 * registers(operands),
            ("stmdb", _) if operands.starts_with("sp!") => self.frame += 4 * registers(operands),
            ("str", _) if operands.contains("[sp, #-4]!") => self.frame += 4,
            ("sub" | "subw", _) if operands.starts_with("sp,") => {
                let unknown = || format!("{}: a frame of unknown size: {mnemonic} {operands}", self.name);
                self.frame += subtracted(operands).with_context(unknown)?;
            }
            ("bl", Some(target)) => _ = self.calls.insert(target),
            ("blx", _) => self.unknown_calls += 1,
            ("bx", _) if operands != "lr" => self.unknown_calls += 1,
            (branch, Some(target)) if branch.starts_with('b') || branch.starts_with("cb") => {
                self.jumps.insert(target);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the number of registers in a list such as `{r4, r5, r7-r9, lr}`.
fn registers(operands: &str) -> u64 {
    let list = operands.split_once('{').map_or(operands, |(_, list)| list).trim_end_matches('}');
    let number = |register: &str| register.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().ok();
    let registers = list.split(',').map(|span| {
        let ends = span.split_once('-').and_then(|(first, last)| Some((number(first)?, number(last)?)));
        ends.map_or(1, |(first, last)| last - first + 1)
    });
    registers.sum()
}

/// Returns the number that is subtracted, in operands such as `sp, #0x10` and `sp, sp, #16`.
fn subtracted(operands: &str) -> Option<u64> {
    let operands = operands.strip_prefix("sp, ")?;
    let number = operands.strip_prefix("sp, ").unwrap_or(operands).strip_prefix('#')?;
    match number.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, registers};
    use crate::executable::Instruction;
    use crate::failure::Outcome;

    fn read(lines: &str) -> Outcome<Function> {
        let mut function = Function { name: "f".into(), ..Function::default() };
        lines.lines().try_for_each(|line| function.read(&Instruction::parse(line).unwrap()))?;
        Ok(function)
    }

    #[test]
    fn a_frame_is_what_is_subtracted_from_the_stack_pointer() {
        let frame = |line: &str| read(line).unwrap().frame;
        assert_eq!(frame("100:\tpush\t{r4, r5, r7-r9, lr}"), 24);
        assert_eq!(frame("100:\tpush.w\t{r8, r9, r10, r11}"), 16);
        assert_eq!(frame("100:\tstmdb\tsp!, {r4, lr}"), 8);
        assert_eq!(frame("100:\tstmdb\tr1!, {r4, lr}"), 0);
        assert_eq!(frame("100:\tstr\tr11, [sp, #-4]!"), 4);
        assert_eq!(frame("100:\tstr\tr11, [sp, #4]"), 0);
        assert_eq!(frame("100:\tsub\tsp, #0x10"), 16);
        assert_eq!(frame("100:\tsub.w\tsp, sp, #4576"), 4576);
        assert_eq!(frame("100:\tsubw\tsp, sp, #0xc1c"), 0xc1c);
        assert_eq!(frame("100:\tsub\tspare, r1"), 0);
        let unknown = read("100:\tsub.w\tsp, sp, r4").err().unwrap();
        assert_eq!(unknown.to_string(), "f: a frame of unknown size: sub sp, sp, r4");
    }

    #[test]
    fn calls_and_jumps_have_targets() {
        let function = read(
            "100:\tbl\t0x200 <g> @ imm = #0xfc\n104:\tbeq\t0x110 <f+0x10> @ imm = #8\n\
             106:\tcbz\tr0, 0x120 <f+0x20> @ imm = #2\n108:\tb.w\t0x300 <h> @ imm = #4\n\
             10c:\tblx\tr3\n10e:\tbx\tr2\n110:\tbx\tlr\n112:\tbic\tr0, r0, #1\n",
        );
        let function = function.unwrap();
        assert_eq!(function.calls, [0x200].into());
        assert_eq!(function.jumps, [0x110, 0x120, 0x300].into());
        assert_eq!(function.unknown_calls, 2);
    }

    #[test]
    fn a_span_of_registers_is_counted_with_both_ends() {
        assert_eq!(registers("{r4-r11, lr}"), 9);
        assert_eq!(registers("sp!, {lr}"), 1);
    }
}
