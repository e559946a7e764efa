//! Tables from files written by the build script: in an expression, as an item, and with named parameters.
//!
//! The compiler accepts the table that the file was written for:
//!
//! ```
//! # use posenc::sinusoidal_table;
//! static PE: [[f32; 384]; 1500] = sinusoidal_table!(1500, 384, preset = whisper, file = "whisper");
//! assert_eq!(PE, build_script::WHISPER);
//! ```
//!
//! It rejects any other:
//!
//! ```compile_fail,E0080
//! # use posenc::sinusoidal_table;
//! static PE: [[f32; 384]; 1500] = sinusoidal_table!(1500, 384, preset = whisper, base = 9999, file = "whisper");
//! ```
//!
//! ```compile_fail,E0080
//! # use posenc::sinusoidal_table;
//! static PE: [[f32; 384]; 1499] = sinusoidal_table!(1499, 384, preset = whisper, file = "whisper");
//! ```
//!
//! ```compile_fail,E0080
//! # use posenc::{Bf16Bits, sinusoidal_table};
//! static PE: [[Bf16Bits; 384]; 1500] = sinusoidal_table!(1500, 384, dtype = bf16_bits, preset = whisper, file = "whisper");
//! ```
//!
//! ```compile_fail,E0080
//! # use posenc::sinusoidal_table;
//! static PE: [[f64; 6]; 9] = sinusoidal_table!(9, 6, dtype = f64, scaling = longrope([1, 1.5, 63], 32, 4096),
//!     amplitude = attention_factor, file = "long");
//! ```
//!
//! ```compile_fail,E0080
//! # use posenc::grid_table;
//! static PE: [[f32; 48]; 36] = grid_table!((7, 5), 48, preset = mae, zero_rows = 1, file = "patches");
//! ```
//!
//! It also rejects the same table if four bytes of the file were changed after it was written:
//!
//! ```compile_fail
//! # use posenc::sinusoidal_table;
//! static PE: [[f32; 384]; 1500] = sinusoidal_table!(1500, 384, preset = whisper, file = "damaged");
//! ```
#![no_std]
#![forbid(unsafe_code)]

use posenc::{Bf16Bits, grid_table, sinusoidal_table};

/// The encoder positions of Whisper.
pub static WHISPER: [[f32; 384]; 1500] = sinusoidal_table!(1500, 384, preset = whisper, file = "whisper");

const LAST: usize = 31;
const FREQUENCIES: [f64; 2] = [1.0, 0.125];
const FACTORS: [f64; 3] = [1.0, 1.5, 64.0];

sinusoidal_table! {
    /// Positions from 31 down to -31, negated and stretched by a scale of -0.25.
    pub static RELATIVE: Aligned =
        (2 * LAST + 1, 6, dtype = f64, preset = conformer_rel, start = LAST, scale = -0.25, file = "relative");

    /// A table of `Bf16Bits` with a list of frequencies.
    pub static LISTED =
        (7, 4, dtype = bf16_bits, frequencies = FREQUENCIES, amplitude = rsqrt_d, zero_row = 2, file = "listed");

    /// A table with a scaling rule.
    pub static LONG =
        (9, 6, dtype = f64, scaling = longrope(FACTORS, 32, 4096), amplitude = attention_factor, file = "long");
}

/// The patches of an image of 5 x 7, after a class token.
pub static PATCHES: [[f32; 48]; 36] = grid_table!((5, 7), 48, preset = mae, zero_rows = 1, file = "patches");

/// Checks the type of `LISTED`.
pub const BITS: &[[Bf16Bits; 4]; 7] = &LISTED;

#[cfg(test)]
mod tests {
    use posenc::{Amplitude, Grid, GridPreset, Preset, Scaling, Spec};

    use super::*;

    #[test]
    fn the_files_hold_the_tables_of_run_time() {
        for (i, rows) in WHISPER.chunks_exact(10).enumerate() {
            let mut made = [[0.0f32; 384]; 10];
            Spec::preset(Preset::Whisper, 384).fill(10 * i.., made.as_flattened_mut()).unwrap();
            assert_eq!(*rows, made);
        }

        let mut relative = [[0.0f64; 6]; 63];
        let spec = Spec::preset(Preset::ConformerRel, 6).start(31).scale(-0.25);
        spec.fill(0.., relative.as_flattened_mut()).unwrap();
        assert_eq!(*RELATIVE, relative);
        assert_eq!(RELATIVE.as_ptr().addr() % 64, 0);

        let mut listed = [[Bf16Bits::from_bits(1); 4]; 7];
        let spec = Spec::new(4).frequencies(&[1.0, 0.125]).amplitude(Amplitude::RsqrtD).zero_row(2);
        spec.fill(0.., listed.as_flattened_mut()).unwrap();
        assert_eq!(*BITS, listed);

        let mut long = [[0.0f64; 6]; 9];
        let spec = Spec::new(6).scaling(Scaling::longrope(&FACTORS, 32.0, 4096)).amplitude(Amplitude::AttentionFactor);
        spec.fill(0.., long.as_flattened_mut()).unwrap();
        assert_eq!(LONG, long);

        let mut patches = [[1.0f32; 48]; 36];
        let grid = Grid::preset(GridPreset::Mae, [5, 7], 48).zero_rows(1);
        grid.fill(0.., patches.as_flattened_mut()).unwrap();
        assert_eq!(PATCHES, patches);
    }
}
