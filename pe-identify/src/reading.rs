//! How the integers of a table may be read: with a scale and a zero point.

use std::ops::Range;

use posenc::{Quantiser, Spec};

/// Consecutive rows, and their integers.
pub(crate) type Window = (Range<usize>, Vec<f64>);

/// The scale of integers, a quotient, and the integer that stands for 0.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub(crate) numerator: i64,
    pub(crate) denominator: i64,
    pub(crate) zero_point: i32,
}

impl Scale {
    /// Returns the scale as `posenc` takes it.
    pub(crate) const fn quantiser(self) -> Quantiser {
        Quantiser::quotient(self.numerator, self.denominator).zero_point(self.zero_point)
    }

    /// Returns the difference of the entries of two consecutive integers.
    pub(crate) fn step(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// How integers may be read.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) scale: Scale,
    /// The quantiser, or `None` for a type of fixed-point numbers.
    pub(crate) quantiser: Option<Quantiser>,
}

impl Reading {
    pub(crate) fn new((numerator, denominator): (i64, i64), zero_point: i32) -> Self {
        let scale = Scale { numerator, denominator, zero_point };
        Self { scale, quantiser: Some(scale.quantiser()) }
    }

    /// Returns how fixed-point numbers are read.
    pub(crate) fn fixed(fraction_bits: u32) -> Self {
        Self { scale: Scale { numerator: 1, denominator: 1 << fraction_bits, zero_point: 0 }, quantiser: None }
    }

    /// Returns the ways in which the extremes are -1 and 1.
    #[expect(clippy::cast_possible_truncation, reason = "they are integers of at most 32 bits")]
    pub(crate) fn of_extremes(windows: &[Window]) -> Vec<Self> {
        let all = || windows.iter().flat_map(|(_, numbers)| numbers).map(|&number| number as i64);
        let (Some(low), Some(high)) = (all().min(), all().max()) else { return Vec::new() };
        let most = low.abs().max(high.abs());
        let middle = |sum: i64| i32::try_from(sum.div_euclid(2)).unwrap_or(0);
        let mut readings = Vec::new();
        if most > 1 {
            readings.push(Self::new((1, most), 0));
        }
        if high - low > 2 {
            let whole = (high - low) % 2 == 0;
            let scale = if whole { (1, (high - low) / 2) } else { (2, high - low) };
            readings.push(Self::new(scale, middle(low + high)));
            readings.push(Self::new(scale, middle(low + high + 1)));
        }
        readings
    }

    /// Returns a spec with the scale and the zero point.
    pub(crate) fn quantised<'a>(&self, spec: &Spec<'a>) -> Spec<'a> {
        self.quantiser.into_iter().fold(*spec, Spec::quantiser)
    }

    /// Returns the entry that an integer, or one between two, stands for.
    pub(crate) fn value(&self, number: f64) -> f64 {
        (number - f64::from(self.scale.zero_point)) * self.scale.step()
    }
}
