static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, freq_shift = 1e-13);

fn main() {}
