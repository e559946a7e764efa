//! Passes the linker its script.
#![forbid(unsafe_code)]

fn main() {
    println!("cargo::rerun-if-changed=link.x");
    println!("cargo::rustc-link-arg-bins=-T{}/link.x", env!("CARGO_MANIFEST_DIR"));
}
