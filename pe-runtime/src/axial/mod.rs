//! Rotary tables of several axes, as for images and videos: each axis of a position rotates some of the columns of a
//! head.

mod axes;
#[cfg(feature = "serde")]
pub(crate) mod config;
pub(crate) mod error;
pub(crate) mod macro_call;
mod of_models;
pub(crate) mod packed;
pub(crate) mod parameters;
pub(crate) mod preset;
mod tables;
mod widths;

use crate::axial::preset::AxialPreset;
use crate::exact::format::integer_part_of_product;
use crate::grid::Grid;
use crate::grid::values::Widths;
use crate::spec::axial_choices::{AxialNest, AxialRest};
use crate::spec::choices::Repeat;

/// The parameters of a rotary table (`RoPE`) whose positions have several axes, such as the patches of an image or a video.
///
/// `A` is the number of axes, from 1 to 4. They are named `h, w` or `t, h, w`, and a preset may give them other names.
/// The rows are all points in the order of an array of that shape: the last axis changes fastest. Each axis rotates
/// some of the columns of a head, as a [`Rope`](crate::Rope) of that width does. If axis `a` has `m` pairs, the entries
/// of its point `i` are
///
/// ```text
/// w_k = scale * unit * base^(-(k + freq_offset) / m)        p_i = start + i * step
/// cos(p_i w_k), sin(p_i w_k)        for k from 0 to m - 1
/// ```
///
/// Every entry is the correctly rounded value of the formula. The two tables, of cosines and of sines, have one entry
/// per pair, as [`rotate_halves`](crate::rotate_halves) and [`rotate_pairs`](crate::rotate_pairs) expect.
/// [`repeat`](Self::repeat) makes rows as wide as a head, and [`packed`](Self::packed) puts both tables in one.
///
/// The names of variables in the code of models do not show which axis has the first columns: Gemma 4, SAM 2 and others
/// call the width `h`. On a square image, the wrong order has the right shape and causes no error.
/// [`preset`](Self::preset) makes the tables of known models by name.
///
/// An `AxialRope` makes [`Grid`]s, as a `Rope` makes `Spec`s, so a table can be made in every way that a grid can.
/// `rotary_table!` with a tuple bakes it.
///
/// Source: Heo et al., [*Rotary Position Embedding for Vision Transformer*](https://arxiv.org/abs/2403.13298) (2024),
/// section 3.1, and the code that each preset names.
///
/// # Examples
///
/// The vision tower of Qwen2-VL for 24 x 36 patches:
///
/// ```
/// use posenc::{AxialPreset, AxialRope};
///
/// let rope = AxialRope::preset(AxialPreset::Qwen2VlVision, [24, 36], 80).table::<f32>()?;
/// assert_eq!(rope.cos.shape(), (24 * 36, 40));
/// assert_eq!(rope.sin[2 * 36 + 3][0], 0.909_297_4); // sin(2): the height turns the first half
/// assert_eq!(rope.sin[2 * 36 + 3][20], 0.141_120_0); // sin(3)
/// # Ok::<(), posenc::AxialError>(())
/// ```
#[doc(alias("axial", "2d rope", "3d rope", "rope_type", "VisionRotaryEmbedding", "vision", "video", "axes_dim"))]
#[derive(Clone, Copy)]
#[must_use]
pub struct AxialRope<'a, const A: usize> {
    head_dim: usize,
    rotary_dim: usize,
    nest: AxialNest,
    /// The columns of a head, of each axis.
    widths: Widths<A>,
    rest: AxialRest,
    preset: Option<AxialPreset>,
    /// What a table has in common with a grid. Its columns are set when a table is made.
    grid: Grid<'a, A>,
}

impl<const A: usize> AxialRope<'static, A> {
    /// Creates a table of this shape for heads of `head_dim` columns, which all axes share equally.
    ///
    /// The first axis of the shape has the first columns. The positions are 0, 1, 2 and so on, and the base is 10,000.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([2, 3], 8).table::<f32>()?;
    /// assert_eq!(rope.sin[5], [0.841_470_96, 0.009_999_833, 0.909_297_4, 0.019_998_666]);
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    pub const fn new(shape: [usize; A], head_dim: usize) -> Self {
        Self {
            head_dim,
            rotary_dim: head_dim,
            nest: AxialNest::Blocks,
            widths: Widths::Equal,
            rest: AxialRest::Reject,
            preset: None,
            grid: Grid::new(shape, 0),
        }
    }
}

