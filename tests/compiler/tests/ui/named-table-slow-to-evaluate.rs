const SEQ_LEN: usize = 4096;

static PE: [[f32; 512]; SEQ_LEN] = posenc::sinusoidal_table!(SEQ_LEN, 512);

static REQUESTED: [[f32; 2]; SEQ_LEN] = posenc::sinusoidal_table!(SEQ_LEN, 2, max_bytes = 1 << 15);

fn main() {
    println!("{:?} {:?}", PE[0], REQUESTED[0]);
}
