// Names and functions that the compiler does not know.

use posenc::sinusoidal_table;

static AMPLITUDE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, amplitude = rsqrt(8));
static FREQUENCIES: [[f32; 4]; 4] = sinusoidal_table!(4, 4, frequencies = [1.0, fast]);
static MAX_BYTES: [[f32; 8]; 4] = sinusoidal_table!(4, 8, max_bytes = all);

fn main() {}
