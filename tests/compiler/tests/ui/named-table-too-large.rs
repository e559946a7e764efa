const SEQ_LEN: usize = 1000;
const LIMIT: usize = 1 << 10;

static PE: [[f32; 8]; SEQ_LEN] = posenc::sinusoidal_table!(SEQ_LEN, 8, max_bytes = LIMIT);

fn main() {}
