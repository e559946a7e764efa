//! Tells the crate whether the compiler knows the vector instructions AVX-512: stable in Rust 1.89, whose nightlies began without.

#![forbid(unsafe_code)]

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(avx512)");
    println!("cargo:rustc-check-cfg=cfg(posenc_fault, values(any()))");
    println!("cargo:rustc-check-cfg=cfg(posenc_instructions, values(any()))");
    if env::var_os("CARGO_FEATURE_STD").is_some() && minor_version().is_some_and(|minor| minor > 89) {
        println!("cargo:rustc-cfg=avx512");
    }
}

/// 89 of `rustc 1.89.0 (...)`. Unknown, the crate does without.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    String::from_utf8(output.stdout).ok()?.split('.').nth(1)?.parse().ok()
}
