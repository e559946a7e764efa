const SEQ_LEN: u32 = 4;

static PE: [[f32; 8]; 4] = posenc::sinusoidal_table!(SEQ_LEN, 8);

fn main() {}
