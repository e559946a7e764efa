const FACTORS: [f64; 3] = [1.0, 2.0, 3.0];

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, scaling = longrope(FACTORS, 32, 4096));

fn main() {}
