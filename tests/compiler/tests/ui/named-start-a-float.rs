const START: f64 = 1.5;

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, start = START);

fn main() {}
