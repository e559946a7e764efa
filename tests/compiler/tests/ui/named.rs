// Constants whose values are wrong, on the names that have the values.

use posenc::sinusoidal_table;

mod config {
    pub const D_MODEL: usize = 0;
}
const SEQ_LEN: usize = 4;
const ROWS: usize = 1000;
const LIMIT: usize = 1 << 10;
const WIDTH: usize = 7;
const N: usize = 8;
const THREE: i32 = 3;
const ZERO: i64 = 0;
const INEXACT: u64 = (1 << 60) + 1;
const LARGEST: i128 = i128::MAX;
const NEGATIVE: f64 = -1e4;
const HALF: f64 = 0.5;
const START: f64 = 1.5;
const LENGTH: f64 = 4096.0;
const FREQUENCIES: [f64; 3] = [1.0, 0.5, 0.25];
const FACTORS: [f64; 3] = [1.0, 2.0, 3.0];
const ZERO_POINT: i32 = 300;

static D_MODEL_ZERO: [[f32; config::D_MODEL]; 4] = sinusoidal_table!(4, config::D_MODEL);
static TABLE_TOO_LARGE: [[f32; 8]; ROWS] = sinusoidal_table!(ROWS, 8, max_bytes = LIMIT);
static BASE_INEXACT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, base = INEXACT);
static BASE_LARGEST_INTEGER: [[f32; 4]; 4] = sinusoidal_table!(4, 4, base = LARGEST);
static BASE_NEGATIVE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, layout = halves, base = NEGATIVE, start = 1);
static START_A_FLOAT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, start = START);
static UNIT_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, unit = 8 / ZERO);
static FREQUENCIES_TOO_FEW: [[f32; 8]; 4] = sinusoidal_table!(4, 8, frequencies = FREQUENCIES);
static ZERO_ROW_BEYOND_THE_TABLE: [[f32; 8]; SEQ_LEN] =
    sinusoidal_table!(SEQ_LEN, 8, preset = fairseq, zero_row = SEQ_LEN);
static PRESET_WITHOUT_ITS_START: [[f32; 8]; SEQ_LEN] = sinusoidal_table!(SEQ_LEN, 8, preset = conformer_rel);
static ZERO_POINT_OUT_OF_RANGE: [[u8; 8]; 4] = sinusoidal_table!(4, 8, dtype = u8(1 / 127, ZERO_POINT));

static SCALING_AND_ODD_WIDTH: [[f32; WIDTH]; 4] = sinusoidal_table!(4, WIDTH, scaling = linear(8));
static SCALING_FACTORS_TOO_FEW: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = longrope(FACTORS, 32, 4096));
static SCALING_LENGTH_A_FLOAT: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(40, LENGTH));
static SCALING_OUT_OF_RANGE: [[f32; 8]; 4] = sinusoidal_table!(4, 8, scaling = yarn(HALF, 4096));

static DIVISION_IN_SCALE: [[f32; 4]; 4] = sinusoidal_table!(4, 4, scale = 1 / N);
static DIVISION_IN_BASE: [[f32; 4]; 4] = sinusoidal_table!(4, 4, base = 2 + N / 3);
static DIVISION_IN_FREQUENCIES: [[f32; 4]; 4] = sinusoidal_table!(4, 4, frequencies = [1, THREE / 10]);

fn main() {}
