//! Writes the tables that the program includes from files.

#![forbid(unsafe_code)]

use posenc::{Bf16Bits, F16Bits, Preset, Spec, build_script};

fn main() -> Result<(), build_script::Error> {
    println!("cargo::rerun-if-changed=build.rs");
    let spec = Spec::preset(Preset::Whisper, 384);
    build_script::write_table::<f32>("f32", &spec, 1500)?;
    build_script::write_table::<f64>("f64", &spec, 1500)?;
    build_script::write_table::<F16Bits>("f16_bits", &spec, 1500)?;
    build_script::write_table::<Bf16Bits>("bf16_bits", &spec, 1500)
}
