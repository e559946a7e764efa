"""Measures the flash memory and the stack that rows need on a processor without an operating system.

`cargo xtask small-machine [--at REVISION]` builds the programs of tests/bare-metal for a Cortex-M4, optimised for size,
and reads their object code. For each program it prints the flash memory beyond that of an empty program, the functions
with the most copies (one for every precision or type), the largest stack frames, and the chain of calls with the
largest stack use. With a revision, the programs are built with the libraries of that revision.

A frame is what a function's instructions subtract from the stack pointer, so the deepest chain is an upper bound: the
chain may never occur. Needs cargo, and rustup for missing tools; exits with 69 (unavailable) if they cannot be
installed.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = "thumbv7em-none-eabi"
PACKAGE = "tests/bare-metal"
FLASH = [".text", ".rodata", ".data"]
MOST_LINES = 6  # of a list, of which the rest says little


def output(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **options).stdout


class Missing(Exception):
    """A tool is missing and cannot be installed."""


def disassembler():
    """Returns the compiler's own disassembler, which knows the compiler's output."""
    for what, name in [("target", TARGET), ("component", "llvm-tools")]:
        if (added := subprocess.run(["rustup", what, "add", name], stderr=subprocess.PIPE, text=True)).returncode:
            raise Missing(f"no {name}: {added.stderr.strip()}")
    host = re.search("host: (.*)", output("rustc", "-vV"))[1]
    return pathlib.Path(output("rustc", "--print", "sysroot").strip(), "lib/rustlib", host, "bin/llvm-objdump")


class Function:
    def __init__(self, name, start):
        self.name, self.start, self.end = name, start, start
        self.frame, self.calls, self.jumps, self.blind = 0, set(), set(), 0

    def read(self, address, mnemonic, operands):
        """Reads one instruction: its stack use and its target."""
        self.end = address
        base = mnemonic.split(".")[0]
        target = re.search(r"0x([0-9a-f]+) <", operands)
        if base in ["push", "stmdb"] and (base == "push" or operands.startswith("sp!")):
            self.frame += 4 * registers(operands)
        elif re.match(r"str\b.*\[sp, #-4\]!", f"{base} {operands}"):
            self.frame += 4
        elif base in ["sub", "subw"] and re.match(r"sp\b", operands):
            number = re.fullmatch(r"sp, (?:sp, )?#(\d+|0x[0-9a-f]+)", operands)
            if not number:
                sys.exit(f"{self.name}: a frame of unknown size: {mnemonic} {operands}")
            self.frame += int(number[1], 0)
        elif base == "bl" and target:
            self.calls.add(int(target[1], 16))
        elif base == "blx" or (base == "bx" and operands != "lr"):
            self.blind += 1
        elif base.startswith(("b", "cb")) and target:
            self.jumps.add(int(target[1], 16))


def registers(operands):
    """Returns the number of registers in a list such as `{r4, r5, r7-r9, lr}`."""
    spans = [re.findall(r"\d+", span) for span in re.search("{(.*)}", operands)[1].split(",")]
    return sum(int(span[1]) - int(span[0]) + 1 if len(span) == 2 else 1 for span in spans)


def plain(name):
    """Returns the name of a function without its hash and its generic arguments, in either mangling scheme."""
    name = re.sub("::h[0-9a-f]{16}$", "", name)
    for escape, sign in [("$LT$", "<"), ("$GT$", ">"), ("$u20$", " "), ("..", "::")]:
        name = name.replace(escape, sign)
    name = re.sub(r"^<(.*)>::(\w+)$", r"\1::\2", re.sub("::<[^<>]*>$", "", name))
    return re.sub(r"<\d+(_?usize)?>", "<_>", name).replace("posenc_runtime::", "")


class Program:
    def __init__(self, path, objdump):
        self.name = path.name
        headers = output(objdump, "--section-headers", path)
        self.sizes = {name: int(size, 16) for name, size in re.findall(r"^ *\d+ (\.\S+) +([0-9a-f]+) ", headers, re.M)}
        self.functions, self.depths = {}, {}
        for line in output(objdump, "--disassemble", "--no-show-raw-insn", "--demangle", path).splitlines():
            if label := re.match(r"([0-9a-f]+) <([^$].*)>:$", line):
                function = Function(plain(label[2]), int(label[1], 16))
                self.functions[function.start] = function
            elif instruction := re.match(r" *([0-9a-f]+):\s+(\S+)\s*([^@]*)", line):
                function.read(int(instruction[1], 16), instruction[2], instruction[3].strip())

    def flash(self):
        return sum(self.sizes.get(section, 0) for section in FLASH)

    def copies(self):
        """Returns the functions with several copies, ordered by total size: (bytes, number, name)."""
        same = collections.defaultdict(list)
        starts = sorted(self.functions)
        for start, following in zip(starts, [*starts[1:], self.functions[starts[-1]].end]):
            same[self.functions[start].name].append(following - start)
        return sorted(((sum(of), len(of), name) for name, of in same.items() if len(of) > 1), reverse=True)

    def deepest(self, start, above=()):
        """Returns the stack use of a function including its callees, and the chain of calls."""
        if start in above:
            sys.exit(f"{self.functions[start].name} calls itself, so there is no largest stack")
        if start not in self.depths:
            function = self.functions[start]
            inside, instead = ([self.deepest(to, (*above, start)) for to in of if to in self.functions and to != start]
                               for of in (function.calls, function.jumps))
            # A jump to another function is a tail call, which has already released the frame.
            ways = [(function.frame, []), *instead, *((function.frame + depth, chain) for depth, chain in inside)]
            depth, chain = max(ways, key=lambda way: way[0])
            self.depths[start] = depth, [function, *chain]
        return self.depths[start]

    def stack(self):
        return max((self.deepest(start) for start in self.functions), key=lambda of: of[0])


def report(program, empty):
    parts = ", ".join(f"{section} {program.sizes[section]}" for section in FLASH if section in program.sizes)
    print(f"\n{program.name}: {program.flash() - empty.flash()} bytes of flash beyond an empty program ({parts})")
    print(f"    {len(program.functions)} functions; those that are there more than once:")
    for total, count, name in program.copies()[:MOST_LINES]:
        print(f"    {count:6} x {name}, {total} bytes together")
    print("    the largest frames:")
    for function in sorted(program.functions.values(), key=lambda function: -function.frame)[:MOST_LINES]:
        print(f"    {function.frame:6} {function.name}")
    depth, chain = program.stack()
    print(f"    the deepest chain of calls takes {depth} bytes of stack:")
    for function in chain:
        print(f"    {function.frame:6} {function.name}")
    if blind := sum(function.blind for function in program.functions.values()):
        print(f"    without {blind} calls of addresses that are known at run time alone")


def build(tree, target):
    """Builds the programs with the libraries in a tree."""
    other_flags = re.compile("CARGO_(BUILD|ENCODED)|RUSTFLAGS")
    environment = {name: value for name, value in os.environ.items() if not other_flags.match(name)}
    manifest = ["--manifest-path", tree / PACKAGE / "Cargo.toml", "--target-dir", target]
    command = ["cargo", "build", "--quiet", "--release", "--target", TARGET, *manifest]
    subprocess.run(command, env=environment, check=True)
    return target / TARGET / "release"


def measure(tree, target):
    objdump = disassembler()
    programs = build(tree, target)
    empty, *others = (Program(programs / name, objdump) for name in ["empty", "encode", "fill"])
    for program in others:
        report(program, empty)


def unpack(revision, folder):
    """Unpacks the files of a revision, with the current programs of tests/bare-metal."""
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "x"], cwd=folder, input=archive, check=True)
    shutil.rmtree(folder / PACKAGE, ignore_errors=True)
    shutil.copytree(ROOT / PACKAGE, folder / PACKAGE)


def main():
    parser = argparse.ArgumentParser(description="What a small machine needs.")
    parser.add_argument("--at", metavar="REVISION", help="measure the libraries of another revision")
    revision = parser.parse_args().at
    print(f"{output('rustc', '--version').strip()}, {TARGET}, {revision or 'as the files are'}", flush=True)
    try:
        if not revision:
            measure(ROOT, ROOT / "target/small-machine")
            return 0
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            unpack(revision, folder)
            measure(folder, folder / "target")
    except Missing as missing:
        print(f"small_machine.py: skipped: {missing}")
        return 69
    return 0


if __name__ == "__main__":
    sys.exit(main())
