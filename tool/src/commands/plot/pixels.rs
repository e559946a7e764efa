//! Divides a table into the pixels of a picture.

use fastrand::Rng;

/// The rows or columns of a table, and the pixels along them.
///
/// A long axis has blocks of several entries, one for each pixel. A short one has several pixels for each entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    /// The number of entries.
    pub(crate) len: usize,
    /// Entries of a block. The last block may have fewer.
    pub(crate) block: usize,
    /// Pixels of a block.
    pub(crate) zoom: usize,
}

impl Axis {
    /// Divides `len` entries into at most `most` blocks. Neither is zero.
    fn blocks(len: usize, most: usize) -> Self {
        Self { len, block: len.div_ceil(most), zoom: 1 }
    }

    /// Returns the axis with the most pixels per block for which there is room.
    pub(crate) fn filling(self, room: usize) -> Self {
        Self { zoom: (room / self.cells()).max(1), ..self }
    }

    /// Returns the axis with the fewest pixels per block that make it this long.
    pub(crate) fn reaching(self, length: usize) -> Self {
        Self { zoom: length.div_ceil(self.cells()), ..self }
    }

    /// Returns the number of blocks.
    pub(crate) fn cells(self) -> usize {
        self.len.div_ceil(self.block)
    }

    /// Returns the number of pixels.
    pub(crate) fn pixels(self) -> usize {
        self.cells() * self.zoom
    }

    /// Returns at most `most` entries at round numbers, at least one, each with its first pixel.
    pub(crate) fn ticks(self, most: usize) -> impl Iterator<Item = (usize, usize)> {
        let least = self.len.div_ceil(most);
        let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| 10_usize.saturating_pow(power).saturating_mul(digit)));
        let step = steps.into_iter().find(|&step| step >= least).unwrap_or(usize::MAX);
        (0..self.len).step_by(step).map(move |entry| (entry, entry / self.block * self.zoom))
    }
}

/// What a pixel shows of the entries of its block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fold {
    Mean,
    Largest,
}

/// The blocks of a table.
pub(crate) struct Pixels {
    pub(crate) rows: Axis,
    pub(crate) columns: Axis,
    pub(crate) fold: Fold,
    /// The largest absolute value of a finite entry.
    pub(crate) limit: f64,
    /// The rows of a block that are added: all of them, or else a sample.
    pub(crate) sample: usize,
    /// A value for each block, not finite if one of its entries is not.
    values: Vec<f64>,
    /// The rows that have been added.
    added: usize,
}

impl Pixels {
    /// Divides a table of this shape into at most so many blocks.
    ///
    /// A block of several columns has an even number of them, so that it does not separate sines from their cosines.
    pub(crate) fn new([rows, columns]: [usize; 2], most: [usize; 2], fold: Fold) -> Self {
        let (rows, mut columns) = (Axis::blocks(rows, most[0]), Axis::blocks(columns, most[1]));
        if columns.block > 1 {
            columns.block = columns.block.next_multiple_of(2);
        }
        let values = vec![0.0; rows.cells() * columns.cells()];
        Self { rows, columns, fold, limit: 0.0, sample: rows.block, values, added: 0 }
    }

    /// Returns the pixels with a sample of at most so many rows of each block.
    pub(crate) fn sampled(self, most: usize) -> Self {
        Self { sample: most.min(self.rows.block), ..self }
    }

    /// Returns the rows of the samples: in each block, one from each of as many parts of it.
    ///
    /// It is at random, because rows at equal distances would show waves that are not in the table.
    pub(crate) fn sampled_rows(&self) -> Vec<usize> {
        let Axis { len, block, .. } = self.rows;
        let mut random = Rng::with_seed(0);
        let mut sampled = Vec::with_capacity(self.rows.cells() * self.sample);
        for first in (0..len).step_by(block) {
            let rows = block.min(len - first);
            let count = self.sample.min(rows);
            // The product of `rows` and `i` could overflow.
            let part = |i: usize| first + rows / count * i + rows % count * i / count;
            sampled.extend((0..count).map(|i| random.usize(part(i)..part(i + 1))));
        }
        sampled
    }

