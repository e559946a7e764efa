//! One model with many tables, and what each changes.

use candle_core::{DType, Device, Result, Tensor};

use crate::blocks::{Arithmetic, Network, Positions, Sizes};
use crate::change::Change;
use crate::fallible::Fallible;
use crate::random::Random;
use crate::report::{Table, percent, short};

/// The two sharpnesses of the attention. See `Sizes::sharpness`.
const SHARPNESSES: [f64; 2] = [1.0, 4.0];

/// The name of the table with an error of this size in every entry.
pub const NOISE: &str = "1e-4 too much or too little everywhere";

/// A table in the place of the right one.
pub struct Variant {
    pub name: String,
    /// Its largest difference from the right one. `None` if there is no table.
    pub error: Option<f64>,
    pub positions: Positions,
}

/// What a variant changes, for each sharpness.
pub struct Row {
    pub name: String,
    pub error: Option<f64>,
    pub changes: [Change; 2],
}

/// The shares of positions with another prediction.
pub struct InEightBits {
    /// If a network is rounded to 8 bits.
    pub by_rounding: f64,
    /// If such a network has another table.
    pub by_table: f64,
}

/// A model and a text.
pub struct Trial {
    networks: [Network; 2],
    embeddings: Tensor,
}

/// The arithmetic of the network itself, which is the yardstick.
const YARDSTICKS: [(&str, Arithmetic); 2] =
    [("right table, network in f32", Arithmetic::F32), ("right table, network in bf16", Arithmetic::Bf16)];

impl Trial {
    /// Draws weights, and embeddings of variance 1.
    pub fn new(sizes: Sizes, rows: usize, seed: u64) -> Result<Self> {
        let mut random = Random::new(seed);
        let embeddings = random.matrix(rows, sizes.width, 1.0)?;
        // The same weights, apart from the sharpness.
        let network = |sharpness| Network::new(Sizes { sharpness, ..sizes }, &mut Random::new(seed + 1));
        Ok(Self { networks: [network(SHARPNESSES[0])?, network(SHARPNESSES[1])?], embeddings })
    }

    /// Compares the outputs with the outputs of the right table, in `f64`.
    pub fn run(&self, right: &Positions, variants: &[Variant]) -> Result<Vec<Row>> {
        let logits = |positions, arithmetic| self.logits(positions, arithmetic);
        let expected = logits(right, Arithmetic::F64)?;
        let row = |name: &str, error, found: [Tensor; 2]| -> Result<Row> {
            let change = |i: usize| Change::between(&expected[i], &found[i]);
            Ok(Row { name: name.to_owned(), error, changes: [change(0)?, change(1)?] })
        };
        let mut rows = Vec::new();
        for (name, arithmetic) in YARDSTICKS {
            rows.push(row(name, Some(0.0), logits(right, arithmetic)?)?);
        }
        for variant in variants {
            rows.push(row(&variant.name, variant.error, logits(&variant.positions, Arithmetic::F64)?)?);
        }
        Ok(rows)
    }

    /// Returns the share of logits that differ, if the first network is in `f32`.
    pub fn other_bits(&self, right: &Positions, other: &Positions) -> Result<f64> {
        let logits = |positions| self.networks[0].logits(&self.embeddings, positions, Arithmetic::F32);
        logits(right)?.ne(&logits(other)?)?.to_dtype(DType::F64)?.mean_all()?.to_scalar()
    }

    /// Returns what 8 bits change, and what another table changes in a network in 8 bits, for each sharpness.
    pub fn in_8_bits(&self, right: &Positions, other: &Positions) -> Result<[InEightBits; 2]> {
        let exact = self.logits(right, Arithmetic::F64)?;
        let [right, other] = [right, other].map(|positions| self.logits(positions, Arithmetic::I8));
        let (right, other) = (right?, other?);
        let network = |i: usize| -> Result<InEightBits> {
            let by_rounding = Change::between(&exact[i], &right[i])?.flips;
            Ok(InEightBits { by_rounding, by_table: Change::between(&right[i], &other[i])?.flips })
        };
        Ok([network(0)?, network(1)?])
    }

    /// Returns the logits of both networks.
    fn logits(&self, positions: &Positions, arithmetic: Arithmetic) -> Result<[Tensor; 2]> {
        let [first, second] = &self.networks;
        Ok([
            first.logits(&self.embeddings, positions, arithmetic)?,
            second.logits(&self.embeddings, positions, arithmetic)?,
        ])
    }
}

/// Returns a row by its name.
pub fn find<'a>(rows: &'a [Row], name: &str) -> Fallible<&'a Row> {
    rows.iter().find(|row| row.name == name).ok_or_else(|| format!("there is no row `{name}`").into())
}

/// A matrix of `f64` with this many columns.
pub fn tensor(entries: Vec<f64>, columns: usize) -> Result<Tensor> {
    Tensor::from_vec(entries, ((), columns), &Device::Cpu)
}

/// Lays the rows out, with three columns for each sharpness.
pub fn table(title: &str, rows: &[Row]) -> Table {
    let mut table = Table::new(
        title,
        &["table", "error of the table", "rms", "largest", "flips", "sharp: rms", "largest", "flips"],
    );
    for row in rows {
        let mut cells = vec![row.name.clone(), row.error.map_or("none".to_owned(), short)];
        for change in row.changes {
            cells.extend([short(change.rms), short(change.largest), percent(change.flips)]);
        }
        table.push(cells);
    }
    table
}
