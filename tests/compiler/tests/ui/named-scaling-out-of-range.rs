const FACTOR: f64 = 0.5;

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, scaling = yarn(FACTOR, 4096));

fn main() {}
