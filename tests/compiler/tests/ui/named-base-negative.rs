const BASE: f64 = -1e4;

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, layout = halves, base = BASE, start = 1);

fn main() {}
