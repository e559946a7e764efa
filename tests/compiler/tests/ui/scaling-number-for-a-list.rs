static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, scaling = longrope(8, 32, 4096));

fn main() {}
