// What only the compiler knows, in the words of a rotary cache.

use posenc::{CosSin, rotary_table};

const FACTOR: f64 = f64::INFINITY;
const HEAD_DIM: usize = 8;

static AMPLITUDE: CosSin<[[f32; 4]; 2]> = rotary_table!(2, 8, attention_factor = FACTOR);
static BYTES: CosSin<[[f32; 4]; 2]> = rotary_table!(2, HEAD_DIM, max_bytes = 31);
static LENGTH: CosSin<[[f32; 4]; 2]> = rotary_table!(2, 8, scaling = yarn(8, NEGATIVE));
const NEGATIVE: i32 = -4096;

fn main() {}
