const BASE: u64 = (1 << 60) + 1;

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, 8, base = BASE);

fn main() {}
