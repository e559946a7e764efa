//! Random cases with integer entries.

use std::f64::consts::FRAC_PI_2;

use posenc::{Amplitude, Odd};

use crate::Lcg;
use crate::case::{Case, PAPER, Quantum};
use crate::number::Integer;
use crate::real::power_of_two;

impl Case {
    /// Returns a case of entries of type `T`, of which the first row and many others have entries half-way between two
    /// integers.
    pub fn of_integers<T: Integer>(random: &mut Lcg) -> Self {
        let mut case = Self { d_model: random.of([2, 4, 6, 7, 10, 16, 24]), odd: Odd::Zero, ..PAPER };
        case.base = random.of([10_000.0, 500_000.0, 1e6, 2.0, 1e9]);
        case.start = random.of([0, 0, 1, -5, 1000, 65_000, 1 << 40, -(1 << 52)]);
        case.step = random.of([1, 1, 2, -3, 1000]);
        case.quantise::<T>(random);
        if random.one_in(4) {
            let frequency = |_| random.of([1.0, 0.5, 1e-9, 1e-30, 0.0, -0.3, FRAC_PI_2]);
            case.frequencies = Some((0..case.frequency_count()).map(frequency).collect());
        }
        case
    }

    /// Draws the amplitude and the quantiser: as many steps as the type has, or fewer.
    fn quantise<T: Integer>(&mut self, random: &mut Lcg) {
        let (least, greatest) = T::RANGE;
        let zero_point = match (T::PLACES, greatest) {
            (None, 255) => random.below(256).cast_signed(),
            (None, 127) => random.below(256).cast_signed() - 128,
            _ => 0,
        };
        let steps = (greatest - zero_point).min(zero_point - least).max(1);
        let most = steps as f64;
        let (mut numerator, mut denominator) = match (T::PLACES, random.below(4)) {
            (Some(places), _) => (1.0, power_of_two(isize::from(places))),
            (None, 0) => (1.0, most),
            (None, 1) => (random.below(1 << 20) as f64 + 1.0, (1u64 << 20) as f64 * most),
            (None, 2) => (single(1.0 / most), 1.0),
            (None, _) => (1.0 / most * (1u64 << random.below(20)) as f64, 1.0),
        };
        // Ties at the angle 0: half a step more than an integer.
        let tie = numerator / denominator * 0.5;
        let amplitude = random.of([1.0, 0.5, -1.0, 0.75, 0.1, 1e-5, 0.0, tie, -tie, 3.0 * tie]);
        let in_steps = amplitude.abs() * denominator / numerator;
        // Half a step is rounded to nothing, which is refused.
        let amplitude = if in_steps > most || in_steps <= 0.5 && amplitude != 0.0 { 2.0 * tie } else { amplitude };
        self.amplitude = Amplitude::Value(amplitude);
        let (root, over) = random.of([(Amplitude::RsqrtD, 1), (Amplitude::Sqrt2OverD, 2)]);
        match (random.below(4), T::PLACES) {
            // A root is a tie too, or an integer, if the width or its half is a square.
            (0, None) => {
                let side = 2 + random.below(5);
                let count = 2 + random.below(2 * steps.unsigned_abs() - 1);
                self.d_model = usize::try_from(side * side * over).expect("a width");
                (self.amplitude, numerator, denominator) = (root, 2.0, (count * side) as f64);
            }
            // At least 0.2, as the width is at most 24.
            (1, _) if denominator / numerator <= most && denominator / numerator > 2.5 => self.amplitude = root,
            _ => {}
        }
        if T::PLACES.is_none() {
            let zero_point = i32::try_from(zero_point).expect("a small integer");
            self.quantum = Some(Quantum { numerator, denominator, zero_point });
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the scales of models are of single precision")]
fn single(x: f64) -> f64 {
    f64::from(x as f32)
}
