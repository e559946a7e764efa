// Values of the keys that are choices, and keys that conflict.

use posenc::sinusoidal_table;

static AMPLITUDE_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, amplitude = rsqrt);
static COLUMNS_AND_LAYOUT_OF_A_PRESET: [[f32; 4]; 4] = sinusoidal_table!(4, 4, columns = sin, preset = whisper);
static COLUMNS_AND_LAYOUT: [[f32; 4]; 4] = sinusoidal_table!(4, 4, columns = sin, layout = halves);
static COLUMNS_AND_ODD: [[f32; 5]; 4] = sinusoidal_table!(4, 5, odd = zero, columns = cos);
static COLUMNS_AND_ORDER: [[f32; 4]; 4] = sinusoidal_table!(4, 4, columns = cos, order = cos_sin);
static COLUMNS_AND_PAIRING: [[f32; 4]; 4] = sinusoidal_table!(4, 4, pairing = unpaired, columns = cos);
static COLUMNS_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, columns = 2);
static LAYOUT_AS_A_PATH_IN_RUST: [[f32; 8]; 4] = sinusoidal_table!(4, 8, layout = Layout::Halves);
static LAYOUT_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, layout = half);
static ODD_REJECTED: [[f32; 7]; 4] = sinusoidal_table!(4, 7, odd = reject);
static ODD_UNKNOWN: [[f32; 7]; 4] = sinusoidal_table!(4, 7, odd = truncate);
static ORDER_AND_ODD: [[f32; 5]; 4] = sinusoidal_table!(4, 5, order = cos_sin);
static ORDER_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, order = cos);
static PAIRING_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, pairing = false);

fn main() {}
