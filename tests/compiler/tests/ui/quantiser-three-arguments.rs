static PE: [[i8; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = i8(1 / 127, 0, 1));

fn main() {}
