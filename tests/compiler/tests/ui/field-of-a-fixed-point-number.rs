// The guide says what to write: `to_bits()`.

static PE: [[posenc::Q15; 4]; 2] = posenc::sinusoidal_table!(2, 4, dtype = q15);

fn main() {
    let _: i16 = PE[1][0].0;
}
