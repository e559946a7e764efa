//! Timesteps of diffusion models in 16 bits, before the sine.

use std::collections::BTreeSet;

use posenc::{Preset, Spec};

use crate::fallible::Fallible;
use crate::report::{Table, short};
use crate::rounding::{bf16, f16};
use crate::tables::apart;

const TIMESTEPS: usize = 1000;
/// Stable Diffusion's.
const SPEC: Spec = Spec::preset(Preset::Adm, 320);

pub struct Row {
    pub name: &'static str,
    /// The number of different embeddings of 1000 timesteps.
    pub different: usize,
    pub farthest: f64,
    /// The largest error of an entry.
    pub error: f64,
}

pub fn run() -> Fallible<Vec<Row>> {
    let whole = |i: usize| i as f64;
    // A thousand steps between 0 and 1000, none of which is an integer.
    let between = |i: usize| i as f64 + 0.39;
    Ok(vec![
        row("0, 1, ... 999 in f16", whole, f16)?,
        row("0, 1, ... 999 in bf16", whole, bf16)?,
        row("0.39, 1.39, ... 999.39 in f16", between, f16)?,
        row("0.39, 1.39, ... 999.39 in bf16", between, bf16)?,
        row("1000 times a fraction in bf16", between, |t| 1000.0 * bf16(t / 1000.0))?,
    ])
}

fn row(name: &'static str, timestep: impl Fn(usize) -> f64, round: impl Fn(f64) -> f64) -> Fallible<Row> {
    let exact: Vec<_> = (0..TIMESTEPS).map(timestep).collect();
    let rounded: Vec<_> = exact.iter().map(|t| round(*t)).collect();
    let different = rounded.iter().map(|t| t.to_bits()).collect::<BTreeSet<_>>().len();
    let error = apart(&embeddings(&exact)?, &embeddings(&rounded)?);
    Ok(Row { name, different, farthest: apart(&exact, &rounded), error })
}

fn embeddings(timesteps: &[f64]) -> Fallible<Vec<f64>> {
    let mut entries = vec![0f32; timesteps.len() * SPEC.d_model()];
    SPEC.fill_positions(timesteps, &mut entries)?;
    Ok(entries.into_iter().map(f64::from).collect())
}

/// Returns a row by its name.
pub fn find<'a>(rows: &'a [Row], name: &str) -> Fallible<&'a Row> {
    rows.iter().find(|row| row.name == name).ok_or_else(|| format!("there is no row `{name}`").into())
}

pub fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(
        "Timestep embeddings of Stable Diffusion, 320 columns:",
        &["timesteps", "different ones of 1000", "largest error of a timestep", "largest error of an entry"],
    );
    for row in rows {
        table.push(vec![row.name.to_owned(), row.different.to_string(), short(row.farthest), short(row.error)]);
    }
    table
}
