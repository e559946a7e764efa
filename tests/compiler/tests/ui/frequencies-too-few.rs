static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, frequencies = [1.0, 0.1, 0.01]);

fn main() {}
