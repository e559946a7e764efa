//! Angles so large that their errors in `f32` are a large part of a turn, so that a bound of the errors says nothing.
//!
//! But such an angle is the product of two numbers in `f32`, the position and the frequency. The frequency is the same in
//! all rows, and near the exact one.

use crate::rounding::{SINGLE, half_gap, narrowed};

/// The products in `f32` that may be the angles of a column.
#[derive(Clone, Debug)]
pub(crate) struct Products {
    /// The scale, by which positions are multiplied first, and the frequency.
    factors: Vec<[f32; 2]>,
    is_sin: bool,
}

impl Products {
    /// Returns the products with the frequencies near an exact one, with the relative error `error`.
    pub(crate) fn new(frequency: f64, scale: f64, error: f64, is_sin: bool) -> Self {
        // Either the position or the frequency is multiplied by the scale.
        let scales: &[f64] = if scale == 1.0 { &[1.0] } else { &[scale, 1.0] };
        let factors = scales.iter().flat_map(|&scale| {
            let [low, high] = [1.0 - error, 1.0 + error].map(|end| narrowed(frequency / scale * end));
            let near = std::iter::successors(Some(low), |number| Some(number.next_up()));
            near.take_while(move |&number| number <= high && number.is_finite())
                .map(move |number| [narrowed(scale), number])
        });
        Self { factors: factors.collect(), is_sin }
    }

    /// Returns whether products that explain all earlier entries given to it explain this one too.
    pub(crate) fn explain(&mut self, position: f64, found: f64, amplitude: f64, rounding: f64, tolerance: f64) -> bool {
        let allowed = half_gap(found, rounding) + SINGLE * amplitude.abs() + tolerance;
        let is_sin = self.is_sin;
        self.factors.retain(|&[scale, frequency]| {
            let angle = f64::from(narrowed(position) * scale * frequency);
            let wave = if is_sin { angle.sin() } else { angle.cos() };
            (amplitude * wave - found).abs() <= allowed
        });
        self.factors.shrink_to_fit();
        !self.factors.is_empty()
    }
}
