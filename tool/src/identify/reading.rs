//! How the integers of a table may be read: with a scale and a zero point.

use std::ops::Range;

use posenc::{Quantiser, Spec};

/// Consecutive rows, and their integers.
pub(super) type Window = (Range<usize>, Vec<i32>);

/// How integers may be read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// The numerator and denominator of the scale.
    pub(super) scale: (i64, i64),
    pub(super) zero_point: i32,
    /// The quantiser, or `None` for a type of fixed-point numbers.
    pub(super) quantiser: Option<Quantiser>,
}

impl Reading {
    pub(super) fn new(scale: (i64, i64), zero_point: i32) -> Self {
        let quantiser = Quantiser::quotient(scale.0, scale.1).zero_point(zero_point);
        Self { scale, zero_point, quantiser: Some(quantiser) }
    }

    /// Returns the ways in which the extremes are -1 and 1.
    pub(super) fn of_extremes(windows: &[Window]) -> Vec<Self> {
        let all = || windows.iter().flat_map(|(_, numbers)| numbers).copied().map(i64::from);
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
    pub(super) fn quantised(&self, spec: &Spec<'static>) -> Spec<'static> {
        self.quantiser.into_iter().fold(*spec, Spec::quantiser)
    }

    pub(super) fn step(&self) -> f64 {
        self.scale.0 as f64 / self.scale.1 as f64
    }

    /// Returns the value of `--dtype`.
    pub(super) fn text(&self, name: &str) -> String {
        let ((over, under), zero_point) = (self.scale, self.zero_point);
        match (self.quantiser, zero_point) {
            (None, _) => name.to_owned(),
            (_, 0) => format!("'{name}({over}/{under})'"),
            _ => format!("'{name}({over}/{under}, {zero_point})'"),
        }
    }
}
