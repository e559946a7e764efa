const D_MODEL: usize = 8;

static PE: [[f32; D_MODEL]; 4] = posenc::sinusoidal_table!(4, D_MODEL);

fn main() {}
