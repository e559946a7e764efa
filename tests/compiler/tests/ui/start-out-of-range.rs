static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, start = -9_007_199_254_740_993);

fn main() {}