    /// Adds the values of the next row, or of the next of the samples.
    pub(crate) fn add(&mut self, row: impl IntoIterator<Item = f64>) {
        let Axis { len, block, .. } = self.rows;
        let first = self.added / self.sample;
        let rows = self.sample.min(len - first * block);
        let cells = self.columns.cells();
        let line = &mut self.values[first * cells..][..cells];
        for (column, entry) in row.into_iter().enumerate() {
            let cell = column / self.columns.block;
            let columns = self.columns.block.min(self.columns.len - cell * self.columns.block);
            match self.fold {
                // Divided first, because the sum could overflow.
                Fold::Mean => line[cell] += entry / (rows * columns) as f64,
                Fold::Largest if entry.is_nan() || entry > line[cell] => line[cell] = entry,
                Fold::Largest => (),
            }
            if entry.is_finite() {
                self.limit = self.limit.max(entry.abs());
            }
        }
        self.added += 1;
    }

    /// Adds the entries of the next row, or of the next of the samples.
    pub(crate) fn add_row<T: Copy + Into<f64>>(&mut self, row: &[T]) {
        self.add(row.iter().map(|&entry| entry.into()));
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the value of a block.
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns.cells() + column]
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Fold, Pixels};

    #[test]
    fn blocks_and_zoom_fit() {
        for (len, most, block, cells, zoom) in
            [(10, 10, 1, 10, 1), (11, 10, 2, 6, 1), (3, 10, 1, 3, 3), (1, 1, 1, 1, 1)]
        {
            let axis = Axis::blocks(len, most).filling(most);
            assert_eq!((axis.block, axis.cells(), axis.zoom), (block, cells, zoom), "{len} {most}");
            assert!(axis.pixels() <= most);
        }
        assert_eq!(Axis::blocks(3, 9).reaching(10).pixels(), 12);
        assert_eq!(Pixels::new([9, 9], [3, 3], Fold::Mean).columns.block, 4);
    }

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |len, most| Axis::blocks(len, 10).ticks(most).collect::<Vec<_>>();
        assert_eq!(ticks(1, 1), [(0, 0)]);
        assert_eq!(ticks(10, 5), [(0, 0), (2, 2), (4, 4), (6, 6), (8, 8)]);
        assert_eq!(ticks(100, 3), [(0, 0), (50, 5)]);
        assert_eq!(ticks(usize::MAX, 1), [(0, 0)]);
    }

    #[test]
    fn a_sample_has_rows_from_all_parts_of_a_block() {
        let pixels = Pixels::new([usize::MAX, 1], [3, 1], Fold::Mean).sampled(4);
        let rows = pixels.sampled_rows();
        assert_eq!(rows.len(), 12);
        let part = usize::MAX / 12;
        assert!(rows.windows(2).all(|rows| (rows[1] - rows[0]).abs_diff(part) > 1), "at equal distances: {rows:?}");
        for (i, row) in rows.into_iter().enumerate() {
            assert!((part * i..=part * (i + 1)).contains(&row), "{i} {row}");
        }
        // A block may have fewer rows than a sample.
        assert_eq!(Pixels::new([15, 1], [3, 1], Fold::Mean).sampled(9).sampled_rows(), (0..15).collect::<Vec<_>>());
    }

    #[test]
    fn a_pixel_is_the_mean_of_its_sample() {
        // The last block has one row.
        let mut pixels = Pixels::new([13, 1], [4, 1], Fold::Mean).sampled(3);
        let rows = pixels.sampled_rows();
        assert_eq!((pixels.rows.block, rows.len()), (4, 10));
        for row in rows {
            pixels.add([(row / 4) as f64]);
        }
        assert_eq!(pixels.values, [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_block_is_the_mean_or_the_largest_of_its_entries() {
        let pixels = |fold| {
            let mut pixels = Pixels::new([3, 3], [2, 2], fold);
            for row in [[1.0, 2.0, 3.0], [5.0, 4.0, f64::NAN], [7.0, -f64::MAX, 8.0]] {
                pixels.add(row);
            }
            assert_eq!(pixels.limit, f64::MAX);
            pixels.values
        };
        let mean = pixels(Fold::Mean);
        assert_eq!([mean[0], mean[3]], [3.0, 8.0]);
        assert!(mean[1].is_nan() && mean[2].is_finite());
        let largest = pixels(Fold::Largest);
        assert_eq!([largest[0], largest[2], largest[3]], [5.0, 7.0, 8.0]);
        assert!(largest[1].is_nan());
    }
}
