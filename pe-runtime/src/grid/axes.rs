//! The methods that set the parameters of the axes.

use crate::grid::Grid;
use crate::grid::values::Extent;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, FrequencyDtype, Order, Repeat};
use crate::spec::quantiser::Quantiser;
use crate::spec::scaling::Scaling;

/// Returns the grid with another spec of each axis.
macro_rules! all_axes {
    ($grid:expr, |$spec:ident, $axis:pat_param| $set:expr) => {{
        let (mut grid, mut i) = ($grid, 0);
        while i < A {
            let ($spec, $axis) = (grid.axes[i], i);
            grid.axes[i] = $set;
            i += 1;
        }
        grid
    }};
}

impl<'a, const A: usize> Grid<'a, A> {
    /// Sets the position of point 0 of each axis (default: 0), as [`Spec::start`](crate::Spec::start) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let crop = Grid::new([16, 16], 64).start([24, 24]); // from the middle of a grid of 64 x 64
    /// # assert!(crop.check::<f32>().is_ok());
    /// ```
    pub const fn start(self, start: [i64; A]) -> Self {
        all_axes!(self, |spec, i| spec.start(start[i]))
    }

    /// Sets the distance between the points of each axis (default: 1), as [`Spec::step`](crate::Spec::step) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let n: i64 = 14;
    /// let centred = Grid::new([14, 14], 64).start([1 - n; 2]).step([2; 2]).unit([(1, n - 1); 2]); // from -1 to 1
    /// # assert!(centred.check::<f32>().is_ok());
    /// ```
    pub const fn step(self, step: [i64; A]) -> Self {
        all_axes!(self, |spec, i| spec.step(step[i]))
    }

    /// Sets the base of the frequencies of each axis (default: 10,000), as [`Spec::base`](crate::Spec::base) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let dab_detr = Grid::preset(GridPreset::DetrNormalized, [28, 40], 256).base([20.0; 2]);
    /// # assert!(dab_detr.check::<f32>().is_ok());
    /// ```
    #[doc(alias("temperature", "temperatureH", "temperatureW"))]
    pub const fn base(self, base: [f64; A]) -> Self {
        all_axes!(self, |spec, i| spec.base(base[i]))
    }

    /// Sets the shift of the exponents of each axis (default: 0), as [`Spec::freq_shift`](crate::Spec::freq_shift) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let big_vision = Grid::new([14, 14], 768).first([1, 0]).freq_shift([1.0; 2]);
    /// # assert!(big_vision.check::<f32>().is_ok());
    /// ```
    pub const fn freq_shift(self, freq_shift: [f64; A]) -> Self {
        all_axes!(self, |spec, i| spec.freq_shift(freq_shift[i]))
    }

