static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, pairing = unpaired, columns = cos);

fn main() {}
