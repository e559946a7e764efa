static PE: [[f32; 8]; 4000] = posenc::sinusoidal_table!(4k, 8);

fn main() {}
