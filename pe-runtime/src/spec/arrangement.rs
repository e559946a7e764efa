//! Which columns a frequency feeds, how many frequencies there are, and how their exponents are spaced.

use crate::spec::Spec;
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing, Repeat};
use crate::spec::values::Parameters;

/// How the columns of a table are arranged.
#[derive(Clone, Copy)]
pub(crate) struct Arrangement {
    /// The number of columns that the formula fills: all, or all except a last one of zeros.
    pub(crate) width: usize,
    pub(crate) layout: Layout,
    pub(crate) order: Order,
    pub(crate) columns: Columns,
    pub(crate) pairing: Pairing,
    pub(crate) repeat: Repeat,
}

/// The columns of the sine and of the cosine of one frequency.
///
/// [`Spec::sin_cos_columns`] returns them.
///
/// # Examples
///
/// ```
/// use posenc::{PairColumns, Spec};
///
/// let PairColumns { sin, cos, .. } = Spec::new(8).sin_cos_columns().next().unwrap();
/// assert_eq!((sin, cos), (Some(0), Some(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PairColumns {
    /// The column of the sine, if the table has it.
    pub sin: Option<usize>,
    /// The column of the cosine, if the table has it.
    pub cos: Option<usize>,
}

/// Columns in a row that all frequencies feed in order, starting with frequency 0.
///
/// Their functions are the same or alternate.
#[cfg(feature = "alloc")]
pub(crate) struct Run {
    /// The number of columns in a run. The last run may have fewer.
    pub(crate) columns: usize,
    /// Whether each frequency feeds two columns next to each other, or one.
    pub(crate) twice: bool,
}

impl Arrangement {
    /// Returns the number of columns that the formula fills: the last one of an odd `d_model` may be zeros.
    pub(crate) const fn width(d_model: usize, odd: Odd) -> usize {
        match odd {
            Odd::Zero => d_model - d_model % 2,
            Odd::LastSin | Odd::Reject => d_model,
        }
    }

    /// Returns the number of columns without those that repeat others.
    pub(crate) const fn width_of_one(&self) -> usize {
        if matches!(self.repeat, Repeat::None) { self.width } else { self.width / 2 }
    }

