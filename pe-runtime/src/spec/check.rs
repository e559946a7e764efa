//! The checks of a spec.

use crate::element::Element;
use crate::exact::format::Integers;
use crate::exact::scaling::{LoweredScaling, THERE_ARE_RULES};
use crate::float_bits::{is_zero, sign, times_power_of_two};
use crate::limits::{
    INTEGERS, MAX_D_MODEL, MAX_FREQ_OFFSET_DENOMINATOR, MAX_FREQ_SHIFT, MAX_POSITION, MIN_FREQ_SHIFT, in_range,
};
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing, Repeat};
use crate::spec::error::SpecError;
use crate::spec::quantiser::units_and_format;
use crate::spec::scaling::Scaling;
use crate::spec::values::{Frequencies, Parameters};

impl<'a> Spec<'a> {
    /// Checks everything that can be wrong with a table of `seq_len` rows, and returns its size in bytes.
    ///
    /// `max_bytes` is the largest size allowed.
    ///
    /// # Errors
    ///
    /// Returns the error that making the table would return.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(512).check_table::<f32>(4096, 16 << 20), Ok(8 << 20));
    /// let error = Spec::new(512).check_table::<f32>(4096, 1 << 20).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a table of 4096 x 512 f32 entries takes 8388608 bytes, but the limit is 1048576; \
    ///      reduce `seq_len` or `d_model`, or raise `max_bytes`",
    /// );
    /// ```
    pub const fn check_table<T: Element>(&self, seq_len: usize, max_bytes: usize) -> Result<usize, SpecError> {
        try_const!(self.check_parameters::<T>());
        try_const!(self.check_rows_of_table::<T>(seq_len, max_bytes));
        Ok(seq_len * self.d_model() * size_of::<T>())
    }

    /// Checks the rest if the parameters have been checked already. Returns the position of the first row and the step.
    pub(crate) const fn check_rows_of_table<T: Element>(
        &self,
        seq_len: usize,
        max_bytes: usize,
    ) -> Result<(i64, i64), SpecError> {
        // Below 2^64 2^24 2^3.
        let bytes = seq_len as u128 * self.d_model() as u128 * size_of::<T>() as u128;
        let address_space = isize::MAX as usize;
        let max_bytes = if max_bytes < address_space { max_bytes } else { address_space };
        if bytes > max_bytes as u128 {
            let (d_model, dtype) = (self.d_model(), T::DTYPE);
            return Err(SpecError::TableTooLarge { seq_len, d_model, dtype, bytes, max_bytes });
        }
        match (self.check_rows(0, seq_len), self.parameters.zero_row) {
            (Ok(_), Some(row)) if row >= seq_len => Err(SpecError::ZeroRow { value: row, seq_len }),
            (rows, _) => rows,
        }
    }

    /// Checks the parameters for tables of `T`, but not the rows as [`check_table`](Self::check_table) does.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter is out of range, or if two parameters exclude each other.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Layout, Spec};
    /// let spec = Spec::new(8).layout(Layout::Halves);
    /// assert!(spec.check_parameters::<f32>().is_ok());
    /// assert_eq!(
    ///     spec.columns(Columns::Sin).check_parameters::<f32>().unwrap_err().to_string(),
    ///     "`layout = halves` conflicts with `columns = sin`: with only sines or only cosines there are no halves; \
    ///      change one of them, even if it is a default or set by a preset",
    /// );
    /// ```
    pub const fn check_parameters<T: Element>(&self) -> Result<(), SpecError> {
        try_const!(self.check::<T>());
        Ok(())
    }

