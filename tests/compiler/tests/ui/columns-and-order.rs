static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, columns = cos, order = cos_sin);

fn main() {}
