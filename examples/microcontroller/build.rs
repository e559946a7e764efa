//! Passes the linker its scripts: the memory of the board, and the sections.
#![forbid(unsafe_code)]

fn main() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let is_arm = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|architecture| architecture == "arm");
    for script in [if is_arm { "arm.x" } else { "riscv.x" }, "sections.x"] {
        println!("cargo::rerun-if-changed={script}");
        println!("cargo::rustc-link-arg-bins=-T{folder}/{script}");
    }
}
