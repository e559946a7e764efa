static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 0, base = 0, start = half);

fn main() {}
