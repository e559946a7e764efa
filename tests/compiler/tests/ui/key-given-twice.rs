static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, base = 100, base = 1000);

fn main() {}
