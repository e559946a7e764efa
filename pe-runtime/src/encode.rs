//! The whole pipeline: frequency, phase, sincos, amplitude, one rounding, for the rows of a table.

use crate::amplitude::{Factor, Size};
use crate::arrangement::Targets;
use crate::constants::LIMBS;
use crate::element::{Element, from_bits};
use crate::frequency::{Frequencies, Frequency, NARROW, Progression};
use crate::phase::Phase;
use crate::rounding::{Enclosure, Format};
use crate::sincos::{narrow, wide};
use crate::spec::Spec;

/// The positions of rows, each an exact `f64`.
#[derive(Clone, Copy)]
pub(crate) enum Positions<'a> {
    /// Row `i` is at `start + i step`, within `±2^53`.
    Run { start: i64, step: i64 },
    /// Finite numbers.
    List(&'a [f64]),
}

impl Positions<'_> {
    const fn at(&self, row: usize) -> f64 {
        match self {
            Self::Run { start, step } => start.wrapping_add(step.wrapping_mul(row as i64)) as f64,
            Self::List(positions) => positions[row],
        }
    }
}

/// Writes the rows of `positions` to `rows`, `d_model` entries each.
///
/// Column by column, since a frequency serves a whole column. The `spec` and the positions have been checked.
pub(crate) const fn fill<T: Element>(spec: &Spec, positions: &Positions, rows: &mut [T]) {
    if rows.is_empty() {
        return;
    }
    zero_columns(spec, rows);
    if spec.amplitude_sign() == 0 {
        return;
    }
    let arrangement = spec.arrangement();
    let frequencies = spec.frequency_family();
    let amplitude = PreparedAmplitude::new(spec, T::FORMAT);
    let mut progression = Progression::new(frequencies);
    let mut i = 0;
    while i < arrangement.frequencies() {
        let Targets { sin: sin_column, cos: cos_column } = arrangement.targets(i);
        let wave = Wave { frequencies, i, turns: progression.advance(), amplitude: &amplitude };
        let (mut row, mut start) = (0, 0);
        while start < rows.len() {
            let (sin, cos) = wave.round_at(positions.at(row), T::FORMAT);
            if let Some(column) = sin_column {
                rows[start + column] = from_bits(sin);
            }
            if let Some(column) = cos_column {
                rows[start + column] = from_bits(cos);
            }
            row += 1;
            start += spec.d_model();
        }
        i += 1;
    }
}

/// Zeros where the formula does not reach: beyond the width of the arrangement, and everywhere for an amplitude of zero.
const fn zero_columns<T: Element>(spec: &Spec, rows: &mut [T]) {
    let width = if spec.amplitude_sign() == 0 { 0 } else { spec.arrangement().width };
    let mut entry = 0;
    while entry < rows.len() && width < spec.d_model() {
        if entry % spec.d_model() >= width {
            rows[entry] = from_bits(0);
        }
        entry += 1;
    }
}

/// The amplitude, not zero, as the tiers need it.
struct PreparedAmplitude {
    size: Size,
    negative: bool,
    /// Nothing for a size of 1.
    narrow: Option<Factor<NARROW>>,
    /// The bits of sine and cosine of a zero angle.
    at_zero: (u64, u64),
}

impl PreparedAmplitude {
    const fn new(spec: &Spec, format: Format) -> Self {
        let (size, negative) = (spec.amplitude_size(), spec.amplitude_sign() < 0);
        let narrow = match size {
            Size::Of(value) if value == 1.0 || value == -1.0 => None,
            _ => Some(Factor::of(size)),
        };
        let sign = (negative as u64) << (format.width - 1);
        Self { size, negative, narrow, at_zero: (0, sign | size.round(format)) }
    }
}

/// The sine and cosine of a frequency: how fast they turn, and what it takes to know that more precisely.
struct Wave<'a> {
    frequencies: Frequencies<'a>,
    i: usize,
    turns: Frequency<NARROW>,
    amplitude: &'a PreparedAmplitude,
}

impl Wave<'_> {
    /// The bits of sine and cosine at `position`, correctly rounded.
    const fn round_at(&self, position: f64, format: Format) -> (u64, u64) {
        if position == 0.0 || self.frequencies.sign(self.i) == 0 {
            return self.amplitude.at_zero;
        }
        let (sin, cos) = self.enclose_narrow(position);
        match (sin.round(format), cos.round(format)) {
            (Some(sin), Some(cos)) => (sin, cos),
            _ => self.round_wide(position, format),
        }
    }

    /// Ziv's loop: more limbs until both are decided.
    ///
    /// All parameters are rational numbers, or in the amplitude the root of one, so the angle is algebraic. It is not zero, so
    /// its sine and cosine are transcendental (Hermite-Lindemann), and so are their products with the amplitude: some
    /// precision decides. The ladder ends at 5120 bits all the same.
    ///
    /// Up to 4300 of them go to the integer part of the angle: 2150 for the frequency (`base` to the -2), 1024 for `scale`,
    /// 1024 for the position. Of the rest 690 remain: that random digits need more has a probability below `2^-500`. Cases
    /// made to be hard have small angles, which times the amplitude are exactly half way between two numbers (or an amplitude
    /// that is, times the cosine of one), and are decided by their cubes (or squares). Where those are beyond 5120 bits, the
    /// lower end of the enclosure is rounded, and that is right: the value is below half way.
    #[cold]
    const fn round_wide(&self, position: f64, format: Format) -> (u64, u64) {
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

    const fn decide<const L: usize>(&self, position: f64, format: Format) -> Option<(u64, u64)> {
        let (sin, cos) = self.enclose_wide::<L>(position);
        match (sin.round(format), cos.round(format)) {
            (Some(sin), Some(cos)) => Some((sin, cos)),
            _ => None,
        }
    }

    const fn enclose_narrow(&self, position: f64) -> (Enclosure, Enclosure) {
        if let Some(phase) = Phase::new(position, &self.turns) {
            if let Some((sin, cos)) = narrow(&phase) {
                return match &self.amplitude.narrow {
                    None => self.with_signs(position, phase.unfold(sin, cos)),
                    Some(factor) => self.with_signs(position, phase.unfold(factor.times(sin), factor.times(cos))),
                };
            }
        }
        (Enclosure::UNKNOWN, Enclosure::UNKNOWN)
    }

    const fn enclose_wide<const L: usize>(&self, position: f64) -> (Enclosure, Enclosure) {
        match Phase::new(position, &self.frequencies.of::<L>(self.i)) {
            Some(phase) => {
                let (sin, cos) = wide(&phase, &Factor::of(self.amplitude.size));
                self.with_signs(position, phase.unfold(sin, cos))
            }
            None => (Enclosure::UNKNOWN, Enclosure::UNKNOWN),
        }
    }

    /// The sine is odd, the cosine even; a negative amplitude turns both.
    const fn with_signs(&self, position: f64, (sin, cos): (Enclosure, Enclosure)) -> (Enclosure, Enclosure) {
        let backwards = (position < 0.0) != (self.frequencies.sign(self.i) < 0);
        let negative = self.amplitude.negative;
        (if backwards == negative { sin } else { sin.negated() }, if negative { cos.negated() } else { cos })
    }
}
