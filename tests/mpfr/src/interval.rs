//! Intervals that contain a real number.

use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

/// The numbers that differ from `centre` by at most `2^error`.
pub struct Interval {
    pub centre: Float,
    pub error: i32,
}

impl Interval {
    /// Encloses a value with the given error and the error of its own rounding, half a unit in the last place.
    pub fn around(value: Float, error: i32) -> Self {
        let exponent = value.get_exp().expect("neither function of a number other than 0 is ever 0");
        let unit = exponent - value.prec().cast_signed();
        Self { centre: value, error: error.max(unit) + 1 }
    }

    /// Returns both ends, rounded outwards.
    pub fn ends(&self) -> [Float; 2] {
        let error = Float::with_val(2, Float::i_exp(1, self.error));
        let [mut low, mut high] = [(); 2].map(|()| Float::new(self.centre.prec() + 2));
        low.assign_round(&self.centre - &error, Round::Down);
        high.assign_round(&self.centre + &error, Round::Up);
        [low, high]
    }
}
