static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, frequencies = [1.0, 0.1], freq_shift = 1);

fn main() {}
