const BASE: i128 = i128::MAX;

static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, base = BASE);

fn main() {}
