// Mistakes in constants of a rotary table of several axes, on the names that have the values.

use posenc::{CosSin, rotary_table};

const HEIGHT: usize = 2;
const ODD: usize = 7;
const WIDTHS: [usize; 2] = [4, 6];
const MERGE: usize = 2;

static WIDTH: CosSin<[[f32; 3]; 6]> = rotary_table!((HEIGHT, 3), ODD);
static SUM: CosSin<[[f32; 4]; 6]> = rotary_table!((HEIGHT, 3), 8, widths = (WIDTHS[0], WIDTHS[1]));
static BLOCKS: CosSin<[[f32; 4]; 6]> = rotary_table!((HEIGHT, 3), 8, merge = MERGE);
static AXES: CosSin<[[f32; 4]; 6]> = rotary_table!((HEIGHT, 3), 8, preset = flux2);

fn main() {}
