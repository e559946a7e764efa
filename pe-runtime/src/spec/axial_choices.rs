//! How the columns of the axes of a rotary table are arranged.

use crate::spec::names::Of;

choice! {
    /// How the frequencies of the axes of an [`AxialRope`](crate::AxialRope) are nested.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{AxialNest, AxialRope};
    ///
    /// let (mut cos, mut sin) = ([0.0f32; 4], [0.0f32; 4]);
    /// let rope = AxialRope::new([4, 4], 8).nest(AxialNest::Frequencies);
    /// rope.encode([0, 1], &mut cos, &mut sin)?;
    /// assert_eq!(sin, [0.0, 0.841_470_96, 0.0, 0.009_999_833]); // h0 w0 h1 w1
    /// assert_eq!(AxialNest::Frequencies.name(), "frequencies");
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    #[derive(Default)]
    AxialNest(Of::Values("nest"), &[("interleaved", "`frequencies`"), ("halves", "`blocks`")]) {
        /// Each axis has a block of frequencies: `h0 h1  w0 w1`.
        #[default]
        Blocks = "blocks",
        /// Each frequency has all axes: `h0 w0  h1 w1`, as in Kimi's vision tower. All axes then have the same width.
        Frequencies = "frequencies",
    }
}

choice! {
    /// What happens to the columns of a head that belong to no axis, in an [`AxialRope`](crate::AxialRope).
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{AxialRest, AxialRope};
    ///
    /// let (mut cos, mut sin) = ([0.0f32; 4], [0.0f32; 4]);
    /// let rope = AxialRope::new([2, 2, 2], 8).rest(AxialRest::Identity); // one pair for each axis, and one is left over
    /// rope.encode([1, 1, 1], &mut cos, &mut sin)?;
    /// assert_eq!((cos[3], sin[3]), (1.0, 0.0));
    /// assert_eq!(AxialRest::IdentityFirst.name(), "identity_first");
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    #[derive(Default)]
    AxialRest(Of::Values("rest"), &[("zero", "`identity`"), ("pad", "`identity`"), ("omit", "`reject` with `rotary_dim`")]) {
        /// Such columns are an error.
        #[default]
        Reject = "reject",
        /// They come last and are not rotated: their cosines are 1 and their sines 0, as in V-JEPA 2.
        Identity = "identity",
        /// The same, but they come before the axes.
        IdentityFirst = "identity_first",
    }
}
