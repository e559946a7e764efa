static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, frequencies = [1.0, 1e309]);

fn main() {}
