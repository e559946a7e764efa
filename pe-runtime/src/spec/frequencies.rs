//! The methods that set the frequencies: the progression or the list, their factors, and the scaling rule.

use crate::spec::Spec;
use crate::spec::choices::FrequencyDtype;
use crate::spec::scaling::Scaling;
use crate::spec::values::{Frequencies, Parameters};

impl<'a> Spec<'a> {
    /// Sets the base of the geometric progression of the frequencies (default: 10,000).
    ///
    /// The base must be finite and greater than 0, and is used exactly as given.
    ///
    /// With a base below about 1e-60, the angles in later columns have so many digits before the point that computing
    /// an entry takes microseconds, and up to milliseconds at the end of the range. The same applies if a
    /// [`scale`](Self::scale), one of the [`frequencies`](Self::frequencies) or a position is beyond 1e60.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let (mut paper, mut long) = ([0.0f32; 64], [0.0f32; 64]);
    /// Spec::new(64).encode(100, &mut paper)?;
    /// Spec::new(64).base(500_000.0).encode(100, &mut long)?;
    /// assert_eq!(paper[0], long[0]); // the first pair turns one radian per position, whatever the base
    /// assert!(long[62] < paper[62]); // the last pair turns more slowly with a larger base
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("theta", "max_timescale", "max_period", "temperature", "max_wavelength"))]
    pub const fn base(mut self, base: f64) -> Self {
        self.parameters.frequencies =
            Frequencies::Geometric { base, freq_shift: self.parameters.frequencies.freq_shift() };
        self
    }

    /// Sets the number subtracted from the number of frequencies in the exponents' denominator (default: 0).
    ///
    /// With `h = d_model / 2`, frequency `k` is `base^(-k / (h - freq_shift))`.
    ///
    /// 0 is the paper's formula, `base^(-2k / d_model)`, whose last frequency does not quite reach `1 / base`. 1 gives
    /// `base^(-k / (h - 1))`, whose last frequency is exactly `1 / base`; tensor2tensor (the paper's own code),
    /// fairseq, Whisper and many others compute this. The two tables differ by 0.02 within 16 positions and by 0.7
    /// within 512 (`d_model` 512). Any other shift must be at least -2^24, have a magnitude of at least 2^-42, and give
    /// the last frequency an exponent of at most 2.
    ///
    /// A single frequency is `scale * unit`, whatever the shift. tensor2tensor guards against `0 / 0` in the same way.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).base(16.0).freq_shift(1.0).encode(1, &mut row)?;
    /// assert_eq!(row[2], 0.062_459_316); // sin(1/16)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("downscale_freq_shift"))]
    pub const fn freq_shift(mut self, freq_shift: f64) -> Self {
        self.parameters.frequencies = Frequencies::Geometric { base: self.parameters.frequencies.base(), freq_shift };
        self
    }

    /// Sets the frequencies themselves, in radians per position.
    ///
    /// The list replaces the progression given by `base` and `freq_shift`. It has one frequency for each pair of
    /// columns, or for each column if [`pairing`](Self::pairing) or [`columns`](Self::columns) give each column its
    /// own. Any finite number, including zero and negative ones, is allowed and used exactly. [`scale`](Self::scale)
    /// and [`unit`](Self::unit) still multiply the frequencies.
    ///
    /// A list discards any `base` and `freq_shift` set before it, and setting one of them afterwards discards the list.
    /// The keys of the macro have no order, so the macro rejects a list together with either of them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut row = [0.0f32; 4];
    /// Spec::new(4).frequencies(&[1.0, 0.0625]).encode(1, &mut row)?;
    /// assert_eq!(row, [0.841_470_96, 0.540_302_3, 0.062_459_316, 0.998_047_53]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("inv_freq", "omega"))]
    pub const fn frequencies<'b>(self, frequencies: &'b [f64]) -> Spec<'b>
    where
        'a: 'b,
    {
        Spec { parameters: Parameters { frequencies: Frequencies::Given(frequencies), ..self.parameters } }
    }

    /// Sets a factor applied to all angles (default: 1).
    ///
    /// Any finite number is allowed and used exactly. A model stretched to `s` times its length by linear interpolation
    /// uses `1 / s` (0.125 for 8). A diffusion model whose timesteps run from 0 to 1 may use 1000.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let (mut a, mut b) = ([0.0f32; 64], [0.0f32; 64]);
    /// Spec::new(64).scale(0.25).encode(100, &mut a)?;
    /// Spec::new(64).encode(25, &mut b)?;
    /// assert_eq!(a, b);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("scaling_factor", "interpolation_scale", "timestep_scale", "max_freq"))]
    pub const fn scale(mut self, scale: f64) -> Self {
        self.parameters.scale = scale;
        self
    }

    /// Adds an exact quotient to the index of each frequency (default: 0).
    ///
    /// Frequency `k` of `m` is `base^(-(k + numerator / denominator) / m)`. The quotient must be at least 0 and less
    /// than 1, and its denominator at most 1024. The offset is for axes that share one progression: with two axes,
    /// frequency `k` of the second axis is number `2k + 1` of the progression, as in Pixtral. It needs the feature
    /// `scaling`, which `alloc` enables.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Spec};
    /// let (mut all, mut odd) = ([0.0f32; 4], [0.0f32; 2]);
    /// Spec::new(4).columns(Columns::Sin).encode(7, &mut all)?;
    /// Spec::new(2).columns(Columns::Sin).freq_offset(1, 2).encode(7, &mut odd)?;
    /// assert_eq!(odd, [all[1], all[3]]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn freq_offset(mut self, numerator: i64, denominator: i64) -> Self {
        self.parameters.freq_offset = (numerator, denominator);
        self
    }

    /// Sets what the frequencies are rounded to, as some models store them (default: [exact](FrequencyDtype::Exact)).
    ///
    /// Each frequency is rounded once, after the [scaling rule](Self::scaling), and then multiplied by [`scale`](Self::scale)
    /// and [`unit`](Self::unit). The entries are the correctly rounded values of the formula with these frequencies. This needs
    /// the feature `scaling`, which `alloc` enables.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// use posenc::FrequencyDtype;
    ///
    /// let exact = Spec::new(64).table::<f32>(2)?;
    /// let stored = Spec::new(64).frequency_dtype(FrequencyDtype::Bf16).table::<f32>(2)?;
    /// assert_eq!((exact[(1, 2)], stored[(1, 2)]), (0.681_561_35, 0.681_638_8)); // sin(0.749894..), sin(0.75)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("inv_freq_dtype", "bfloat16", "float16"))]
    pub const fn frequency_dtype(mut self, frequency_dtype: FrequencyDtype) -> Self {
        self.parameters.frequency_dtype = frequency_dtype;
        self
    }

    /// Multiplies all angles by an exact quotient of two integers (default: 1).
    ///
    /// Positions are then counted in this unit: row `i` is at `(start + i step) numerator / denominator`, which may be
    /// a number that no `f64` equals. Each of the two numbers must be from 1 to 2^53. Use a negative
    /// [`step`](Self::step) to count backwards.
    ///
    /// # Examples
    ///
    /// The table of an axis of `CogVideoX`, whose patches are 8/15 apart:
    ///
    /// ```
    /// # use posenc::Spec;
    /// let axis = Spec::new(720).unit(8, 15).table::<f32>(45)?;
    /// let original = Spec::new(720).table::<f32>(9)?;
    /// assert_eq!(axis[15], original[8]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("interpolation_scale", "base_size", "grid_size", "normalize"))]
    pub const fn unit(mut self, numerator: i64, denominator: i64) -> Self {
        self.parameters.unit = (numerator, denominator);
        self
    }

    /// Sets a rule that changes the frequencies for long contexts (default: [none](Scaling::None)).
    ///
    /// The rule applies to pairs of columns whose frequencies come from a base: it conflicts with
    /// [`frequencies`](Self::frequencies), a [`freq_shift`](Self::freq_shift), columns that are not paired and an odd
    /// width. A table of only sines or only cosines has one column of each pair, so `d` is twice its width.
    /// [`scale`](Self::scale) multiplies the frequencies after the rule. The entries are multiplied by the rule's
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
}
