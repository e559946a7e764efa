fn main() {
    // The type of the table is known in spite of the mistake, so nothing is said of the rest.
    let table = posenc::sinusoidal_table!(4, 8, dtype = f64, base = 0);
    let first: f64 = table[0][0].abs();
    println!("{first}");
}
