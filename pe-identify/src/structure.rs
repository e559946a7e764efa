//! The arrangements of columns: which column is which function of which frequency.

use posenc::PairColumns;
use posenc::{Columns, Layout, Odd, Order, Pairing, Spec};

/// An arrangement of columns.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    /// The paper's spec in this arrangement.
    pub(crate) spec: Spec<'static>,
    /// The columns of each frequency.
    pub(crate) slots: Vec<PairColumns>,
}

impl Structure {
    /// Returns all arrangements of `d_model` columns, the most common first.
    pub(crate) fn all(d_model: usize) -> Vec<Self> {
        let plain = Spec::new(d_model);
        let mut specs = Vec::new();
        for pairing in [Pairing::Paired, Pairing::Unpaired] {
            for layout in [Layout::Interleaved, Layout::Halves] {
                for order in [Order::SinCos, Order::CosSin] {
                    for odd in [Odd::LastSin, Odd::Zero] {
                        specs.push(plain.layout(layout).order(order).pairing(pairing).odd(odd));
                    }
                }
            }
        }
        specs.extend([Columns::Sin, Columns::Cos].map(|columns| plain.columns(columns)));
        // `odd` makes no difference for an even width.
        specs.retain(|spec| d_model % 2 == 1 || spec.parameters().odd == Odd::LastSin);
        specs.retain(|spec| spec.check_parameters::<f64>().is_ok());
        specs.into_iter().map(|spec| Self { spec, slots: spec.sin_cos_columns().collect() }).collect()
    }

    /// Returns whether the table has both sine and cosine of a frequency, so that a row determines the angle.
    pub(crate) fn is_paired(&self) -> bool {
        let parameters = self.spec.parameters();
        parameters.columns == Columns::Both && parameters.pairing == Pairing::Paired
    }

    /// Returns the denominator of the exponent of frequency `k`, whose numerator is `k`.
    pub(crate) fn denominator(&self, freq_shift: f64) -> f64 {
        // The number of columns that the formula fills.
        let width = self.slots.iter().flat_map(|slot| [slot.sin, slot.cos]).flatten().count() as f64;
        let parameters = self.spec.parameters();
        match (parameters.columns, parameters.pairing) {
            (Columns::Both, Pairing::Paired) => width / 2.0 - freq_shift,
            (Columns::Both, Pairing::Unpaired) => width - 2.0 * freq_shift,
            _ => width - freq_shift,
        }
    }
}
