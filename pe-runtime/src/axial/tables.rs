//! Computes the two tables of an axial rotary embedding.

use crate::axial::AxialRope;
use crate::axial::error::AxialError;
use crate::element::Element;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::rope::Rope;
use crate::rope::error::RopeError;
#[cfg(feature = "alloc")]
use crate::rope::tables::CosSin;
use crate::spec::choices::Packing;
use crate::spec::position::Position;
#[cfg(feature = "alloc")]
use crate::table::Table;
use crate::table::row_range::RowRange;

impl<'a, const A: usize> AxialRope<'a, A> {
    /// Checks the parameters for tables of `T`.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter is out of range, if two parameters exclude each other, or if the positions of an axis
    /// are out of range.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// assert!(AxialRope::new([14, 14], 64).check::<f32>().is_ok());
    /// assert_eq!(
    ///     AxialRope::new([14, 14], 66).check::<f32>().unwrap_err().to_string(),
    ///     "the number of rotated columns is 66, but 2 axes need a multiple of 4; use 64 or 68, or set `rotary_dim`, `widths` \
    ///      or `rest = identity`",
    /// );
    /// ```
    pub const fn check<T: Element>(&self) -> Result<(), AxialError> {
        match try_const!(self.packed(Packing::Cos)).check::<T>() {
            Ok(()) => Ok(()),
            Err(error) => Err(self.error(error)),
        }
    }

    /// Returns the error of a table in the terms of this one.
    pub(super) const fn error(&self, error: GridError) -> AxialError {
        AxialError::of_table(error, self.is_repeated())
    }

    /// Returns the rotary cache of axis `i`, counted in the order of the shape.
    ///
    /// It has a row for each point along this axis, unless the points are a [list](Self::positions), and the columns of
    /// a head that the axis rotates.
    ///
    /// # Errors
    ///
    /// Returns an error if the widths do not fit the head, or if the preset has other axes. The other parameters are checked
    /// when the table is made.
    ///
    /// # Panics
    ///
    /// Panics if there is no such axis.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let rope = AxialRope::preset(AxialPreset::QwenImage, [1, 17, 24], 128);
    /// assert_eq!(rope.axis(1)?.macro_call(17).to_string(), "rotary_table!(17, 56, start = -9)");
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    pub const fn axis(&self, i: usize) -> Result<Rope<'a>, AxialError> {
        assert!(i < A, "the table has no such axis");
        let widths = try_const!(self.resolved_widths());
        Ok(Rope::of_axis(self.grid.axis_of_width(i, widths[i])))
    }

    /// Returns the tables of cosines and of sines, each of shape `(rows, rotary_dim / 2)`.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if a table is larger than the address space, or if
    /// allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let rope = AxialRope::preset(AxialPreset::Wan, [13, 30, 52], 128).table::<f32>()?;
    /// assert_eq!(rope.cos.shape(), (13 * 30 * 52, 64));
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn table<T: Element>(&self) -> Result<CosSin<Table<T>>, AxialError> {
        self.both(|grid| grid.table())
    }

    /// Returns the same tables as [`table`](Self::table), assembled on all threads of rayon's pool.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`table`](Self::table).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([30, 45], 64);
    /// assert_eq!(rope.par_table::<f64>()?, rope.table()?);
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_table<T: Element>(&self) -> Result<CosSin<Table<T>>, AxialError> {
        self.both(|grid| grid.par_table())
    }

    #[cfg(feature = "alloc")]
    fn both<X>(&self, make: impl Fn(Grid<'a, A>) -> Result<X, GridError>) -> Result<CosSin<X>, AxialError> {
        let one = |packing| make(self.packed(packing)?).map_err(|error| self.error(error));
        Ok(CosSin { cos: one(Packing::Cos)?, sin: one(Packing::Sin)? })
    }

    /// Writes the given rows to two buffers of the same length, as [`Grid::fill`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if the length of a buffer does not match the
    /// rows, or if the table does not have all of them. On error both buffers are left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([8, 12], 64);
    /// let (mut cos, mut sin) = ([0.0f32; 12 * 32], [0.0f32; 12 * 32]);
    /// rope.fill(12..24, &mut cos, &mut sin)?; // the second line
    /// assert_eq!(sin[0], 0.841_470_96);
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    pub fn fill<T: Element>(
        &self,
        rows: impl RowRange + Clone,
        cos: &mut [T],
        sin: &mut [T],
    ) -> Result<(), AxialError> {
        let [of_cos, of_sin] = self.grids(cos.len(), sin.len())?;
        of_cos.fill(rows.clone(), cos).map_err(|error| self.error(error))?;
        of_sin.fill(rows, sin).map_err(|error| self.error(error))
    }

    /// Writes the row of one point, whose coordinates may be any integers or finite floats, to two buffers.
    ///
    /// [`start`](Self::start), [`step`](Self::step) and [`positions`](Self::positions) are ignored, because they apply to the
    /// points of the shape. [`unit`](Self::unit) and [`scale`](Self::scale) still multiply the angles.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if a coordinate is out of range, or if a
    /// buffer is not as long as one row. On error both buffers are left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let (mut cos, mut sin) = ([0.0f32; 2], [0.0f32; 2]);
    /// AxialRope::new([14, 14], 4).encode([0.5, -1.0], &mut cos, &mut sin)?;
    /// assert_eq!(sin, [0.479_425_55, -0.841_470_96]);
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    pub fn encode<T: Element>(
        &self,
        point: [impl Position + Copy; A],
        cos: &mut [T],
        sin: &mut [T],
    ) -> Result<(), AxialError> {
        let [of_cos, of_sin] = self.grids(cos.len(), sin.len())?;
        of_cos.encode(point, cos).map_err(|error| self.error(error))?;
        of_sin.encode(point, sin).map_err(|error| self.error(error))
    }

    /// Writes the rows of `points` to two buffers, each of shape `(points.len(), rotary_dim / 2)`.
    ///
    /// The shape is ignored, so these may be the position ids of any tokens.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if a coordinate is not finite, or if a buffer
    /// does not have one row for each point. On error both buffers are left unchanged.
    ///
    /// # Examples
    ///
    /// Flux has its text at the origin, before the patches of the image:
    ///
    /// ```
    /// # use posenc::{AxialPreset, AxialRope};
    /// let ids = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    /// let (mut cos, mut sin) = ([0.0f32; 3 * 64], [0.0f32; 3 * 64]);
    /// AxialRope::preset(AxialPreset::Flux, [1, 32, 48], 128).fill_points(&ids, &mut cos, &mut sin)?;
    /// assert_eq!((cos[64], sin[2 * 64 + 36]), (1.0, 0.841_470_96));
    /// # Ok::<(), posenc::AxialError>(())
    /// ```
    #[doc(alias("img_ids", "position_ids"))]
    pub fn fill_points<T: Element>(&self, points: &[[f64; A]], cos: &mut [T], sin: &mut [T]) -> Result<(), AxialError> {
        let [of_cos, of_sin] = self.grids(cos.len(), sin.len())?;
        of_cos.fill_points(points, cos).map_err(|error| self.error(error))?;
        of_sin.fill_points(points, sin).map_err(|error| self.error(error))
    }

    /// Returns the grids of both tables for buffers of these lengths. If one of equal buffers can be written, so can the other.
    fn grids(&self, cos: usize, sin: usize) -> Result<[Grid<'a, A>; 2], AxialError> {
        let grids = [self.packed(Packing::Cos)?, self.packed(Packing::Sin)?];
        if cos == sin { Ok(grids) } else { Err(RopeError::SinLength { cos, sin }.into()) }
    }
}
