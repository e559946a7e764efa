"""Measures what posenc costs: building a crate with a baked table, the stages of the macro, and an entry at run time.

`cargo xtask cost [mebibytes ...]` (by default 1 4 16 64 128) builds small crates in a temporary folder and prints
Markdown tables. Needs cargo and Python 3.8 or newer on Linux. Machines differ and measurements are noisy: compare the
ratios within one run.

`cargo xtask cost --cold [revision ...]` prints another table: the cost of building a crate with a small table and all
its dependencies for the first time, with the current libraries and with those of other revisions. Downloading the
dependencies is not included.
"""

import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
D_MODEL = 1024
ROUNDS = 5
COLD_ROUNDS = 3
MOST_MIB_OF_TOKENS = 4  # an array of float literals takes rustc half a second and 150 MB for each
OPTIMISED = {"CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL": "3"}

CRATE = """\
[package]
name = "cost"
version = "0.0.0"
edition = "2024"

[dependencies]
posenc = {{ path = "{root}" }}
probe = {{ path = "probe" }}

[build-dependencies]
posenc = {{ path = "{root}" }}

[workspace]
"""

COLD_CRATE = """\
[package]
name = "cold"
version = "0.0.0"
edition = "2024"

[dependencies]
posenc = {{ path = "{root}" }}

[workspace]
"""

# All contenders have this build script, so that none of them compiles it during a round.
BUILD_SCRIPT = """\
fn main() -> Result<(), posenc::build_script::Error> {{
    println!("cargo::rerun-if-changed=build.rs");
    posenc::build_script::write_table::<f32>("table", &posenc::Spec::new({d}), {n})
}}
"""

# This macro crate is timed alone: it does what `sinusoidal_table!` does with finished bytes. Reading them is not
# counted.
PROBE_MANIFEST = """\
[package]
name = "probe"
version = "0.0.0"
edition = "2024"

[lib]
proc-macro = true
"""

PROBE = """\
use proc_macro::{Literal, TokenStream, TokenTree};

#[proc_macro]
pub fn literal(_: TokenStream) -> TokenStream {
    let bytes = std::fs::read("src/table.bin").unwrap();
    let begin = std::time::Instant::now();
    let literal = Literal::byte_string(&bytes);
    eprintln!("escaped in {} s", begin.elapsed().as_secs_f64());
    TokenTree::Literal(literal).into()
}
"""

MAIN = 'fn main() {{ println!("{{}}", PE[std::env::args().count()][3]); }}\n'
STATIC = "static PE: [[f32; {d}]; {n}] = "
EMPTY = "fn main() {{}}\n"
INCLUDED = STATIC + 'posenc::__private::decode(include_bytes!("table.bin"));\n' + MAIN
BAKED = STATIC + "posenc::sinusoidal_table!({n}, {d});\n" + MAIN
PROBED = STATIC + "posenc::__private::decode(probe::literal!());\n" + MAIN
TOKENS = STATIC + 'include!("tokens.rs");\n' + MAIN
FROM_FILE = STATIC + 'posenc::sinusoidal_table!({n}, {d}, file = "table");\n' + MAIN
NAMED = """\
const SEQ_LEN: usize = {n};
const D_MODEL: usize = {d};
static PE: [[{dtype}; D_MODEL]; SEQ_LEN] = posenc::sinusoidal_table!(SEQ_LEN, D_MODEL, dtype = {dtype});
""" + MAIN

WRITE = """\
use std::fs::write;
fn main() {{
    let table = posenc::sinusoidal_table({n}, {d}).unwrap();
    let bytes: Vec<u8> = table.as_slice().iter().flat_map(|entry| entry.to_ne_bytes()).collect();
    write("src/table.bin", bytes).unwrap();
    if {tokens} {{
        write("src/tokens.rs", format!("{{:?}}", table.rows().collect::<Vec<_>>())).unwrap();
    }}
}}
"""

