//! A spec as text: the macro call that makes its table.

use core::fmt::{Debug, Display, Formatter, Result};

use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing};

/// The macro call that makes the table, with the word `seq_len` for the number of rows: the parameters that are not the
/// default, by the macro's names, a preset's among them.
impl Display for Spec<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let plain = Spec::new(self.d_model);
        write!(f, "sinusoidal_table!(seq_len, {}", self.d_model)?;
        // Whatever is not a number is not equal to the default either.
        if self.base != plain.base {
            write!(f, ", base = {:?}", self.base)?;
        }
        if self.freq_shift != plain.freq_shift {
            write!(f, ", freq_shift = {:?}", self.freq_shift)?;
        }
        if let Some(frequencies) = self.frequencies {
            write!(f, ", frequencies = {frequencies:?}")?;
        }
        if self.layout != Layout::default() {
            write!(f, ", layout = {}", self.layout.name())?;
        }
        if self.order != Order::default() {
            write!(f, ", order = {}", self.order.name())?;
        }
        if self.columns != Columns::default() {
            write!(f, ", columns = {}", self.columns.name())?;
        }
        if self.pairing != Pairing::default() {
            write!(f, ", pairing = {}", self.pairing.name())?;
        }
        if self.odd != Odd::default() {
            write!(f, ", odd = {}", self.odd.name())?;
        }
        match self.start {
            Some(0) => {}
            Some(start) => write!(f, ", start = {start}")?,
            None => f.write_str(", start = _")?,
        }
        if self.step != plain.step {
            write!(f, ", step = {}", self.step)?;
        }
        if self.scale != plain.scale {
            write!(f, ", scale = {:?}", self.scale)?;
        }
        match self.amplitude {
            Amplitude::Value(1.0) => {}
            Amplitude::Value(value) => write!(f, ", amplitude = {value:?}")?,
            Amplitude::RsqrtD => f.write_str(", amplitude = rsqrt_d")?,
            Amplitude::Sqrt2OverD => f.write_str(", amplitude = sqrt_2_over_d")?,
        }
        if let Some(row) = self.zero_row {
            write!(f, ", zero_row = {row}")?;
        }
        f.write_str(")")
    }
}

/// As [`Display`].
impl Debug for Spec<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self, f)
    }
}
