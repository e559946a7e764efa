// Lists of frequencies.

use posenc::sinusoidal_table;

static FREQUENCIES_AND_BASE: [[f32; 4]; 4] = sinusoidal_table!(4, 4, base = 500_000, frequencies = [1.0, 0.1]);
static FREQUENCIES_AND_FREQ_SHIFT: [[f32; 4]; 4] = sinusoidal_table!(4, 4, frequencies = [1.0, 0.1], freq_shift = 1);
static FREQUENCIES_NOT_A_LIST: [[f32; 2]; 4] = sinusoidal_table!(4, 2, frequencies = 1.0);
static FREQUENCIES_NOT_FINITE: [[f32; 4]; 4] = sinusoidal_table!(4, 4, frequencies = [1.0, 1e309]);
static FREQUENCIES_TOO_FEW: [[f32; 8]; 4] = sinusoidal_table!(4, 8, frequencies = [1.0, 0.1, 0.01]);
static FREQUENCIES_WITH_AN_EMPTY_PLACE: [[f32; 4]; 4] = sinusoidal_table!(4, 4, frequencies = [1.0,, 0.1]);
static FREQUENCIES_WITHOUT_A_COMMA: [[f32; 4]; 4] = sinusoidal_table!(4, 4, frequencies = [1 0.5]);
static MISTAKES_BESIDE_A_LIST: [[f32; 4]; 4] = sinusoidal_table!(4, 4, frequencies = [1.0, half], scale = 1e999, layout = halfs);

fn main() {}
