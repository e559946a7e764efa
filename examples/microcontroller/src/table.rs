//! The table.

use posenc::{F16Bits, sinusoidal_table};

/// The encodings of 64 positions, in a section of their own, which `sections.x` places.
#[unsafe(link_section = ".posenc")]
pub static PE: [[F16Bits; 32]; 64] = sinusoidal_table!(64, 32, dtype = f16_bits);
