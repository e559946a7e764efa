//! The table.

use posenc::sinusoidal_table;

/// The encodings of 64 positions times 2^15, in a section of their own, which `sections.x` places.
#[unsafe(link_section = ".posenc")]
pub static PE: [[i16; 32]; 64] = q15(&sinusoidal_table!(64, 32));

/// Returns the entries times 2^15, rounded once more. Only the compiler runs this.
const fn q15(floats: &[[f32; 32]; 64]) -> [[i16; 32]; 64] {
    let mut integers = [[0; 32]; 64];
    let mut i = 0;
    while i < 64 * 32 {
        // From the next half, towards zero. 1 becomes the largest integer.
        let scaled = floats[i / 32][i % 32] * 32_768.0;
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
        let rounded = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i16;
        integers[i / 32][i % 32] = rounded;
        i += 1;
    }
    integers
}