    /// Returns the number of columns of a frequency, without those that repeat them.
    pub(crate) const fn columns_of_frequency(&self) -> usize {
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => 2,
            (Columns::Both, Pairing::Unpaired) | (Columns::Sin | Columns::Cos, _) => 1,
        }
    }

    /// Returns the number of frequencies.
    pub(crate) const fn frequencies(&self) -> usize {
        self.width_of_one().div_ceil(self.columns_of_frequency())
    }

    /// Returns `(a, b)` such that frequency `i` has the exponent `i a / (b - 2 freq_shift)`.
    ///
    /// If `d_model` columns are in pairs, the exponent is `i / (d_model / 2 - freq_shift)`. Without pairs it is half of
    /// that. For columns of one kind it is the exponent of a table twice as wide, with pairs.
    pub(crate) const fn exponents(&self) -> (u64, u64) {
        let width = self.width_of_one() as u64;
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => (2, width),
            (Columns::Both, Pairing::Unpaired) => (1, width),
            (Columns::Sin | Columns::Cos, _) => (2, 2 * width),
        }
    }

    /// Returns the columns that frequency `i` feeds, without those that repeat them.
    #[inline]
    pub(crate) const fn pair_columns(&self, i: usize) -> PairColumns {
        self.columns_of(if matches!(self.repeat, Repeat::Pairs) { 2 * i } else { i })
    }

    /// Returns the columns that repeat the columns of frequency `i`.
    #[inline]
    pub(crate) const fn repeated_columns(&self, i: usize) -> PairColumns {
        match self.repeat {
            Repeat::None => PairColumns { sin: None, cos: None },
            Repeat::Halves | Repeat::AxisHalves => self.columns_of(self.frequencies() + i),
            Repeat::Pairs => self.columns_of(2 * i + 1),
        }
    }

    /// Returns the columns of pair `i`, counted with the repeated ones.
    #[inline]
    const fn columns_of(&self, i: usize) -> PairColumns {
        let (first, second) = match (self.columns, self.pairing) {
            (Columns::Sin, _) => return PairColumns { sin: Some(i), cos: None },
            (Columns::Cos, _) => return PairColumns { sin: None, cos: Some(i) },
            (Columns::Both, Pairing::Paired) => (self.column(2 * i), self.column(2 * i + 1)),
            (Columns::Both, Pairing::Unpaired) if i % 2 == 0 => (self.column(i), None),
            (Columns::Both, Pairing::Unpaired) => (None, self.column(i)),
        };
        match self.order {
            Order::SinCos => PairColumns { sin: first, cos: second },
            Order::CosSin => PairColumns { sin: second, cos: first },
        }
    }

    /// Returns the frequency that feeds a column, and whether the column is its cosine.
    ///
    /// This is the inverse of [`pair_columns`](Self::pair_columns) and [`repeated_columns`](Self::repeated_columns).
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) const fn source(&self, column: usize) -> (usize, bool) {
        // The column of the interleaved layout.
        let half = self.width.div_ceil(2);
        let j = match (self.columns, self.layout) {
            (Columns::Both, Layout::Halves) if column < half => 2 * column,
            (Columns::Both, Layout::Halves) => 2 * (column - half) + 1,
            _ => column,
        };
        let (i, is_cosine) = match (self.columns, self.pairing) {
            (Columns::Sin, _) => (j, false),
            (Columns::Cos, _) => (j, true),
            (Columns::Both, pairing) => {
                let is_second = j % 2 == 1;
                let is_cosine = is_second != matches!(self.order, Order::CosSin);
                (if matches!(pairing, Pairing::Paired) { j / 2 } else { j }, is_cosine)
            }
        };
        let frequency = match self.repeat {
            Repeat::None => i,
            Repeat::Halves | Repeat::AxisHalves if i < self.frequencies() => i,
            Repeat::Halves | Repeat::AxisHalves => i - self.frequencies(),
            Repeat::Pairs => i / 2,
        };
        (frequency, is_cosine)
    }

    /// Returns the runs of the columns, if all frequencies follow each other in them, and whole blocks of eight columns make
    /// all of them except the last.
    #[cfg(feature = "alloc")]
    pub(crate) const fn run(&self) -> Option<Run> {
        let once = self.width_of_one();
        let (columns, twice) = match (self.columns, self.pairing, self.layout, self.repeat) {
            (Columns::Sin | Columns::Cos, _, _, Repeat::Pairs) => (self.width, true),
            (Columns::Both, Pairing::Paired, Layout::Interleaved, Repeat::None | Repeat::Halves) => (once, true),
            (Columns::Sin | Columns::Cos, ..)
            | (Columns::Both, Pairing::Unpaired, Layout::Interleaved, Repeat::None | Repeat::Halves) => (once, false),
            (Columns::Both, Pairing::Paired, Layout::Halves, Repeat::None) => (self.width.div_ceil(2), false),
            _ => return None,
        };
        let is_whole = columns % 8 == 0 || columns == self.width;
        if is_whole && columns > 0 { Some(Run { columns, twice }) } else { None }
    }

    /// Returns the column at which column `j` of the interleaved layout is. The last pair may lack its second column.
    const fn column(&self, j: usize) -> Option<usize> {
        if j >= self.width {
            return None;
        }
        match self.layout {
            Layout::Interleaved => Some(j),
            Layout::Halves => Some(j / 2 + j % 2 * self.width.div_ceil(2)),
        }
    }
}

