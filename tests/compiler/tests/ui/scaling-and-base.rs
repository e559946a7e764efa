static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, base = 0.5, scaling = llama3(8, 8192));

fn main() {}
