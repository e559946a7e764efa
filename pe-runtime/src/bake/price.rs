//! Estimates how long it takes to evaluate a table at build time, so that calls that take too long are errors.

use crate::element::Element;
use crate::engine::floats_serve;
use crate::error_bounds::{MIN_ROWS, PROGRESSION_ERROR_BITS};
use crate::exact::factor::Size;
use crate::exact::format::{Format, decompose};
use crate::exact::frequency_rule::FrequencyRounding;
use crate::exact::frequency_rule::{Family, FrequencyRule};
use crate::exact::limbs;
use crate::exact::scaling::LoweredScaling;
use crate::exact::sinusoid::PreparedAmplitude;
use crate::float_bits::{is_zero, sign};
use crate::grid::plans::Lowered;
use crate::limits::MAX_SECONDS;
use crate::plan::positions::Positions;
use crate::plan::{Plan, TablePlan};
use crate::spec::error::SpecError;

/// What evaluates a table at build time, with the time that each step takes at most, rounded up.
///
/// Measured once on an Intel Xeon with AVX-512 (2 cores, rustc 1.95.0, 2026-11-23), and about half as much again for slower
/// machines. `cargo xtask cost --slowest` builds the most expensive calls that are accepted.
#[derive(Clone, Copy)]
pub(crate) struct Evaluator {
    /// Whether the call has names, so that it is the compiler.
    named: bool,
    /// The sine and the cosine of an angle in the exact tier, in microseconds, by the limbs of [`LIMBS`].
    exact: [u64; 5],
    /// What each frequency needs before its rows, in microseconds, with one float per number and with two.
    frequency: [u64; 2],
    /// What a band of a scaling rule adds to that.
    band: u64,
    /// What rounding a frequency adds to that, and the same if one of them may be rounded to zero.
    rounding: [u64; 2],
    /// An entry in nanoseconds: of `f32` and of integers up to 16 bits, of `f64`, and of the other types.
    entry: [u64; 3],
    /// An entry of a grid that is copied, in nanoseconds.
    copied: u64,
}

/// The limbs of the steps of precision.
const LIMBS: [i32; 5] = [limbs::NARROW as i32, 8, 16, 32, 80];

impl Evaluator {
    /// The macro, in a build that is not optimised.
    #[cfg(feature = "alloc")]
    pub(crate) const MACRO: Self = Self {
        named: false,
        exact: [3, 200, 600, 3_500, 30_000],
        frequency: [10, 12],
        band: 20,
        rounding: [20, 200],
        entry: [100, 200, 350],
        copied: 60,
    };

    /// The compiler, which interprets the program.
    pub(crate) const COMPILER: Self = Self {
        named: true,
        exact: [1_500, 90_000, 350_000, 2_000_000, 14_000_000],
        frequency: [1_100, 2_600],
        band: 4_500,
        rounding: [5_000, 25_000],
        entry: [4_000, 9_000, 9_000],
        copied: 1_000,
    };

    /// Checks that a table takes at most [`MAX_SECONDS`].
    pub(crate) const fn check_table<T: Element>(&self, table: &TablePlan<T>, tables: usize) -> Result<(), SpecError> {
        let TablePlan { plan, positions, rows } = table;
        self.check(self.table(&Formula::of(plan), positions, *rows), tables, [*rows, plan.d_model()])
    }

    /// Does the same for a grid.
    pub(crate) const fn check_grid<T: Element>(&self, lowered: &Lowered<T>, tables: usize) -> Result<(), SpecError> {
        let (grid, axes) = (&lowered.grid, lowered.axes());
        let mut nanoseconds = grid.rows as u128 * grid.d_model as u128 * self.copied as u128;
        let mut i = 0;
        while i < axes.len() {
            if grid.widths[i] > 0 {
                nanoseconds += self.table(&Formula::of(&axes[i].plan), &axes[i].positions, grid.shape[i]);
            }
            i += 1;
        }
        self.check(nanoseconds, tables, [grid.rows, grid.d_model])
    }

