// The compiler's own errors, which the guide explains.

use posenc::{grid_table, sinusoidal_table};

static SWAPPED: [[f32; 128]; 64] = sinusoidal_table!(128, 64);
static TYPE: [[f64; 64]; 128] = sinusoidal_table!(128, 64);
static ZEROS: [[f32; 768]; 197] = grid_table!((14, 14), 768, preset = mae);

fn main() {}
