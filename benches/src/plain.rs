//! Hand-written loops, with the standard library or with approximate vectors of the crate `wide`.

use wide::f32x8;

/// The base in all loops.
pub const BASE: u16 = 10_000;

pub fn frequencies_f32(d_model: usize) -> Vec<f32> {
    (0..d_model / 2).map(|k| f32::from(BASE).powf(-2.0 * k as f32 / d_model as f32)).collect()
}

fn frequencies_f64(d_model: usize) -> Vec<f64> {
    (0..d_model / 2).map(|k| f64::from(BASE).powf(-2.0 * k as f64 / d_model as f64)).collect()
}

pub fn row_f32(position: f32, frequencies: &[f32], row: &mut [f32]) {
    for (pair, frequency) in row.chunks_exact_mut(2).zip(frequencies) {
        let (sin, cos) = (position * frequency).sin_cos();
        pair.copy_from_slice(&[sin, cos]);
    }
}

/// Does the same with `f32x8::sin_cos`, an approximation. The width must be a multiple of 16.
pub fn row_wide(position: f32, frequencies: &[f32], row: &mut [f32]) {
    for (pairs, frequencies) in row.chunks_exact_mut(16).zip(frequencies.as_chunks().0) {
        let (sin, cos) = (f32x8::from(*frequencies) * position).sin_cos();
        for (pair, (sin, cos)) in pairs.chunks_exact_mut(2).zip(sin.to_array().into_iter().zip(cos.to_array())) {
            pair.copy_from_slice(&[sin, cos]);
        }
    }
}

/// Fills a table by a function for rows, including the frequencies.
pub fn fill(row_of: fn(f32, &[f32], &mut [f32]), d_model: usize, table: &mut [f32]) {
    let frequencies = frequencies_f32(d_model);
    for (position, row) in table.chunks_exact_mut(d_model).enumerate() {
        row_of(position as f32, &frequencies, row);
    }
}

/// Fills a table in `f64`, including the frequencies, and narrows its entries, which avoids the errors of `f32`.
pub fn fill_by_f64(d_model: usize, table: &mut [f32]) {
    let frequencies = frequencies_f64(d_model);
    for (position, row) in table.chunks_exact_mut(d_model).enumerate() {
        for (pair, frequency) in row.chunks_exact_mut(2).zip(&frequencies) {
            let (sin, cos) = (position as f64 * frequency).sin_cos();
            pair.copy_from_slice(&[sin as f32, cos as f32]);
        }
    }
}

#[cfg(test)]
mod tests {
    use posenc::Spec;

    use super::*;

    const ROWS: usize = 128;
    const D_MODEL: usize = 64;

    #[test]
    fn the_loops_make_the_table_of_the_paper() {
        let ours = Spec::new(D_MODEL).table::<f32>(ROWS).unwrap().into_vec();
        let far =
            |theirs: &[f32], ours: &[f32]| ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        // In `f32` an angle below 128 has an error of about 2^-16, from the roundings of the frequency and of the
        // product.
        let mut table = vec![0.0; ROWS * D_MODEL];
        fill(row_f32, D_MODEL, &mut table);
        assert!(far(&table, &ours) < 1e-4);
        fill(row_wide, D_MODEL, &mut table);
        assert!(far(&table, &ours) < 1e-4);
        fill_by_f64(D_MODEL, &mut table);
        assert!(far(&table, &ours) < 1e-7);
    }
}
