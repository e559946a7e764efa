static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!({ let n = 2; 2 * n }, 8);

fn main() {}
