static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, step = 1 << 63);

fn main() {}