    const fn check(&self, nanoseconds: u128, tables: usize, [seq_len, d_model]: [usize; 2]) -> Result<(), SpecError> {
        let seconds = nanoseconds.saturating_mul(tables as u128).div_ceil(1_000_000_000);
        if seconds <= MAX_SECONDS as u128 {
            return Ok(());
        }
        let seconds = if seconds < u64::MAX as u128 { seconds as u64 } else { u64::MAX };
        Err(SpecError::SlowToEvaluate { seq_len, d_model, seconds, named: self.named })
    }

    /// Returns the price of a table in nanoseconds.
    const fn table(&self, formula: &Formula, positions: &Positions, rows: usize) -> u128 {
        let Formula { amplitude, format, count, d_model, .. } = *formula;
        let Some(amplitude) = amplitude else { return 0 };
        if rows == 0 {
            return 0;
        }
        let [start, last] = positions.ends(rows);
        // The row at position 0 is known.
        let moving = rows as u128 - is_zero(start) as u128;
        let two_floats = format.precision == Format::F64.precision;
        let class = match (format.width, format.integers) {
            (64, _) => 1,
            (32, None) | (..32, Some(_)) => 0,
            _ => 2,
        };
        let pairs = count as u128;

        let angles = Angles::of(formula, amplitude, [start, last], &self.exact);
        let sums_serve = positions.equally_spaced().is_some()
            && rows >= MIN_ROWS
            && floats_serve(Some(amplitude))
            && (two_floats || angles.most < 128);
        let step = if sums_serve { angles.step() } else { angles.step_of_entries(formula) };
        let far = step > 0;
        let exact = self.exact[step] as u128 * if far { angles.rule_factor } else { 1 };
        let exact_tier = if sums_serve {
            // The first rows of runs, and the step, of which an optimised macro takes one for each bit of a row's number.
            let steps = if self.named { 1 } else { 1 + rows.ilog2() as u128 };
            let of_sums = if far { pairs * (steps + !is_zero(start) as u128 + rows as u128 / 192) } else { 0 };
            of_sums * exact + angles.tiny * moving * self.exact[0] as u128
        } else {
            pairs * moving * exact
        };
        let frequency = self.frequency[two_floats as usize] + if angles.rule_factor > 1 { self.band } else { 0 };
        let rounding = match formula.rule.rounding {
            FrequencyRounding::None => 0,
            _ => self.rounding[angles.may_vanish as usize],
        };
        let entries = rows as u128 * d_model as u128 * self.entry[class] as u128;
        entries + 1000 * (pairs * (frequency + rounding) as u128 + exact_tier + angles.ties * moving)
    }
}

/// What the price of a plan depends on. It has no element type, so that the macro compiles the price once.
#[derive(Clone, Copy)]
struct Formula<'p> {
    rule: &'p FrequencyRule<'p>,
    /// `None` if all entries are zeros.
    amplitude: Option<&'p PreparedAmplitude>,
    format: Format,
    count: usize,
    d_model: usize,
}

impl<'p> Formula<'p> {
    const fn of<T: Element>(plan: &'p Plan<T>) -> Self {
        let amplitude = if plan.width() == 0 { None } else { plan.amplitude() };
        let (count, d_model) = (plan.count(), plan.d_model());
        Self { rule: plan.frequencies(), amplitude, format: plan.format(), count, d_model }
    }
}

/// What the angles of a table ask of the exact tier.
struct Angles {
    /// At least the exponent of two of the largest one in radians.
    most: i32,
    /// For about how many frequencies the sines are so close to zero that the floats do not decide their digits.
    tiny: u128,
    /// How long a row takes, in microseconds, if all values next to midpoints that the frequencies permit occur in it.
    ties: u128,
    /// How many times as long a frequency takes because of the scaling rule.
    rule_factor: u128,
    /// Whether a frequency may be rounded to zero.
    may_vanish: bool,
}

impl Angles {
    /// Of a geometric family, which may have millions of frequencies, about as many are looked at.
    const SAMPLES: usize = 1024;

