//! The object code of a program: its sections, its functions, and how deep their calls are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::executable::{Executable, Instruction, readable};
use crate::run::{Context, Outcome, ensure};

/// The sections that take flash memory.
pub(super) const FLASH: [&str; 3] = [".text", ".rodata", ".data"];

pub(super) struct Program {
    pub(super) sizes: BTreeMap<String, u64>,
    /// The functions by their addresses.
    pub(super) functions: BTreeMap<u64, Function>,
}

/// A chain of calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chain {
    /// The number of bytes of stack that it takes.
    pub(super) depth: u64,
    /// The addresses of its functions.
    pub(super) functions: Vec<u64>,
}

impl Program {
    pub(super) fn read(path: &Path) -> Outcome<Self> {
        let executable = Executable::read(path)?;
        let sizes = executable.loaded()?.into_iter().collect();
        Ok(Self { sizes, functions: functions(&executable.disassembly(&[])?)? })
    }

    pub(super) fn flash(&self) -> u64 {
        FLASH.iter().filter_map(|section| self.sizes.get(*section)).sum()
    }

    /// Returns the chain of calls that takes most stack.
    pub(super) fn deepest(&self) -> Outcome<Chain> {
        let mut depths = Depths { functions: &self.functions, known: BTreeMap::new() };
        self.functions.keys().try_fold(Chain::default(), |deepest, start| Ok(deeper(deepest, depths.below(*start)?)))
    }
}

/// Returns the deeper chain, and the first one if they are equally deep.
fn deeper(first: Chain, second: Chain) -> Chain {
    if second.depth > first.depth { second } else { first }
}

/// Reads the functions in what objdump prints.
fn functions(listing: &str) -> Outcome<BTreeMap<u64, Function>> {
    let mut functions = BTreeMap::new();
    let mut current = None;
    for line in listing.lines() {
        if let Some((start, name)) = label(line) {
            functions.insert(start, Function { name: readable(name), ..Function::default() });
            current = Some(start);
        } else if let Some(instruction) = Instruction::parse(line)
            && let Some(function) = current.and_then(|start| functions.get_mut(&start))
        {
            function.read(&instruction)?;
        }
    }
    ensure!(!functions.is_empty(), "the disassembler shows no functions");
    Ok(functions)
}

/// Parses a line such as `00000100 <name>:`. Names that begin with `$` belong to parts of functions.
fn label(line: &str) -> Option<(u64, &str)> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    let address = u64::from_str_radix(address, 16).ok()?;
    (!name.starts_with('$')).then_some((address, name))
}

/// The deepest chains below functions.
struct Depths<'a> {
    functions: &'a BTreeMap<u64, Function>,
    /// `None` while the functions that a function calls are looked at.
    known: BTreeMap<u64, Option<Chain>>,
}

impl Depths<'_> {
    /// Returns the deepest chain that begins with a function.
    fn below(&mut self, start: u64) -> Outcome<Chain> {
        let function = &self.functions[&start];
        if let Some(known) = self.known.get(&start) {
            let recursion = || format!("{} calls itself, so there is no largest stack", function.name);
            return known.clone().with_context(recursion);
        }
        self.known.insert(start, None);
        let mut deepest = Chain { depth: function.frame, functions: Vec::new() };
        // A jump to another function is a tail call, which has already released the frame.
        let jumps = function.jumps.iter().filter(|to| **to != start).map(|to| (to, 0));
        let calls = function.calls.iter().map(|to| (to, function.frame));
        for (to, frame) in jumps.chain(calls).filter(|(to, _)| self.functions.contains_key(to)) {
            let Chain { depth, functions } = self.below(*to)?;
            deepest = deeper(deepest, Chain { depth: frame + depth, functions });
        }
        deepest.functions.insert(0, start);
        self.known.insert(start, Some(deepest.clone()));
        Ok(deepest)
    }
}

/// What the instructions of a function do to the stack, and where they continue.
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
    use super::{Chain, Function, Program, functions};
    use crate::executable::Instruction;
    use crate::run::Outcome;

    fn program(listing: &str) -> Program {
        Program { sizes: [(".text".into(), 8), (".bss".into(), 4)].into(), functions: functions(listing).unwrap() }
    }

    const LISTING: &str = "
encode:\tfile format elf32-littlearm

Disassembly of section .text:

00000100 <main>:
     100:\tpush\t{r7, lr}
     102:\tbl\t0x200 <f> @ imm = #0xfa
     106:\tb\t0x300 <g> @ imm = #0x1f6

00000200 <f>:
     200:\tsub\tsp, #0x10
     202:\tb\t0x200 <f> @ imm = #-6

00000208 <$d>:
     208:\t.word\t0x00000000

00000300 <g>:
     300:\tsub\tsp, #0x20

00000310 <f>:
     310:\tbx\tlr
     312:\tnop
";

    #[test]
    fn a_call_adds_to_the_frame_and_a_jump_replaces_it() {
        let program = program(LISTING);
        assert_eq!((program.functions.len(), program.flash()), (4, 8));
        assert_eq!(program.deepest().unwrap(), Chain { depth: 32, functions: vec![0x100, 0x300] });
        let called = self::program(&LISTING.replace("b\t0x300", "bl\t0x300"));
        assert_eq!(called.deepest().unwrap(), Chain { depth: 40, functions: vec![0x100, 0x300] });
    }

    #[test]
    fn a_function_that_calls_itself_has_no_depth() {
        for listing in [LISTING.replace("b\t0x200", "bl\t0x200"), LISTING.replace("b\t0x200", "bl\t0x100")] {
            let refused = program(&listing).deepest().unwrap_err();
            assert!(refused.to_string().ends_with(" calls itself, so there is no largest stack"), "{refused:?}");
        }
    }

    #[test]
    fn a_listing_without_functions_is_refused() {
        assert!(functions("encode:\tfile format elf32-littlearm\n").is_err());
    }

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
}
