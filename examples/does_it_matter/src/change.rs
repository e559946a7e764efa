//! How far the outputs of a model are from those with another table.

use candle_core::{DType, Result, Tensor};

/// The change of all logits of a text, as a share of their root mean square.
#[derive(Clone, Copy)]
pub struct Change {
    pub rms: f64,
    pub largest: f64,
    /// The share of positions at which another token has the largest logit.
    pub flips: f64,
}

impl Change {
    /// Compares logits, with a row for each position.
    pub fn between(expected: &Tensor, found: &Tensor) -> Result<Self> {
        let (expected, found) = (expected.to_dtype(DType::F64)?, found.to_dtype(DType::F64)?);
        let size = expected.sqr()?.mean_all()?.to_scalar::<f64>()?.sqrt();
        let difference = (&expected - &found)?;
        Ok(Self {
            rms: difference.sqr()?.mean_all()?.to_scalar::<f64>()?.sqrt() / size,
            largest: difference.abs()?.max_all()?.to_scalar::<f64>()? / size,
            flips: flips(&expected, &found)?,
        })
    }
}

/// Returns the share of rows whose largest entries are in other columns.
fn flips(expected: &Tensor, found: &Tensor) -> Result<f64> {
    let [expected, found] = [expected, found].map(|rows| rows.argmax(1)?.to_vec1::<u32>());
    Ok(share_of_different(&expected?, &found?))
}

/// Returns the share of places at which two lists of the same length differ.
pub fn share_of_different<T: PartialEq>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).filter(|(a, b)| a != b).count() as f64 / a.len() as f64
}
