//! Which column is which function of which frequency: the arrangements that a table may have.

use posenc::{Columns, Layout, Odd, Order, Pairing, Spec};

/// An arrangement of columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Structure {
    d_model: usize,
    layout: Layout,
    order: Order,
    columns: Columns,
    pairing: Pairing,
    odd: Odd,
}

/// The columns of one frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) sin: Option<usize>,
    pub(super) cos: Option<usize>,
}

impl Structure {
    /// All arrangements of so many columns, the most common first.
    pub(super) fn all(d_model: usize) -> Vec<Self> {
        let plain = Self {
            d_model,
            layout: Layout::Interleaved,
            order: Order::SinCos,
            columns: Columns::Both,
            pairing: Pairing::Paired,
            odd: Odd::LastSin,
        };
        let mut all = Vec::new();
        for pairing in [Pairing::Paired, Pairing::Unpaired] {
            for layout in [Layout::Interleaved, Layout::Halves] {
                for order in [Order::SinCos, Order::CosSin] {
                    for odd in [Odd::LastSin, Odd::Zero] {
                        all.push(Self { layout, order, pairing, odd, ..plain });
                    }
                }
            }
        }
        all.extend([Columns::Sin, Columns::Cos].map(|columns| Self { columns, ..plain }));
        // An even width has no odd column, so it needs one of the two only.
        all.retain(|structure| d_model % 2 == 1 || structure.odd == Odd::LastSin);
        all.retain(|structure| structure.spec().check_parameters::<f64>().is_ok());
        all
    }

    /// The paper's spec in this arrangement.
    pub(super) fn spec(&self) -> Spec<'static> {
        let Self { d_model, layout, order, columns, pairing, odd } = *self;
        Spec::new(d_model).layout(layout).order(order).columns(columns).pairing(pairing).odd(odd)
    }

    /// Whether sine and cosine of a frequency both stand in the table, so that a row tells the angle.
    pub(super) fn is_paired(&self) -> bool {
        self.columns == Columns::Both && self.pairing == Pairing::Paired
    }

    /// Columns that the formula fills.
    fn width(&self) -> usize {
        if self.odd == Odd::Zero { self.d_model - self.d_model % 2 } else { self.d_model }
    }

    /// What the exponent of frequency `k` is `k` divided by.
    pub(super) fn denominator(&self, freq_shift: f64) -> f64 {
        let width = self.width() as f64;
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => width / 2.0 - freq_shift,
            (Columns::Both, Pairing::Unpaired) => width - 2.0 * freq_shift,
            _ => width - freq_shift,
        }
    }

    /// The columns of each frequency.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let width = self.width();
        let both = |first, second| match self.order {
            Order::SinCos => Slot { sin: first, cos: second },
            Order::CosSin => Slot { sin: second, cos: first },
        };
        match (self.columns, self.pairing) {
            (Columns::Sin, _) => (0..width).map(|j| Slot { sin: Some(j), cos: None }).collect(),
            (Columns::Cos, _) => (0..width).map(|j| Slot { sin: None, cos: Some(j) }).collect(),
            (Columns::Both, Pairing::Paired) => {
                (0..width.div_ceil(2)).map(|k| both(self.column(2 * k), self.column(2 * k + 1))).collect()
            }
            (Columns::Both, Pairing::Unpaired) => {
                let one = |j: usize| {
                    if j.is_multiple_of(2) { both(self.column(j), None) } else { both(None, self.column(j)) }
                };
                (0..width).map(one).collect()
            }
        }
    }

    /// Where the interleaved layout's column stands.
    fn column(&self, j: usize) -> Option<usize> {
        let width = self.width();
        (j < width).then(|| match self.layout {
            Layout::Interleaved => j,
            Layout::Halves => j / 2 + j % 2 * width.div_ceil(2),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At position 0 a sine is 0 and a cosine is 1, and with given frequencies of which only one is not zero the table shows
    /// whose column is whose.
    #[test]
    fn the_slots_are_the_librarys() {
        for d_model in 1..8 {
            for structure in Structure::all(d_model) {
                let slots = structure.slots();
                for (k, slot) in slots.iter().enumerate() {
                    let mut frequencies = vec![0.0; slots.len()];
                    frequencies[k] = 1.0;
                    let mut row = vec![0.0_f64; d_model];
                    structure.spec().frequencies(&frequencies).encode(1, &mut row).unwrap();
                    for (column, &entry) in row.iter().enumerate() {
                        let (sin, cos) = (slot.sin == Some(column), slot.cos == Some(column));
                        assert_eq!(
                            (sin, cos),
                            (entry == 1_f64.sin(), entry == 1_f64.cos()),
                            "{structure:?} {k} {column}"
                        );
                    }
                }
            }
        }
    }
}