    /// Does the same, and returns the scaling rule as the arithmetic needs it.
    pub(crate) const fn check<T: Element>(&self) -> Result<LoweredScaling<'a>, SpecError> {
        try_const!(check_d_model(self.d_model() as i128));
        if let Frequencies::Geometric { base, .. } = self.parameters.frequencies {
            try_const!(check_base(base));
        }
        try_const!(check_scale(self.parameters.scale));
        let (numerator, denominator) = self.parameters.unit;
        try_const!(check_unit(numerator, denominator));
        let (numerator, denominator) = self.parameters.freq_offset;
        try_const!(check_freq_offset(numerator, denominator));
        try_const!(self.check_amplitude::<T>());
        if matches!(self.parameters.odd, Odd::Reject) && self.d_model() % 2 == 1 {
            return Err(SpecError::OddDModel { d_model: self.d_model() });
        }
        if let Some(conflict) = self.conflict() {
            return Err(conflict);
        }
        try_const!(self.check_multiple());
        try_const!(match self.parameters.frequencies {
            Frequencies::Given(frequencies) => self.check_frequencies(frequencies),
            Frequencies::Geometric { freq_shift, .. } => self.check_freq_shift(freq_shift),
        });
        let scaling = try_const!(self.lower_scaling());
        try_const!(self.check_frequency_dtype(scaling));
        try_const!(self.check_integers::<T>());
        Ok(scaling)
    }

    /// Checks that the amplitude is a number of a floating-point type, or at least finite.
    const fn check_amplitude<T: Element>(&self) -> Result<(), SpecError> {
        let (max, limit) = match T::FORMAT.integers {
            None => (T::FORMAT.max(), T::FORMAT.max()),
            // What is beyond the integers is counted in steps.
            Some(Integers { fraction_bits: Some(_), .. }) => (1.0, f64::MAX),
            Some(_) => (f64::MAX, f64::MAX),
        };
        match self.parameters.amplitude {
            Amplitude::Value(value) if !value.is_finite() || value.abs() > limit => {
                Err(SpecError::Amplitude { value, dtype: T::DTYPE, max })
            }
            _ => Ok(()),
        }
    }

    /// Checks the quantiser, that not all integers are the zero point, and that none is clamped by more than one step.
    ///
    /// The other parameters must have been checked.
    const fn check_integers<T: Element>(&self) -> Result<(), SpecError> {
        let Parameters { d_model, amplitude, scaling, quantiser, .. } = &self.parameters;
        let (units, format) = try_const!(units_and_format(*quantiser, T::FORMAT, T::DTYPE));
        let Some(Integers { least, greatest, zero_point, .. }) = format.integers else { return Ok(()) };
        if amplitude.sign() == 0 {
            return Ok(());
        }
        // Monotonic, and above `INTEGERS` if the nearest integer is.
        let steps = amplitude.size(*d_model, scaling).round_in(units, format);
        if steps == 0 {
            return Err(SpecError::NoSteps { dtype: T::DTYPE, zero_point });
        }
        let steps = if steps < INTEGERS as u64 { steps as i64 } else { INTEGERS };
        if zero_point - steps < least - 1 || zero_point + steps > greatest + 1 {
            return Err(SpecError::Clipped { steps, dtype: T::DTYPE, zero_point, range: [least, greatest] });
        }
        Ok(())
    }

    /// Returns the first conflict of two parameters that exclude each other.
    const fn conflict(&self) -> Option<SpecError> {
        let odd_width = self.d_model() % 2 == 1;
        let one_kind = !matches!(self.parameters.columns, Columns::Both);
        let columns = self.parameters.columns.name();
        let (parameters, values, reason) = match self.parameters {
            Parameters { layout: Layout::Halves, .. } if one_kind => {
                (["layout", "columns"], ["halves", columns], "with only sines or only cosines there are no halves")
            }
            Parameters { order: Order::CosSin, .. } if one_kind => (
                ["order", "columns"],
                ["cos_sin", columns],
                "with only sines or only cosines there are no pairs to order",
            ),
            Parameters { pairing: Pairing::Unpaired, .. } if one_kind => {
                (["pairing", "columns"], ["unpaired", columns], "with only sines or only cosines there are no pairs")
            }
            Parameters { odd: Odd::Zero, .. } if one_kind && odd_width => {
                (["odd", "columns"], ["zero", columns], "with only sines or only cosines no column is left over")
            }
            Parameters { odd: Odd::LastSin, order: Order::CosSin, .. } if odd_width => {
                (["order", "odd"], ["cos_sin", "last_sin"], "the last column of an odd `d_model` would be a cosine")
            }
            Parameters { pairing: Pairing::Unpaired, repeat, .. } if !matches!(repeat, Repeat::None) => {
                (["pairing", "repeat"], ["unpaired", repeat.name()], "only pairs of columns are repeated")
            }
            // If there are no rules, an offset and a rule are errors anyway.
            _ if !THERE_ARE_RULES => return None,
            _ => {
                return match self.conflict_with_offset() {
                    None => self.conflict_with_scaling(),
                    conflict => conflict,
                };
            }
        };
        Some(SpecError::Conflict { parameters, values, reason })
    }

    /// Returns the first parameter that excludes an offset of the frequencies.
    const fn conflict_with_offset(&self) -> Option<SpecError> {
        let (parameter, value, reason) = match self.parameters {
            Parameters { freq_offset: (0, _), .. } => return None,
            Parameters { frequencies: Frequencies::Given(_), .. } => {
                ("frequencies", "[...]", "the frequencies are given, so they are not computed")
            }
            Parameters { frequencies: Frequencies::Geometric { freq_shift, .. }, .. } if !is_zero(freq_shift) => {
                ("freq_shift", "...", "only one of them changes the exponents")
            }
            Parameters { scaling, .. } if !matches!(scaling, Scaling::None) => {
                ("scaling", scaling.name(), "scaling rules are defined for the frequencies of the paper")
            }
            _ => return None,
        };
        Some(SpecError::Conflict { parameters: ["freq_offset", parameter], values: ["...", value], reason })
    }

    /// Checks that scaling rules and repeated columns have whole pairs.
    const fn check_multiple(&self) -> Result<(), SpecError> {
        let Parameters { d_model, scaling, repeat, .. } = self.parameters;
        // Columns that are not in pairs conflict with a rule and with `repeat`.
        let pair = self.arrangement().columns_of_frequency();
        let (of, parameter, value) = match (repeat, scaling) {
            (Repeat::None, rule) if !THERE_ARE_RULES || matches!(rule, Scaling::None) => return Ok(()),
            (Repeat::None, _) => (pair, "scaling", scaling.name()),
            (_, _) => (2 * pair, "repeat", repeat.name()),
        };
        let parameters = ["d_model", parameter];
        if d_model % of == 0 { Ok(()) } else { Err(SpecError::NotAMultiple { d_model, of, parameters, value }) }
    }

    /// Returns the first parameter that excludes scaling rules.
    const fn conflict_with_scaling(&self) -> Option<SpecError> {
        let scaling = self.parameters.scaling.name();
        let (parameter, value, reason) = match self.parameters {
            Parameters { scaling: Scaling::None, .. } => return None,
            Parameters { frequencies: Frequencies::Given(_), .. } => {
                ("frequencies", "[...]", "the frequencies are given, so no rule changes them")
            }
            Parameters { frequencies: Frequencies::Geometric { freq_shift, .. }, .. } if !is_zero(freq_shift) => {
                ("freq_shift", "...", "scaling rules are defined for the frequencies of the paper")
            }
            Parameters { pairing: Pairing::Unpaired, .. } => {
                ("pairing", "unpaired", "scaling rules are defined for pairs of columns")
            }
            _ => return None,
        };
        Some(SpecError::Conflict { parameters: [parameter, "scaling"], values: [value, scaling], reason })
    }

    const fn check_frequencies(&self, frequencies: &[f64]) -> Result<(), SpecError> {
        let needed = self.arrangement().frequencies();
        if frequencies.len() != needed {
            return Err(SpecError::FrequencyCount { given: frequencies.len(), needed });
        }
        let mut index = 0;
        while index < needed {
            if !frequencies[index].is_finite() {
                return Err(SpecError::Frequency { index, value: frequencies[index] });
            }
            index += 1;
        }
        Ok(())
    }

    /// The largest shift gives the last frequency the exponent 2. A single frequency has the exponent 0 for any shift.
    const fn check_freq_shift(&self, value: f64) -> Result<(), SpecError> {
        let arrangement = self.arrangement();
        let (a, b) = arrangement.exponents();
        let last = arrangement.frequencies().saturating_sub(1) as u64;
        // i a / (b - 2 shift) <= 2, and so 4 shift <= 2 b - i a.
        let max = if last == 0 { MAX_FREQ_SHIFT } else { times_power_of_two(2 * b - a * last, -2) };
        let size = value.abs();
        let in_range = size <= MAX_FREQ_SHIFT && value <= max && (is_zero(value) || size >= MIN_FREQ_SHIFT);
        if in_range { Ok(()) } else { Err(SpecError::FreqShift { value, max }) }
    }

    /// Returns the position of row `first` and the step from there.
    ///
    /// Checks that `start` and the positions of `count` rows are in range. If there are no rows, their positions do not
    /// matter.
    pub(crate) const fn check_rows(&self, first: usize, count: usize) -> Result<(i64, i64), SpecError> {
        let Some(start) = self.parameters.start else { return Err(SpecError::NoStart) };
        let (start, step) = (start as i128, self.parameters.step as i128);
        let rows = if count > 0 { first as i128 + (count - 1) as i128 } else { 0 };
        let last = start.saturating_add(rows.saturating_mul(step));
        match (in_range(start), in_range(last)) {
            (Some(start), Some(_)) => {
                Ok((start.wrapping_add(self.parameters.step.wrapping_mul(first as i64)), self.parameters.step))
            }
            (None, _) => Err(SpecError::RowPosition { value: start }),
            (_, None) => Err(SpecError::RowPosition { value: last }),
        }
    }
}

