static PE: [[f32; 16_777_217]; 1] = posenc::sinusoidal_table!(1, (1 << 24) + 1);

fn main() {}