EVALUATE = """\
fn main() {{
    let begin = std::time::Instant::now();
    let mut entries = vec![0.0f32; {n} * {d}];
    posenc::Spec::new({d}).fill(0.., &mut entries).unwrap();
    println!("{{}}", begin.elapsed().as_secs_f64());
}}
"""

# A build script does the same, and runs unoptimised.
WRITE_FILE = """\
fn main() {{
    // SAFETY: there is one thread.
    unsafe {{
        std::env::set_var("OUT_DIR", std::env::temp_dir());
        std::env::set_var("CARGO_CFG_TARGET_ENDIAN", "little");
    }}
    let file = std::env::temp_dir().join("cost.posenc");
    let _ = std::fs::remove_file(&file);
    let begin = std::time::Instant::now();
    posenc::build_script::write_table::<f32>("cost", &posenc::Spec::new({d}), {n}).unwrap();
    println!("{{}}", begin.elapsed().as_secs_f64());
    std::fs::remove_file(&file).unwrap();
}}
"""

PER_ENTRY = """\
use posenc::Spec;
fn median(fill: impl Fn(usize, &mut [f32])) -> f64 {
    let mut rows = vec![0.0; 512 * 512];
    let mut nanoseconds: Vec<f64> = (0..9).map(|run| {
        let begin = std::time::Instant::now();
        fill(512 * run, &mut rows);
        begin.elapsed().as_nanos() as f64 / (rows.len() / 2) as f64
    }).collect();
    nanoseconds.sort_by(f64::total_cmp);
    nanoseconds[4]
}
fn main() {
    let spec = Spec::new(512);
    let fill = median(|first, rows| spec.fill(first.., rows).unwrap());
    let const_fill = median(|first, rows| spec.const_fill(first.., rows).unwrap());
    let encode = median(|first, rows| {
        for (row, entries) in (first as i64..).zip(rows.chunks_exact_mut(512)) {
            spec.encode(row, entries).unwrap();
        }
    });
    println!("{fill:.0} | {const_fill:.0} | {encode:.0}");
}
"""


class Cost:
    """The cost of one run of cargo, or medians over several runs."""

    def __init__(self, wall, cpu, peak):
        self.wall, self.cpu, self.peak = wall, cpu, peak


def cargo(crate, command, environment):
    """Runs cargo, and returns its stdout, its stderr and its cost, including the compiler's."""
    command = ["cargo", command, "--quiet", "--manifest-path", str(crate / "Cargo.toml")]
    # Incremental compilation would reuse constants from the run before.
    environment = {**os.environ, "CARGO_INCREMENTAL": "0", **environment}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin = time.monotonic()
        child = subprocess.Popen(command, cwd=crate, stdout=out, stderr=err, env=environment)
        _, status, usage = os.wait4(child.pid, 0)  # includes the descendants: total time, largest memory
        wall = time.monotonic() - begin
        out.seek(0), err.seek(0)
        output, told = out.read(), err.read()
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}\n{told}")
    return output, told, Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def run(crate, source, **environment):
    (crate / "src/main.rs").write_text(source)
    return cargo(crate, "run", environment)[0].strip()


def rounds(crate, command, contenders):
    """Returns the median cost of building the crate with each source, and the compiler's last stderr.

    Each round builds all of them once, in rotated order, so that a temporary slowdown affects all of them. Round -1
    builds their dependencies.
    """
    costs, told = {name: [] for name in contenders}, {}
    for number in range(-1, ROUNDS):
        names = list(contenders)
        first = number % len(names)
        for name in names[first:] + names[:first]:
            source, environment = contenders[name]
            (crate / "src/main.rs").write_text(f"{source}// {number}\n")
            _, told[name], cost = cargo(crate, command, environment)
            if number >= 0:
                costs[name].append(cost)
    median = statistics.median
    return {
        name: Cost(median(c.wall for c in of), median(c.cpu for c in of), median(c.peak for c in of))
        for name, of in costs.items()
    }, told


