static PE: [[f32; 512]; 4] = posenc::sinusoidal_table!(4, if cfg!(debug_assertions) { 512 } else { 256 });

fn main() {}
