//! The methods that set the parameters for caches of rotary embeddings.

use crate::spec::Spec;
use crate::spec::choices::Repeat;
use crate::spec::scaling::Scaling;
use crate::spec::values::Parameters;

impl<'a> Spec<'a> {
    /// Sets a rule that changes the frequencies for long contexts (default: [none](Scaling::None)).
    ///
    /// The rule is one for pairs of columns whose frequencies are those of a base: it conflicts with
    /// [`frequencies`](Self::frequencies), a [`freq_shift`](Self::freq_shift), columns that are not paired and an odd
    /// width. A table of only sines or only cosines has one column of each pair, so `d` is twice its width. [`scale`](Self::scale) multiplies the frequencies after the rule. The entries are multiplied by the rule's
    /// attention factor if the amplitude is [`AttentionFactor`](crate::Amplitude::AttentionFactor).
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

    /// Sets whether each frequency fills its columns twice (default: [it does not](Repeat::None)).
    ///
    /// The columns must be paired, and `d_model` even, or a multiple of 4 if the table has sines and cosines.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Repeat, Spec};
    /// let (mut twice, mut once) = ([0.0f32; 128], [0.0f32; 64]);
    /// Spec::new(128).columns(Columns::Cos).repeat(Repeat::Halves).encode(7, &mut twice)?;
    /// Spec::new(64).columns(Columns::Cos).encode(7, &mut once)?;
    /// assert_eq!((&twice[..64], &twice[64..]), (&once[..], &once[..]));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("repeat_interleave", "rotate_half"))]
    pub const fn repeat(mut self, repeat: Repeat) -> Self {
        self.parameters.repeat = repeat;
        self
    }
}
