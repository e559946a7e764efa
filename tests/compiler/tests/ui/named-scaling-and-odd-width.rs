const WIDTH: usize = 7;

static PE: [[f32; WIDTH]; 4] = posenc::sinusoidal_table!(4, WIDTH, scaling = linear(8));

fn main() {}