    const fn of(
        &Formula { rule, format, count, .. }: &Formula,
        amplitude: &PreparedAmplitude,
        [start, last]: [f64; 2],
        exact: &[u64; 5],
    ) -> Self {
        let rule_factor = match rule.scaling {
            LoweredScaling::LogBand { .. } => 3,
            LoweredScaling::Band { .. } => 2,
            _ => 1,
        };
        let mut angles = Self { most: i32::MIN, tiny: 0, ties: 0, rule_factor, may_vanish: false };
        // Angles of zero are below all others.
        if (is_zero(start) && is_zero(last)) || is_zero(rule.scale) {
            return angles;
        }
        let [nearest, furthest] = octaves_of_positions(start, last);
        let scale = decompose(rule.scale).1 + rule.unit.octaves();
        let floats = format.integers.is_none();
        // Measured: half of the entries of 2^-16 in `f64`, of 2^-38 in `f32`, and of about 2^-54 with 8 bits.
        let two_floats = format.precision == Format::F64.precision;
        let undecided = if two_floats { -14 } else { format.precision as i32 - 60 };
        let ties = Ties::of(amplitude, format);
        let stride = match (rule.family, rule.scaling) {
            (Family::Given(_), _) | (_, LoweredScaling::Each(_)) => 1,
            _ => count.div_ceil(Self::SAMPLES),
        };
        let mut i = 0;
        while i < count {
            let frequency = scale + rule.octaves(i);
            let octave = frequency + furthest;
            angles.most = if octave > angles.most { octave } else { angles.most };
            angles.may_vanish |= rule.may_be_rounded_to_zero(i);
            let sampled = if stride < count - i { stride } else { count - i } as u128;
            if floats && octave < undecided {
                angles.tiny += sampled;
            }
            if let Some(step) = ties.step(rule, i, [frequency + nearest, octave]) {
                angles.ties += sampled * exact[step] as u128;
            }
            i += stride;
        }
        angles.most += 2;
        angles
    }

    /// Returns the step of precision that gives the sine and the cosine of the largest angle to 126 bits.
    const fn step(&self) -> usize {
        // What the frequency is off by, and what the roundings take.
        step_of_bits(self.most.saturating_add(176))
    }

    /// Returns the step of precision that decides almost all entries of the largest angle.
    ///
    /// The first step serves if it leaves 10 correct bits more than the format has: it decides all but one entry in about
    /// five hundred.
    const fn step_of_entries(&self, formula: &Formula) -> usize {
        let error_bits = formula.rule.scaling.error_bits(PROGRESSION_ERROR_BITS) as i32;
        let needed = error_bits + formula.format.precision as i32 + 10;
        if self.most.saturating_add(needed) <= 64 * LIMBS[0] { 0 } else { self.step() }
    }
}

/// Returns the exponents of two of the positions nearest to zero and furthest from it, which are not both zero.
const fn octaves_of_positions(start: f64, last: f64) -> [i32; 2] {
    let (a, b) = (start.abs(), last.abs());
    let (near, far) = if a < b { (a, b) } else { (b, a) };
    let crosses_zero = is_zero(near) || sign(start) != sign(last);
    [if crosses_zero { 0 } else { decompose(near).1 }, decompose(far).1]
}

/// Returns the first step of at least so many bits, or the last one.
const fn step_of_bits(bits: i32) -> usize {
    let mut step = 0;
    while step < LIMBS.len() - 1 && bits > 64 * LIMBS[step] {
        step += 1;
    }
    step
}

/// Which values may be next to midpoints of two numbers of the format.
///
/// They are products of a rational amplitude and a rational angle, or, for a cosine, the amplitude. The other factor differs
/// from 1 by about the square of the angle.
struct Ties<'a> {
    amplitude: &'a PreparedAmplitude,
    format: Format,
    of_cosines: bool,
}

impl<'a> Ties<'a> {
    const fn of(amplitude: &'a PreparedAmplitude, format: Format) -> Self {
        Self { amplitude, format, of_cosines: amplitude.is_midpoint(format) }
    }

