static PE: [[f32; 4]; 4] = posenc::sinusoidal_table!(4, 4, columns = sin, preset = whisper);

fn main() {}
