static PE: [[f32; 0]; 4] = posenc::sinusoidal_table!(4, 0);

fn main() {}
