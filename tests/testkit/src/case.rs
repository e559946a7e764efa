//! The parameters of a table, and what the docs of `Spec` say of its columns.

use posenc::scaling::LongRope;
use posenc::{Amplitude, Columns, FrequencyDtype, Layout, Odd, Order, Pairing, Quantiser, Scaling, Spec};

use crate::real::exactly;

/// The parameters of a table. They have the names of the methods of `Spec`.
#[allow(missing_docs, reason = "the parameters of `Spec` have the same names")]
#[derive(Clone, Debug)]
pub struct Case {
    pub d_model: usize,
    pub base: f64,
    pub freq_shift: f64,
    pub freq_offset: (i64, i64),
    /// The list, in place of a base and a shift.
    pub frequencies: Option<Vec<f64>>,
    /// The rule, without the list of `longrope`.
    pub scaling: Scaling<'static>,
    /// The list of `longrope`.
    pub factors: Vec<f64>,
    pub frequency_dtype: FrequencyDtype,
    pub layout: Layout,
    pub order: Order,
    pub columns: Columns,
    pub pairing: Pairing,
    pub odd: Odd,
    pub start: i64,
    pub step: i64,
    pub zero_row: Option<usize>,
    pub scale: f64,
    pub unit: (i64, i64),
    pub amplitude: Amplitude,
    pub quantum: Option<Quantum>,
}

/// A quantiser whose scale is a quotient of numbers. If the denominator is not 1, both are integers.
#[allow(missing_docs, reason = "the words are those of quotients")]
#[derive(Clone, Copy, Debug)]
pub struct Quantum {
    pub numerator: f64,
    pub denominator: f64,
    pub zero_point: i32,
}

/// The default parameters.
pub const PAPER: Case = Case {
    d_model: 512,
    base: 10_000.0,
    freq_shift: 0.0,
    freq_offset: (0, 1),
    frequencies: None,
    scaling: Scaling::None,
    factors: Vec::new(),
    frequency_dtype: FrequencyDtype::Exact,
    layout: Layout::Interleaved,
    order: Order::SinCos,
    columns: Columns::Both,
    pairing: Pairing::Paired,
    odd: Odd::LastSin,
    start: 0,
    step: 1,
    zero_row: None,
    scale: 1.0,
    unit: (1, 1),
    amplitude: Amplitude::Value(1.0),
    quantum: None,
};

/// The function of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Function {
    /// The sine.
    Sine,
    /// The cosine.
    Cosine,
}

impl Case {
    /// Creates a case of sine/cosine pairs with the given frequencies.
    pub fn list(frequencies: &[f64]) -> Self {
        Self { d_model: 2 * frequencies.len(), frequencies: Some(frequencies.to_vec()), ..PAPER }
    }

