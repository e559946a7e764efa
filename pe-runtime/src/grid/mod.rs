//! Tables of grids: each axis of a position fills some of the columns of a row.

pub(crate) mod choices;
mod const_fill;
pub(crate) mod display;
#[cfg(feature = "alloc")]
mod embeddings;
mod fill;
pub(crate) mod lower;
pub(crate) mod preset;
mod resized;
mod rows;
#[cfg(feature = "alloc")]
mod tables;

use crate::grid::choices::{Nest, Rest};
use crate::grid::lower::Widths;
use crate::grid::preset::GridPreset;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::Order;
use crate::spec::error::SpecError;
use crate::spec::quantiser::Quantiser;

/// The parameters of the table of a grid, of two axes (an image) or three (a video).
///
/// `A` is the number of axes, from 1 to 4. They are named `h, w` or `t, h, w`, and a preset may give them other names. The
/// rows are all points of the grid in the order of an array of that shape: the last axis changes fastest. Each axis fills
/// some columns, with the formula of [`Spec`]. With `m` the number of frequencies of axis `a`, its point `i` is
///
/// ```text
/// w_k = scale * unit * base^(-k / (m - freq_shift))        p_i = start + i * step
/// sin(p_i w_k), cos(p_i w_k)        for k from 0 to m - 1
/// ```
///
/// Four facts tell the tables of models apart: the [order of the axes](Self::first) in the columns, the
/// [nesting](Self::nest) of axes, functions and frequencies, the order of the axes in the shape, and the positions along
/// each axis. [`preset`](Self::preset) makes known tables by name.
///
/// Parameters that may differ from axis to axis are arrays in the order of the shape; `[20.0; 2]` is one value for two axes.
/// Every entry is the correctly rounded value of the formula, as in the table of a [`Spec`], and has the same bits at every
/// entry point. `grid_table!` bakes a grid.
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
/// # Ok::<(), posenc::SpecError>(())
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
    extent: Extent,
    /// What is the same for all axes, and what differs. Widths and layouts are set when the grid is lowered.
    axes: [Spec<'a>; A],
}

/// What sets the unit of each axis, if it is not set itself.
#[derive(Clone, Copy)]
enum Extent {
    Unset,
    /// The preset requires one.
    Missing,
    Set(i64, i64),
}

/// The names of the axes of a shape.
const fn names(axes: usize) -> &'static [&'static str] {
    match axes {
        1 => &["w"],
        2 => &["h", "w"],
        3 => &["t", "h", "w"],
        _ => &["x", "y", "w", "h"],
    }
}

/// Returns the error for an extent together with units, which the macro and the tool have in no order.
#[must_use]
pub const fn conflict_of_extent() -> SpecError {
    SpecError::Conflict {
        parameters: ["extent", "unit"],
        values: ["...", "..."],
        reason: "an extent sets the unit of each axis",
    }
}

/// Defines methods that set a parameter of each axis.
macro_rules! per_axis {
    ($($(#[$doc:meta])* $method:ident($value:ident: $type:ty) $spec:ident => $set:expr;)*) => { $(
        $(#[$doc])*
        pub const fn $method(mut self, $method: [$type; A]) -> Self {
            let mut i = 0;
            while i < A {
                let ($spec, $value) = (self.axes[i], $method[i]);
                self.axes[i] = $set;
                i += 1;
            }
            self
        }
    )* };
}

impl<const A: usize> Grid<'static, A> {
    /// Creates a grid of this shape, with `d_model` columns that all axes share equally.
    ///
    /// The first axis of the shape fills the first columns, each axis with its sines before its cosines, for positions
    /// 0, 1, 2 and so on and base 10000. This is the table of RT-DETR, D-FINE and `AIMv2` in Hugging Face's transformers.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let table = Grid::new([2, 3], 8).table::<f32>()?;
    /// assert_eq!(table.shape(), (6, 8));
    /// assert_eq!(table[5], [0.841_470_96, 0.009_999_833, 0.540_302_3, 0.999_95, 0.909_297_4, 0.019_998_666, -0.416_146_84, 0.999_8]);
    /// # Ok::<(), posenc::SpecError>(())
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
            extent: Extent::Unset,
            axes: [Spec::new(2); A],
        }
    }
}

