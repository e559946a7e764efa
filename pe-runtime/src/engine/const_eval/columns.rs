//! The columns of a frequency.

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::engine::ziv;
use crate::exact::format::Format;
use crate::exact::sinusoid::{Function, Sinusoid};
use crate::plan::positions::EquallySpaced;
use crate::plan::{Target, Targets};

/// The columns of one frequency.
///
/// There are two, `x` and `y`, of which one is a sine and the other a cosine. If the frequency feeds one column only,
/// both are that column, and `x`, which is written last, is its function.
pub(super) struct Columns<'a> {
    pub(super) sinusoid: &'a Sinusoid<'a>,
    pub(super) positions: EquallySpaced,
    pub(super) d_model: usize,
    pub(super) format: Format,
    pub(super) x: Target,
    pub(super) y: Target,
}

impl<'a> Columns<'a> {
    pub(super) const fn new(
        sinusoid: &'a Sinusoid<'a>,
        positions: EquallySpaced,
        targets: Targets,
        d_model: usize,
        format: Format,
    ) -> Option<Self> {
        let (x, y) = match targets {
            [Some(sin), Some(cos)] if sin.column < cos.column => (sin, cos),
            [Some(sin), Some(cos)] => (cos, sin),
            [Some(sin), None] => (sin, Target { function: Function::Cosine, ..sin }),
            [None, Some(cos)] => (cos, Target { function: Function::Sine, ..cos }),
            [None, None] => return None,
        };
        Some(Self { sinusoid, positions, d_model, format, x, y })
    }

    /// Returns the zero point of integers.
    pub(super) const fn zero_point(&self) -> i64 {
        match self.format.integers {
            Some(integers) => integers.zero_point,
            None => 0,
        }
    }

    pub(super) const fn x_is_sine(&self) -> bool {
        matches!(self.x.function, Function::Sine)
    }

    /// Returns whether `x` and `y` are next to each other, from an even column on, in rows of even length.
    pub(super) const fn are_pairs(&self) -> bool {
        self.x.column % 2 == 0 && self.y.column == self.x.column + 1 && self.d_model % 2 == 0
    }

    /// Returns entry number `at`, which is in column `target`, although the inner loop leaves it undecided.
    ///
    /// It is within `error` of the sum of the two floats.
    #[cold]
    pub(super) const fn settle<T: Element>(
        &self,
        target: Target,
        at: usize,
        (high, rest): (f64, f64),
        error: f64,
    ) -> T {
        from_bits(match ziv::enclosed(ziv::around(high, rest, error), self.format) {
            Some(bits) => bits,
            None => self.sinusoid.round_at(target.function, self.positions.at(at / self.d_model), self.format),
        })
    }
}
