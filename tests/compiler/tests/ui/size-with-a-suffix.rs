static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4u32, 8);

fn main() {}
