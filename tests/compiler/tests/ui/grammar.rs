// Arguments that are not `key = value`, and keys that are not known.

use posenc::sinusoidal_table;

static COLON_FOR_EQUALS: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base: 500_000);
static COMPARISON_FOR_A_KEY: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base == 2);
static FILE_NOT_A_NAME: [[f32; 8]; 4] = sinusoidal_table!(4, 8, file = pe);
static FILE_OF_ANOTHER_NAME: [[f32; 8]; 4] = sinusoidal_table!(4, 8, file = "../pe");
static FILE_WITHOUT_A_BUILD_SCRIPT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, file = "pe");
static KEY_FOR_AN_ARGUMENT: [[f32; 8]; 4] = sinusoidal_table!(4, d_model = 8);
static KEY_GIVEN_TWICE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = 100, base = 1000);
static KEY_OF_ANOTHER_LIBRARY: [[f32; 8]; 4] = sinusoidal_table!(4, 8, theta = 500_000);
static KEY_WITH_A_VALUE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, flip_sin_to_cos = true);
static KEYWORD_FOR_A_KEY: [[f32; 8]; 4] = sinusoidal_table!(4, 8, type = f64);
static MISSING_VALUE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base =);
static UNKNOWN_KEY: [[f32; 8]; 4] = sinusoidal_table!(4, 8, strat = 1);
static UNLIKE_ANY_KEY: [[f32; 8]; 4] = sinusoidal_table!(4, 8, interpolation = 1);

const SEQ_LEN: usize = 4;
static MISTAKES_BESIDE_A_NAME: [[f32; 8]; SEQ_LEN] = sinusoidal_table!(SEQ_LEN, 8, base = 0, strat = 1);

fn main() {}
