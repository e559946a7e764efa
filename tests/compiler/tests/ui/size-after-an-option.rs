static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, base = 100, 8);

fn main() {}