def print_builds(crate, mebibytes):
    """Prints one table, with a contender in each row."""
    size = {"n": mebibytes * 2**18 // D_MODEL, "d": D_MODEL}
    (crate / "build.rs").write_text(BUILD_SCRIPT.format(**size))
    with_tokens = mebibytes <= MOST_MIB_OF_TOKENS
    run(crate, WRITE.format(tokens=str(with_tokens).lower(), **size))
    reference = "`include_bytes!` of the finished bytes"
    contenders = {
        "no table": (EMPTY, {}),
        reference: (INCLUDED, {}),
        "`sinusoidal_table!` of a build script's file": (FROM_FILE, {}),
        "`sinusoidal_table!`": (BAKED, {}),
        "`sinusoidal_table!`, build-override opt-level 3": (BAKED, OPTIMISED),
    }
    if with_tokens:
        contenders["an array of float literals"] = (TOKENS, {})
    contenders = {name: (source.format(**size), environment) for name, (source, environment) in contenders.items()}

    builds, _ = rounds(crate, "build", contenders)
    checks, _ = rounds(crate, "check", contenders)
    base = builds[reference]
    print(f"\n| {mebibytes} MiB: {size['n']} x {size['d']}, f32 ", end="")
    print("| check s | build s | ratio | CPU s | peak MB | ratio |\n|---|---|---|---|---|---|---|")
    for name, cost in builds.items():
        print(
            f"| {name} | {checks[name].wall:.2f} | {cost.wall:.2f} | {cost.wall / base.wall:.2f} | {cost.cpu:.2f} "
            f"| {cost.peak:.0f} | {cost.peak / base.peak:.2f} |"
        )
    if not with_tokens:
        print("| an array of float literals | not run | | | | | |")
    seconds = statistics.median(float(run(crate, WRITE_FILE.format(**size))) for _ in range(ROUNDS))
    print(f"\nWriting the file, once: {seconds:.2f} s.")


def print_named(crate):
    """Prints the cost of tables that the compiler evaluates, compared with a crate without a table."""
    shapes = [(128, 64, "f32"), (128, 512, "f32"), (512, 512, "f32"), (512, 512, "f64"), (512, 512, "bf16_bits")]
    contenders = {"no table": (EMPTY.format(), {})}
    for n, d, dtype in shapes:
        source = NAMED.format(n=n, d=d, dtype=dtype).replace("[[bf16_bits", "[[posenc::Bf16Bits")
        contenders[f"{n} x {d}, {dtype}"] = (source.replace('"{}", PE', '"{:?}", PE'), {})
    builds, _ = rounds(crate, "build", contenders)
    checks, _ = rounds(crate, "check", contenders)
    print("\n| sizes with names | check s | build s | peak MB |\n|---|---|---|---|")
    for name, cost in builds.items():
        print(f"| {name} | {checks[name].wall:.2f} | {cost.wall:.2f} | {cost.peak:.0f} |")



def print_stages(crate):
    """Prints the time of the macro's stages, for 16 MiB. Some are differences of two builds."""
    size = {"n": 4096, "d": 1024}
    run(crate, WRITE.format(tokens="false", **size))
    stages = {}
    for level in ["0", "3"]:
        environment = OPTIMISED if level == "3" else {}
        sources = {"none": EMPTY, "included": INCLUDED, "probed": PROBED, "baked": BAKED}
        builds, told = rounds(crate, "build", {name: (s.format(**size), environment) for name, s in sources.items()})
        evaluate = statistics.median(
            float(run(crate, EVALUATE.format(**size), CARGO_PROFILE_DEV_OPT_LEVEL=level)) for _ in range(ROUNDS)
        )
        escape = float(re.search(r"escaped in (\S+) s", told["probed"])[1])
        stages[level] = [
            ("evaluate: `Spec::fill`", evaluate),
            ("escape: `Literal::byte_string`", escape),
            ("hand over, and undo the escapes", builds["probed"].wall - builds["included"].wall - escape),
            ("compile the bytes, as `include_bytes!` does", builds["included"].wall - builds["none"].wall),
            ("the crate without a table", builds["none"].wall),
        ]
        stages[level].append(("sum", sum(seconds for _, seconds in stages[level])))
        stages[level].append(("measured: the crate with the macro", builds["baked"].wall))
    print("\n| stages of 4096 x 1024, f32 | macro at opt-level 0, s | opt-level 3, s |\n|---|---|---|")
    for (name, plain), (_, optimised) in zip(stages["0"], stages["3"]):
        print(f"| {name} | {plain:.2f} | {optimised:.2f} |")


def print_per_entry(crate):
    print("\n| f32, d_model 512, ns per pair of entries | `Spec::fill` | `Spec::const_fill` | `Spec::encode` |")
    print("|---|---|---|---|")
    for level in ["0", "3"]:
        print(f"| opt-level {level} | {run(crate, PER_ENTRY, CARGO_PROFILE_DEV_OPT_LEVEL=level)} |")


def print_cold(folder, revisions):
    """Prints the cost of first builds with each of the libraries; each round builds all of them in turn."""
    trees = {"as the files are": ROOT}
    for number, revision in enumerate(revisions):
        trees[revision] = folder / f"tree-{number}"
        trees[revision].mkdir()
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "x"], cwd=trees[revision], input=archive, check=True)
    costs = {name: [] for name in trees}
    for _ in range(COLD_ROUNDS):
        for name, tree in trees.items():
            crate = folder / "cold"
            (crate / "src").mkdir(parents=True)
            (crate / "Cargo.toml").write_text(COLD_CRATE.format(root=tree))
            (crate / "src/main.rs").write_text(BAKED.format(n=128, d=64))
            cargo(crate, "fetch", {})
            costs[name].append(cargo(crate, "build", {"CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": str(crate / "target")})[2])
            shutil.rmtree(crate)
    print("\n| the first build of a crate with a table | build s, median | least | most | CPU s | peak MB |")
    print("|---|---|---|---|---|---|")
    for name, of in costs.items():
        wall, (cpu, peak) = sorted(c.wall for c in of), (statistics.median(s) for s in zip(*((c.cpu, c.peak) for c in of)))
        print(f"| {name} | {statistics.median(wall):.1f} | {wall[0]:.1f} | {wall[-1]:.1f} | {cpu:.1f} | {peak:.0f} |")


