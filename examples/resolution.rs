//! Changes the resolution of MAE's table in three ways: by bicubic interpolation, by the formula at fractional positions,
//! and by a new table that counts the new patches.
//!
//! The interpolation is the same as `torch.nn.functional.interpolate(mode="bicubic", align_corners=False)`, in `f64`.
//! All figures are the same on every machine.

#![forbid(unsafe_code)]

use posenc::{Grid, GridError, GridPreset, Table};

const D_MODEL: usize = 768;
const OLD: usize = 14;

fn main() -> Result<(), GridError> {
    let trained = Grid::preset(GridPreset::Mae, [OLD; 2], D_MODEL);
    println!(
        "MAE's table of {OLD} x {OLD} patches with {D_MODEL} columns, at other resolutions. Differences of entries:\n"
    );
    println!("                                                             largest     mean");
    for new in [16, 28] {
        let interpolated = bicubic(&trained.table::<f64>()?, new);
        let resized = trained.resized([new; 2]).table::<f64>()?;
        let counted_anew = Grid::preset(GridPreset::Mae, [new; 2], D_MODEL).table::<f64>()?;
        let everywhere = |_| true;
        let inside = |row: usize| has_neighbours(row / new, new) && has_neighbours(row % new, new);
        print(new, "bicubic interpolation and `resized`", &interpolated, resized.as_slice(), everywhere);
        print(new, "the same, without patches at the border", &interpolated, resized.as_slice(), inside);
        print(new, "bicubic interpolation and a new table", &interpolated, counted_anew.as_slice(), everywhere);
    }
    println!("\n`resized` has the entries of: {}", trained.resized([16; 2]));
    Ok(())
}

/// Resizes a table of a square to `new * new` rows.
fn bicubic(table: &Table<f64>, new: usize) -> Vec<f64> {
    let weights: Vec<_> = (0..new).map(|i| taps(i, new)).collect();
    let mut resized = Vec::with_capacity(new * new * D_MODEL);
    for vertical in &weights {
        for horizontal in &weights {
            for column in 0..D_MODEL {
                let along =
                    |h: usize| horizontal.iter().map(|(w, weight)| table[h * OLD + w][column] * weight).sum::<f64>();
                resized.push(vertical.iter().map(|(h, weight)| along(*h) * weight).sum());
            }
        }
    }
    resized
}

/// Returns the position of a new point among the old ones, plus 1, as a whole number and a fraction.
fn position(i: usize, new: usize) -> (usize, f64) {
    // (i + 1/2) OLD/new - 1/2 + 1
    let halves = (2 * i + 1) * OLD + new;
    (halves / (2 * new), (halves % (2 * new)) as f64 / (2 * new) as f64)
}

/// Returns whether a new point has two old points on either side. Where it has not, interpolation repeats the outermost one.
fn has_neighbours(i: usize, new: usize) -> bool {
    (2..OLD - 1).contains(&position(i, new).0)
}

/// Returns the four old points that a new point is made of, with their weights.
fn taps(i: usize, new: usize) -> [(usize, f64); 4] {
    let (whole, fraction) = position(i, new);
    [0, 1, 2, 3].map(|k| ((whole + k).saturating_sub(2).min(OLD - 1), cubic((fraction + 1.0 - k as f64).abs())))
}

/// The kernel of cubic convolution at a distance of up to 2, with the parameter that `PyTorch` uses.
fn cubic(x: f64) -> f64 {
    const A: f64 = -0.75;
    if x <= 1.0 { ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0 } else { ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A }
}

fn print(new: usize, what: &str, one: &[f64], other: &[f64], counts: impl Fn(usize) -> bool) {
    let entries = one.iter().zip(other).enumerate().filter(|(i, _)| counts(i / D_MODEL));
    let differences: Vec<f64> = entries.map(|(_, (a, b))| (a - b).abs()).collect();
    let largest = differences.iter().copied().fold(0.0, f64::max);
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    println!("  {OLD} -> {new}, {what:43} {largest:9.4} {mean:9.5}");
}
