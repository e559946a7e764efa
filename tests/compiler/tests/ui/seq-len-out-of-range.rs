static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(1 << 64, 8);

fn main() {}
