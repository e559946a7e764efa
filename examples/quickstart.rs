//! x
static PE: [[f32; 512]; 4096] = posenc::sinusoidal_table!(4096, 512);
fn main() {
    let t = posenc::sinusoidal_table(4096, 512).unwrap();
    assert!(t.rows().eq(PE.iter()));
    println!("{:?}", &PE[1][..6]);
}