impl<'a, const A: usize> AxialRope<'a, A> {
    const fn with<'b>(self, grid: Grid<'b, A>) -> AxialRope<'b, A>
    where
        'a: 'b,
    {
        let Self { head_dim, rotary_dim, nest, widths, rest, preset, grid: _ } = self;
        AxialRope { head_dim, rotary_dim, nest, widths, rest, preset, grid }
    }

    /// Sets how many columns of a head are rotated (default: all). It must be even.
    ///
    /// The other columns are left alone, and the tables have no entries for them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([4, 8, 8], 80).rotary_dim(78); // 26 columns for each axis
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn rotary_dim(mut self, rotary_dim: usize) -> Self {
        self.rotary_dim = rotary_dim;
        self
    }

    /// Sets `rotary_dim` as a share of the head, as [`Rope::partial_rotary_factor`](crate::Rope::partial_rotary_factor) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([16, 16], 64).partial_rotary_factor(0.5);
    /// assert_eq!(rope.parameters().rotary_dim, 32);
    /// ```
    #[doc(alias("rotary_pct"))]
    pub const fn partial_rotary_factor(self, factor: f64) -> Self {
        self.rotary_dim(integer_part_of_product(factor, self.head_dim))
    }

    /// Sets the order of the axes in the columns, as indices into the shape (default: `[0, 1, ...]`).
    ///
    /// In many vision towers the width comes first: `[1, 0]`, which the macro writes `(w, h)`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let (mut cos, mut sin) = ([0.0f32; 2], [0.0f32; 2]);
    /// AxialRope::new([4, 4], 4).first([1, 0]).encode([0, 1], &mut cos, &mut sin)?;
    /// assert_eq!(sin, [0.841_470_96, 0.0]);
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    #[doc(alias("indexing", "xy", "grid_indexing"))]
    pub const fn first(self, axes: [usize; A]) -> Self {
        self.with(self.grid.first(axes))
    }

    /// Sets how the frequencies of the axes are nested (default: [a block for each axis](AxialNest::Blocks)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialNest, AxialRope};
    /// let kimi = AxialRope::new([24, 24], 72).first([1, 0]).nest(AxialNest::Frequencies);
    /// # assert!(kimi.check::<f32>().is_ok());
    /// ```
    pub const fn nest(mut self, nest: AxialNest) -> Self {
        self.nest = nest;
        self
    }

    /// Sets the number of columns of each axis, in the order of the shape (default: equal shares).
    ///
    /// Each number must be even. It may be 0; then all points along the axis have the same row. The numbers must add up
    /// to `rotary_dim`, or to less with a [`rest`](Self::rest).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let flux = AxialRope::new([1, 32, 48], 128).widths([16, 56, 56]);
    /// # assert!(flux.check::<f32>().is_ok());
    /// ```
    #[doc(alias("axes_dim", "axes_dims_rope", "rope_axes_dim", "rope_dim_list"))]
    pub const fn widths(mut self, widths: [usize; A]) -> Self {
        self.widths = Widths::Given(widths);
        self
    }

    /// Sets what happens to columns that belong to no axis (default: [there must be none](AxialRest::Reject)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialRest, AxialRope};
    /// let rope = AxialRope::new([8, 16, 16], 64).rest(AxialRest::Identity); // 20 columns for each axis
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    pub const fn rest(mut self, rest: AxialRest) -> Self {
        self.rest = rest;
        self
    }

    /// Puts rows of angle 0 before the points (default: none).
    ///
    /// Their cosines are 1 and their sines 0, so tokens with such a row are not rotated. Examples are class tokens, and
    /// text in Flux.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([16, 16], 64).first([1, 0]).start([1; 2]).identity_rows(1); // Inkling 2
    /// assert_eq!(rope.rows(), 1 + 16 * 16);
    /// ```
    #[doc(alias("cls_token", "num_prefix_tokens"))]
    pub const fn identity_rows(self, rows: usize) -> Self {
        self.with(self.grid.identity_rows(rows))
    }

    /// Puts rows of angle 0 after the points (default: none).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([24, 24], 88).first([1, 0]).start([1; 2]).identity_rows_after(1); // Llama 4
    /// assert_eq!(rope.rows(), 24 * 24 + 1);
    /// ```
    pub const fn identity_rows_after(self, rows: usize) -> Self {
        self.with(self.grid.identity_rows_after(rows))
    }

    /// Sets the side length of the blocks in which the points are ordered (default: 1).
    ///
    /// Models that merge `merge` x `merge` patches into one token order the patches block by block. The side length
    /// must divide the last two axes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let rope = AxialRope::preset(AxialPreset::Qwen2VlVision, [24, 36], 80).merge(2);
    /// # assert!(rope.check::<f32>().is_ok());
    /// ```
    #[doc(alias("spatial_merge_size", "merge_size", "merge_kernel_size"))]
    pub const fn merge(self, merge: usize) -> Self {
        self.with(self.grid.merge(merge))
    }

    /// Sets how entries are repeated (default: [not at all](Repeat::None)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialRope, Repeat};
    /// let (mut cos, mut sin) = ([0.0f32; 4], [0.0f32; 4]);
    /// let rope = AxialRope::new([4, 4], 4);
    /// rope.repeat(Repeat::AxisHalves).encode([0, 1], &mut cos, &mut sin)?;
    /// assert_eq!(sin, [0.0, 0.0, 0.841_470_96, 0.841_470_96]); // as in Gemma 4
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    #[doc(alias("repeat_interleave", "rotate_half"))]
    pub const fn repeat(self, repeat: Repeat) -> Self {
        self.with(self.grid.repeat(repeat))
    }

    /// Returns the number of points along each axis.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// assert_eq!(AxialRope::new([2, 3], 8).shape(), [2, 3]);
    /// ```
    #[must_use]
    pub const fn shape(&self) -> [usize; A] {
        self.grid.shape()
    }

    /// Returns the number of columns of a head.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// assert_eq!(AxialRope::new([2, 3], 8).head_dim(), 8);
    /// ```
    #[must_use]
    pub const fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Returns the number of rows: all points of the shape and the identity rows, saturating at `usize::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// assert_eq!(AxialRope::new([2, 3], 8).identity_rows(1).rows(), 7);
    /// ```
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.grid.rows()
    }
}
