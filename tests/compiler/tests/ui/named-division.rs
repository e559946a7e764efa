const N: usize = 8;
const WIDTH: i32 = 3;

static SCALE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, scale = 1 / N);
static BASE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, base = 2 + N / 3);
static FREQUENCIES: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, frequencies = [1, WIDTH / 10]);

fn main() {}