    /// Returns the spec with these parameters.
    pub fn spec(&self) -> Spec<'_> {
        self.over(Spec::new(self.d_model))
    }

    /// Returns another spec, of a preset for example, in which all parameters are set that are not the defaults here.
    pub fn over<'a>(&'a self, mut spec: Spec<'a>) -> Spec<'a> {
        macro_rules! set {
            ($($parameter:ident $(by $bits:ident)?),*) => {
                $(if self.$parameter$(.$bits())? != PAPER.$parameter$(.$bits())? {
                    spec = spec.$parameter(self.$parameter);
                })*
            };
        }
        // A zero may be negative.
        set!(base by to_bits, freq_shift by to_bits, scale by to_bits, amplitude, start, step);
        set!(frequency_dtype, layout, order, columns, pairing, odd);
        if self.unit != PAPER.unit {
            spec = spec.unit(self.unit.0, self.unit.1);
        }
        if self.freq_offset != PAPER.freq_offset {
            spec = spec.freq_offset(self.freq_offset.0, self.freq_offset.1);
        }
        spec = self.zero_row.map_or(spec, |row| spec.zero_row(row));
        spec = self.quantum.map_or(spec, |quantum| spec.quantiser(quantum.quantiser()));
        spec = match self.scaling {
            Scaling::None => spec,
            Scaling::LongRope(rule) => spec.scaling(Scaling::LongRope(LongRope { factors: &self.factors, ..rule })),
            rule => spec.scaling(rule),
        };
        match &self.frequencies {
            Some(frequencies) => spec.frequencies(frequencies),
            None => spec,
        }
    }

    /// Returns the number of columns without the zero column.
    pub fn width(&self) -> usize {
        if self.odd == Odd::Zero { self.d_model / 2 * 2 } else { self.d_model }
    }

    /// Returns the number of frequencies.
    pub fn frequency_count(&self) -> usize {
        if self.shared() { self.width().div_ceil(2) } else { self.width() }
    }

    /// Returns whether the columns of a pair share a frequency.
    fn shared(&self) -> bool {
        self.columns == Columns::Both && self.pairing == Pairing::Paired
    }

    /// Returns the function of a column and the index of its frequency, or `None` for the zero column.
    pub fn column(&self, column: usize) -> Option<(Function, usize)> {
        let width = self.width();
        if column >= width {
            return None;
        }
        let (pair, place) = match (self.columns, self.layout) {
            (Columns::Sin, _) => return Some((Function::Sine, column)),
            (Columns::Cos, _) => return Some((Function::Cosine, column)),
            (Columns::Both, Layout::Interleaved) => (column / 2, column % 2),
            (Columns::Both, Layout::Halves) if column < width.div_ceil(2) => (column, 0),
            (Columns::Both, Layout::Halves) => (column - width.div_ceil(2), 1),
        };
        let sine = (place == 0) == (self.order == Order::SinCos);
        let function = if sine { Function::Sine } else { Function::Cosine };
        Some((function, if self.shared() { pair } else { 2 * pair + place }))
    }

    /// Returns the exponent of frequency `k` as a fraction `a / (b - c shift)`.
    fn fraction(&self, k: usize) -> (usize, usize, u8) {
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => (2 * k, self.width(), 2),
            (Columns::Both, Pairing::Unpaired) => (k, self.width(), 2),
            _ => (k, self.d_model, 1),
        }
    }

    /// Returns the exponent of 1/base in frequency `k`, as an exact fraction in lowest terms.
    ///
    /// With an offset there is no shift. A shift is less than 2^26. A shift other than 0 is at least 2^-42, and so a multiple of 2^-94.
    pub(crate) fn exponent(&self, k: usize) -> (u128, u128) {
        const PLACES: usize = 94;
        fn divisor(a: u128, b: u128) -> u128 {
            if b == 0 { a } else { divisor(b, a % b) }
        }
        let (over, under) =
            (u128::from(self.freq_offset.0.unsigned_abs()), u128::from(self.freq_offset.1.unsigned_abs()));
        if k == 0 && over == 0 {
            return (0, 1); // for any shift
        }
        // The numerator is a multiple of `k`, to which the offset is added.
        let (of_one, b, c) = self.fraction(1);
        let a = of_one as u128 * (k as u128 * under + over);
        let shift = (exactly(self.freq_shift) << PLACES.cast_signed()).to_int().value();
        let shift = i128::try_from(shift).expect("a small shift") * i128::from(c);
        let denominator = (i128::try_from(b).expect("a width") << PLACES) - shift;
        let (numerator, denominator) = (a << PLACES, denominator.unsigned_abs() * under);
        let common = divisor(numerator, denominator);
        (numerator / common, denominator / common)
    }

    /// Returns the shift for which the last frequency has the exponent 2.
    ///
    /// A single frequency has the exponent 0 for any shift.
    pub fn largest_freq_shift(&self) -> f64 {
        if self.frequency_count() < 2 {
            return crate::numbers::LARGEST_SHIFT;
        }
        let (a, b, c) = self.fraction(self.frequency_count() - 1);
        (b as f64 - a as f64 / 2.0) / f64::from(c)
    }
}

impl Quantum {
    fn quantiser(self) -> Quantiser {
        #[expect(clippy::cast_possible_truncation, reason = "integers")]
        let quantiser = if self.denominator == 1.0 {
            Quantiser::new(self.numerator)
        } else {
            Quantiser::quotient(self.numerator as i64, self.denominator as i64)
        };
        quantiser.zero_point(self.zero_point)
    }
}
