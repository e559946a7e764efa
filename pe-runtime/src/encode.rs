//! The whole pipeline: frequency, phase, sincos, one rounding, for the rows of a table.

use crate::constants::LIMBS;
use crate::element::{Element, from_bits};
use crate::frequency::{Frequency, NARROW, Progression};
use crate::phase::Phase;
use crate::rounding::{Enclosure, Format, Magnitude};
use crate::sincos::{narrow, wide};
use crate::spec::Spec;

/// Writes the rows of positions `first, first + 1, ...` to `rows`, `d_model` entries each.
///
/// Column by column, since a frequency serves a whole column. The `spec` and the positions have been checked.
pub(crate) const fn fill<T: Element>(spec: &Spec, first: i64, rows: &mut [T]) {
    let d_model = spec.d_model;
    let mut frequencies = Progression::new(spec.base, d_model as u64);
    let mut column = 0;
    while column < d_model {
        let pair = Pair { spec, k: column as u64 / 2, frequency: frequencies.advance() };
        let (mut position, mut start) = (first, 0);
        while start < rows.len() {
            let (sin, cos) = pair.round_at(position, T::FORMAT);
            rows[start + column] = from_bits(sin);
            if column + 1 < d_model {
                rows[start + column + 1] = from_bits(cos);
            }
            position += 1;
            start += d_model;
        }
        column += 2;
    }
}

/// A pair of columns: its frequency, and what it takes to know that more precisely.
struct Pair<'a> {
    spec: &'a Spec,
    k: u64,
    frequency: Frequency<NARROW>,
}

impl Pair<'_> {
    /// The bits of sine and cosine at `position`, correctly rounded.
    const fn round_at(&self, position: i64, format: Format) -> (u64, u64) {
        if position == 0 {
            return (0, Magnitude::ONE.round(format));
        }
        let (sin, cos) = self.enclose_narrow(position);
        match (sin.round(format), cos.round(format)) {
            (Some(sin), Some(cos)) => (sin, cos),
            _ => self.round_wide(position, format),
        }
    }

    /// Ziv's loop: twice the limbs until both are decided.
    ///
    /// For a rational base the angle is algebraic and not zero, so its sine and cosine are transcendental
    /// (Hermite-Lindemann) and some precision decides. The ladder ends at 4096 bits all the same. Cases made to be hard (an
    /// angle that is itself half way between two numbers, decided by its cube) need up to some 460, and up to 1200 more go to
    /// the integer part of a frequency whose base is near the least `f64`: that an entry needs more than 4096 has a
    /// probability below `2^-2700`. It would get the lower end of its enclosure, rounded.
    #[cold]
    const fn round_wide(&self, position: i64, format: Format) -> (u64, u64) {
        if let Some(bits) = self.decide::<8>(position, format) {
            return bits;
        }
        if let Some(bits) = self.decide::<16>(position, format) {
            return bits;
        }
        if let Some(bits) = self.decide::<32>(position, format) {
            return bits;
        }
        let (sin, cos) = self.enclose_wide::<LIMBS>(position);
        (sin.round_low(format), cos.round_low(format))
    }

    const fn decide<const L: usize>(&self, position: i64, format: Format) -> Option<(u64, u64)> {
        let (sin, cos) = self.enclose_wide::<L>(position);
        match (sin.round(format), cos.round(format)) {
            (Some(sin), Some(cos)) => Some((sin, cos)),
            _ => None,
        }
    }

    const fn enclose_narrow(&self, position: i64) -> (Enclosure, Enclosure) {
        if let Some(phase) = Phase::new(position.unsigned_abs(), &self.frequency) {
            if let Some((sin, cos)) = narrow(&phase) {
                return with_sign(position, phase.unfold(sin, cos));
            }
        }
        (Enclosure::UNKNOWN, Enclosure::UNKNOWN)
    }

    const fn enclose_wide<const L: usize>(&self, position: i64) -> (Enclosure, Enclosure) {
        let frequency = Frequency::<L>::of_pair(self.spec.base, self.spec.d_model as u64, self.k);
        match Phase::new(position.unsigned_abs(), &frequency) {
            Some(phase) => {
                let (sin, cos) = wide(&phase);
                with_sign(position, phase.unfold(sin, cos))
            }
            None => (Enclosure::UNKNOWN, Enclosure::UNKNOWN),
        }
    }
}

/// The sine is odd, the cosine even.
const fn with_sign(position: i64, (sin, cos): (Enclosure, Enclosure)) -> (Enclosure, Enclosure) {
    (if position < 0 { sin.negated() } else { sin }, cos)
}
