static PE: [[posenc::Q15; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = q15(1 / 2));

fn main() {}
