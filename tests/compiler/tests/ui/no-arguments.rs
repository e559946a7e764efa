static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!();

fn main() {}
