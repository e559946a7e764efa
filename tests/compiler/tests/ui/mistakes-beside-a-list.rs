static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, frequencies = [1.0, half], scale = 1e999, layout = halfs);

fn main() {}
