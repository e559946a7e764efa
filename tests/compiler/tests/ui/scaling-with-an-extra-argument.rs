static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, scaling = linear(8, 4096));

fn main() {}
