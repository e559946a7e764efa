//! Writes the tables of the crate.

#![forbid(unsafe_code)]

use posenc::build_script::{self, write_table};
use posenc::{Amplitude, Bf16Bits, Preset, Spec};

fn main() -> Result<(), build_script::Error> {
    println!("cargo::rerun-if-changed=build.rs");
    write_table::<f32>("whisper", &Spec::preset(Preset::Whisper, 384), 1500)?;
    write_table::<f64>("relative", &Spec::preset(Preset::ConformerRel, 6).start(31).scale(-0.25), 63)?;
    let listed = Spec::new(4).frequencies(&[1.0, 0.125]).amplitude(Amplitude::RsqrtD);
    write_table::<Bf16Bits>("listed", &listed.zero_row(2), 7)
}
