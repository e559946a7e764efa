static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, scaling = llama3(8, 8192, factor = 4));

fn main() {}
