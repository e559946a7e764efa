static PE: [[f32; 2]; 4] = posenc::sinusoidal_table!(4, 2, frequencies = 1.0);

fn main() {}
