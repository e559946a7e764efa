//! The parameters that are a choice among names.

/// Defines an enum whose variants have the names that the macro accepts as values of a key.
macro_rules! choice {
    ($(#[$doc:meta])* $choice:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $choice { $($(#[$variant_doc])* $variant,)* }

        impl $choice {
            /// All variants, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The paths of the variants in Rust code.
            pub(crate) const PATHS: &'static [&'static str] =
                &[$(concat!(stringify!($choice), "::", stringify!($variant)),)*];

            /// Returns the name of the variant, as the macro accepts it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

/// Defines the enum of presets, with each preset's parameters and facts. Its other names follow its name.
macro_rules! presets {
    (
        $(#[$doc:meta])*
        $choice:ident {
            $(
                $(#[$variant_doc:meta])*
                $preset:ident = $name:literal $(| $called:literal)* {
                    spec: $spec:expr,
                    models: $models:literal,
                    $($fact:ident: $value:expr,)*
                }
            )*
        }
        elsewhere { $($other:literal [$($meant:ident),* $(; $key:literal = $example:literal)?] => $here:literal;)* }
    ) => {
        choice! { $(#[$doc])* $choice { $($(#[$variant_doc])* $preset = $name,)* } }

        impl $choice {
            /// Returns the parameters.
            pub(crate) const fn spec(self, d_model: usize) -> Spec<'static> {
                let mut spec = match self { $(Self::$preset => $spec,)* };
                spec.parameters.d_model = d_model;
                spec
            }

            /// Returns what the command-line tool says about it.
            const fn facts(self) -> Facts {
                match self {
                    $(Self::$preset => Facts {
                        models: $models,
                        called: &[$($called),*],
                        $($fact: $value,)*
                        ..Facts::NONE
                    },)*
                }
            }
        }

        /// Other names, each with the equivalent here, presets between backquotes.
        const NAMES_ELSEWHERE: &[(&str, &str)] =
            &[$($(($called, concat!("`", $name, "`")),)*)* $(($other, $here),)*];

        /// The names that are not simply another name of one preset.
        pub const OTHER_NAMES: &[Elsewhere] = &[$(Elsewhere {
            name: $other,
            presets: &[$($choice::$meant),*],
            given: &[$(($key, $example))?],
        },)*];
    };
}

choice! {
    /// Where the two columns of a pair are.
    ///
    /// Both layouts are common. A table in the wrong layout has the right numbers in the wrong columns.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Layout, Spec};
    ///
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).layout(Layout::Halves).encode(0, &mut row)?;
    /// assert_eq!(row, [0.0, 0.0, 1.0, 1.0]);
    /// assert_eq!(Layout::Halves.name(), "halves");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[derive(Default)]
    Layout {
        /// Side by side: `s0 c0 s1 c1 ...`, as in the paper's formula.
        #[default]
        Interleaved = "interleaved",
        /// All sines, then all cosines: `s0 s1 ... c0 c1 ...`, as in tensor2tensor and its descendants.
        Halves = "halves",
    }
}

choice! {
    /// Which column of a pair comes first.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Order, Spec};
    ///
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).order(Order::CosSin).encode(0, &mut row)?;
    /// assert_eq!(row, [1.0, 0.0, 1.0, 0.0]);
    /// assert_eq!(Order::CosSin.name(), "cos_sin");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("flip_sin_to_cos", "cos_first"))]
    #[derive(Default)]
    Order {
        /// The sine.
        #[default]
        SinCos = "sin_cos",
        /// The cosine, as in `MusicGen` and for the timesteps of most diffusion models.
        CosSin = "cos_sin",
    }
}

choice! {
    /// How the last column of an odd `d_model` is filled.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Odd, Spec};
    ///
    /// let mut row = [0.0f64; 3];
    /// Spec::new(3).encode(1, &mut row)?;
    /// assert_eq!(row[2], 0.002_154_433_023_365_604); // the sine of frequency 10000^(-2/3)
    /// Spec::new(3).odd(Odd::Zero).encode(1, &mut row)?;
    /// assert_eq!(row[2], 0.0);
    /// assert!(Spec::new(3).odd(Odd::Reject).encode(1, &mut row).is_err());
    /// assert_eq!(Odd::Reject.name(), "reject");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[derive(Default)]
    Odd {
        /// One more sine, of the next frequency of the formula: `DistilBERT`, HF Marian, Keras Hub.
        #[default]
        LastSin = "last_sin",
        /// Zeros, and the other columns are those of width `d_model - 1`: tensor2tensor, fairseq, diffusers.
        Zero = "zero",
        /// An odd width is an error, as in implementations that assert an even one.
        Reject = "reject",
    }
}

choice! {
    /// Which functions of the angles the table has.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Columns, Spec};
    ///
    /// let mut row = [0.0f64; 4];
    /// Spec::new(4).base(16.0).columns(Columns::Cos).encode(2, &mut row)?;
    /// assert_eq!(row[3], 0.968_912_421_710_644_7); // cos(2 * 16^(-3/4)) = cos(1/4)
    /// assert_eq!(Columns::Cos.name(), "cos");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    ///
    /// The caches of a rotary embedding are two such tables, half as wide as a head. Column `k` has frequency
    /// `base^(-2k / head_dim)`.
    ///
    /// ```
    /// use posenc::{Columns, Spec};
    ///
    /// let head_dim = 64;
    /// let cos = Spec::new(head_dim / 2).columns(Columns::Cos).table::<f32>(1024)?;
    /// let sin = Spec::new(head_dim / 2).columns(Columns::Sin).table::<f32>(1024)?;
    /// assert_eq!((cos[(1, 1)], sin[(1, 1)]), (0.731_761, 0.681_561_35)); // of 10000^(-2/64)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("rope", "rotary"))]
    #[derive(Default)]
    Columns {
        /// Sines and cosines.
        #[default]
        Both = "both",
        /// Only sines, each column with its own frequency: column `j` has exponent `j / (d_model - freq_shift)`.
        Sin = "sin",
        /// Only cosines, with the same frequencies.
        Cos = "cos",
    }
}

choice! {
    /// Whether each frequency fills its columns twice, as in many caches of rotary embeddings.
    ///
    /// `d_model` is the number of all columns, so there are half as many frequencies.
    ///
    /// # Examples
    ///
    /// The caches of most Llama-like models have all columns twice, one half after the other:
    ///
    /// ```
    /// use posenc::{Columns, Repeat, Spec};
    ///
    /// let mut row = [0.0f32; 4];
    /// let cos = Spec::new(4).columns(Columns::Cos).repeat(Repeat::Halves);
    /// cos.encode(1, &mut row)?;
    /// assert_eq!(row, [0.540_302_3, 0.999_95, 0.540_302_3, 0.999_95]);
    /// cos.repeat(Repeat::Pairs).encode(1, &mut row)?;
    /// assert_eq!(row, [0.540_302_3, 0.540_302_3, 0.999_95, 0.999_95]);
    /// assert_eq!(Repeat::Halves.name(), "halves");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("repeat_interleave", "rotate_half", "rope", "rotary"))]
    #[derive(Default)]
    Repeat {
        /// Each column is there once.
        #[default]
        None = "none",
        /// All frequencies, then all of them again: `c0 c1 c0 c1`, as `cat([c, c])` makes.
        Halves = "halves",
        /// Each frequency twice before the next: `c0 c0 c1 c1`, as `repeat_interleave(2)` makes.
        Pairs = "pairs",
    }
}

choice! {
    /// Whether sine and cosine share a frequency.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Pairing, Spec};
    ///
    /// let mut row = [0.0f64; 4];
    /// Spec::new(4).base(16.0).pairing(Pairing::Unpaired).encode(1, &mut row)?;
    /// assert_eq!(row[1], 0.877_582_561_890_372_8); // cos(16^(-1/4)) = cos(1/2), where the paper has cos(1)
    /// assert_eq!(Pairing::Unpaired.name(), "unpaired");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[derive(Default)]
    Pairing {
        /// They share one, so that a shift of the position rotates each pair.
        #[default]
        Paired = "paired",
        /// Each column has its own frequency.
        ///
        /// Column `j` of the interleaved layout has the exponent `j / (d_model - 2 freq_shift)`, half the step of a
        /// pair. Some texts print the formula this way, but no model is known to use it.
        Unpaired = "unpaired",
    }
}

choice! {
    /// What the columns of a table of a rotary cache are.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Packing, Rope};
    ///
    /// let mut row = [0.0f32; 4];
    /// Rope::new(4).packed(Packing::Complex)?.encode(0, &mut row)?;
    /// assert_eq!(row, [1.0, 0.0, 1.0, 0.0]);
    /// assert_eq!(Packing::Complex.name(), "complex");
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    #[derive(Default)]
    Packing {
        /// Cosines and sines, `c0 c1 ... s0 s1 ...`: vLLM, `SGLang`, flashinfer.
        #[default]
        CosSin = "cos_sin",
        /// Sines and cosines, `s0 s1 ... c0 c1 ...`: GPT-J.
        SinCos = "sin_cos",
        /// Pairs, `c0 s0 c1 s1 ...`, as complex numbers have them: Llama's reference code, torchtune. With
        /// [`Repeat::Pairs`](crate::Repeat::Pairs) it is burn's.
        Complex = "complex",
        /// Only the cosines, `c0 c1 ...`.
        Cos = "cos",
        /// Only the sines, `s0 s1 ...`.
        Sin = "sin",
    }
}
