//! A spec as text: the macro call that makes its table.

use core::fmt::{self, Debug, Display, Formatter};

use crate::element::Element;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing};

/// The macro call that makes a table, as text: what [`Spec::macro_call`] returns. Its [`Display`] is what to paste.
///
/// ```
/// use posenc::{Preset, Spec};
///
/// let call = Spec::preset(Preset::HfMarian, 512).macro_call(1024);
/// assert_eq!(call.to_string(), "sinusoidal_table!(1024, 512, layout = halves)");
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct MacroCall<'a> {
    spec: Spec<'a>,
    /// Nothing for the word `seq_len`.
    seq_len: Option<usize>,
    /// Nothing where the key is left out.
    dtype: Option<&'static str>,
}

impl<'a> Spec<'a> {
    /// Returns the macro call that makes the table of the first `seq_len` rows. What the `Spec` shows as is the same with the
    /// word `seq_len` for the number.
    ///
    /// Nothing is checked. A `start` that a preset leaves to be given is an underscore, which the macro does not take.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(64).start(1).macro_call(128).to_string(), "sinusoidal_table!(128, 64, start = 1)");
    /// ```
    pub const fn macro_call(&self, seq_len: usize) -> MacroCall<'a> {
        MacroCall { spec: *self, seq_len: Some(seq_len), dtype: None }
    }
}

impl<'a> MacroCall<'a> {
    /// For any number of rows.
    pub(crate) const fn open(spec: &Spec<'a>) -> Self {
        Self { spec: *spec, seq_len: None, dtype: None }
    }

    /// Adds the key `dtype`, which may be left out where the type is `f32`.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let call = Spec::new(64).macro_call(128).dtype::<f64>();
    /// assert_eq!(call.to_string(), "sinusoidal_table!(128, 64, dtype = f64)");
    /// ```
    pub const fn dtype<T: Element>(mut self) -> Self {
        self.dtype = Some(T::DTYPE);
        self
    }
}

impl Display for MacroCall<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("sinusoidal_table!(")?;
        match self.seq_len {
            Some(seq_len) => write!(f, "{seq_len}")?,
            None => f.write_str("seq_len")?,
        }
        write!(f, ", {}", self.spec.d_model)?;
        for (key, value) in keys(&self.spec) {
            write!(f, ", {key} = {value}")?;
        }
        if let Some(dtype) = self.dtype {
            write!(f, ", dtype = {dtype}")?;
        }
        f.write_str(")")
    }
}

/// As [`Display`].
impl Debug for MacroCall<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// The value of a key. As text it is what the macro takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Any number.
    Number(f64),
    /// A list of numbers.
    Numbers(&'a [f64]),
    /// A position or a distance of positions.
    Integer(i64),
    /// The index of a row.
    Row(usize),
    /// A name.
    Word(&'static str),
    /// What is left to be given, as an underscore, which the macro does not take.
    Open,
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Numbers(numbers) => write!(f, "{numbers:?}"),
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Row(row) => write!(f, "{row}"),
            Self::Word(word) => f.write_str(word),
            Self::Open => f.write_str("_"),
        }
    }
}

/// The macro's keys that make the spec, those that are not the default's, with their values. A preset is told by its parameters.
pub fn keys<'a>(spec: &Spec<'a>) -> impl Iterator<Item = (&'static str, Value<'a>)> {
    // Without `..`: a further parameter is a further key.
    let Spec {
        d_model,
        base,
        freq_shift,
        frequencies,
        layout,
        order,
        columns,
        pairing,
        odd,
        start,
        step,
        scale,
        amplitude,
        zero_row,
    } = *spec;
    let plain = Spec::new(d_model);
    // Whatever is not a number is not equal to the default either.
    let keys = [
        (base != plain.base).then_some(("base", Value::Number(base))),
        (freq_shift != plain.freq_shift).then_some(("freq_shift", Value::Number(freq_shift))),
        frequencies.map(|frequencies| ("frequencies", Value::Numbers(frequencies))),
        (layout != Layout::default()).then_some(("layout", Value::Word(layout.name()))),
        (order != Order::default()).then_some(("order", Value::Word(order.name()))),
        (columns != Columns::default()).then_some(("columns", Value::Word(columns.name()))),
        (pairing != Pairing::default()).then_some(("pairing", Value::Word(pairing.name()))),
        (odd != Odd::default()).then_some(("odd", Value::Word(odd.name()))),
        (start != plain.start).then_some(("start", start.map_or(Value::Open, Value::Integer))),
        (step != plain.step).then_some(("step", Value::Integer(step))),
        (scale != plain.scale).then_some(("scale", Value::Number(scale))),
        (amplitude != plain.amplitude).then_some(("amplitude", amplitude_value(amplitude))),
        zero_row.map(|row| ("zero_row", Value::Row(row))),
    ];
    keys.into_iter().flatten()
}

fn amplitude_value(amplitude: Amplitude) -> Value<'static> {
    match amplitude {
        Amplitude::Value(value) => Value::Number(value),
        Amplitude::RsqrtD => Value::Word("rsqrt_d"),
        Amplitude::Sqrt2OverD => Value::Word("sqrt_2_over_d"),
    }
}
