const SEQ_LEN: usize = 4;

static PE: [[f32; 8]; 5] = posenc::sinusoidal_table!(SEQ_LEN, 8);

fn main() {}
