static PE: [[f32; 4096]; 65_536] = posenc::sinusoidal_table!(65_536, 4096);

fn main() {}
