//! Tells the crate whether the compiler knows the vector instructions AVX-512: stable in Rust 1.89, whose nightlies began without.
//! Refuses what `RUSTFLAGS` ask of it and nobody knows: a proof with a misspelt fault would be one of nothing.

#![forbid(unsafe_code)]

use std::env;
use std::process::Command;

/// What the proofs set by `--cfg`: bounds far off, in `src/error_bounds.rs`, and the only vector instructions, in
/// `src/engine/fast/simd.rs`.
const CFGS: [(&str, &[&str]); 2] = [
    ("posenc_fault", &["exact_tiny", "fast_tiny", "const_eval_tiny", "sixteen_tiny", "floats_huge", "all_huge"]),
    ("posenc_instructions", &["avx512", "avx2", "target"]),
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(avx512)");
    for (cfg, values) in CFGS {
        println!("cargo:rustc-check-cfg=cfg({cfg}, values(\"{}\"))", values.join("\", \""));
        if let Ok(value) = env::var(format!("CARGO_CFG_{}", cfg.to_uppercase())) {
            assert!(values.contains(&value.as_str()), "{cfg} is one of {}, not `{value}`", values.join(", "));
        }
    }
    if env::var_os("CARGO_FEATURE_STD").is_some() && minor_version().is_some_and(|minor| minor > 89) {
        println!("cargo:rustc-cfg=avx512");
    }
}

/// 89 of `rustc 1.89.0 (...)`. Unknown, the crate does without.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    String::from_utf8(output.stdout).ok()?.split('.').nth(1)?.parse().ok()
}