impl Spec<'_> {
    pub(crate) const fn arrangement(&self) -> Arrangement {
        let Parameters { d_model, layout, order, columns, pairing, repeat, odd, .. } = self.parameters;
        let repeat = if matches!(repeat, Repeat::AxisHalves) { Repeat::Halves } else { repeat };
        Arrangement { width: Arrangement::width(d_model, odd), layout, order, columns, pairing, repeat }
    }

    /// Returns the columns of the sine and of the cosine of each frequency, in the order of the frequencies.
    ///
    /// If frequencies fill their columns twice, the iterator returns the first columns only. It does not check the
    /// parameters, so the result has no meaning for a spec that cannot make a table.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Layout, Spec};
    /// let columns = |spec: Spec| spec.sin_cos_columns().map(|pair| (pair.sin, pair.cos)).collect::<Vec<_>>();
    /// assert_eq!(columns(Spec::new(4)), [(Some(0), Some(1)), (Some(2), Some(3))]);
    /// assert_eq!(columns(Spec::new(4).layout(Layout::Halves)), [(Some(0), Some(2)), (Some(1), Some(3))]);
    /// assert_eq!(columns(Spec::new(3)), [(Some(0), Some(1)), (Some(2), None)]); // an odd width ends in a sine
    /// ```
    pub fn sin_cos_columns(&self) -> impl Iterator<Item = PairColumns> + use<> {
        let arrangement = self.arrangement();
        (0..arrangement.frequencies()).map(move |i| arrangement.pair_columns(i))
    }
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::*;

    /// The columns in order, each as the letter of its function and the index of its frequency.
    fn drawn(spec: &Spec) -> String {
        let arrangement = spec.arrangement();
        let mut drawn = std::vec!["0".into(); spec.d_model()];
        for i in 0..arrangement.frequencies() {
            for PairColumns { sin, cos } in [arrangement.pair_columns(i), arrangement.repeated_columns(i)] {
                for (column, letter) in [(sin, 's'), (cos, 'c')] {
                    if let Some(column) = column {
                        assert_eq!(drawn[column], "0");
                        #[cfg(feature = "alloc")]
                        assert_eq!(arrangement.source(column), (i, letter == 'c'));
                        drawn[column] = std::format!("{letter}{i}");
                    }
                }
            }
        }
        drawn.join(" ")
    }

    #[test]
    fn repeated_columns_stand_where_frameworks_put_them() {
        use Columns::{Both, Cos, Sin};
        use Layout::{Halves, Interleaved};
        let cases = [
            (6, Cos, Interleaved, Repeat::Halves, "c0 c1 c2 c0 c1 c2"), // most models, `cat([freqs, freqs])`
            (6, Sin, Interleaved, Repeat::Pairs, "s0 s0 s1 s1 s2 s2"),  // Cohere, Flux, `repeat_interleave(2)`
            (8, Both, Halves, Repeat::Halves, "c0 c1 c0 c1 s0 s1 s0 s1"), // torchtune's Phi-3
            (8, Both, Interleaved, Repeat::Pairs, "c0 s0 c0 s0 c1 s1 c1 s1"), // burn
            (8, Both, Halves, Repeat::Pairs, "c0 c0 c1 c1 s0 s0 s1 s1"),
            (8, Both, Interleaved, Repeat::Halves, "c0 s0 c1 s1 c0 s0 c1 s1"),
        ];
        for (d_model, columns, layout, repeat, expected) in cases {
            let spec = Spec::new(d_model).columns(columns).layout(layout).repeat(repeat);
            assert_eq!(drawn(&if columns == Both { spec.order(Order::CosSin) } else { spec }), expected);
        }
    }

    #[test]
    fn columns_stand_where_their_names_say() {
        use Layout::{Halves, Interleaved};
        use Order::{CosSin, SinCos};
        use Pairing::{Paired, Unpaired};
        let cases = [
            (6, Odd::LastSin, Interleaved, SinCos, Columns::Both, Paired, "s0 c0 s1 c1 s2 c2"),
            (6, Odd::LastSin, Interleaved, CosSin, Columns::Both, Paired, "c0 s0 c1 s1 c2 s2"),
            (6, Odd::LastSin, Halves, SinCos, Columns::Both, Paired, "s0 s1 s2 c0 c1 c2"),
            (6, Odd::LastSin, Halves, CosSin, Columns::Both, Paired, "c0 c1 c2 s0 s1 s2"),
            (5, Odd::LastSin, Interleaved, SinCos, Columns::Both, Paired, "s0 c0 s1 c1 s2"),
            (5, Odd::LastSin, Halves, SinCos, Columns::Both, Paired, "s0 s1 s2 c0 c1"),
            (5, Odd::Zero, Halves, SinCos, Columns::Both, Paired, "s0 s1 c0 c1 0"),
            (5, Odd::Zero, Interleaved, CosSin, Columns::Both, Paired, "c0 s0 c1 s1 0"),
            (1, Odd::Zero, Halves, SinCos, Columns::Both, Paired, "0"),
            (5, Odd::LastSin, Interleaved, SinCos, Columns::Both, Unpaired, "s0 c1 s2 c3 s4"),
            (6, Odd::LastSin, Halves, CosSin, Columns::Both, Unpaired, "c0 c2 c4 s1 s3 s5"),
            (3, Odd::LastSin, Interleaved, SinCos, Columns::Sin, Paired, "s0 s1 s2"),
            (3, Odd::LastSin, Interleaved, SinCos, Columns::Cos, Paired, "c0 c1 c2"),
        ];
        for (d_model, odd, layout, order, columns, pairing, expected) in cases {
            let spec = Spec::new(d_model).odd(odd).layout(layout).order(order).columns(columns).pairing(pairing);
            assert_eq!(drawn(&spec), expected);
        }
    }
}
