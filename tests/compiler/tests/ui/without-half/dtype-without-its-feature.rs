static PE: [[u16; 4]; 4] = posenc::sinusoidal_table!(4, 4, dtype = f16);

fn main() {}
