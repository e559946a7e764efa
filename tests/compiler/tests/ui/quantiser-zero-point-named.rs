const ZERO_POINT: i32 = 300;
static PE: [[u8; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = u8(1 / 127, ZERO_POINT));

fn main() {}
