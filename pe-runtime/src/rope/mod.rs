//! Caches of rotary embeddings: tables of cosines and sines.

pub(crate) mod axes;
#[cfg(feature = "serde")]
pub(crate) mod config;
pub(crate) mod error;
mod factors;
pub(crate) mod macro_call;
pub(crate) mod parameters;
pub(crate) mod preset;
pub(crate) mod rotate;
pub(crate) mod tables;
pub(crate) mod token_rows;

use crate::exact::format::integer_part_of_product;
use crate::limits::MAX_D_MODEL;
use crate::rope::error::RopeError;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, FrequencyDtype, Layout, Order, Packing, Repeat};
use crate::spec::scaling::Scaling;

/// The parameters of a cache for rotary embeddings (`RoPE`).
///
/// With `d = rotary_dim`, position `p` and pair `k` from 0 to `d/2 - 1`, the two tables are
///
/// ```text
/// cos[p][k] = a cos(p w'_k)        sin[p][k] = a sin(p w'_k)        w_k = scale * unit * base^(-2(k + freq_offset)/d)
/// ```
///
/// where `w'_k` is `w_k` after the [scaling rule](Scaling), and `a` is the attention factor of the rule, or the one
/// that is [set](Self::attention_factor). Every entry is the correctly rounded value of the formula. Each table has the
/// shape `(seq_len, d/2)`, which candle's `rope` and `rope_i`, flash-attention and ONNX take. [`repeat`](Self::repeat)
/// makes it `(seq_len, d)`, and [`packed`](Self::packed) puts both in one table.
///
/// A `Rope` makes [`Spec`]s, so a cache can be made in every way that a table can: at run time, on all threads, in a
/// buffer, for single positions, in a constant, or by a build script. `rotary_table!` bakes it.
///
/// Source: Su et al., [*RoFormer: Enhanced Transformer with Rotary Position
/// Embedding*](https://arxiv.org/abs/2104.09864) (2021), section 3.2.2.
///
/// # Examples
///
/// The cache of Llama 3.1:
///
/// ```
/// use posenc::{Rope, Scaling};
///
/// let rope = Rope::new(128).base(500_000.0).scaling(Scaling::llama3(8.0, 8192));
/// let (mut cos, mut sin) = ([0.0f32; 64], [0.0f32; 64]);
/// rope.encode(1, &mut cos, &mut sin)?;
/// assert_eq!((cos[0], sin[0]), (0.540_302_3, 0.841_470_96)); // the first pair turns one radian per position
/// # Ok::<(), posenc::RopeError>(())
/// ```
#[doc(alias("rotary", "rotary_embedding", "RotaryEmbedding", "rope", "cos_cached", "sin_cached"))]
#[derive(Clone, Copy, PartialEq)]
#[must_use]
pub struct Rope<'a> {
    head_dim: usize,
    rotary_dim: usize,
    /// A spec of `rotary_dim` columns, of cosines and sines in pairs.
    pub(crate) spec: Spec<'a>,
}

impl Rope<'static> {
    /// Creates the parameters for heads of `head_dim` columns, all of which are rotated: base 10,000, no scaling rule.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(128).pairs(), 64);
    /// ```
    pub const fn new(head_dim: usize) -> Self {
        let spec = Spec::new(head_dim).order(Order::CosSin).amplitude(Amplitude::AttentionFactor);
        Self { head_dim, rotary_dim: head_dim, spec }
    }
}

impl<'a> Rope<'a> {
    /// Returns the cache of an axis, of whose table `spec` has the frequencies and the positions.
    pub(crate) const fn of_axis(spec: Spec<'a>) -> Self {
        let Spec { mut parameters } = spec;
        let head_dim = parameters.d_model;
        (parameters.amplitude, parameters.repeat) = (Amplitude::AttentionFactor, Repeat::None);
        let spec = Spec { parameters }.columns(Columns::Both).layout(Layout::Interleaved).order(Order::CosSin);
        Self { head_dim, rotary_dim: head_dim, spec }
    }

    const fn with(self, spec: Spec<'a>) -> Self {
        Self { spec, ..self }
    }

    /// Returns the same cache for heads of another width, with the same share of columns rotated.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Rope, RopePreset};
    /// let small = Rope::preset(RopePreset::Qwen2).with_head_dim(64); // Qwen2 0.5B
    /// assert_eq!(small.pairs(), 32);
    /// ```
    pub const fn with_head_dim(mut self, head_dim: usize) -> Self {
        // Below 2^128. Without a head, nothing is rotated.
        let share =
            if self.head_dim == 0 { 0 } else { head_dim as u128 * self.rotary_dim as u128 / self.head_dim as u128 };
        self.head_dim = head_dim;
        self.rotary_dim(if share > usize::MAX as u128 { usize::MAX } else { share as usize })
    }

