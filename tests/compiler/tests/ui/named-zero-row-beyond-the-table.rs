const SEQ_LEN: usize = 4;

static PE: [[f32; 8]; SEQ_LEN] = posenc::sinusoidal_table!(SEQ_LEN, 8, preset = fairseq, zero_row = SEQ_LEN);

fn main() {}
