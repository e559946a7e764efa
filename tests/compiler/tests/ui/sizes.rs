// Wrong numbers of arguments, and sizes that are none.

use posenc::{grid_table, sinusoidal_table};

static D_MODEL_OUT_OF_RANGE: [[f32; 16_777_217]; 1] = sinusoidal_table!(1, (1 << 24) + 1);
static DIVISION_BY_ZERO: [[f32; 8]; 4] = sinusoidal_table!(4, 64 / 0);
static EMPTY_ARGUMENT: [[f32; 8]; 4] = sinusoidal_table!(4,, 8);
static EXTRA_ARGUMENT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, f32);
static GRID_SHAPE_WITHOUT_A_COMMA: [[f32; 16]; 32] = grid_table!((4 8), 16);
static LAST_ROW_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, start = 9_007_199_254_740_990);
static MISSING_COMMA: [[f32; 8]; 4] = sinusoidal_table!(4 8);
static MISSING_D_MODEL: [[f32; 8]; 4] = sinusoidal_table!(4);
static NEGATIVE_D_MODEL: [[f32; 8]; 4] = sinusoidal_table!(4, -8);
static NEGATIVE_SEQ_LEN: [[f32; 8]; 4] = sinusoidal_table!(-4, 8);
static NO_ARGUMENTS: [[f32; 8]; 4] = sinusoidal_table!();
static NOT_A_VALUE: [[f32; 8]; 4] = sinusoidal_table!(4, if true { 8 } else { 9 });
static NUMBER_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, start = 170_141_183_460_469_231_731_687_303_715_884_105_728);
static OPERATOR_NOT_COMPUTED: [[f32; 8]; 4] = sinusoidal_table!(4, 8 | 1);
static SEQ_LEN_A_FLOAT: [[f32; 8]; 4] = sinusoidal_table!(4.0, 8);
static SEQ_LEN_A_STRING: [[f32; 8]; 4] = sinusoidal_table!("4", 8);
static SEQ_LEN_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(1 << 64, 8);
static SIZE_AFTER_AN_OPTION: [[f32; 8]; 4] = sinusoidal_table!(4, base = 100, 8);
static SIZE_WITH_A_SUFFIX: [[f32; 8]; 4] = sinusoidal_table!(4u32, 8);
static SIZE_WITH_IF: [[f32; 512]; 4] = sinusoidal_table!(4, if cfg!(debug_assertions) { 512 } else { 256 });
static SIZE_WITH_STATEMENTS: [[f32; 8]; 4] = sinusoidal_table!({ let n = 2; 2 * n }, 8);
static TABLE_ABOVE_ITS_OWN_LIMIT: [[f64; 64]; 128] = sinusoidal_table!(128, 64, dtype = f64, max_bytes = 1 << 15);
static TABLE_BEYOND_THE_ADDRESS_SPACE: [[f32; 8]; 4] = sinusoidal_table!(1 << 62, 8, max_bytes = 1 << 63);
static TABLE_TOO_LARGE: [[f32; 4096]; 65_536] = sinusoidal_table!(65_536, 4096);
static TWO_MISTAKES: [[f32; 8]; 4] = sinusoidal_table!(4, 0, base = 0, start = half);
static ZERO_D_MODEL: [[f32; 0]; 4] = sinusoidal_table!(4, 0);

fn main() {}
