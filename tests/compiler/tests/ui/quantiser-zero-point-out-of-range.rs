static PE: [[u8; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = u8(1 / 127, -1));

fn main() {}
