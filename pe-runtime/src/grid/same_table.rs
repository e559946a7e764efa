//! Whether two grids make the same table, as far as their parameters show.

use crate::grid::Grid;
use crate::grid::parameters::GridParameters;
use crate::grid::places::Places;
use crate::grid::row_order::MAX_AXES;
use crate::plan::placement::Placement;
use crate::spec::Spec;

impl<const A: usize> Grid<'_, A> {
    /// Returns whether both grids make the same table, bit for bit.
    ///
    /// If `true`, the tables are the same for every element type, and both grids are rejected in the same cases.
    ///
    /// `==` compares the parameters as set. This method compares the table of each axis, as
    /// [`Spec::is_same_table`](crate::Spec::is_same_table) does, and the columns that it fills. So it ignores how the widths
    /// and the units are given, and how a single axis is nested. `false` does not prove that the tables differ. Grids that
    /// make no table of any element type are the same only if every parameter is, apart from those that `Spec::is_same_table`
    /// ignores.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let (equal, given) = (Grid::new([14, 14], 768), Grid::new([14, 14], 768).widths([384, 384]));
    /// assert_ne!(equal, given);
    /// assert!(equal.is_same_table(&given));
    /// assert!(equal.extent(7, 1).is_same_table(&equal.unit([(1, 2); 2])));
    /// assert!(!equal.is_same_table(&equal.first([1, 0])));
    /// ```
    #[must_use]
    pub fn is_same_table(&self, other: &Grid<'_, A>) -> bool {
        match (self.accepted(), other.accepted()) {
            (Some((axes, columns)), Some((of_other, columns_of_other))) => {
                (self.shape, self.d_model, self.zero_rows) == (other.shape, other.d_model, other.zero_rows)
                    && (self.identity_rows, self.merge) == (other.identity_rows, other.merge)
                    && self.positions == other.positions
                    && columns == columns_of_other
                    && are_same(&axes, &of_other)
            }
            (None, None) => self.is_beside_axes(other) && are_same(&self.axes, &other.axes),
            _ => false,
        }
    }

    /// Returns the table of each axis and of the identity columns, and the first column of each, the length of the runs that
    /// stay side by side and the distance of these runs, or `None` if no element type has such a table.
    fn accepted(&self) -> Option<([Spec<'_>; MAX_AXES], [[usize; 3]; MAX_AXES])> {
        let floats = Self { axes: self.axes.map(Spec::without_quantiser), ..*self };
        let Places { axes, widths, .. } = floats.lower::<f64>().ok()?.grid;
        let places = self.places(self.resolved_widths().ok()?);
        let mut tables = [Spec::new(2); MAX_AXES];
        let mut columns = [[0; 3]; MAX_AXES];
        for (i, &width) in widths[..axes].iter().enumerate().filter(|(_, width)| **width > 0) {
            tables[i] = if i < A { self.axis_of_width(i, width) } else { self.identity_of_width(width) };
            let Placement { first, run, stride, .. } = places.placement(i, 0);
            columns[i] = if run == stride || run >= width { [first, width, width] } else { [first, run, stride] };
        }
        Some((tables, columns))
    }

    /// Returns whether all parameters except the per-axis ones are the same.
    fn is_beside_axes(&self, other: &Grid<'_, A>) -> bool {
        // Without `..`: whether a further parameter is one of the axes has to be decided.
        fn beside<'a, const A: usize>(grid: &Grid<'a, A>) -> GridParameters<'a, A> {
            let plain = Grid::new(grid.shape, grid.d_model).parameters();
            let GridParameters {
                shape,
                d_model,
                first,
                nest,
                widths,
                rest,
                zero_rows,
                identity_rows,
                merge,
                positions,
                extent,
                frequencies: _,
                freq_offset: _,
                scaling: _,
                frequency_dtype: _,
                start: _,
                step: _,
                unit: _,
                order: _,
                columns: _,
                repeat: _,
                scale: _,
                amplitude: _,
                quantiser: _,
            } = grid.parameters();
            let plain = GridParameters { positions, extent, ..plain };
            GridParameters { shape, d_model, first, nest, widths, rest, zero_rows, identity_rows, merge, ..plain }
        }
        beside(self) == beside(other) && self.refusing() == other.refusing()
    }
}