    /// Sets the unit of the positions of each axis (default: `(1, 1)`), an exact quotient as for [`Spec::unit`](crate::Spec::unit).
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
        all_axes!(self, |spec, i| spec.unit(unit[i].0, unit[i].1))
    }

    /// Sets the unit of each axis so that its `n` points are `numerator / denominator / n` apart.
    ///
    /// All shapes then cover the same positions, from 0 to below the quotient. In `PixArt` and diffusers it is
    /// `base_size / interpolation_scale`. This replaces [`unit`](Self::unit) if it is already set, and a later `unit`
    /// replaces this.
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
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[doc(alias("base_size", "interpolation_scale", "lewei_scale", "grid_size"))]
    pub const fn extent(mut self, numerator: i64, denominator: i64) -> Self {
        self.extent = Extent::Set(numerator, denominator);
        self
    }

    /// Sets the frequencies of each axis, in radians per position, as [`Spec::frequencies`](crate::Spec::frequencies) does.
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
        let grid: Grid<'b, A> = self;
        all_axes!(grid, |spec, i| spec.frequencies(frequencies[i]))
    }

    /// Sets the positions of the points of each axis, one per point, if they are not equally spaced.
    ///
    /// An axis with an empty list keeps its [`start`](Self::start) and [`step`](Self::step). [`unit`](Self::unit) and
    /// [`scale`](Self::scale) still multiply the angles.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let frames = [0.0, 7.0];
    /// let video = Grid::new([2, 30, 52], 96).positions([&frames, &[], &[]]);
    /// # assert!(video.check::<f32>().is_ok());
    /// ```
    #[doc(alias("frame_indices"))]
    pub const fn positions<'b>(self, positions: [&'b [f64]; A]) -> Grid<'b, A>
    where
        'a: 'b,
    {
        let mut grid: Grid<'b, A> = self;
        grid.positions = positions;
        grid
    }

    /// Adds an exact quotient to the index of each frequency of each axis (default: `(0, 1)`), as
    /// [`Spec::freq_offset`](crate::Spec::freq_offset) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let one_progression = Grid::new([16, 16], 64).freq_offset([(0, 1), (1, 2)]);
    /// # assert!(one_progression.check::<f32>().is_ok());
    /// ```
    pub const fn freq_offset(self, freq_offset: [(i64, i64); A]) -> Self {
        all_axes!(self, |spec, i| spec.freq_offset(freq_offset[i].0, freq_offset[i].1))
    }

    /// Sets what the frequencies of all axes are rounded to (default: not rounded), as
    /// [`Spec::frequency_dtype`](crate::Spec::frequency_dtype) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// use posenc::FrequencyDtype;
    ///
    /// let grid = Grid::new([16, 16], 64).frequency_dtype(FrequencyDtype::Bf16);
    /// # assert!(grid.check::<f32>().is_ok());
    /// ```
    pub const fn frequency_dtype(self, frequency_dtype: FrequencyDtype) -> Self {
        all_axes!(self, |spec, _| spec.frequency_dtype(frequency_dtype))
    }

    /// Sets the rule that changes the frequencies of each axis (default: [none](Scaling::None)).
    ///
    /// A rule with an attention factor other than 1 is an error, because the factors of the axes would differ.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Scaling};
    /// let grid = Grid::new([4, 8, 8], 96).scaling([Scaling::ntk(2.0), Scaling::None, Scaling::None]);
    /// # assert!(grid.check::<f32>().is_ok());
    /// ```
    #[doc(alias("rope_scale"))]
    pub const fn scaling<'b>(self, scaling: [Scaling<'b>; A]) -> Grid<'b, A>
    where
        'a: 'b,
    {
        let grid: Grid<'b, A> = self;
        all_axes!(grid, |spec, i| spec.scaling(scaling[i]))
    }

    /// Sets which functions of the angles the table has (default: [both](Columns::Both)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Grid};
    /// let mut row = [0.0f32; 2];
    /// Grid::new([2, 2], 2).columns(Columns::Cos).fill(1.., &mut row)?; // point (0, 1)
    /// assert_eq!(row, [1.0, 0.540_302_3]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn columns(self, columns: Columns) -> Self {
        all_axes!(self, |spec, _| spec.columns(columns))
    }

    /// Sets how columns are repeated (default: [not at all](Repeat::None)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Columns, Grid, Repeat};
    /// let cos = Grid::new([2, 2], 4).columns(Columns::Cos);
    /// let mut row = [0.0f32; 4];
    /// cos.repeat(Repeat::Halves).fill(1.., &mut row)?; // point (0, 1)
    /// assert_eq!(row, [1.0, 0.540_302_3, 1.0, 0.540_302_3]);
    /// cos.repeat(Repeat::AxisHalves).fill(1.., &mut row)?;
    /// assert_eq!(row, [1.0, 1.0, 0.540_302_3, 0.540_302_3]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn repeat(self, repeat: Repeat) -> Self {
        all_axes!(self, |spec, _| spec.repeat(repeat))
    }

    /// Sets a factor applied to all angles (default: 1), as [`Spec::scale`](crate::Spec::scale) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let turns = Grid::new([16, 16], 64).extent(1, 1).scale(std::f64::consts::TAU); // from 0 to below a turn
    /// # assert!(turns.check::<f32>().is_ok());
    /// ```
    pub const fn scale(self, scale: f64) -> Self {
        all_axes!(self, |spec, _| spec.scale(scale))
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
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn order(self, order: Order) -> Self {
        all_axes!(self, |spec, _| spec.order(order))
    }

    /// Sets a factor applied to all entries (default: 1).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let mut row = [0.0f32; 4];
    /// Grid::new([2, 2], 4).amplitude(0.5).fill(0.., &mut row)?;
    /// assert_eq!(row, [0.0, 0.5, 0.0, 0.5]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn amplitude(self, amplitude: f64) -> Self {
        all_axes!(self, |spec, _| spec.amplitude(Amplitude::Value(amplitude)))
    }

    /// Sets the quantiser of tables of `i8`, `i16` and `u8`, as [`Spec::quantiser`](crate::Spec::quantiser) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, Quantiser};
    /// let grid = Grid::new([2, 2], 8).quantiser(Quantiser::quotient(1, 127));
    /// let table = grid.table::<i8>()?;
    /// assert_eq!(table[0], [0, 0, 127, 127, 0, 0, 127, 127]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[doc(alias("scale", "zero_point", "int8", "quantize"))]
    pub const fn quantiser(self, quantiser: Quantiser) -> Self {
        all_axes!(self, |spec, _| spec.quantiser(quantiser))
    }
}
