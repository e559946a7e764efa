static PE: [[i16; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = i16);

fn main() {}
