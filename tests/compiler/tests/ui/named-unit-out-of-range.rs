const N: i64 = 0;

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, unit = 8 / N);

fn main() {}
