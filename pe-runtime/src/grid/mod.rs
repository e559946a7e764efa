//! Tables of grids: each axis of a position fills some of the columns of a row.

mod axes;
mod const_fill;
#[cfg(feature = "alloc")]
mod embeddings;
pub(crate) mod error;
mod fill;
pub(crate) mod lower;
pub(crate) mod macro_call;
mod of_models;
pub(crate) mod parameters;
pub(crate) mod places;
pub(crate) mod plans;
pub(crate) mod preset;
mod resized;
pub(crate) mod row_order;
mod same_table;
#[cfg(feature = "alloc")]
mod tables;
pub(crate) mod values;
mod widths;

use crate::grid::preset::GridPreset;
use crate::grid::values::{Extent, Widths, names};
use crate::spec::Spec;
use crate::spec::grid_choices::{Nest, Rest};

/// The parameters of the table of a grid, such as an image (two axes) or a video (three).
///
/// `A` is the number of axes, from 1 to 4. They are named `h, w` or `t, h, w`, and a preset may give them other names.
/// The rows are all points of the grid in the order of an array of that shape: the last axis changes fastest. Each axis
/// fills some columns, with the formula of [`Spec`]. If axis `a` has `m` frequencies, the entries of its point `i` are
///
/// ```text
/// w_k = scale * unit * base^(-(k + freq_offset) / (m - freq_shift))        p_i = start + i * step
/// sin(p_i w_k), cos(p_i w_k)        for k from 0 to m - 1
/// ```
///
/// The tables of models differ in four ways: the [order of the axes](Self::first) in the columns, the
/// [nesting](Self::nest) of axes, functions and frequencies, the order of the axes in the shape, and the positions
/// along each axis. [`preset`](Self::preset) makes known tables by name.
///
/// Parameters that may differ from axis to axis are arrays in the order of the shape; `[20.0; 2]` is one value for two
/// axes. Every entry is the correctly rounded value of the formula, as in the table of a [`Spec`], and every method
/// returns the same bits. `grid_table!` bakes a grid.
///
/// # Examples
///
/// The table of MAE for 14 x 14 patches, and the row of the patch in row 2 and column 3:
///
/// ```
/// use posenc::{Grid, GridPreset};
///
/// let grid = Grid::preset(GridPreset::Mae, [14, 14], 768);
/// let mut row = [0.0f32; 768];
/// grid.fill(2 * 14 + 3.., &mut row)?;
/// assert_eq!(row[0], 0.141_120_0); // sin(3): the width fills the first half
/// assert_eq!(row[384], 0.909_297_4); // sin(2)
/// assert_eq!(grid.to_string(), "grid_table!((14, 14), 768, first = (w, h))");
/// # Ok::<(), posenc::GridError>(())
/// ```
#[doc(alias("2d", "3d", "sincos2d", "get_2d_sincos_pos_embed", "posemb_sincos_2d", "PositionEmbeddingSine", "vit"))]
#[derive(Clone, Copy)]
#[must_use]
pub struct Grid<'a, const A: usize> {
    shape: [usize; A],
    d_model: usize,
    /// The names of the axes, or `None` if the preset has another number of axes.
    names: Option<&'static [&'static str]>,
    preset: Option<GridPreset>,
    first: [usize; A],
    nest: Nest,
    widths: Widths<A>,
    rest: Rest,
    zero_rows: usize,
    /// The numbers of rows before and after the points.
    identity_rows: [usize; 2],
    merge: usize,
    extent: Extent,
    /// The positions on each axis, or none if its points are equally spaced.
    positions: [&'a [f64]; A],
    /// What is the same for all axes, and what differs. Widths and layouts are set when the grid is lowered.
    axes: [Spec<'a>; A],
}

impl<const A: usize> Grid<'static, A> {
    /// Creates a grid of this shape, with `d_model` columns that all axes share equally.
    ///
    /// The first axis of the shape fills the first columns, and each axis has its sines before its cosines. The
    /// positions are 0, 1, 2 and so on, and the base is 10,000. This is the table of RT-DETR and D-FINE in Hugging
    /// Face's transformers.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let table = Grid::new([2, 3], 8).table::<f32>()?;
    /// assert_eq!(table.shape(), (6, 8));
    /// assert_eq!(table[5], [0.841_470_96, 0.009_999_833, 0.540_302_3, 0.999_95, 0.909_297_4, 0.019_998_666, -0.416_146_84, 0.999_8]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn new(shape: [usize; A], d_model: usize) -> Self {
        const { assert!(A >= 1 && A <= 4, "a grid has from 1 to 4 axes") };
        let (mut first, mut i) = ([0; A], 0);
        while i < A {
            first[i] = i;
            i += 1;
        }
        Self {
            shape,
            d_model,
            names: Some(names(A)),
            preset: None,
            first,
            nest: Nest::Blocks,
            widths: Widths::Equal,
            rest: Rest::Reject,
            zero_rows: 0,
            identity_rows: [0, 0],
            merge: 1,
            extent: Extent::Unset,
            positions: [&[]; A],
            axes: [Spec::new(2); A],
        }
    }
}

