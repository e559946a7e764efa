static PE: [[posenc::F16Bits; 8]; 4] = posenc::sinusoidal_table!(4, 8, dtype = f16_bits, amplitude = 65505);

fn main() {}
