static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, preset = llama);

fn main() {}
