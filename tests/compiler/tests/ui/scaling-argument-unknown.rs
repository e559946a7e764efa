static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, scaling = yarn(40, 4096, mscal = 1));

fn main() {}
