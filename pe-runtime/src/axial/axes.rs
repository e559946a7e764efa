//! The methods that set the parameters of the axes.

use crate::axial::AxialRope;
use crate::spec::choices::FrequencyDtype;
use crate::spec::quantiser::Quantiser;
use crate::spec::scaling::Scaling;

impl<'a, const A: usize> AxialRope<'a, A> {
    /// Sets the base of the frequencies of each axis (default: 10,000).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([16, 16], 64).base([100.0; 2]); // DINOv3, Gemma 4
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("rope_theta", "theta"))]
    pub const fn base(self, base: [f64; A]) -> Self {
        self.with(self.grid.base(base))
    }

    /// Adds an exact quotient to the index of each frequency of each axis (default: `(0, 1)`).
    ///
    /// If two axes share one progression, as in Pixtral, the second axis has the offset 1/2.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let pixtral = AxialRope::new([16, 16], 64).freq_offset([(0, 1), (1, 2)]);
    /// # assert!(pixtral.check::<f32>().is_ok());
    /// ```
    pub const fn freq_offset(self, freq_offset: [(i64, i64); A]) -> Self {
        self.with(self.grid.freq_offset(freq_offset))
    }

    /// Sets the frequencies of each axis, in radians per position, instead of a base and a rule.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let inv_freq = [1.0, 0.125]; // as a model has them
    /// let rope = AxialRope::new([16, 16], 8).frequencies([&inv_freq; 2]);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("inv_freq"))]
    pub const fn frequencies<'b>(self, frequencies: [&'b [f64]; A]) -> AxialRope<'b, A>
    where
        'a: 'b,
    {
        self.with(self.grid.frequencies(frequencies))
    }

    /// Sets the rule that changes the frequencies of each axis (default: [none](Scaling::None)).
    ///
    /// A rule with an attention factor other than 1 is an error, because the factors of the axes would differ.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialRope, Scaling};
    /// let rope = AxialRope::new([4, 8, 8], 96).scaling([Scaling::ntk(2.0), Scaling::None, Scaling::None]);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("rope_scale"))]
    pub const fn scaling<'b>(self, scaling: [Scaling<'b>; A]) -> AxialRope<'b, A>
    where
        'a: 'b,
    {
        self.with(self.grid.scaling(scaling))
    }

    /// Sets what the frequencies of all axes are rounded to (default: not rounded), as
    /// [`Spec::frequency_dtype`](crate::Spec::frequency_dtype) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// use posenc::FrequencyDtype;
    ///
    /// let rope = AxialRope::preset(AxialPreset::DinoV3, [16, 16], 64).frequency_dtype(FrequencyDtype::Bf16Period);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn frequency_dtype(self, frequency_dtype: FrequencyDtype) -> Self {
        self.with(self.grid.frequency_dtype(frequency_dtype))
    }

    /// Sets the position of point 0 of each axis (default: 0).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([16, 16], 64).start([1; 2]);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn start(self, start: [i64; A]) -> Self {
        self.with(self.grid.start(start))
    }

    /// Sets the distance between the points of each axis (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([4, 8], 64).step([3, 1]);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn step(self, step: [i64; A]) -> Self {
        self.with(self.grid.step(step))
    }

    /// Sets the positions of the points of each axis, one per point, if they are not equally spaced.
    ///
    /// An axis with an empty list keeps its [`start`](Self::start) and [`step`](Self::step). [`unit`](Self::unit) and
    /// [`scale`](Self::scale) still multiply the angles.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let frames = [0.0, 7.0]; // ChronoEdit
    /// let rope = AxialRope::preset(AxialPreset::Wan, [2, 30, 52], 128).positions([&frames, &[], &[]]);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("position_ids", "frame_indices"))]
    pub const fn positions<'b>(self, positions: [&'b [f64]; A]) -> AxialRope<'b, A>
    where
        'a: 'b,
    {
        self.with(self.grid.positions(positions))
    }

    /// Sets the unit of the positions of each axis (default: `(1, 1)`), an exact quotient of two integers from 1 to 2^53.
    ///
    /// # Examples
    ///
    /// Cosmos at 16 frames per second:
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let rope = AxialRope::preset(AxialPreset::Cosmos, [5, 44, 80], 128).unit([(24, 16), (1, 1), (1, 1)]);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn unit(self, unit: [(i64, i64); A]) -> Self {
        self.with(self.grid.unit(unit))
    }

    /// Sets the unit of each axis so that its `n` points are `numerator / denominator / n` apart.
    ///
    /// This replaces [`unit`](Self::unit) if it is already set, and a later `unit` replaces this.
    ///
    /// # Examples
    ///
    /// EVA-02 was trained with 16 x 16 patches:
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let rope = AxialRope::preset(AxialPreset::Eva02, [32, 32], 64).extent(16, 1);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("ref_feat_shape", "pt_seq_len"))]
    pub const fn extent(self, numerator: i64, denominator: i64) -> Self {
        self.with(self.grid.extent(numerator, denominator))
    }

    /// Sets a factor applied to all angles (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let turns = AxialRope::new([16, 16], 64).extent(1, 1).scale(std::f64::consts::TAU); // from 0 to below a turn
    /// # assert!(turns.check::<f32>().is_ok());
    /// ```
    pub const fn scale(self, scale: f64) -> Self {
        self.with(self.grid.scale(scale))
    }

    /// Sets the quantiser of tables of `i8`, `i16` and `u8`, as [`Spec::quantiser`](crate::Spec::quantiser) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialRope, Quantiser};
    /// let rope = AxialRope::new([2, 2], 4).quantiser(Quantiser::quotient(1, 127));
    /// assert_eq!(rope.table::<i8>()?.cos[0], [127, 127]);
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    pub const fn quantiser(self, quantiser: Quantiser) -> Self {
        self.with(self.grid.quantiser(quantiser))
    }
}
