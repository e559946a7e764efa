"""What posenc costs: building a crate with a baked table, and the exact tier at run time.

`python3 scripts/cost.py [mebibytes]` (16 unless given) builds small crates in a temporary folder and prints two tables. Needs
cargo and Python 3.8 or newer on Linux. Machines differ and are noisy: read the ratios of one run.
"""

import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
D_MODEL = 1024
RUNS = 5

MANIFEST = """\
[package]
name = "cost"
version = "0.0.0"
edition = "2024"

[dependencies]
posenc = {{ path = "{root}", features = ["alloc"] }}

[workspace]
"""

EMPTY = "fn main() {{}}\n"

BAKED = """\
static PE: [[f32; {d}]; {n}] = posenc::sinusoidal_table!({n}, {d});
fn main() {{ println!("{{}}", PE[std::env::args().count()][3]); }}
"""

INCLUDED = """\
static PE: [[f32; {d}]; {n}] = posenc::__private::decode(include_bytes!("table.bin"));
fn main() {{ println!("{{}}", PE[std::env::args().count()][3]); }}
"""

WRITE = """\
fn main() {{
    let table = posenc::sinusoidal_table({n}, {d}).unwrap();
    let bytes: Vec<u8> = table.as_slice().iter().flat_map(|entry| entry.to_ne_bytes()).collect();
    std::fs::write("src/table.bin", bytes).unwrap();
}}
"""

EVALUATED = """\
static PE: [[f32; 64]; 64] = {{
    let mut rows = [[0.0; 64]; 64];
    assert!(posenc::Spec::new(64).fill(0.., rows.as_flattened_mut()).is_ok());
    rows
}};
fn main() {{ println!("{{}}", PE[std::env::args().count()][3]); }}
"""

TIMED = """\
use std::time::Instant;
fn main() {
    let mut rows = vec![0.0f32; 512 * 512];
    let mut nanoseconds: Vec<f64> = (0..9).map(|run| {
        let begin = Instant::now();
        posenc::Spec::new(512).fill(512 * run.., &mut rows).unwrap();
        begin.elapsed().as_nanos() as f64 / (rows.len() / 2) as f64
    }).collect();
    nanoseconds.sort_by(f64::total_cmp);
    println!("{:.0}", nanoseconds[4]);
}
"""


def cargo(crate, *arguments, **environment):
    """Runs cargo and gives its output, and the peak memory in MB of the largest process it started."""
    command = ["cargo", *arguments, "--quiet", "--manifest-path", str(crate / "Cargo.toml")]
    # Incremental compilation would remember constants from the run before.
    environment = {**os.environ, "CARGO_INCREMENTAL": "0", **environment}
    child = subprocess.Popen(command, cwd=crate, stdout=subprocess.PIPE, text=True, env=environment)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return output, usage.ru_maxrss / 1024


def set_source(crate, text):
    (crate / "src/main.rs").write_text(text)


def build_cost(crate, text, command, environment):
    """Median seconds and megabytes of rebuilding the crate itself, its dependencies being built."""
    seconds, megabytes = [], []
    for run in range(-1, RUNS):
        set_source(crate, f"{text}// {run}\n")
        begin = time.monotonic()
        _, peak = cargo(crate, command, **environment)
        if run >= 0:
            seconds.append(time.monotonic() - begin)
            megabytes.append(peak)
    return statistics.median(seconds), statistics.median(megabytes)


def print_build_costs(crate, rows):
    optimised = {"CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL": "3"}
    size = f"{rows} x {D_MODEL}"
    cases = [
        ("no table", EMPTY, {}),
        (f"{size}, `include_bytes!` of the finished bytes", INCLUDED, {}),
        (f"{size}, `sinusoidal_table!`", BAKED, {}),
        (f"{size}, `sinusoidal_table!`, build-override opt-level 3", BAKED, optimised),
        ("64 x 64, `Spec::fill` in a constant", EVALUATED, {}),
    ]
    print(f"| one table of f32 ({rows * D_MODEL >> 18} MiB) | check s | build s | build peak MB |\n|---|---|---|---|")
    for name, source, environment in cases:
        source = source.format(n=rows, d=D_MODEL)
        check, build = (build_cost(crate, source, command, environment) for command in ["check", "build"])
        print(f"| {name} | {check[0]:.2f} | {build[0]:.2f} | {build[1]:.0f} |")


def print_exact_tier(crate):
    set_source(crate, TIMED)
    print("\n| `Spec::fill`, f32, d_model 512 | ns per pair of entries |\n|---|---|")
    for level in ["0", "3"]:
        nanoseconds, _ = cargo(crate, "run", CARGO_PROFILE_DEV_OPT_LEVEL=level)
        print(f"| opt-level {level} | {nanoseconds.strip()} |")


def main():
    mebibytes = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    rows = mebibytes * 2**18 // D_MODEL
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{processor()}, {os.cpu_count()} cores, {rustc}; medians of {RUNS} builds and of 9 runs\n")
    with tempfile.TemporaryDirectory() as folder:
        crate = pathlib.Path(folder)
        (crate / "src").mkdir()
        (crate / "Cargo.toml").write_text(MANIFEST.format(root=ROOT))
        set_source(crate, WRITE.format(n=rows, d=D_MODEL))
        cargo(crate, "run")
        print_build_costs(crate, rows)
        print_exact_tier(crate)


def processor():
    models = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return models[0] if models else platform.machine()


if __name__ == "__main__":
    main()