/// Returns whether another grid makes the same tables.
fn are_same(one: &[Spec], other: &[Spec]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.is_same_table(other))
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::grid::preset::GridPreset;
    use crate::properties;
    use crate::spec::choices::{Columns, FrequencyDtype, Order, Repeat};
    use crate::spec::grid_choices::{Nest, Rest};
    use crate::spec::quantiser::Quantiser;

    #[test]
    fn what_changes_no_entry_is_left_out() {
        let grid = Grid::new([2, 3], 8);
        let preset = |preset| Grid::preset(preset, [2, 3, 2], 16);
        assert!(preset(GridPreset::VJepa).is_same_table(&Grid::new([2, 3, 2], 16).widths([8, 4, 4])));
        let line = Grid::new([3], 8);
        assert!(line.nest(Nest::Phases).is_same_table(&line) && !line.nest(Nest::Pairs).is_same_table(&line));
        assert!(line.nest(Nest::Frequencies).is_same_table(&line.nest(Nest::Pairs)));
        let narrow = Grid::new([2, 3], 4);
        let same = std::vec![
            (grid, grid.widths([4, 4]).rest(Rest::Cut)),
            (grid.extent(2, 3), grid.unit([(1, 3), (2, 9)])),
            (narrow, narrow.nest(Nest::Pairs).base([3.0; 2])),
            (grid.scale(0.0), grid.scale(-0.0).base([3.0; 2])),
            // Neither makes a table.
            (grid.scale(f64::NAN), grid.scale(f64::NAN)),
            (Grid::new([2, 3], 7), Grid::new([2, 3], 7)),
        ];
        for (one, other) in same {
            assert!(one.is_same_table(&other) && other.is_same_table(&one), "{one} {other}");
        }
    }

    #[test]
    fn what_changes_an_entry_or_what_is_refused_counts() {
        let (grid, square) = (Grid::new([2, 3], 8), Grid::new([2, 2], 8));
        let sd3 = Grid::preset(GridPreset::Sd3, [1, 193], 8);
        let different = std::vec![
            (grid, square),
            (grid, Grid::new([2, 3], 12)),
            (grid, grid.first([1, 0])),
            (grid, grid.zero_rows(1)),
            (grid, grid.identity_rows(1)),
            (grid, grid.frequency_dtype(FrequencyDtype::Bf16)),
            (grid.zero_rows(1), grid.identity_rows(1)),
            (grid.identity_rows(1), grid.identity_rows_after(1)),
            (Grid::new([2, 4], 8), Grid::new([2, 4], 8).merge(2)),
            (grid, grid.positions([&[0.0, 2.0], &[]])),
            (grid, grid.freq_offset([(1, 2), (0, 1)])),
            (grid.widths([2, 4]).rest(Rest::Identity), grid.widths([2, 4]).rest(Rest::IdentityFirst)),
            (grid.widths([2, 4]).rest(Rest::Identity), grid.widths([2, 4]).rest(Rest::Zero)),
            (grid, grid.nest(Nest::Phases)),
            (grid, grid.nest(Nest::Pairs)),
            (grid.nest(Nest::Pairs), grid.nest(Nest::Frequencies)),
            (grid, grid.start([0, 1])),
            (grid, grid.quantiser(Quantiser::new(0.5))),
            (grid.widths([2, 6]), grid.widths([6, 2])),
            (Grid::new([2, 3], 7), Grid::new([2, 3], 9)),
            (Grid::new([2, 3], 7), Grid::new([2, 3], 7).zero_rows(1)),
            (Grid::preset(GridPreset::CogVideoX, [2, 3], 8), grid),
            (sd3, sd3.start([96, 0])),
        ];
        for (one, other) in different {
            assert!(!one.is_same_table(&other) && !other.is_same_table(&one), "{one} {other}");
        }
    }

    /// Draws each parameter from a few values, so that two grids often share them. The first value is drawn about half the
    /// time.
    fn grid(drawn: [u8; 20]) -> Grid<'static, 2> {
        fn one<T: Copy>(of: &[T], drawn: u8) -> T {
            of[usize::from(drawn.saturating_sub(128)) % of.len()]
        }
        let mut grid = Grid::new(one(&[[2, 2], [2, 1], [0, 2], [1, 1]], drawn[0]), one(&[8, 4, 6, 12], drawn[1]))
            .first(one(&[[0, 1], [1, 0], [0, 0]], drawn[2]))
            .nest(one(Nest::ALL, drawn[3]))
            .rest(one(Rest::ALL, drawn[4]))
            .zero_rows(one(&[0, 1], drawn[5]))
            .base(one(&[[10_000.0; 2], [1.0; 2], [3.0, 10_000.0]], drawn[6]))
            .start(one(&[[0, 0], [0, 1]], drawn[7]))
            .unit(one(&[[(1, 1); 2], [(1, 2), (1, 2)], [(2, 4), (1, 0)]], drawn[8]))
            .scale(one(&[1.0, 0.0, -0.0], drawn[9]))
            .order(one(Order::ALL, drawn[10]))
            .columns(one(Columns::ALL, drawn[12]))
            .repeat(one(Repeat::ALL, drawn[13]))
            .merge(one(&[1, 2], drawn[14]))
            .identity_rows(one(&[0, 1], drawn[15]))
            .identity_rows_after(one(&[0, 1], drawn[16]))
            .freq_offset(one(&[[(0, 1); 2], [(0, 1), (1, 2)], [(0, 1), (2, 4)]], drawn[17]))
            .frequency_dtype(one(FrequencyDtype::ALL, drawn[19]))
            .positions(one(&[[&[]; 2], [&[], &[0.0, 1.0]], [&[], &[0.0, 1.5]]], drawn[18]));
        if let Some(widths) =
            one(&[None, Some([4, 4]), Some([2, 6]), Some([2, 2]), Some([6, 6]), Some([0, 8])], drawn[11])
        {
            grid = grid.widths(widths);
        }
        if drawn[11] % 8 == 0 { grid.extent(1, 1) } else { grid }
    }

    fn bits(grid: &Grid<'_, 2>) -> Option<Vec<u64>> {
        let table = grid.table::<f64>().ok()?;
        Some(table.as_slice().iter().map(|entry| entry.to_bits()).collect())
    }

    properties! {
        #![cases(10_000)]

        #[test]
        fn grids_that_are_the_same_make_the_same_entries(drawn: [u8; 20], other: [u8; 20], changed: [u8; 20]) {
            let mut other = other;
            for i in 0..drawn.len() {
                other[i] = if changed[i] < 40 { other[i] } else { drawn[i] };
            }
            let (one, other) = (grid(drawn), grid(other));
            if one.is_same_table(&other) {
                prop_assert_eq!(bits(&one), bits(&other), "{} {}", one, other);
            }
            prop_assert!(one.is_same_table(&one) && one.is_same_table(&other) == other.is_same_table(&one));
        }
    }
}
