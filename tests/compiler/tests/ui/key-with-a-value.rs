static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, flip_sin_to_cos = true);

fn main() {}
