// The widths of a rotary cache may be constants. They are checked like literals.

use posenc::{CosSin, rotary_table};

const ODD: usize = 7;
const WIDE: usize = 96;
const WIDEST: usize = 1 << 24;

static OF_ODD: CosSin<[[f32; 3]; 2]> = rotary_table!(2, ODD);
static PACKED: [[f32; 7]; 2] = rotary_table!(2, ODD, packing = sin_cos);
static TOO_WIDE: CosSin<[[f32; 48]; 2]> = rotary_table!(2, 64, rotary_dim = WIDE);
static UNEVEN: CosSin<[[f32; 9]; 2]> = rotary_table!(2, WIDE / 5);
static REPEATED: [[f32; 2 << 24]; 2] = rotary_table!(2, WIDEST, packing = cos_sin, repeat = halves);

fn main() {}
