static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(4, if true { 8 } else { 9 });

fn main() {}