/// Converts a number to a width, if it is from 1 to [`MAX_D_MODEL`].
pub(crate) const fn check_d_model(value: i128) -> Result<usize, SpecError> {
    if value < 1 || value > MAX_D_MODEL as i128 { Err(SpecError::DModel { value }) } else { Ok(value as usize) }
}

/// Checks a [start](Spec::start) independently of the other parameters.
///
/// # Errors
///
/// Returns an error if it is not within `±2^53`.
pub(crate) const fn check_start(value: i64) -> Result<(), SpecError> {
    let value = value as i128;
    if in_range(value).is_some() { Ok(()) } else { Err(SpecError::RowPosition { value }) }
}

/// Checks a [base](Spec::base) independently of the other parameters.
///
/// # Errors
///
/// Returns an error if it is not a finite number greater than 0.
pub(crate) const fn check_base(value: f64) -> Result<(), SpecError> {
    if value.is_finite() && sign(value) > 0 { Ok(()) } else { Err(SpecError::Base { value }) }
}

pub(crate) const fn check_unit(numerator: i64, denominator: i64) -> Result<(), SpecError> {
    if numerator >= 1 && numerator <= MAX_POSITION && denominator >= 1 && denominator <= MAX_POSITION {
        Ok(())
    } else {
        Err(SpecError::Unit { numerator, denominator })
    }
}

/// Checks an [offset](Spec::freq_offset) independently of the other parameters.
///
/// # Errors
///
/// Returns an error if it is not a quotient from 0 to below 1, or if the denominator is too large.
pub(crate) const fn check_freq_offset(numerator: i64, denominator: i64) -> Result<(), SpecError> {
    if numerator >= 0 && numerator < denominator && denominator <= MAX_FREQ_OFFSET_DENOMINATOR {
        Ok(())
    } else {
        Err(SpecError::FreqOffset { numerator, denominator })
    }
}

/// Checks a [scale](Spec::scale) independently of the other parameters.
///
/// # Errors
///
/// Returns an error if it is not finite.
pub(crate) const fn check_scale(value: f64) -> Result<(), SpecError> {
    if value.is_finite() { Ok(()) } else { Err(SpecError::Scale { value }) }
}
