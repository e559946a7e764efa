// Numbers that are not computed, not exact or out of range.

use posenc::sinusoidal_table;

static BASE_NEGATIVE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = -1e4);
static BASE_NOT_A_NUMBER: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = "10000");
static BASE_NOT_EXACT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = 9_007_199_254_740_993);
static BASE_NOT_FINITE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = 1e999);
static BASE_ZERO: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = 0);
static DIVISION_WITH_A_REMAINDER: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scale = 1 / 8);
static FLOAT_ARITHMETIC: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = 2 * 5e3);
static FREQ_SHIFT_TOO_LARGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, freq_shift = 4);
static FREQ_SHIFT_TOO_SMALL: [[f32; 8]; 4] = sinusoidal_table!(4, 8, freq_shift = 1e-13);
static LIST_FOR_A_NUMBER: [[f32; 4]; 4] = sinusoidal_table!(4, 4, base = [1.0, 0.1]);
static MAX_BYTES_NEGATIVE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, max_bytes = -1);
static SCALE_NOT_FINITE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scale = 1e309);
static START_NOT_AN_INTEGER: [[f32; 8]; 4] = sinusoidal_table!(4, 8, start = 0.5);
static START_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, start = -9_007_199_254_740_993);
static STEP_NOT_AN_INTEGER: [[f32; 8]; 4] = sinusoidal_table!(4, 8, step = 0.5);
static STEP_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, step = 1 << 63);
static STEP_TOO_LONG: [[f32; 8]; 4] = sinusoidal_table!(4, 8, step = 1 << 52);
static SUFFIX_NOT_READ: [[f32; 8]; 4000] = sinusoidal_table!(4k, 8);
static UNIT_NOT_A_QUOTIENT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, unit = 0.5);
static UNIT_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, unit = 0/15);
static ZERO_ROW_BEYOND_THE_TABLE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, preset = fairseq, zero_row = 4);
static ZERO_ROW_NEGATIVE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, zero_row = -1);

fn main() {}
