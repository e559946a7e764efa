//! A rotary cache as text: the macro call that makes its tables.

use core::fmt::{self, Display, Formatter};

use crate::element::Element;
use crate::rope::Rope;
use crate::rope::preset::RopePreset;
use crate::spec::choices::Packing;
use crate::spec::keys::changed;
use crate::spec::macro_call::write_dtype;
use crate::spec::parameters::{Parameter, TableKind};

/// The macro call that makes the tables of a rotary cache, returned by [`Rope::macro_call`].
///
/// Its [`Display`] output can be pasted into source code.
///
/// # Examples
///
/// ```
/// use posenc::{Packing, Rope};
///
/// let call = Rope::new(64).base(1e6).macro_call(2048).packing(Packing::CosSin);
/// assert_eq!(call.to_string(), "rotary_table!(2048, 64, base = 1000000.0, packing = cos_sin)");
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct RopeMacroCall<'a> {
    rope: Rope<'a>,
    /// `None` for the word `seq_len`.
    seq_len: Option<usize>,
    /// `None` if the key is left out, and likewise below.
    preset: Option<RopePreset>,
    packing: Option<Packing>,
    dtype: Option<&'static str>,
}

impl<'a> Rope<'a> {
    /// Returns the macro call that makes the tables of the first `seq_len` rows.
    ///
    /// The `Display` output of the `Rope` itself is the same call, with the word `seq_len` for the number of rows. Nothing is
    /// checked. The type of a cache with a [`quantiser`](Self::quantiser) is shown as an underscore, which the macro rejects,
    /// unless [`dtype`](RopeMacroCall::dtype) adds it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let call = Rope::new(80).rotary_dim(32).macro_call(2048);
    /// assert_eq!(call.to_string(), "rotary_table!(2048, 80, rotary_dim = 32)");
    /// ```
    pub const fn macro_call(&self, seq_len: usize) -> RopeMacroCall<'a> {
        RopeMacroCall { rope: *self, seq_len: Some(seq_len), preset: None, packing: None, dtype: None }
    }
}

impl RopeMacroCall<'_> {
    /// Adds the key `preset`, and leaves out the keys whose values the preset sets.
    ///
    /// This shortens calls whose scaling rule has a list.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Repeat, Rope, RopePreset};
    /// let preset = RopePreset::Phi3_5MiniLong;
    /// let call = Rope::preset(preset).repeat(Repeat::Halves).macro_call(8192).preset(preset);
    /// assert_eq!(call.to_string(), "rotary_table!(8192, 96, repeat = halves, preset = phi3_5_mini_long)");
    /// ```
    pub const fn preset(mut self, preset: RopePreset) -> Self {
        self.preset = Some(preset);
        self
    }

    /// Adds the key `packing`, which makes one table of cosines, of sines, or of both.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Packing, Rope};
    /// let call = Rope::new(64).macro_call(2048).packing(Packing::Cos);
    /// assert_eq!(call.to_string(), "rotary_table!(2048, 64, packing = cos)");
    /// ```
    pub const fn packing(mut self, packing: Packing) -> Self {
        self.packing = Some(packing);
        self
    }

    /// Adds the key `dtype`, which is optional if the type is `f32`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let call = Rope::new(64).macro_call(2048).dtype::<f64>();
    /// assert_eq!(call.to_string(), "rotary_table!(2048, 64, dtype = f64)");
    /// ```
    pub const fn dtype<T: Element>(mut self) -> Self {
        self.dtype = Some(T::DTYPE);
        self
    }
}

impl Display for RopeMacroCall<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { rope, seq_len, preset, packing, dtype } = self;
        f.write_str("rotary_table!(")?;
        match seq_len {
            Some(seq_len) => write!(f, "{seq_len}")?,
            None => f.write_str("seq_len")?,
        }
        let head_dim = rope.head_dim;
        write!(f, ", {head_dim}")?;
        let default = preset.map_or(Rope::new(head_dim), |preset| Rope::preset(preset).with_head_dim(head_dim));
        if rope.rotary_dim != default.rotary_dim {
            write!(f, ", rotary_dim = {}", rope.rotary_dim)?;
        }
        let parameters = (rope.spec.parameters(), default.spec.parameters());
        for (Parameter { key, .. }, value) in changed(TableKind::Rotary, parameters) {
            write!(f, ", {key} = {value}")?;
        }
        if let Some(preset) = preset {
            write!(f, ", preset = {preset}")?;
        }
        if let Some(packing) = packing {
            write!(f, ", packing = {packing}")?;
        }
        write_dtype(f, *dtype, rope.spec.parameters.quantiser)?;
        f.write_str(")")
    }
}

debug_as_display!(RopeMacroCall<'_>);

/// Shows the macro call that bakes both tables, with the word `seq_len` for the number of rows.
impl Display for Rope<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&RopeMacroCall { seq_len: None, ..self.macro_call(0) }, f)
    }
}

debug_as_display!(Rope<'_>);

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::spec::quantiser::Quantiser;
    use crate::spec::scaling::Scaling;

    #[test]
    fn what_differs_from_the_preset_is_shown() {
        let call = |rope: Rope| rope.macro_call(8).preset(RopePreset::Llama3_1).to_string();
        let llama = Rope::preset(RopePreset::Llama3_1);
        assert_eq!(call(llama), "rotary_table!(8, 128, preset = llama3_1)");
        assert_eq!(call(llama.with_head_dim(64)), "rotary_table!(8, 64, preset = llama3_1)");
        let other = llama.rotary_dim(64).base(10_000.0).scaling(Scaling::None).attention_factor(1.0);
        let keys = "rotary_dim = 64, base = 10000.0, scaling = none, attention_factor = 1.0, preset = llama3_1";
        assert_eq!(call(other), std::format!("rotary_table!(8, 128, {keys})"));
    }

    #[test]
    fn a_quantiser_is_shown_with_the_type() {
        let rope = Rope::new(8).quantiser(Quantiser::quotient(1, 127));
        assert_eq!(rope.to_string(), "rotary_table!(seq_len, 8, dtype = _(1/127))");
        let call = rope.macro_call(2).packing(Packing::Cos).dtype::<i8>().to_string();
        assert_eq!(call, "rotary_table!(2, 8, packing = cos, dtype = i8(1/127))");
    }
}
