static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, scaling = linear(8), frequencies = [1, 0.5, 0.25, 0.125]);

fn main() {}
