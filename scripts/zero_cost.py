"""Shows that a baked table costs nothing at run time: it is read-only data, stored once, and a row of it is an address.

`cargo xtask zero-cost` builds a small program with a table, and the same program with a constant array, in debug and in
release mode. It inspects the executables, and that of `examples/encoder`. Exits with 1 if a check fails. Needs cargo,
objdump and Python 3.8 or newer on Linux, x86-64 or aarch64; exits with 69 (unavailable) elsewhere.
"""

import json
import math
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
N, D = 128, 64
SIZE = N * D * 4
# The bounds check, the address and the jump to the panic take 11 instructions on x86-64; this leaves some room.
MOST_INSTRUCTIONS = 14

MANIFEST = """\
[package]
name = "zero_cost"
version = "0.0.0"
edition = "2024"

[dependencies]
posenc = {{ path = "{root}" }}

[profile.release]
strip = false

[workspace]
"""

BAKED = f"static PE: [[f32; {D}]; {N}] = posenc::sinusoidal_table!({N}, {D});"
PLAIN = f"static PE: [[f32; {D}]; {N}] = [[0.5; {D}]; {N}];"
PROGRAM = f"""
#[inline(never)]
pub fn row(p: usize) -> &'static [f32; {D}] {{
    &PE[p]
}}

fn main() {{
    let p = std::env::args().count();
    println!("{{:?}}", row(p));
}}
"""


class Failure(Exception):
    """A failed check, described in a sentence."""


def require(condition, sentence):
    if not condition:
        raise Failure(sentence)


class Section:
    WRITE, LOADED = 1, 2  # of its flags
    SYMBOLS, RELOCATIONS, NO_BITS = 2, 4, 8  # of its kinds

    def __init__(self, header):
        fields = struct.unpack_from("<IIQQQQI", header)
        self.name, self.kind, self.flags, self.address, self.offset, self.size, self.link = fields


class Executable:
    """Reads what the checks need from a little-endian 64-bit ELF file, independently of tool versions."""

    def __init__(self, path):
        self.path, self.bytes = path, path.read_bytes()
        require(self.bytes[:6] == b"\x7fELF\x02\x01", f"{path} is not a little-endian ELF file of 64 bits.")
        (table,) = struct.unpack_from("<Q", self.bytes, 0x28)
        entry, count, names = struct.unpack_from("<HHH", self.bytes, 0x3A)
        self.sections = [Section(self.bytes[table + i * entry :][:entry]) for i in range(count)]
        for section in self.sections:
            section.name = self.text(self.sections[names].offset, section.name)
        self.symbols = []
        for section in self.sections:
            if section.kind == Section.SYMBOLS:
                names = self.sections[section.link].offset
                for at in range(section.offset, section.offset + section.size, 24):
                    name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", self.bytes, at)
                    # Skips the names of object files: a debug build takes instances of core's functions from them.
                    if info & 15 != 4:
                        self.symbols.append((self.text(names, name), index, value, size))
        require(self.symbols, f"{path} has no symbols to look at.")

    def text(self, start, offset):
        start += offset
        return self.bytes[start : self.bytes.index(b"\0", start)].decode()

    def symbol(self, item):
        """Returns the section, address and size of an item of the crate, by its name in either mangling scheme."""
        mangled = f"9zero_cost{len(item)}{item}"
        found = [symbol[1:] for symbol in self.symbols if re.search(mangled + "(17h[0-9a-f]{16}E)?$", symbol[0])]
        require(len(found) == 1, f"`{item}` should be one symbol, but there are {len(found)}.")
        index, address, size = found[0]
        return self.sections[index], address, size

    def sizes(self):
        """Returns the sizes of the sections that are loaded into memory."""
        return {section.name: section.size for section in self.sections if section.flags & Section.LOADED}

    def called(self, operands):
        """Returns the name of the called function, by its address or through the global offset table."""
        address = int(re.search(r"([0-9a-f]+) <|$", operands)[1] or "0", 16)
        if "*" in operands:
            for section in self.sections:
                if section.kind == Section.RELOCATIONS:
                    for place, _, target in struct.iter_unpack("<QQq", self.bytes[section.offset :][: section.size]):
                        if place == address:
                            return next((name for name, _, value, _ in self.symbols if value == target), operands)
        return next((name for name, _, value, _ in self.symbols if name and value == address), operands)

    def disassemble(self, item):
        """Returns the instructions of a function as (address, mnemonic, operands)."""
        _, start, size = self.symbol(item)
        tool = shutil.which("objdump") or shutil.which("llvm-objdump")
        command = [tool, "-d", "--no-show-raw-insn", f"--start-address={start:#x}", f"--stop-address={start + size:#x}"]
        listing = subprocess.run([*command, str(self.path)], stdout=subprocess.PIPE, text=True, check=True).stdout
        # objdump shows a prefix as a word before the mnemonic.
        lines = re.findall(r"^ *([0-9a-f]+):\s+(?:addr32 |data16 )*(\S+)[ \t]*(.*)$", listing, re.M)
        require(lines, f"{tool} shows no instructions of `{item}`.")
        return [(int(address, 16), mnemonic, operands.strip()) for address, mnemonic, operands in lines]


