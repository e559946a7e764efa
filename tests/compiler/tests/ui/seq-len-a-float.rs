static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4.0, 8);

fn main() {}
