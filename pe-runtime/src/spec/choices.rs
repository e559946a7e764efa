//! The parameters that are a choice among names.

use crate::spec::names::Of;

choice! {
    /// The placement of the two columns of a pair.
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
    Layout(Of::Values("layout"), &[("concat", "`halves`"), ("concatenated", "`halves`"), ("split", "`halves`")]) {
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
    Order(Of::Values("order"), &[("cos_first", "`cos_sin`"), ("sin_first", "`sin_cos`")]) {
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
    Odd(Of::Values("odd"), &[]) {
        /// One more sine, with the next frequency of the formula, as in `DistilBERT`, HF Marian and Keras Hub.
        #[default]
        LastSin = "last_sin",
        /// Zeros, after the columns of width `d_model - 1`, as in tensor2tensor, fairseq and diffusers.
        Zero = "zero",
        /// An odd width is an error, as in implementations that assert an even width.
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
    /// The cache of a rotary embedding is a table of cosines and a table of sines, each half as wide as a head. Column
    /// `k` has the frequency `base^(-2k / head_dim)`.
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
    Columns(Of::Values("columns"), &[]) {
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
    /// The caches of most Llama-like models have all columns twice, in two halves:
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
    Repeat(Of::Values("repeat"), &[("concat", "`halves`"), ("interleave", "`pairs`"), ("interleaved", "`pairs`")]) {
        /// Each column appears once.
        #[default]
        None = "none",
        /// All frequencies, then all of them again: `c0 c1 c0 c1`, as `cat([c, c])` makes.
        Halves = "halves",
        /// Each frequency twice before the next: `c0 c0 c1 c1`, as `repeat_interleave(2)` makes.
        Pairs = "pairs",
        /// All frequencies of an axis, then all of them again, before the next axis: `h0 h1 h0 h1  w0 w1 w0 w1`, as in
        /// Gemma 4. With a single axis this is `halves`.
        AxisHalves = "axis_halves",
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
    Pairing(Of::Values("pairing"), &[]) {
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
    /// The type to which the frequencies are rounded, before `scale` and `unit` multiply them.
    ///
    /// Some models store their frequencies, or their reciprocals, in 16 bits, and compute the angles from these. Each is rounded
    /// to nearest once, after the scaling rule, and everything else is exact.
    ///
    /// There is no `f32`: libraries compute frequencies with several roundings in `f32`, and about half of the results
    /// are not the nearest `f32`. In 16 bits, the same steps give the nearest number. If the last bit of `f32` matters,
    /// set the frequencies of the checkpoint as a [list](crate::Spec::frequencies).
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{FrequencyDtype, Spec};
    ///
    /// let stored = Spec::new(64).frequency_dtype(FrequencyDtype::Bf16);
    /// let frequencies: Vec<f64> = stored.angular_frequencies()?.collect();
    /// assert_eq!(frequencies[1], 0.75); // the nearest to 0.749894
    /// assert_eq!(FrequencyDtype::Bf16Period.name(), "bf16_period");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[derive(Default)]
    FrequencyDtype(Of::Values("frequency_dtype"), &[
        ("bfloat16", "`bf16`"),
        ("float16", "`f16`"),
        ("half", "`f16`"),
        ("f32", "`exact`, or a list of `frequencies` from a checkpoint"),
        ("float32", "`exact`, or a list of `frequencies` from a checkpoint"),
        ("f64", "`exact`"),
        ("float64", "`exact`"),
    ]) {
        /// Not rounded.
        #[default]
        Exact = "exact",
        /// Each frequency is a `bf16`, as in models that are converted as a whole, such as pi0.5.
        Bf16 = "bf16",
        /// Each frequency is an `f16`. A frequency of at most 2^-25 becomes zero.
        F16 = "f16",
        /// The reciprocal of each frequency is a `bf16`, as in the weights of `DINOv3`.
        Bf16Period = "bf16_period",
    }
}

choice! {
    /// How the cosines and sines of a rotary cache are arranged in one table.
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
    Packing(Of::Values("packing"), &[
        ("concat", "`cos_sin`"),
        ("halves", "`cos_sin`"),
        ("interleaved", "`complex`"),
        ("cos_first", "`cos_sin`"),
        ("sin_first", "`sin_cos`"),
    ]) {
        /// All cosines, then all sines: `c0 c1 ... s0 s1 ...`, as in vLLM, `SGLang` and flashinfer.
        #[default]
        CosSin = "cos_sin",
        /// All sines, then all cosines: `s0 s1 ... c0 c1 ...`, as in GPT-J.
        SinCos = "sin_cos",
        /// Pairs: `c0 s0 c1 s1 ...`, like the parts of complex numbers, as in Llama's reference code and torchtune.
        /// With [`Repeat::Pairs`](crate::Repeat::Pairs) it is burn's arrangement.
        Complex = "complex",
        /// Only the cosines, `c0 c1 ...`.
        Cos = "cos",
        /// Only the sines, `s0 s1 ...`.
        Sin = "sin",
    }
}