impl<'a, const A: usize> Grid<'a, A> {
    /// Sets the order of the axes in the columns, as indices into the shape (default: `[0, 1, ...]`).
    ///
    /// In MAE and its descendants the last axis comes first: `[1, 0]`, which the macro writes `(w, h)`. On square grids both
    /// orders have the same shape and similar entries, so a model with the wrong one runs without an error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let mut row = [0.0f32; 4];
    /// Grid::new([2, 2], 4).first([1, 0]).fill(1.., &mut row)?; // point (0, 1)
    /// assert_eq!(row, [0.841_470_96, 0.540_302_3, 0.0, 1.0]);
    /// # Ok::<(), posenc::SpecError>(())
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
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("interleave_sin_cos"))]
    pub const fn nest(mut self, nest: Nest) -> Self {
        self.nest = nest;
        self
    }

    /// Sets the number of columns of each axis, in the order of the shape (default: equal shares).
    ///
    /// Each number is even. They add up to `d_model`, or to less with [`Rest::Zero`] or more with [`Rest::Cut`].
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

    /// Sets what becomes of columns that the axes cannot share equally (default: [there must be none](Rest::Reject)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Rest};
    /// let grid = Grid::new([4, 7, 7], 1024).rest(Rest::Cut); // 342 columns for each axis, and 2 too many
    /// assert_eq!(grid.axis(0)?.d_model(), 342);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn rest(mut self, rest: Rest) -> Self {
        self.rest = rest;
        self
    }

    /// Puts rows of zeros before those of the grid (default: none).
    ///
    /// Models with a class token have one, and `CogVideoX` has one for each token of the text.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let table = Grid::preset(GridPreset::Mae, [14, 14], 768).zero_rows(1).table::<f32>()?;
    /// assert_eq!(table.shape(), (197, 768));
    /// assert_eq!(table[0], [0.0; 768]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("cls_token", "extra_tokens", "num_prefix_tokens"))]
    pub const fn zero_rows(mut self, rows: usize) -> Self {
        self.zero_rows = rows;
        self
    }

    per_axis! {
        /// Sets the position of point 0 of each axis (default: 0), as [`Spec::start`] does.
        ///
        /// # Examples
        ///
        /// ```
        /// # use posenc::Grid;
        /// let crop = Grid::new([16, 16], 64).start([24, 24]); // from the middle of a grid of 64 x 64
        /// # assert!(crop.check::<f32>().is_ok());
        /// ```
        start(value: i64) spec => spec.start(value);

        /// Sets the distance of the points of each axis (default: 1), as [`Spec::step`] does.
        ///
        /// # Examples
        ///
        /// ```
        /// # use posenc::Grid;
        /// let n: i64 = 14;
        /// let centred = Grid::new([14, 14], 64).start([1 - n; 2]).step([2; 2]).unit([(1, n - 1); 2]); // from -1 to 1
        /// # assert!(centred.check::<f32>().is_ok());
        /// ```
        step(value: i64) spec => spec.step(value);

        /// Sets the base of the frequencies of each axis (default: 10000), as [`Spec::base`] does.
        ///
        /// # Examples
        ///
        /// ```
        /// # use posenc::{Grid, GridPreset};
        /// let dab_detr = Grid::preset(GridPreset::DetrNormalized, [28, 40], 256).base([20.0; 2]);
        /// # assert!(dab_detr.check::<f32>().is_ok());
        /// ```
        #[doc(alias("temperature", "temperatureH", "temperatureW"))]
        base(value: f64) spec => spec.base(value);

        /// Sets the shift of the exponents of each axis (default: 0), as [`Spec::freq_shift`] does.
        ///
        /// # Examples
        ///
        /// ```
        /// # use posenc::Grid;
        /// let big_vision = Grid::new([14, 14], 768).first([1, 0]).freq_shift([1.0; 2]);
        /// # assert!(big_vision.check::<f32>().is_ok());
        /// ```
        freq_shift(value: f64) spec => spec.freq_shift(value);
    }

    /// Sets the unit of the positions of each axis (default: `(1, 1)`), an exact quotient as for [`Spec::unit`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let video = Grid::new([13, 30, 45], 96).unit([(1, 1), (8, 15), (8, 15)]);
    /// # assert!(video.check::<f32>().is_ok());
    /// ```
    #[doc(alias("interpolation_scale", "normalize"))]
    pub const fn unit(mut self, unit: [(i64, i64); A]) -> Self {
        self.extent = Extent::Unset;
        let mut i = 0;
        while i < A {
            let (numerator, denominator) = unit[i];
            self.axes[i] = self.axes[i].unit(numerator, denominator);
            i += 1;
        }
        self
    }

    /// Sets the unit of each axis so that its `n` points are `numerator / denominator / n` apart.
    ///
    /// All shapes then cover the same positions, from 0 to below the quotient. In `PixArt` and diffusers it is
    /// `base_size / interpolation_scale`. This replaces what [`unit`](Self::unit) has set, and the other way round.
    ///
    /// # Examples
    ///
    /// `PixArt` for images of 1024 x 1024, and of 832 x 1216:
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let square = Grid::preset(GridPreset::PixArt, [64, 64], 1152).extent(64, 2);
    /// let portrait = Grid::preset(GridPreset::PixArt, [76, 52], 1152).extent(64, 2);
    /// assert_eq!(portrait.axis(0)?.parameters().unit, (64, 152));
    /// # assert!(square.check::<f32>().is_ok());
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("base_size", "interpolation_scale", "lewei_scale", "grid_size"))]
    pub const fn extent(mut self, numerator: i64, denominator: i64) -> Self {
        self.extent = Extent::Set(numerator, denominator);
        self
    }

    /// Sets the frequencies of each axis, in radians per position, as [`Spec::frequencies`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let octaves = [1.0, 2.0, 4.0, 8.0];
    /// let grid = Grid::new([32, 32], 16).frequencies([&octaves; 2]);
    /// # assert!(grid.check::<f32>().is_ok());
    /// ```
    pub const fn frequencies<'b>(self, frequencies: [&'b [f64]; A]) -> Grid<'b, A>
    where
        'a: 'b,
    {
        let mut grid: Grid<'b, A> = self;
        let mut i = 0;
        while i < A {
            grid.axes[i] = grid.axes[i].frequencies(frequencies[i]);
            i += 1;
        }
        grid
    }

    /// Sets a factor of all angles (default: 1), as [`Spec::scale`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let turns = Grid::new([16, 16], 64).extent(1, 1).scale(std::f64::consts::TAU); // from 0 to below a turn
    /// # assert!(turns.check::<f32>().is_ok());
    /// ```
    pub const fn scale(self, scale: f64) -> Self {
        self.all_axes(Common::Scale(scale))
    }

    /// Sets which column of a pair comes first (default: [the sine](Order::SinCos)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Order};
    /// let mut row = [0.0f32; 4];
    /// Grid::new([2, 2], 4).order(Order::CosSin).fill(0.., &mut row)?;
    /// assert_eq!(row, [1.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn order(self, order: Order) -> Self {
        self.all_axes(Common::Order(order))
    }

    /// Sets a factor of all entries (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let mut row = [0.0f32; 4];
    /// Grid::new([2, 2], 4).amplitude(0.5).fill(0.., &mut row)?;
    /// assert_eq!(row, [0.0, 0.5, 0.0, 0.5]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn amplitude(self, amplitude: f64) -> Self {
        self.all_axes(Common::Amplitude(amplitude))
    }

    /// Sets the quantiser of tables of `i8`, `i16` and `u8`, as [`Spec::quantiser`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Quantiser};
    /// let grid = Grid::new([2, 2], 8).quantiser(Quantiser::quotient(1, 127)).zero_rows(1);
    /// let table = grid.table::<i8>()?;
    /// assert_eq!(table[1], [0, 0, 127, 127, 0, 0, 127, 127]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("scale", "zero_point", "int8", "quantize"))]
    pub const fn quantiser(self, quantiser: Quantiser) -> Self {
        self.all_axes(Common::Quantiser(quantiser))
    }

    const fn all_axes(mut self, common: Common) -> Self {
        let mut i = 0;
        while i < A {
            self.axes[i] = match common {
                Common::Scale(scale) => self.axes[i].scale(scale),
                Common::Order(order) => self.axes[i].order(order),
                Common::Quantiser(quantiser) => self.axes[i].quantiser(quantiser),
                Common::Amplitude(amplitude) => self.axes[i].amplitude(Amplitude::Value(amplitude)),
            };
            i += 1;
        }
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

/// A parameter that is the same for all axes.
#[derive(Clone, Copy)]
enum Common {
    Scale(f64),
    Order(Order),
    Amplitude(f64),
    Quantiser(Quantiser),
}

/// Returns a number of points, or the largest integer, which no unit may have.
const fn integer(points: usize) -> i64 {
    if points as u128 > i64::MAX as u128 { i64::MAX } else { points as i64 }
}
