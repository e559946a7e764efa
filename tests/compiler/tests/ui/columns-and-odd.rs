static PE: [[f32; 5]; 4] = posenc::sinusoidal_table!(4, 5, odd = zero, columns = cos);

fn main() {}
