//! Small models, trained on tasks of positions with the exact table and evaluated with others.

mod model;
mod task;

use candle_core::{DType, Result};
use candle_nn::loss::cross_entropy;
use candle_nn::{AdamW, Optimizer, ParamsAdamW};

use crate::blocks::Positions;
use crate::decoder::{identity, tensors};
use crate::encoder;
use crate::fallible::Fallible;
use crate::random::Random;
use crate::report::{Table, percent};
use crate::tables::{Formula, Recipe};
use model::{Model, WIDTH};
use task::{Batch, Task};

/// The last positions of a long text, for a model that was trained with the first.
const FAR: usize = 131_072 - task::ROTARY.length;

/// The accuracies of all models with a table.
pub struct Row {
    pub table: &'static str,
    /// The token at a position, the token three back, and the same with a rotary cache at the first and the last positions.
    pub accuracies: [f64; 4],
}

pub fn run() -> Fallible<Vec<Row>> {
    let [recall, back, rotary] = [&task::RECALL, &task::BACK_ADDED, &task::ROTARY];
    let (for_recall, for_back) = (added_tables(recall)?, added_tables(back)?);
    let (near, far) = (rotary_tables(0)?, rotary_tables(FAR)?);
    let recalling = trained(recall, &for_recall[0], 11)?;
    let going_back = trained(back, &for_back[0], 12)?;
    let rotating = trained(rotary, &near[0], 13)?;
    let row = |(i, table)| -> Fallible<Row> {
        let accuracies = [
            accuracy(&recalling, recall, &for_recall[i])?,
            accuracy(&going_back, back, &for_back[i])?,
            accuracy(&rotating, rotary, &near[i])?,
            accuracy(&rotating, rotary, &far[i])?,
        ];
        Ok(Row { table, accuracies })
    };
    names().into_iter().enumerate().map(row).collect()
}

/// Returns the names of the tables, in the order in which they are made.
fn names() -> Vec<&'static str> {
    let wrong = ["one row too late", "other frequencies", "other order of columns", "no table"];
    ["exact"].into_iter().chain(Recipe::ALL.map(|(name, _)| name)).chain(wrong).collect()
}

/// Returns the paper's table and others in its place.
fn added_tables(task: &Task) -> Fallible<Vec<Positions>> {
    let end = task.starts + task.length;
    let paper = Formula::added(WIDTH, 0);
    let exact = paper.rows(Recipe::EXACT, 0..end)?;
    let mut tables = vec![exact.interleaved()];
    for (_, recipe) in Recipe::ALL {
        tables.push(paper.rows(recipe, 0..end)?.interleaved());
    }
    tables.push(paper.rows(Recipe::EXACT, 1..end + 1)?.interleaved());
    tables.push(Formula::added(WIDTH, 1).rows(Recipe::EXACT, 0..end)?.interleaved());
    tables.push(exact.halves());
    tables.push(vec![0.0; end * WIDTH]);
    Ok(tables.into_iter().map(|table| encoder::added(table, WIDTH)).collect::<Result<_>>()?)
}

/// Returns the rotary cache of a text, and others in its place.
fn rotary_tables(start: usize) -> Fallible<Vec<Positions>> {
    let length = task::ROTARY.length;
    let rows = start..start + length;
    let own = Formula::rotary(WIDTH, 1e4)?;
    let exact = own.rows(Recipe::EXACT, rows.clone())?;
    let mut tables = vec![exact.clone()];
    for (_, recipe) in Recipe::ALL {
        tables.push(own.rows(recipe, rows.clone())?);
    }
    tables.push(own.rows(Recipe::EXACT, rows.start + 1..rows.end + 1)?);
    tables.push(Formula::rotary(WIDTH, 5e5)?.rows(Recipe::EXACT, rows)?);
    let halves = |table| Ok(Positions::Halves(tensors(&table)?));
    let mut tables: Vec<_> = tables.into_iter().map(halves).collect::<Result<_>>()?;
    tables.push(Positions::Adjacent(tensors(&exact)?));
    tables.push(halves(identity(WIDTH / 2, length))?);
    Ok(tables)
}

fn trained(task: &Task, table: &Positions, seed: u64) -> Result<Model> {
    let mut random = Random::new(seed);
    let model = Model::new(task, &mut random)?;
    let parameters = ParamsAdamW { lr: 3e-3, weight_decay: 0.0, ..ParamsAdamW::default() };
    let mut optimizer = AdamW::new(model.weights(), parameters)?;
    for _ in 0..task.steps {
        let batch = Batch::draw(task, &mut random)?;
        let logits = model.logits(&batch, table)?.flatten(0, 1)?;
        optimizer.backward_step(&cross_entropy(&logits, &batch.targets.flatten_all()?)?)?;
    }
    Ok(model)
}

/// Returns the share of right answers, in texts that are the same for all tables.
fn accuracy(model: &Model, task: &Task, table: &Positions) -> Result<f64> {
    const BATCHES: usize = 16;
    let mut random = Random::new(14);
    let mut right = 0.0;
    for _ in 0..BATCHES {
        let batch = Batch::draw(task, &mut random)?;
        let answers = model.logits(&batch, table)?.argmax(2)?;
        right += answers.eq(&batch.targets)?.to_dtype(DType::F64)?.mean_all()?.to_scalar::<f64>()?;
    }
    Ok(right / BATCHES as f64)
}

/// Returns a row by its name.
pub fn find<'a>(rows: &'a [Row], table: &str) -> Fallible<&'a Row> {
    rows.iter().find(|row| row.table == table).ok_or_else(|| format!("there is no row `{table}`").into())
}

pub fn table(rows: &[Row]) -> Table {
    let far = format!("rotary, from position {FAR}");
    let mut table = Table::new(
        "Accuracy of small models that were trained with the exact table:",
        &["table", "token at a position", "token three back", "the same, rotary", &far],
    );
    // Tables that do equally well share a row.
    for group in rows.chunk_by(|a, b| a.accuracies.map(percent) == b.accuracies.map(percent)) {
        let names: Vec<_> = group.iter().map(|row| row.table).collect();
        table.push([vec![names.join(", ")], group[0].accuracies.map(percent).to_vec()].concat());
    }
    table
}
