//! Sets the cfg `avx512` if the compiler supports AVX-512, and rejects unknown values of the cfgs that the proofs set.
//!
//! The cfg also needs the feature `std`. AVX-512 is stable since Rust 1.89, but the first nightlies of 1.89 lack it, so
//! 1.90 is required. A misspelt fault in `RUSTFLAGS` would otherwise be ignored, and the proof would prove nothing.

#![forbid(unsafe_code)]

use std::env;
use std::process::Command;

/// The values that the proofs pass with `--cfg`: wrong error bounds, in `src/error_bounds.rs`, and the only set of
/// vector instructions to use, in `src/engine/simd.rs`.
const CFGS: [(&str, &[&str]); 2] = [
    (
        "posenc_fault",
        &["exact_tiny", "direct_tiny", "fast_tiny", "const_eval_tiny", "sixteen_tiny", "floats_huge", "all_huge"],
    ),
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

/// Returns the minor version, 89 for `rustc 1.89.0 (...)`, or `None` if it is unknown. The crate then does not use
/// AVX-512.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    String::from_utf8(output.stdout).ok()?.split('.').nth(1)?.parse().ok()
}
