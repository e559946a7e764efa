fn main() {
    let n = 4;
    let _ = posenc::sinusoidal_table!(n, 8);
}
