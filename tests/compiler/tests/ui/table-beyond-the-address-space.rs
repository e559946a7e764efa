static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(1 << 62, 8, max_bytes = 1 << 63);

fn main() {}
