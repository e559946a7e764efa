static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, preset = fairseq, zero_row = 4);

fn main() {}
