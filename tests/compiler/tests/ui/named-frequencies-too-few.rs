const FREQUENCIES: [f64; 3] = [1.0, 0.5, 0.25];

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, frequencies = FREQUENCIES);

fn main() {}
