//! Adds the rows of a grid to embeddings, or concatenates the two, without the grid in memory.

use core::ops::AddAssign;

use crate::element::Element;
use crate::element::slot::Slot;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::places::{Kinds, Places};
use crate::grid::plans::Lowered;
use crate::grid::row_order::MAX_AXES;
use crate::grid::tables::AxisRows;
use crate::plan::positions::Points;
use crate::spec::error::SpecError;
use crate::table::embeddings::{check_embeddings, check_out};

impl<const A: usize> Grid<'_, A> {
    /// Adds the table to `embeddings`, of shape `(batch, rows, d_model)`, in place.
    ///
    /// The method computes only the tables of the axes and adds their entries: for `CogVideoX` 2B these tables take
    /// 0.24 MB, while the grid would take 135 MB. See [`embeddings::add`](crate::embeddings::add) for details.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if the length of `embeddings` is not a multiple of
    /// `rows * d_model`, or if allocation fails. On error the embeddings are left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let grid = Grid::preset(GridPreset::Mae, [14, 14], 64);
    /// let mut patches = vec![0.0f32; 2 * 196 * 64]; // two images
    /// grid.add(&mut patches)?;
    /// assert_eq!(patches[196 * 64..], *grid.table::<f32>()?.as_slice());
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub fn add<T: Element + AddAssign>(&self, embeddings: &mut [T]) -> Result<(), GridError> {
        let lowered = self.lower::<T>()?;
        let grid = &lowered.grid;
        check_embeddings(embeddings.len(), grid.rows, grid.d_model)?;
        if embeddings.is_empty() {
            return Ok(());
        }
        let [axes, identity] = all_rows(&lowered)?;
        for (i, token) in embeddings.chunks_exact_mut(grid.d_model).enumerate() {
            let mut rest = token;
            if let Some((point, is_identity)) = grid.point_of_row(i % grid.rows) {
                let rows = if is_identity { &identity } else { &axes };
                rows.for_each_part(point, |part| {
                    let (here, after) = core::mem::take(&mut rest).split_at_mut(part.len());
                    for (x, &encoding) in here.iter_mut().zip(part) {
                        *x += encoding;
                    }
                    rest = after;
                });
            }
            add_to_all(rest, axes.zero);
        }
        Ok(())
    }

    /// Concatenates each embedding with its row of the table, and writes the result to `out`.
    ///
    /// `embeddings` is of shape `(batch, rows, width)`, and `out` is of shape `(batch, rows, width + d_model)`. The rows are
    /// copied from the tables of the axes. See [`embeddings::concat`](crate::embeddings::concat).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`add`](Self::add), with `width` in place of `d_model` in the length of `embeddings`, and an
    /// error if the length of `out` does not match its shape. On error `out` is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let grid = Grid::new([2, 3], 8);
    /// let (x, mut out) = ([0.5f32; 6 * 2], [0.0; 6 * (2 + 8)]);
    /// grid.concat(&x, 2, &mut out)?;
    /// assert_eq!(out[10..12], [0.5; 2]);
    /// assert_eq!(out[12..20], grid.table::<f32>()?[1]);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub fn concat<T: Element>(&self, embeddings: &[T], width: usize, out: &mut [T]) -> Result<(), GridError> {
        let lowered = self.lower::<T>()?;
        let Places { d_model, rows, .. } = lowered.grid;
        check_embeddings(embeddings.len(), rows, width)?;
        check_out(embeddings.len(), width, d_model, out.len())?;
        if embeddings.is_empty() {
            return Ok(());
        }
        let [axes, identity] = all_rows(&lowered)?;
        let tokens = embeddings.chunks_exact(width).zip(out.chunks_exact_mut(width + d_model));
        for (i, (token, out)) in tokens.enumerate() {
            let (embedding, encoding) = out.split_at_mut(width);
            embedding.copy_from_slice(token);
            match lowered.grid.point_of_row(i % rows) {
                Some((point, is_identity)) => {
                    let rows = if is_identity { &identity } else { &axes };
                    rows.write_row(point, Slot::of(encoding));
                }
                None => encoding.fill(axes.zero),
            }
        }
        Ok(())
    }
}

/// Adds the entry for zero, which makes zeros of either sign positive, as adding the table does.
fn add_to_all<T: Element + AddAssign>(entries: &mut [T], zero: T) {
    for x in entries {
        *x += zero;
    }
}

impl Places {
    /// Returns the point of a row and whether it is an identity row, at point 0, or `None` for a row of zeros.
    fn point_of_row(&self, row: usize) -> Option<([usize; MAX_AXES], bool)> {
        match self.kinds(row, 1) {
            Kinds { zeros: 1, .. } => None,
            Kinds { points: 1, first_point, .. } => Some((self.order.point(first_point), false)),
            _ => Some(([0; MAX_AXES], true)),
        }
    }
}

/// Returns the rows of all axes, and the identity row.
fn all_rows<'g, T: Element>(lowered: &'g Lowered<T>) -> Result<[AxisRows<'g, T>; 2], GridError> {
    let grid = &lowered.grid;
    let entries = (0..grid.axes).map(|axis| grid.shape[axis].saturating_mul(grid.widths[axis]));
    let bytes = entries.fold(0, usize::saturating_add).saturating_mul(size_of::<T>());
    let axes = AxisRows::new(lowered, grid.shape.map(|count| (0, count)));
    let rows = axes.zip(AxisRows::of_points(lowered, Points::ORIGIN)).ok_or(SpecError::OutOfMemory { bytes })?;
    Ok(rows.into())
}
