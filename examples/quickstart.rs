//! Bakes a table, computes it again at run time, compares the two bit by bit, and shows the errors of the common f32
//! recipe.

#![forbid(unsafe_code)]

use std::time::Instant;

use posenc::sinusoidal_table;

/// Small enough to read.
static SMALL: [[f32; 6]; 10] = sinusoidal_table!(10, 6);

const SEQ_LEN: usize = 4096;
const D_MODEL: usize = 512;

/// 8 MiB of read-only data in this program, available before `main` begins.
static PE: [[f32; D_MODEL]; SEQ_LEN] = sinusoidal_table!(4096, 512);

fn main() -> Result<(), posenc::SpecError> {
    println!("A baked table: 10 positions, d_model 6\n");
    for (position, row) in SMALL.iter().enumerate() {
        println!("  {position}  {}", row.map(|entry| format!("{entry:8.4}")).join(" "));
    }

    let begin = Instant::now();
    let computed = sinusoidal_table(SEQ_LEN, D_MODEL)?;
    let elapsed = begin.elapsed();
    let entries = SEQ_LEN * D_MODEL;
    let equal = PE.as_flattened().iter().zip(computed.as_slice()).filter(|(a, b)| a.to_bits() == b.to_bits()).count();
    println!("\nA {SEQ_LEN} x {D_MODEL} table, baked and computed at run time (in {elapsed:.0?}):");
    println!("  {equal} of {entries} entries are bit-identical");
    assert_eq!(equal, entries);

    let recipe = f32_recipe();
    print_worst_columns(4095, &recipe);
    print_summary(&recipe);
    Ok(())
}

/// The recipe of most tutorials: exponential, product, sine and cosine, each rounded to f32.
fn f32_recipe() -> Vec<[f32; D_MODEL]> {
    let mut table = vec![[0.0; D_MODEL]; SEQ_LEN];
    for (position, row) in table.iter_mut().enumerate() {
        for pair in 0..D_MODEL / 2 {
            let div_term = (-((2 * pair) as f32) * (10_000f32.ln() / D_MODEL as f32)).exp();
            let angle = position as f32 * div_term;
            (row[2 * pair], row[2 * pair + 1]) = (angle.sin(), angle.cos());
        }
    }
    table
}

fn print_worst_columns(position: usize, recipe: &[[f32; D_MODEL]]) {
    let error = |column: &usize| (recipe[position][*column] - PE[position][*column]).abs();
    let mut columns: Vec<usize> = (0..D_MODEL).collect();
    columns.sort_by(|a, b| error(b).total_cmp(&error(a)));
    println!("\nThe common f32 recipe at position {position}: the six columns with the largest errors\n");
    println!("  column    correct value   f32 recipe       error");
    for column in columns.into_iter().take(6) {
        let (correct, other) = (PE[position][column], recipe[position][column]);
        println!("  {column:6}  {correct:15.9}  {other:11.9}  {:10.1e}", error(&column));
    }
}

fn print_summary(recipe: &[[f32; D_MODEL]]) {
    let pairs = || PE.as_flattened().iter().zip(recipe.as_flattened());
    let wrong = pairs().filter(|(correct, other)| correct.to_bits() != other.to_bits()).count();
    let largest = pairs().map(|(correct, other)| (correct - other).abs()).fold(0.0, f32::max);
    let share = 100.0 * wrong as f64 / (SEQ_LEN * D_MODEL) as f64;
    println!(
        "\nIn that table, {share:.0} % of the entries are not the nearest f32. The largest error is {largest:.1e}."
    );
    println!(
        "In posenc's table, every entry is the nearest f32, so two tables with the same parameters are bit-identical."
    );
}