impl<const A: usize> Grid<'_, A> {
    /// Sets the names of the axes, for errors.
    pub(crate) const fn named(mut self, names: &'static [&'static str]) -> Self {
        self.names = Some(names);
        self
    }

    /// Sets the number of columns.
    pub(crate) const fn of_width(mut self, d_model: usize) -> Self {
        self.d_model = d_model;
        self
    }

    /// Requires an extent.
    pub(crate) const fn without_extent(mut self) -> Self {
        self.extent = Extent::Missing;
        self
    }

    /// Sets the order of the axes in the columns, as indices into the shape (default: `[0, 1, ...]`).
    ///
    /// In MAE and its descendants the last axis comes first: `[1, 0]`, which the macro writes `(w, h)`. On square grids
    /// both orders have the same shape and similar entries, so the wrong one causes no error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let mut row = [0.0f32; 4];
    /// Grid::new([2, 2], 4).first([1, 0]).fill(1.., &mut row)?; // point (0, 1)
    /// assert_eq!(row, [0.841_470_96, 0.540_302_3, 0.0, 1.0]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[doc(alias("indexing", "reverse_coord", "swap", "xy"))]
    pub const fn first(mut self, axes: [usize; A]) -> Self {
        self.first = axes;
        self
    }

    /// Sets how the columns of the axes are nested (default: [a block for each axis](Nest::Blocks)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Nest};
    /// let mut row = [0.0f32; 8];
    /// Grid::new([4, 4], 8).nest(Nest::Pairs).fill(4.., &mut row)?; // point (1, 0)
    /// assert_eq!(row[..4], [0.841_470_96, 0.540_302_3, 0.009_999_833, 0.999_95]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[doc(alias("interleave_sin_cos"))]
    pub const fn nest(mut self, nest: Nest) -> Self {
        self.nest = nest;
        self
    }

    /// Sets the number of columns of each axis, in the order of the shape (default: equal shares).
    ///
    /// Each number must be even. It may be 0; then all points along the axis have the same row. The numbers must add up
    /// to `d_model`, to more with [`Rest::Cut`], or to less with any other [`rest`](Self::rest) except
    /// [`Rest::Reject`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let video = Grid::new([13, 30, 45], 1920).widths([480, 720, 720]);
    /// # assert!(video.check::<f32>().is_ok());
    /// ```
    pub const fn widths(mut self, widths: [usize; A]) -> Self {
        self.widths = Widths::Given(widths);
        self
    }

    /// Sets what happens to columns that the axes cannot share equally (default: [there must be none](Rest::Reject)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Rest};
    /// let grid = Grid::new([4, 7, 7], 1024).rest(Rest::Cut); // 342 columns for each axis, and 2 too many
    /// assert_eq!(grid.axis(0)?.d_model(), 342);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn rest(mut self, rest: Rest) -> Self {
        self.rest = rest;
        self
    }

    /// Puts rows of zeros before the rows of the grid (default: none).
    ///
    /// Models with a class token have one such row, and `CogVideoX` has one for each token of the text.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let table = Grid::preset(GridPreset::Mae, [14, 14], 768).zero_rows(1).table::<f32>()?;
    /// assert_eq!(table.shape(), (197, 768));
    /// assert_eq!(table[0], [0.0; 768]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[doc(alias("cls_token", "extra_tokens", "num_prefix_tokens"))]
    pub const fn zero_rows(mut self, rows: usize) -> Self {
        self.zero_rows = rows;
        self
    }

    /// Puts rows of angle 0 before the points, after the rows of zeros (default: none).
    ///
    /// Their cosines are 1 and their sines 0, as at position 0 of all axes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let table = Grid::new([2, 2], 4).start([1, 1]).identity_rows(1).table::<f32>()?;
    /// assert_eq!((table.shape(), &table[0]), ((5, 4), &[0.0, 1.0, 0.0, 1.0][..]));
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[doc(alias("cls_token", "num_prefix_tokens"))]
    pub const fn identity_rows(mut self, rows: usize) -> Self {
        self.identity_rows[0] = rows;
        self
    }

    /// Puts rows of angle 0 after the points (default: none).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let table = Grid::new([2, 2], 4).identity_rows_after(5).table::<f32>()?;
    /// assert_eq!((table.shape(), &table[8]), ((9, 4), &[0.0, 1.0, 0.0, 1.0][..]));
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn identity_rows_after(mut self, rows: usize) -> Self {
        self.identity_rows[1] = rows;
        self
    }

    /// Sets the side length of the blocks in which the points are ordered (default: 1).
    ///
    /// Models that merge `merge` x `merge` patches into one token order the patches block by block. The side length
    /// must divide the last two axes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let grid = Grid::new([2, 4], 4);
    /// let (rows, blocks) = (grid.table::<f32>()?, grid.merge(2).table::<f32>()?);
    /// assert_eq!(blocks[2], rows[4]); // after points (0, 0) and (0, 1) comes (1, 0)
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[doc(alias("spatial_merge_size", "merge_size", "merge_kernel_size"))]
    pub const fn merge(mut self, merge: usize) -> Self {
        self.merge = merge;
        self
    }

    /// Returns the number of points along each axis.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// assert_eq!(Grid::new([2, 3], 8).shape(), [2, 3]);
    /// ```
    #[must_use]
    pub const fn shape(&self) -> [usize; A] {
        self.shape
    }

    /// Returns the number of columns.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// assert_eq!(Grid::new([2, 3], 8).d_model(), 8);
    /// ```
    #[must_use]
    pub const fn d_model(&self) -> usize {
        self.d_model
    }
}
