static PE: [[f64; 64]; 128] = posenc::sinusoidal_table!(128, 64, dtype = f64, max_bytes = 1 << 15);

fn main() {}
