// Element types and their quantisers.

use posenc::sinusoidal_table;

static AMPLITUDE_BEYOND_THE_TYPE: [[posenc::F16Bits; 8]; 4] = sinusoidal_table!(4, 8, dtype = f16_bits, amplitude = 65505);
static DTYPE_A_STRING: [[f32; 8]; 4] = sinusoidal_table!(4, 8, dtype = "f32");
static DTYPE_INTEGER_OF_ANOTHER_LIBRARY: [[i8; 8]; 4] = sinusoidal_table!(4, 8, dtype = int8);
static DTYPE_OF_ANOTHER_LIBRARY: [[f32; 8]; 4] = sinusoidal_table!(4, 8, dtype = float32);
static DTYPE_UNKNOWN: [[f32; 8]; 4] = sinusoidal_table!(4, 8, dtype = f23);
static QUANTISER_AMPLITUDE_CLIPS: [[posenc::Q15; 8]; 4] = sinusoidal_table!(4, 8, dtype = q15, amplitude = 2);
static QUANTISER_CLIPS: [[i8; 8]; 4] = sinusoidal_table!(4, 8, dtype = i8(1 / 127, -3));
static QUANTISER_MISSING_OF_I16: [[i16; 8]; 4] = sinusoidal_table!(4, 8, dtype = i16);
static QUANTISER_MISSING: [[i8; 8]; 4] = sinusoidal_table!(4, 8, dtype = i8);
static QUANTISER_SCALE_NOT_AN_INTEGER_QUOTIENT: [[i8; 8]; 4] = sinusoidal_table!(4, 8, dtype = i8(1.0 / 127.0));
static QUANTISER_SCALE_ZERO: [[i8; 8]; 4] = sinusoidal_table!(4, 8, dtype = i8(0.0, -1));
static QUANTISER_SUPERFLUOUS: [[posenc::Q15; 8]; 4] = sinusoidal_table!(4, 8, dtype = q15(1 / 2));
static QUANTISER_THREE_ARGUMENTS: [[i8; 8]; 4] = sinusoidal_table!(4, 8, dtype = i8(1 / 127, 0, 1));
static QUANTISER_ZERO_POINT_OF_I16: [[i16; 8]; 4] = sinusoidal_table!(4, 8, dtype = i16(1 / 32767, 1));
static QUANTISER_ZERO_POINT_OUT_OF_RANGE: [[u8; 8]; 4] = sinusoidal_table!(4, 8, dtype = u8(1 / 127, -1));
static DTYPE_OF_TORCH: [[f32; 8]; 4] = sinusoidal_table!(4, 8, dtype = torch.bfloat16);
static DTYPE_A_PATH: [[f32; 8]; 4] = sinusoidal_table!(4, 8, dtype = half::bf16);
static DTYPE_F8: [[f32; 8]; 4] = sinusoidal_table!(4, 8, dtype = f8);

fn main() {}
