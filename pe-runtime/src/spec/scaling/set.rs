//! The method that sets the scaling rule, and the rules by name.

use crate::spec::Spec;
use crate::spec::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Scaling, Yarn};
use crate::spec::values::Parameters;

impl<'a> Spec<'a> {
    /// Sets a rule that changes the frequencies for long contexts (default: [none](Scaling::None)).
    ///
    /// The rule is one for pairs of columns whose frequencies are those of a base: it conflicts with
    /// [`frequencies`](Self::frequencies), a [`freq_shift`](Self::freq_shift), columns that are not paired and an odd
    /// width. [`scale`](Self::scale) multiplies the frequencies after the rule. The entries are multiplied by the rule's
    /// attention factor if the amplitude is [`AttentionFactor`](Amplitude::AttentionFactor).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Scaling, Spec};
    /// let (mut stretched, mut original) = ([0.0f32; 64], [0.0f32; 64]);
    /// Spec::new(64).scaling(Scaling::linear(8.0)).encode(800, &mut stretched)?;
    /// Spec::new(64).encode(100, &mut original)?;
    /// assert_eq!(stretched, original);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("rope_scaling", "yarn", "llama3", "longrope", "ntk", "linear", "proportional"))]
    pub const fn scaling<'b>(self, scaling: Scaling<'b>) -> Spec<'b>
    where
        'a: 'b,
    {
        Spec { parameters: Parameters { scaling, ..self.parameters } }
    }
}

/// Each rule with the parameters that have no default.
impl<'a> Scaling<'a> {
    /// Creates [`Linear`](Self::Linear).
    #[must_use]
    pub const fn linear(factor: f64) -> Self {
        Self::Linear(Linear::new(factor))
    }

    /// Creates [`Ntk`](Self::Ntk).
    #[must_use]
    pub const fn ntk(alpha: f64) -> Self {
        Self::Ntk(Ntk::new(alpha))
    }

    /// Creates [`Dynamic`](Self::Dynamic).
    #[must_use]
    pub const fn dynamic(factor: f64, max_position_embeddings: usize, seq_len: usize) -> Self {
        Self::Dynamic(Dynamic::new(factor, max_position_embeddings, seq_len))
    }

    /// Creates [`Yarn`](Self::Yarn).
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Scaling, scaling::Yarn};
    ///
    /// assert_eq!(Scaling::yarn(40.0, 4096), Scaling::Yarn(Yarn::new(40.0, 4096)));
    /// let deepseek = Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..Yarn::new(40.0, 4096) });
    /// assert_eq!(
    ///     deepseek.to_string(),
    ///     "yarn(factor = 40.0, original_max_position_embeddings = 4096, mscale = 1.0, mscale_all_dim = 1.0)",
    /// );
    /// ```
    #[must_use]
    pub const fn yarn(factor: f64, original_max_position_embeddings: usize) -> Self {
        Self::Yarn(Yarn::new(factor, original_max_position_embeddings))
    }

    /// Creates [`Llama3`](Self::Llama3).
    #[must_use]
    pub const fn llama3(factor: f64, original_max_position_embeddings: usize) -> Self {
        Self::Llama3(Llama3::new(factor, original_max_position_embeddings))
    }

    /// Creates [`LongRope`](Self::LongRope).
    #[must_use]
    pub const fn longrope(factors: &'a [f64], factor: f64, original_max_position_embeddings: usize) -> Self {
        Self::LongRope(LongRope::new(factors, factor, original_max_position_embeddings))
    }

    /// Creates [`Proportional`](Self::Proportional).
    #[must_use]
    pub const fn proportional(partial_rotary_factor: f64) -> Self {
        Self::Proportional(Proportional::new(partial_rotary_factor))
    }
}
