//! Writes the table files of the crate.

#![forbid(unsafe_code)]

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use posenc::build_script::{write_grid, write_table};
use posenc::{Amplitude, Bf16Bits, Grid, GridPreset, Preset, Scaling, Spec};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    write_table::<f32>("whisper", &Spec::preset(Preset::Whisper, 384), 1500)?;
    write_table::<f64>("relative", &Spec::preset(Preset::ConformerRel, 6).start(31).scale(-0.25), 63)?;
    let listed = Spec::new(4).frequencies(&[1.0, 0.125]).amplitude(Amplitude::RsqrtD);
    write_table::<Bf16Bits>("listed", &listed.zero_row(2), 7)?;
    let long = Spec::new(6).scaling(Scaling::longrope(&[1.0, 1.5, 64.0], 32.0, 4096));
    write_table::<f64>("long", &long.amplitude(Amplitude::AttentionFactor), 9)?;
    write_grid::<f32, 2>("patches", &Grid::preset(GridPreset::Mae, [5, 7], 48).zero_rows(1))?;

    // Simulates disk corruption by changing four bytes.
    write_table::<f32>("damaged", &Spec::preset(Preset::Whisper, 384), 1500)?;
    let path = PathBuf::from(env::var("OUT_DIR")?).join("damaged.posenc");
    let mut bytes = fs::read(&path)?;
    bytes[32..36].fill(0x55);
    Ok(fs::write(path, bytes)?)
}