    /// Returns the step of precision that decides such values of frequency `i`, if there may be any for which the first step
    /// is not enough.
    ///
    /// The octaves are of the smallest and of the largest angle, and may be off by 3.
    const fn step(&self, rule: &FrequencyRule, i: usize, [least, most]: [i32; 2]) -> Option<usize> {
        if least > -55 || rule.sign(i) == 0 {
            return None;
        }
        let floats = self.format.integers.is_none();
        match self.amplitude.product() {
            // Below these, the exact product decides at once.
            Some(_) if most < -148 => None,
            Some(_) if self.of_cosines && most >= -67 => Some(1),
            Some(mut product) => {
                let digits = self.format.precision + 1;
                let sines =
                    floats && rule.multiply_exactly(i, &mut product) && product.may_have_short_multiples(digits);
                if sines { Some(1) } else { None }
            }
            None if floats && matches!(self.amplitude.size, Size::Rsqrt(_)) && rule.is_root(i) => {
                Some(step_of_bits(176 - 2 * least))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float_bits::power_of_two;
    use crate::spec::scaling::Scaling;
    use crate::{Amplitude, FrequencyDtype, Spec};

    fn seconds<T: Element>(evaluator: Evaluator, spec: &Spec, rows: usize) -> u128 {
        let TablePlan { plan, positions, rows } = TablePlan::<T>::new(spec, rows, usize::MAX).unwrap();
        evaluator.table(&Formula::of(&plan), &positions, rows) / 1_000_000_000
    }

    /// Measured in compilers and macros of slow machines, in seconds.
    #[test]
    fn long_evaluations_are_expensive() {
        let compiler = Evaluator::COMPILER;
        assert!(seconds::<f32>(compiler, &Spec::new(20_000), 3) >= 30);
        let mut list = [1e-9; 500];
        list[499] = 1.0;
        let listed = Spec::new(1000).frequencies(&list).frequency_dtype(FrequencyDtype::F16);
        assert!(seconds::<f32>(compiler, &listed, 3) >= 7);
        let llama = Spec::new(20_000).scaling(Scaling::llama3(8.0, 8192));
        assert!(seconds::<f64>(compiler, &llama, 3) >= 60);
        assert!(seconds::<f64>(compiler, &Spec::new(64).scale(1e300), 64) >= 60);
        let rounded = |base, dtype| seconds::<f32>(compiler, &Spec::new(1000).base(base).frequency_dtype(dtype), 3);
        assert!(rounded(10_000.0, FrequencyDtype::Bf16Period) >= 3 && rounded(1e12, FrequencyDtype::F16) >= 7);
        assert!(seconds::<f64>(compiler, &Spec::new(2).scale(1e300).frequencies(&[1e300]).start(1), 1) >= 7);
        assert!(seconds::<f64>(compiler, &Spec::new(128).scale(1e80), 4) >= 4);
        assert!(seconds::<f32>(compiler, &Spec::new(1000).scale(1e-42), 64) >= 30);
        assert!(seconds::<f32>(compiler, &Spec::new(64).scale(1e300), 64) >= 100);
        let of_macro = Evaluator::MACRO;
        assert!(seconds::<f64>(of_macro, &Spec::new(4096).scale(1e300), 16) >= 15);
        assert!(seconds::<f64>(of_macro, &Spec::new(65_530).scale(1e80), 63) >= 14);
        assert!(seconds::<f32>(of_macro, &Spec::new(1 << 24), 3) >= 60);
        assert!(seconds::<f32>(of_macro, &Spec::new(64).scale(1e300), 1000) >= 60);
        // Measured: 1.1 s at 1e60, whose entries the first step decides, and 7.3 s at 1e100.
        assert!(seconds::<f32>(of_macro, &Spec::new(15_000).scale(1e60), 63) < 5);
        assert!(seconds::<f32>(of_macro, &Spec::new(1500).scale(1e100), 63) >= 7);
        assert!(seconds::<f32>(of_macro, &Spec::new(1024).amplitude(Amplitude::Value(1e-30)), 65_536) >= 60);
    }

    /// Positions of a list may be far beyond those of rows. Measured: 115 s in the compiler.
    #[test]
    fn lists_are_priced_by_their_largest_position() {
        let plan = TablePlan::<f32>::new(&Spec::new(64), 4, usize::MAX).unwrap().plan;
        let of_list = |list: &[f64]| {
            let positions = Positions::of_list(list).unwrap();
            Evaluator::COMPILER.table(&Formula::of(&plan), &positions, list.len()) / 1_000_000_000
        };
        assert!(of_list(&[0.5, -1e300, 1.0, 5e299]) >= 100 && of_list(&[0.5, -1e15, 1.0, 5e14]) <= 1);
    }

    /// The sines that floats do not decide: of small angles, of some numbers of a list, and of frequencies that a rule divides.
    #[test]
    fn tiny_values_are_expensive() {
        let compiler = Evaluator::COMPILER;
        let tiny = |spec: &Spec| seconds::<f32>(compiler, spec, 640);
        let small = Spec::new(200).base(10.0).scale(1e-12);
        assert!(tiny(&small.scale(1e-16)) >= 50);
        assert!(tiny(&small) <= 1);
        let mut list = [1e-16; 100];
        (list[0], list[99]) = (1.0, 1.0);
        assert!(tiny(&Spec::new(200).frequencies(&list)) >= 50);
        let longrope = |factors| small.scaling(Scaling::longrope(factors, 1.0, 4096));
        assert!(tiny(&longrope(&[1.0; 100])) <= 1);
        assert!(tiny(&longrope(&[65_536.0; 100])) >= 50);
        assert!(seconds::<f64>(compiler, &small.scale(1e-10), 640) >= 50);
        assert!(seconds::<f64>(compiler, &small.scale(1e-2), 640) <= 2);
        assert!(seconds::<crate::Bf16Bits>(compiler, &small.scale(1e-16), 640) <= 2);
        assert!(seconds::<crate::Q31>(compiler, &small.scale(1e-16), 640) <= 2);
    }

    /// Products of amplitude and angle that are midpoints of two numbers of the type, measured likewise.
    #[test]
    fn values_next_to_midpoints_are_expensive() {
        type Bf16 = crate::Bf16Bits;
        let compiler = Evaluator::COMPILER;
        let odd = |spec: Spec<'static>| spec.start(257).step(2);
        let tie = |spec: Spec<'static>| seconds::<Bf16>(compiler, &odd(spec), 128);
        let power = |exponent: i32| power_of_two(exponent);
        assert!(tie(Spec::new(4).base(1.0).scale(power(-80))) >= 14);
        assert!(tie(Spec::new(4).frequencies(&[8.271_806_125_530_277e-25, 3.587_324_068_671_532e-43])) >= 14);
        // Base 10000 has one rational frequency of two.
        assert!(tie(Spec::new(4).scale(power(-80))) >= 7);
        assert!(tie(Spec::new(4).base(1.0).scale(power(-160))) <= 2);
        assert!(tie(Spec::new(4).base(1.0).scale(power(-40))) <= 2);
        // The cosines are next to the amplitude, which may be a midpoint.
        let irrational = Spec::new(4).base(0.7).scale(power(-74));
        assert!(tie(irrational.amplitude(Amplitude::Value(1.0 + power(-8)))) >= 14);
        // 1 / sqrt(2), for the frequencies 1 and the same root.
        let roots = Spec::new(4).base(2.0).amplitude(Amplitude::Sqrt2OverD);
        assert!(tie(roots.scale(power(-600))) >= 100);
        assert!(tie(roots.base(10_000.0).scale(power(-600))) <= 1);
        // Integers do not have such values.
        assert!(seconds::<crate::Q31>(compiler, &odd(Spec::new(4).base(1.0).scale(power(-80))), 128) <= 1);
    }

    #[test]
    fn typical_evaluations_are_cheap() {
        assert!(seconds::<f32>(Evaluator::COMPILER, &Spec::new(512), 512) <= 2);
        assert!(seconds::<f64>(Evaluator::COMPILER, &Spec::new(512), 2000) < MAX_SECONDS.into());
        assert!(seconds::<f32>(Evaluator::COMPILER, &Spec::new(4096).scale(0.0), 3) <= 9);
        assert!(seconds::<f32>(Evaluator::MACRO, &Spec::new(1024), 65_536) < MAX_SECONDS.into());
        assert!(seconds::<f64>(Evaluator::MACRO, &Spec::new(1024).start(-(1 << 53)), 32_768) < MAX_SECONDS.into());
    }
}
