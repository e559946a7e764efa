static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, base = [1.0, 0.1]);

fn main() {}
