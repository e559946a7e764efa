//! The output of `posenc identify` if nothing fits.

use super::Fit;
use super::answer::{Answer, AnswerLine, call};
use super::rank;
use super::sample::Numbers;
use crate::entry::Entry;
use crate::input::Table;
use crate::json::Identification;

/// Describes a table with an entry that is not finite.
pub(super) fn not_finite(found: &Table, row: usize, column: usize) -> Answer {
    let ([rows, columns], dtype) = (found.shape(), found.dtype().name());
    let note = format!("the entry in row {row}, column {column} is not finite");
    let title = format!("nothing fits this table of {rows} x {columns} {dtype} entries");
    let short = Some(format!("nothing fits: {note}"));
    Answer { outcome: Identification::Nothing, title, short, lines: vec![("note", note)], undetermined: Vec::new() }
}

/// Describes what was tried, and the nearest candidate.
pub(super) fn tried<T: Entry>(numbers: &Numbers, near: Vec<AnswerLine>, nearest: Option<&Fit>) -> Answer {
    let (seq_len, d_model) = (numbers.seq_len, numbers.d_model);
    let title = format!("nothing fits this table of {seq_len} x {d_model} {} entries", T::DTYPE);
    if let [(name, text), ..] = near.as_slice() {
        let short = Some(format!("nothing fits as it is; {name}: {text}"));
        return Answer {
            outcome: Identification::Nothing,
            title: title + " as it is",
            short,
            lines: near,
            undetermined: Vec::new(),
        };
    }
    let tried = "sines and cosines interleaved or in halves, in both orders, paired or unpaired, only sines or only cosines, a \
                 row of zeros; frequencies base^(-k/h) and base^(-k/(h-1)); most bases, scales, amplitudes and integer starts and \
                 step; rotary caches with most bases and all scaling rules; lists of frequencies; the transpose, tables below \
                 each other, repeated and permuted columns";
    // Equal entries are nearly many tables.
    let has_few_wrong_rows = |fit: &&Fit| !numbers.is_too_small() && 2 * fit.distance.rows_off < fit.distance.rows;
    let short =
        nearest.filter(has_few_wrong_rows).map(|fit| format!("nothing fits; nearest {}", near_to::<T>(fit, seq_len)));
    let nearest = match nearest {
        Some(fit) => near_to::<T>(fit, seq_len),
        None => "none: the columns are not sines and cosines with frequencies in a geometric progression".to_owned(),
    };
    let mut lines = vec![("tried", tried.to_owned()), ("nearest", nearest)];
    if numbers.is_too_small() {
        let note = "the table is too small, or all its entries are equal: many parameters make such entries";
        lines.push(("note", note.to_owned()));
    }
    let note = "learned positions cannot be identified, and a table computed in 16 bits may be too inaccurate";
    lines.push(("note", note.to_owned()));
    Answer { outcome: Identification::Nothing, title, short, lines, undetermined: Vec::new() }
}

fn near_to<T: Entry>(fit: &Fit, seq_len: usize) -> String {
    format!("{}, {}", call::<T>(&fit.spec, seq_len), off(fit))
}

/// Describes the error of the nearest candidate, and the rows that differ if most of them fit.
fn off(fit: &Fit) -> String {
    let distance = &fit.distance;
    let preset = match rank::name(&fit.spec) {
        Some(name) => format!("`{name}`, "),
        None => String::new(),
    };
    let size = format!("off by {:.1e} on average and {:.1e} at most", distance.mean, distance.largest);
    match distance.first_off {
        Some(first) if distance.rows_off < distance.rows => {
            format!("{preset}{size}; {} of {} rows differ, the first is row {first}", distance.rows_off, distance.rows)
        }
        _ => format!("{preset}{size}"),
    }
}
