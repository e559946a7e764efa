//! How the columns of the axes are arranged.

use crate::spec::names::Of;

choice! {
    /// How the columns of the axes are nested in a row of a grid.
    ///
    /// Each variant shows the columns of two axes with two frequencies each, height first.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Grid, Nest};
    ///
    /// let mut row = [0.0f32; 8];
    /// Grid::new([2, 2], 8).nest(Nest::Phases).fill(3.., &mut row)?; // row 1, column 1 of the grid
    /// assert_eq!(row[..4], [0.841_470_96, 0.009_999_833, 0.841_470_96, 0.009_999_833]); // the sines of both axes
    /// assert_eq!(Nest::Phases.name(), "phases");
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[derive(Default)]
    Nest(Of::Values("nest"), &[("interleaved", "`pairs`"), ("halves", "`blocks`"), ("interleave_sin_cos", "`blocks`")]) {
        /// Each axis has a block of sines and then cosines: `s0h s1h c0h c1h  s0w s1w c0w c1w`, as in MAE.
        #[default]
        Blocks = "blocks",
        /// Each axis has a block of pairs: `s0h c0h s1h c1h  s0w c0w s1w c1w`, as in DETR.
        Pairs = "pairs",
        /// The sines of all axes, then the cosines: `s0h s1h s0w s1w  c0h c1h c0w c1w`, as in timm.
        Phases = "phases",
        /// Each frequency has the sines of all axes and then the cosines: `s0h s0w c0h c0w  s1h s1w c1h c1w`, as in
        /// `NeRF`. All axes then have the same width.
        Frequencies = "frequencies",
        /// The sines of all axes for each frequency, then the cosines: `s0h s0w s1h s1w  c0h c0w c1h c1w`. All axes
        /// then have the same width.
        PhaseFrequencies = "phase_frequencies",
        /// Each frequency has a pair for each axis: `s0h c0h s0w c0w  s1h c1h s1w c1w`. All axes then have the same
        /// width.
        PairFrequencies = "pair_frequencies",
    }
}

choice! {
    /// What happens to columns that the axes cannot share equally.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Grid, Rest};
    ///
    /// let mut row = [1.0f32; 8];
    /// let grid = Grid::new([2, 2, 2], 8); // two columns for each axis, and two are left over
    /// grid.rest(Rest::Zero).fill(0.., &mut row)?;
    /// assert_eq!(row, [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    /// assert!(grid.fill(0.., &mut row).is_err());
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[derive(Default)]
    Rest(Of::Values("rest"), &[("pad", "`zero`"), ("truncate", "`cut`")]) {
        /// Such columns are an error.
        #[default]
        Reject = "reject",
        /// They are zeros, at the end, as in vit-pytorch's 3-D table.
        Zero = "zero",
        /// They take the place of a further axis after the others. Its angle is 0, so its cosines are 1 and its sines
        /// 0.
        Identity = "identity",
        /// The same, but the further axis comes before the others.
        IdentityFirst = "identity_first",
        /// The axes get more columns than there are, and the last columns are left out, as in V-JEPA's uniform table
        /// and tatp22's library.
        Cut = "cut",
    }
}
