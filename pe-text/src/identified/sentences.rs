//! The sentences about the parts of an answer.

use std::fmt::Display;

use posenc::reflection::Value;
use posenc::{AxialPreset, GridPreset, Share};
use posenc_identify::{Candidate, Distance, Dtype, Found, Named, Note, Precision, Undetermined, UndeterminedKind};

use crate::words::counted;

/// What is said of a single number whose digits have no effect.
const SAME_TABLE: &str = "with others the table is the same, in any number of rows";

/// Says how far a table is from the table of a candidate, and which of its numbers are rounded.
pub(super) fn error(candidate: &Candidate, tolerance: f64, undetermined: &[Undetermined]) -> String {
    let Distance { largest, precision, inexact, entries, is_identical, .. } = candidate.distance;
    let share = Share { count: inexact as u64, of: entries as u64 };
    let rounded = undetermined.iter().filter(|number| number.kind == UndeterminedKind::Number);
    let keys: Vec<_> = rounded.map(|number| number.key).collect();
    let with_more = format!("with more digits of {}", keys.join(" and "));
    if !matches!(candidate.dtype, Dtype::Float(_)) {
        let differ = format!("{share} of the entries differ, by {}", steps(largest));
        return match inexact {
            0 => "equal to the exact table".to_owned(),
            _ if keys.is_empty() => differ,
            _ => format!("{differ}; fewer {with_more}"),
        };
    }
    let differ = format!("{share} of the entries differ, by at most {largest:.1e}");
    let is_grid = matches!(candidate.found, Found::Grid { .. } | Found::Axial { .. });
    let arithmetic = match precision {
        _ if is_grid && inexact == 0 => return "equal to the exact table".to_owned(),
        _ if is_identical => return "bitwise identical to the exact table".to_owned(),
        _ if inexact == 0 => return "equal to the exact table, apart from the signs of zeros".to_owned(),
        Some(Precision::Exact) => "equal to the exact table".to_owned(),
        _ if tolerance > 0.0 => format!("within {tolerance:e}"),
        Some(Precision::Double) => "as computed in f64".to_owned(),
        _ => "as computed in f32".to_owned(),
    };
    if keys.is_empty() { format!("{arithmetic}: {differ}") } else { format!("{differ}; {with_more}, {arithmetic}") }
}

/// Says how far integers are apart.
fn steps(largest: f64) -> String {
    if largest == 1.0 { "1 step".to_owned() } else { format!("up to {largest} steps") }
}

/// Returns whether a note is about the rule of a rotary cache.
pub(super) fn is_about_rule(note: Note) -> bool {
    matches!(
        note,
        Note::IntegerBounds | Note::OtherUnits | Note::WholePairs | Note::OtherLengths | Note::RestingFrequencies(_)
    )
}

/// Returns whether a note says that another table may be the right one.
pub(super) fn is_doubt(note: Note) -> bool {
    matches!(note, Note::SeveralFit | Note::OthersAreExact)
}

/// Returns the sentence of a note about a table of so many columns.
pub(super) fn note(note: Note, d_model: usize) -> String {
    let columns = || counted(d_model, "column");
    match note {
        Note::IntegerBounds => {
            "the bounds of yarn are integers, so other lengths and turns make the same table".to_owned()
        }
        Note::OtherUnits => "lengths and turns in another unit make the same table".to_owned(),
        Note::WholePairs => "only whole pairs turn, so other shares make the same table".to_owned(),
        Note::OtherLengths => "other lengths with another factor make the same attention factor".to_owned(),
        Note::RestingFrequencies(count) => {
            format!("{count} of the frequencies are 0, because their columns hardly change")
        }
        Note::TooSmall => "the table is too small: it fits a preset, but many other parameters too".to_owned(),
        Note::OneFrequency => {
            format!("{} with one frequency cannot determine base, shift and arrangement; use a wider table", columns())
        }
        Note::TwoFrequencies => {
            format!("{} with two frequencies cannot distinguish base and shift; use a wider table", columns())
        }
        Note::OneRow => "1 row cannot distinguish start, step and scale; use a longer table".to_owned(),
        Note::SameTable => "these parameters make the same table, so it cannot distinguish them".to_owned(),
        Note::SeveralFit => {
            "several tables fit within the error of the entries, and none is clearly the most common".to_owned()
        }
        Note::OthersAreExact => "other numbers make exactly these entries".to_owned(),
    }
}

/// Says how many digits of a number are determined.
pub(super) fn undetermined(Undetermined { key, digits, kind, .. }: &Undetermined) -> String {
    let count = counted(*digits, "digit");
    match (digits, kind) {
        (0, UndeterminedKind::List) => format!("the entries do not determine all {key}"),
        (_, UndeterminedKind::List) => format!("the entries determine {count} of each of the {key}, or more"),
        (0, UndeterminedKind::WithoutEffect) => format!("the entries determine no digit of {key}: {SAME_TABLE}"),
        (_, UndeterminedKind::WithoutEffect) => format!("the entries determine {count} of {key}: {SAME_TABLE}"),
        (0, _) => format!("the entries determine no digit of {key}"),
        (_, UndeterminedKind::Number) => format!("the entries determine {count} of {key}, and no more"),
        (_, UndeterminedKind::OneOfSeveral) => {
            format!("if the other numbers are right, the entries determine {count} of {key}, and no more")
        }
    }
}

/// The parameters set beside some presets, and the names of these.
type Group<'n> = (&'n [(&'static str, Value<'n>)], Vec<String>);

/// Lists presets, in groups with the same parameters beside them.
pub(super) fn presets<P: Display>(found: &[Named<P>]) -> String {
    let mut groups: Vec<Group> = Vec::new();
    for Named { preset, changed, .. } in found {
        match groups.iter_mut().find(|(of_group, _)| of_group == changed) {
            Some((_, presets)) => presets.push(preset.to_string()),
            None => groups.push((changed, vec![preset.to_string()])),
        }
    }
    let text = |(changed, presets): &Group| {
        let beside: Vec<_> = changed.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        let with = if beside.is_empty() { String::new() } else { format!(" with {}", beside.join(", ")) };
        presets.join(", ") + &with
    };
    if groups.is_empty() { "none".to_owned() } else { groups.iter().map(text).collect::<Vec<_>>().join("; ") }
}

/// Says which presets have the columns of height and width the other way round.
pub(super) fn swapped_axes(presets: &[AxialPreset]) -> String {
    let names: Vec<_> = presets.iter().map(|preset| preset.name()).collect();
    let names = names.join(", ");
    format!("with the axes h and w swapped in the columns it is {names}; on a square image both have the same shape")
}

/// Lists presets of grids.
pub(super) fn grid_presets(named: &[Named<GridPreset>]) -> String {
    named.iter().map(|named| named.preset.name()).collect::<Vec<_>>().join(", ")
}
