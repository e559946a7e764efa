//! A spec as text: the macro call that makes its table.

use core::fmt::{self, Display, Formatter};

use crate::element::Element;
use crate::spec::Spec;
use crate::spec::quantiser::Quantiser;

/// The macro call that makes a table, returned by [`Spec::macro_call`].
///
/// Its [`Display`] output can be pasted into source code.
///
/// # Examples
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
    /// `None` for the word `seq_len`.
    seq_len: Option<usize>,
    /// `None` if the key is left out.
    dtype: Option<&'static str>,
}

impl<'a> Spec<'a> {
    /// Returns the macro call that makes the table of the first `seq_len` rows.
    ///
    /// The `Display` output of the `Spec` itself is the same call, with the word `seq_len` for the number of rows.
    /// Nothing is checked. A `start` that the preset requires is shown as an underscore, which the macro rejects. The
    /// type of a spec with a [`quantiser`](Self::quantiser) is also shown as an underscore, unless
    /// [`dtype`](MacroCall::dtype) adds it.
    ///
    /// # Examples
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
    /// Makes the call for any number of rows.
    pub(crate) const fn open(spec: &Spec<'a>) -> Self {
        Self { spec: *spec, seq_len: None, dtype: None }
    }

    /// Adds the key `dtype`, which is optional if the type is `f32`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let call = Spec::new(64).macro_call(128).dtype::<f64>();
    /// assert_eq!(call.to_string(), "sinusoidal_table!(128, 64, dtype = f64)");
    /// ```
    pub const fn dtype<T: Element>(self) -> Self {
        self.of_dtype(T::DTYPE)
    }

    /// Does the same with the name of a type.
    pub(crate) const fn of_dtype(mut self, dtype: &'static str) -> Self {
        self.dtype = Some(dtype);
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
        write!(f, ", {}", self.spec.d_model())?;
        for (key, value) in self.spec.keys() {
            write!(f, ", {key} = {value}")?;
        }
        write_dtype(f, self.dtype, self.spec.parameters.quantiser)?;
        f.write_str(")")
    }
}

/// Writes the key `dtype`, unless there is neither a type nor a quantiser.
pub(crate) fn write_dtype(f: &mut Formatter<'_>, dtype: Option<&str>, quantiser: Option<Quantiser>) -> fmt::Result {
    match (dtype, quantiser) {
        (None, None) => Ok(()),
        (Some(dtype), None) => write!(f, ", dtype = {dtype}"),
        (Some(dtype), Some(quantiser)) => write!(f, ", dtype = {dtype}({quantiser})"),
        // Only the type is missing.
        (None, Some(quantiser)) => write!(f, ", dtype = _({quantiser})"),
    }
}

debug_as_display!(MacroCall<'_>);

/// Shows the macro call that makes the table.
///
/// The number of rows is the word `seq_len`. The call has the parameters that are not the default, under the macro's
/// names; a preset appears as its parameters.
impl Display for Spec<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&MacroCall::open(self), f)
    }
}

debug_as_display!(Spec<'_>);
