static PE: [[f32; 7]; 4] = posenc::sinusoidal_table!(4, 7, preset = whisper);

fn main() {}
