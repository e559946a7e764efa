const SEQ_LEN: usize = 4096;
const FEW: usize = 3;

static PE: [[f64; 512]; SEQ_LEN] = posenc::sinusoidal_table!(SEQ_LEN, 512, dtype = f64);

static WIDE: [[f32; 20_000]; FEW] = posenc::sinusoidal_table!(FEW, 20_000);

static FAR: [[f64; 4096]; 16] = posenc::sinusoidal_table!(16, 4096, dtype = f64, scale = 1e300);

static GRID: [[f64; 512]; SEQ_LEN] = posenc::grid_table!((SEQ_LEN, 1), 512, dtype = f64, scale = 1e300);

static REQUESTED: [[f32; 2]; SEQ_LEN] = posenc::sinusoidal_table!(SEQ_LEN, 2, max_bytes = 1 << 15);

fn main() {
    println!("{:?} {:?} {:?} {:?} {:?}", PE[0], WIDE[0], FAR[0], GRID[0], REQUESTED[0]);
}