    /// Sets the base of the frequencies (default: 10,000).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let rope = Rope::new(128).base(1e6); // Qwen 2 and 3, Mixtral
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("rope_theta", "theta", "rotary_emb_base"))]
    pub const fn base(self, base: f64) -> Self {
        self.with(self.spec.base(base))
    }

    /// Sets how many columns of a head are rotated (default: all). It must be even.
    ///
    /// The other columns are left alone, and the tables have no entries for them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(256).rotary_dim(64).pairs(), 32); // GPT-J
    /// ```
    pub const fn rotary_dim(mut self, rotary_dim: usize) -> Self {
        self.rotary_dim = rotary_dim;
        self.spec.parameters.d_model = rotary_dim;
        self
    }

    /// Sets `rotary_dim` as a share of the head: `int(head_dim * partial_rotary_factor)`.
    ///
    /// The product is rounded to an `f64`, as in Python. Gemma 4 has a different rule: see [`Scaling::Proportional`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(80).partial_rotary_factor(0.4).pairs(), 16); // Phi-2
    /// ```
    #[doc(alias("rotary_pct"))]
    pub const fn partial_rotary_factor(self, factor: f64) -> Self {
        self.rotary_dim(integer_part_of_product(factor, self.head_dim))
    }

    /// Sets the rule that changes the frequencies for long contexts (default: [none](Scaling::None)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Rope, Scaling, scaling::Yarn};
    /// let yarn = Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..Yarn::new(40.0, 4096) };
    /// let deepseek_v3 = Rope::new(64).scaling(Scaling::Yarn(yarn));
    /// # assert!(deepseek_v3.check::<f32>().is_ok());
    /// ```
    #[doc(alias("rope_scaling"))]
    pub const fn scaling<'b>(self, scaling: Scaling<'b>) -> Rope<'b>
    where
        'a: 'b,
    {
        Rope { head_dim: self.head_dim, rotary_dim: self.rotary_dim, spec: self.spec.scaling(scaling) }
    }

    /// Sets the factor applied to all entries (default: the factor of the scaling rule, which is 1 for most rules).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Rope, Scaling};
    /// let (mut cos, mut sin) = ([0.0f64; 32], [0.0f64; 32]);
    /// let yarn = Rope::new(64).scaling(Scaling::yarn(32.0, 4096));
    /// yarn.encode(0, &mut cos, &mut sin)?;
    /// assert_eq!(cos[0], 1.346_573_590_279_972_7); // 0.1 ln(32) + 1
    /// yarn.attention_factor(1.0).encode(0, &mut cos, &mut sin)?;
    /// assert_eq!(cos[0], 1.0);
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    #[doc(alias("mscale"))]
    pub const fn attention_factor(self, factor: f64) -> Self {
        self.with(self.spec.amplitude(Amplitude::Value(factor)))
    }

    /// Sets the frequencies themselves, one per pair, in radians per position, instead of a base and a rule.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let inv_freq = [1.0, 0.125]; // as a model has them
    /// let rope = Rope::new(4).frequencies(&inv_freq);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("inv_freq"))]
    pub const fn frequencies<'b>(self, frequencies: &'b [f64]) -> Rope<'b>
    where
        'a: 'b,
    {
        Rope { head_dim: self.head_dim, rotary_dim: self.rotary_dim, spec: self.spec.frequencies(frequencies) }
    }

    /// Adds an exact quotient to the index of each frequency (default: 0), as [`Spec::freq_offset`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let widths_in_pixtral = Rope::new(32).freq_offset(1, 2); // half of the columns of a head
    /// # assert!(widths_in_pixtral.check::<f32>().is_ok());
    /// ```
    pub const fn freq_offset(self, numerator: i64, denominator: i64) -> Self {
        self.with(self.spec.freq_offset(numerator, denominator))
    }

    /// Sets what the frequencies are rounded to (default: not rounded), as [`Spec::frequency_dtype`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// use posenc::FrequencyDtype;
    ///
    /// let pi05 = Rope::new(256).frequency_dtype(FrequencyDtype::Bf16);
    /// # assert!(pi05.check::<f32>().is_ok());
    /// ```
    #[doc(alias("inv_freq_dtype"))]
    pub const fn frequency_dtype(self, frequency_dtype: FrequencyDtype) -> Self {
        self.with(self.spec.frequency_dtype(frequency_dtype))
    }

    /// Sets the position of row 0 (default: 0).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let rope = Rope::new(64).start(1);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn start(self, start: i64) -> Self {
        self.with(self.spec.start(start))
    }

    /// Sets the distance between the positions of consecutive rows (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let rope = Rope::new(64).start(7).step(-1);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn step(self, step: i64) -> Self {
        self.with(self.spec.step(step))
    }

    /// Sets a factor applied to all angles (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let rope = Rope::new(64).scale(0.25); // positions in quarters
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn scale(self, scale: f64) -> Self {
        self.with(self.spec.scale(scale))
    }

    /// Multiplies all angles by an exact quotient of two integers from 1 to 2^53 (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let rope = Rope::new(64).unit(24, 72); // a window of 24 patches in a grid of 72
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn unit(self, numerator: i64, denominator: i64) -> Self {
        self.with(self.spec.unit(numerator, denominator))
    }

    /// Sets how entries are repeated (default: [not at all](Repeat::None)).
    ///
    /// Most models in Python keep caches with repeated entries, for `rotate_half` ([`Halves`](Repeat::Halves)) or for
    /// pairs side by side ([`Pairs`](Repeat::Pairs)). The tables are then `rotary_dim` wide.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Repeat, Rope};
    /// let (mut cos, mut sin) = ([0.0f32; 8], [0.0f32; 8]);
    /// Rope::new(8).repeat(Repeat::Halves).encode(3, &mut cos, &mut sin)?;
    /// assert_eq!(cos[..4], cos[4..]);
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    #[doc(alias("repeat_interleave", "rotate_half"))]
    pub const fn repeat(self, repeat: Repeat) -> Self {
        self.with(self.spec.repeat(repeat))
    }

    /// Returns the number of columns of a head.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(80).rotary_dim(32).head_dim(), 80);
    /// ```
    #[must_use]
    pub const fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Returns the number of pairs of columns that are rotated.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(80).rotary_dim(32).pairs(), 16);
    /// ```
    #[must_use]
    pub const fn pairs(&self) -> usize {
        self.rotary_dim / 2
    }

    /// Returns the spec of one of the two tables.
    ///
    /// # Errors
    ///
    /// Returns an error if `rotary_dim` is odd, 0, or more than `head_dim` or 2^24, or if the table has more than 2^24
    /// columns. The other parameters are checked when the table is made.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Rope};
    /// let cos = Rope::new(8).base(1e6).spec(Columns::Cos)?;
    /// assert_eq!(
    ///     cos.to_string(),
    ///     "sinusoidal_table!(seq_len, 4, base = 1000000.0, columns = cos, amplitude = attention_factor)",
    /// );
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    pub const fn spec(&self, columns: Columns) -> Result<Spec<'a>, RopeError> {
        self.packed(match columns {
            Columns::Both => Packing::CosSin,
            Columns::Cos => Packing::Cos,
            Columns::Sin => Packing::Sin,
        })
    }

    /// Returns the spec of a table with cosines and sines.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`spec`](Self::spec).
    ///
    /// # Examples
    ///
    /// The cache of vLLM, with the cosines in the first half of each row:
    ///
    /// ```
    /// # use posenc::{Packing, Rope};
    /// let table = Rope::new(4).packed(Packing::CosSin)?.table::<f32>(2)?;
    /// assert_eq!(table[1], [0.540_302_3, 0.999_95, 0.841_470_96, 0.009_999_833]);
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    pub const fn packed(&self, packing: Packing) -> Result<Spec<'a>, RopeError> {
        try_const!(self.check_width());
        let spec = spec_of_rope(self, packing);
        let value = spec.parameters.d_model;
        if value > MAX_D_MODEL { Err(RopeError::Columns { value }) } else { Ok(spec) }
    }
}

