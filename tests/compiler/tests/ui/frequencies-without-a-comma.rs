static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, frequencies = [1 0.5]);

fn main() {}
