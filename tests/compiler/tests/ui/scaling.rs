// Scaling rules and their arguments.

use posenc::sinusoidal_table;

static SCALING_AND_BASE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = 0.5, scaling = llama3(8, 8192));
static SCALING_AND_FREQ_SHIFT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, freq_shift = 1, scaling = linear(8));
static SCALING_AND_FREQUENCIES: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = linear(8), frequencies = [1, 0.5, 0.25, 0.125]);
static SCALING_AND_ODD_WIDTH: [[f32; 7]; 4] = sinusoidal_table!(4, 7, scaling = linear(8));
static SCALING_AND_PAIRING: [[f32; 8]; 4] = sinusoidal_table!(4, 8, pairing = unpaired, scaling = linear(8));
static SCALING_ARGUMENT_AFTER_A_NAME: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(factor = 40, 4096));
static SCALING_ARGUMENT_GIVEN_TWICE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = llama3(8, 8192, factor = 4));
static SCALING_ARGUMENT_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(40, 4096, mscale = -1));
static SCALING_ARGUMENT_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(40, 4096, mscal = 1));
static SCALING_FACTOR_OF_A_LIST_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = longrope([1, 2, 0, 3], 32, 4096));
static SCALING_FACTORS_TOO_FEW: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = longrope([1, 2, 3], 32, 4096));
static SCALING_FLAG_NOT_A_FLAG: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(40, 4096, truncate = 0));
static SCALING_LACKS_AN_ARGUMENT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(40));
static SCALING_LENGTH_A_FLOAT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(40, 4096.5));
static SCALING_LENGTH_NEGATIVE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(40, -4096));
static SCALING_LIST_FOR_A_NUMBER: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = linear([8, 8]));
static SCALING_NOT_A_RULE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = 8);
static SCALING_NUMBER_FOR_A_LIST: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = longrope(8, 32, 4096));
static SCALING_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarm(40, 4096));
static SCALING_WITH_AN_EXTRA_ARGUMENT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = linear(8, 4096));
static SCALING_WITHOUT_ARGUMENTS: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = linear);

fn main() {}
