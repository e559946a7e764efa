static PE: [[i16; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = i16(1 / 32767, 1));

fn main() {}