def check_place(baked):
    section, address, size = baked.symbol("PE")
    require(
        section.name.startswith(".rodata") and not section.flags & Section.WRITE and section.kind != Section.NO_BITS,
        f"The table should stand in .rodata, but is in {section.name}.",
    )
    require(size == SIZE, f"The table should take {SIZE} bytes, but takes {size}.")
    offset = section.offset + address - section.address
    table = baked.bytes[offset : offset + SIZE]
    # This does not prove the values, which other tests check, but that these bytes are the table.
    for index, entry in enumerate(struct.unpack(f"<{N * D}f", table)):
        p, column = divmod(index, D)
        angle = p / 10000 ** (column // 2 * 2 / D)
        value = math.cos(angle) if column % 2 else math.sin(angle)
        require(abs(entry - value) < 1e-6, f"Entry {column} of row {p} should be near {value}, but is {entry}.")
    # Searching for a part finds copies that are cut or have a modified beginning. Row 0 is left out, because it is too
    # simple.
    times = baked.bytes.count(table[4 * D :][:4096])
    require(times == 1, f"The bytes of the table should occur once in the file, but occur {times} times.")
    return f"the table is in {section.name}, {SIZE} bytes, once in the file"


def check_no_start(baked, plain, release):
    sizes, others = baked.sizes(), plain.sizes()
    different = sorted(name for name in {*sizes, *others} if sizes.get(name) != others.get(name))
    require(".init_array" not in different, ".init_array should be as large as without a table, but is not.")
    # Debug builds share instances of generic functions of core and alloc between crates. The newer mangling scheme
    # appends the crate that instantiated such a function first.
    names = (re.sub("Cs[0-9A-Za-z]+_[0-9]+posenc_[a-z]+$", "", name) for name, *_ in baked.symbols)
    names = sorted(name for name in names if "posenc" in name)
    require(not names, f"No code of posenc should be in the program, but {len(names)} symbols are: {names[:2]}.")
    if release:
        require(not different, f"These sections should be as large as with a plain array: {different}.")
        return "no symbol of posenc, .init_array and all other sections are as large as with a plain array"
    return "no symbol of posenc, .init_array is as large as with a plain array"


def check_row(baked, plain, release):
    lines = baked.disassemble("row")
    _, start, size = baked.symbol("row")
    if release:
        for address, mnemonic, operands in lines:
            if re.match("call|bl", mnemonic):
                to = baked.called(operands)
                require("panic_bounds_check" in to, f"`row` should call the bounds check's panic alone, not {to}.")
            elif re.match("j|loop|b$|b[.]|cbn?z|tbn?z", mnemonic):
                target = re.search(r"([0-9a-f]+) <", operands)
                forward = target and address < int(target[1], 16) < start + size
                require(forward, f"`row` should only jump forward, within itself: {mnemonic} {operands}.")
        most = MOST_INSTRUCTIONS
        require(len(lines) <= most, f"`row` should be {most} instructions at most, not {len(lines)}.")
    # Unoptimised code is long, but must not be longer than for an array.
    mnemonics = [mnemonic for _, mnemonic, _ in lines]
    same = [mnemonic for _, mnemonic, _ in plain.disassemble("row")]
    require(mnemonics == same, f"`row` should be {same} as with a plain array, but is {mnemonics}.")
    listing = "".join(f"\n    {address:x}: {mnemonic} {operands}".rstrip() for address, mnemonic, operands in lines)
    found = ", no loop, no call but the bounds check's panic" if release else ""
    return f"`row` is {len(lines)} instructions, those of a plain array{found}{listing}"


def build(crate, name, source, profile):
    (crate / "src/main.rs").write_text(source + PROGRAM)
    target = crate / "target"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0"}
    environment.pop("CARGO_BUILD_TARGET", None)
    command = ["cargo", "build", "--quiet", "--profile", profile, "--manifest-path", str(crate / "Cargo.toml")]
    subprocess.run(command, cwd=crate, env=environment, check=True)
    # Renamed so that the next build does not overwrite it.
    return Executable((target / {"dev": "debug"}.get(profile, profile) / "zero_cost").rename(crate / name))


def check_no_sine():
    """Checks the example with a model that uses a baked table. The example counts its allocations itself."""
    command = ["cargo", "build", "--quiet", "--release", "--package", "posenc-example-encoder", "--message-format", "json"]
    messages = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    example = next(path for message in messages if (path := json.loads(message).get("executable")))
    names = [re.sub("Cs[0-9A-Za-z]+_", "", name) for name, *_ in Executable(pathlib.Path(example)).symbols]
    require(any("expf" in name for name in names), "The example should compute an exponential function, but does not.")
    found = [name for name in names if re.search("(^|[^a-z])(k_)?(sin|cos|sincos|rem_pio2)f?([^a-z]|$)", name)]
    require(not found, f"The example should have no function for sines, but has {found[:2]}.")
    return f"examples/encoder: none of its {len(names)} symbols is a sine or cosine"


def main():
    machine = (platform.system(), platform.machine())
    if machine not in [("Linux", "x86_64"), ("Linux", "aarch64")]:
        print(f"skipped: zero_cost.py knows executables of Linux on x86-64 and aarch64, not of {' '.join(machine)}")
        return 69
    if not (shutil.which("objdump") or shutil.which("llvm-objdump")):
        print("skipped: zero_cost.py needs objdump, of binutils or of LLVM")
        return 69
    with tempfile.TemporaryDirectory() as folder:
        crate = pathlib.Path(folder)
        (crate / "src").mkdir()
        (crate / "Cargo.toml").write_text(MANIFEST.format(root=ROOT))
        for profile in ["dev", "release"]:
            plain = build(crate, "plain", PLAIN, profile)
            baked = build(crate, "baked", BAKED, profile)
            try:
                print(f"{profile}: {check_place(baked)}")
                print(f"{profile}: {check_no_start(baked, plain, profile == 'release')}")
                print(f"{profile}: {check_row(baked, plain, profile == 'release')}")
            except Failure as failure:
                print(f"{profile}: {failure}", file=sys.stderr)
                return 1
    try:
        print(check_no_sine())
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