/// Returns the spec of a table of a cache whose width may be out of range.
pub const fn spec_of_rope<'a>(rope: &Rope<'a>, packing: Packing) -> Spec<'a> {
    let mut spec = rope.spec;
    let twice = !matches!(spec.parameters.repeat, Repeat::None);
    let (columns, layout, order) = match packing {
        Packing::Cos => (Columns::Cos, Layout::Interleaved, Order::SinCos),
        Packing::Sin => (Columns::Sin, Layout::Interleaved, Order::SinCos),
        Packing::CosSin => (Columns::Both, Layout::Halves, Order::CosSin),
        Packing::SinCos => (Columns::Both, Layout::Halves, Order::SinCos),
        Packing::Complex => (Columns::Both, Layout::Interleaved, Order::CosSin),
    };
    let one = if matches!(columns, Columns::Both) { rope.rotary_dim } else { rope.rotary_dim / 2 };
    spec.parameters.d_model = if twice { one.saturating_mul(2) } else { one };
    spec.columns(columns).layout(layout).order(order)
}

impl Rope<'_> {
    /// Checks the number of columns that are rotated.
    pub(crate) const fn check_width(&self) -> Result<(), RopeError> {
        check_columns(self.head_dim, self.rotary_dim)
    }
}

/// Checks the number of columns of a head that are rotated.
pub(crate) const fn check_columns(head_dim: usize, rotary_dim: usize) -> Result<(), RopeError> {
    let most = if head_dim < MAX_D_MODEL { head_dim } else { MAX_D_MODEL };
    if rotary_dim % 2 == 1 || rotary_dim == 0 || rotary_dim > most {
        return Err(RopeError::RotaryDim { value: rotary_dim, head_dim });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_head_has_the_same_share_rounded_down() {
        let rope = Rope::new(80).rotary_dim(32);
        for (head_dim, rotary_dim) in [(160, 64), (10, 4), (9, 3), (7, 2), (2, 0), (0, 0)] {
            assert_eq!(rope.with_head_dim(head_dim).rotary_dim, rotary_dim, "{head_dim}");
        }
        assert_eq!(Rope::new(0).with_head_dim(8).rotary_dim, 0);
        assert_eq!(Rope::new(1).rotary_dim(usize::MAX).with_head_dim(2).rotary_dim, usize::MAX);
    }
}
