//! The table.

use posenc::{Q15, sinusoidal_table};

/// The encodings of 64 positions, in a section of their own, which `sections.x` places.
#[unsafe(link_section = ".posenc")]
pub static PE: [[Q15; 32]; 64] = sinusoidal_table!(64, 32, dtype = q15);
