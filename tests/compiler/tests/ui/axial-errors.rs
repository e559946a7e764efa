// Mistakes in the keys of a rotary table of several axes, on the tokens that are wrong.

use posenc::{CosSin, rotary_table};

static COUNT: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, start = (1, 2, 3));
static UNEVEN: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, widths = (3, 5));
static SUM: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, widths = (4, 2));
static SHARES: CosSin<[[f32; 5]; 6]> = rotary_table!((2, 3), 10);
static BLOCKS: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, merge = 2);
static AXES: CosSin<[[f32; 64]; 6]> = rotary_table!((2, 3), 128, preset = wan);
static OF_CACHES: CosSin<[[f32; 64]; 6]> = rotary_table!((2, 3), 128, preset = llama3_1);
static KEY: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, zero_rows = 1);
static LISTS: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, positions = ([0, 1], [5]));
static RULE: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, scaling = (none, ntk(alpha = 0.5)));
static FACTOR: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, scaling = (none, yarn(4, 4096)));
static NESTED: CosSin<[[f32; 8]; 6]> = rotary_table!((2, 3), 8, nest = frequencies, repeat = axis_halves);

// Positions need no order.
static ANY_ORDER: CosSin<[[f32; 4]; 6]> = rotary_table!((2, 3), 8, positions = ([1, 0], [7, -2.5, 7]));

fn main() {}
