//! The rules by name.

use crate::spec::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Scaling, Yarn};

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
