// Constants of types that are no numbers, or not that of sizes; and a type with another size.

use posenc::sinusoidal_table;

const NAME: &str = "ten";
const FLAG: bool = true;
const SEQ_LEN: usize = 4;
const NARROW: u32 = 4;

static BASE: [[f32; 4]; 4] = sinusoidal_table!(4, 4, base = NAME);
static START: [[f32; 4]; 4] = sinusoidal_table!(4, 4, start = FLAG);
static SHAPE_OF_ANOTHER_TABLE: [[f32; 8]; 5] = sinusoidal_table!(SEQ_LEN, 8);
static SIZE_OF_ANOTHER_TYPE: [[f32; 8]; 4] = sinusoidal_table!(NARROW, 8);

fn main() {}
