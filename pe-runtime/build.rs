//! Sets the cfg `avx512` if the compiler supports AVX-512, the cfg `unoptimised` if the crate is built at `opt-level` 0,
//! and the cfgs that the proofs request.
//!
//! `avx512` also needs the feature `std`. AVX-512 is stable since Rust 1.89, but the first nightlies of 1.89 lack it, so
//! 1.90 is required.
//!
//! The proofs request cfgs with the variables `POSENC_FAULT` and `POSENC_INSTRUCTIONS`, which are read in the repository
//! only. (`RUSTFLAGS` would compile every dependency again.) The crate has the list of its cfgs as the constant `PROOF`.

#![forbid(unsafe_code)]

use std::env;
use std::path::Path;
use std::process::Command;

/// The cfgs of the proofs and their values: wrong error bounds, in `src/error_bounds.rs`, and the only set of
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
    println!("cargo:rustc-check-cfg=cfg(unoptimised)");
    let mut proof = Vec::new();
    for (cfg, values) in CFGS {
        println!("cargo:rustc-check-cfg=cfg({cfg}, values(\"{}\"))", values.join("\", \""));
        if let Some(value) = requested(&cfg.to_uppercase()) {
            assert!(values.contains(&value.as_str()), "{cfg} is one of {}, not `{value}`", values.join(", "));
            println!("cargo:rustc-cfg={cfg}=\"{value}\"");
            proof.push(format!("{cfg}={value}"));
        }
    }
    println!("cargo:rustc-env=POSENC_PROOF={}", if proof.is_empty() { "none".to_owned() } else { proof.join(" ") });
    if env::var_os("CARGO_FEATURE_STD").is_some() && minor_version().is_some_and(|minor| minor > 89) {
        println!("cargo:rustc-cfg=avx512");
    }
    if env::var_os("OPT_LEVEL").is_some_and(|level| level == "0") {
        println!("cargo:rustc-cfg=unoptimised");
    }
}

/// Returns the value of a variable of the proofs. A published package ignores the environment: it is not in a folder
/// that also has the proofs.
fn requested(variable: &str) -> Option<String> {
    if !Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("../tests/mpfr/Cargo.toml").is_file() {
        return None;
    }
    println!("cargo:rerun-if-env-changed={variable}");
    env::var(variable).ok()
}

/// Returns the minor version, 89 for `rustc 1.89.0 (...)`, or `None` if it is unknown. The crate then does not use
/// AVX-512.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    String::from_utf8(output.stdout).ok()?.split('.').nth(1)?.parse().ok()
}
