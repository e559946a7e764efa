static PE: [[i8; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = i8);

fn main() {}
