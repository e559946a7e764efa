//! Writes the tables that the program includes from files, and says with which cfgs posenc is compiled on this machine.

#![forbid(unsafe_code)]

use posenc::{Bf16Bits, F16Bits, Preset, Spec, build_script};

fn main() -> Result<(), build_script::Error> {
    println!("cargo::rerun-if-changed=build.rs");
    // The macro has the same copy of posenc-runtime as this script.
    println!("cargo::rustc-env=PROOF_ON_HOST={}", posenc_runtime::PROOF);
    let spec = Spec::preset(Preset::Whisper, 384);
    build_script::write_table::<f32>("f32", &spec, 1500)?;
    build_script::write_table::<f64>("f64", &spec, 1500)?;
    build_script::write_table::<F16Bits>("f16_bits", &spec, 1500)?;
    build_script::write_table::<Bf16Bits>("bf16_bits", &spec, 1500)
}