def processor():
    models = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return models[0] if models else platform.machine()


def main():
    cold = sys.argv[1:2] == ["--cold"]
    rounds = f"{COLD_ROUNDS} rounds" if cold else f"{ROUNDS} rounds and of 9 runs"
    sizes = [] if cold else [int(argument) for argument in sys.argv[1:]] or [1, 4, 16, 64, 128]
    rustc = subprocess.run(["rustc", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    print(f"{processor()}, {os.cpu_count()} cores, {rustc}; dev profile, medians of {rounds}")
    with tempfile.TemporaryDirectory() as folder:
        crate = pathlib.Path(folder)
        if cold:
            print_cold(crate, sys.argv[2:])
            return
        for source in [crate / "src", crate / "probe/src"]:
            source.mkdir(parents=True)
        (crate / "Cargo.toml").write_text(CRATE.format(root=ROOT))
        (crate / "build.rs").write_text(BUILD_SCRIPT.format(n=1, d=1))
        (crate / "probe/Cargo.toml").write_text(PROBE_MANIFEST)
        (crate / "probe/src/lib.rs").write_text(PROBE)
        print_named(crate)
        for mebibytes in sizes:
            print_builds(crate, mebibytes)
        print_stages(crate)
        print_per_entry(crate)


if __name__ == "__main__":
    main()
