static PE: [[f32; 7]; 4] = posenc::sinusoidal_table!(4, 7, scaling = linear(8));

fn main() {}
