//! The parameters that are a choice among names.

/// Defines an enum whose variants have the names that the macro's key takes.
macro_rules! choice {
    ($(#[$doc:meta])* $choice:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $choice { $($(#[$variant_doc])* $variant,)* }

        impl $choice {
            /// All choices, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// How Rust code names them.
            pub(crate) const PATHS: &'static [&'static str] =
                &[$(concat!(stringify!($choice), "::", stringify!($variant)),)*];

            /// The name of the choice, as the macro takes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

/// Defines an enum of presets, and what follows from each. Beside its name stand those it has elsewhere.
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

            /// Returns what the command tells of it.
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

        /// What is called elsewhere what, by the name here between backquotes.
        const NAMES_ELSEWHERE: &[(&str, &str)] =
            &[$($(($called, concat!("`", $name, "`")),)*)* $(($other, $here),)*];

        /// The names of which more is to be said than a preset's.
        pub const OTHER_NAMES: &[Elsewhere] = &[$(Elsewhere {
            name: $other,
            presets: &[$($choice::$meant),*],
            given: &[$(($key, $example))?],
        },)*];
    };
}

choice! {
    /// Where the two columns of a pair stand.
    ///
    /// Both are common, and a table in the other layout has the right numbers in the wrong columns.
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
    Layout {
        /// Side by side: `s0 c0 s1 c1 ...`, as the paper's formula has it.
        #[default]
        Interleaved = "interleaved",
        /// All sines, then all cosines: `s0 s1 ... c0 c1 ...`, as tensor2tensor's code and its descendants have it.
        Halves = "halves",
    }
}

choice! {
    /// Which column of a pair comes first.
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
    Order {
        /// The sine.
        #[default]
        SinCos = "sin_cos",
        /// The cosine: `MusicGen`, and the timesteps of most diffusion models.
        CosSin = "cos_sin",
    }
}

choice! {
    /// What becomes of the last column of an odd `d_model`.
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
    Odd {
        /// It is the sine of one more frequency, as the formula has it: `DistilBERT`, HF Marian, Keras Hub.
        #[default]
        LastSin = "last_sin",
        /// It is zero, and the others are those of `d_model - 1`: tensor2tensor, fairseq, diffusers.
        Zero = "zero",
        /// It is an error: implementations that assert an even width.
        Reject = "reject",
    }
}

choice! {
    /// Which functions of the angles the columns are.
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
    /// The caches of a rotary embedding are two such tables, of half a head's width: column `k` has frequency
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
    Columns {
        /// Sines and cosines.
        #[default]
        Both = "both",
        /// Sines alone, each column with a frequency of its own: column `j` has exponent `j / (d_model - freq_shift)`.
        Sin = "sin",
        /// Cosines alone, likewise.
        Cos = "cos",
    }
}

choice! {
    /// Whether sine and cosine share a frequency.
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
    Pairing {
        /// They do, pair by pair, so that a shift of the position is a rotation of the pair.
        #[default]
        Paired = "paired",
        /// Column `j` of the interleaved layout has a frequency of its own, with half the step: the exponent is
        /// `j / (d_model - 2 freq_shift)`. Some texts print the formula so; no model is known to mean it.
        Unpaired = "unpaired",
    }
}
