static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, d_model = 8);

fn main() {}
