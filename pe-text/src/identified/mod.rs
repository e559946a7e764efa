//! What is said of a table or a vector that was identified.

mod call;
mod sentences;
mod summary;
mod vector;

use std::fmt::Write;
use std::io;

use posenc::AxialParameters;
use posenc::reflection::axial_axis_names;
use posenc_identify::{
    Answer, Candidate, Change, Distance, Dtype, Found, Lists, Miss, Note, Options, Outcome, Rows, identify, with_axial,
};

use call::base;
use sentences::{error, grid_presets, is_about_rule, is_doubt, note, presets, swapped_axes, undetermined};

pub use call::{call, command};
pub use summary::Summary;

/// A line of the answer: its name and its text.
pub type AnswerLine = (&'static str, String);

/// What is said of a table.
pub struct Told {
    /// Whether something fits.
    pub outcome: Outcome,
    /// The keys of the numbers that are not determined, and how many digits are.
    pub undetermined: Vec<(&'static str, usize)>,
    /// The numbers of rows and columns. A vector has one row.
    pub shape: [usize; 2],
    /// Whether it is a vector of frequencies.
    pub is_vector: bool,
    /// The name of the type of the entries.
    pub dtype: &'static str,
    /// The macro call, or that nothing fits.
    pub title: String,
    /// What is said of the table among others. It is `None` if the tensor is not even nearly a table.
    pub short: Option<String>,
    /// The other lines.
    pub lines: Vec<AnswerLine>,
}

impl Told {
    /// Returns all that is known of a table. The commands write to the file `output`.
    ///
    /// # Errors
    ///
    /// Returns the error of [`identify`].
    pub fn of(table: &dyn Rows, options: &Options, output: &str) -> io::Result<Self> {
        let lists = Lists::default();
        let answer = identify(table, options, &lists)?;
        Ok(Self::of_answer(&answer, table, options, output))
    }

    /// Returns all that is known of the answer about a table. The commands write to the file `output`.
    #[must_use]
    pub fn of_answer(answer: &Answer, table: &dyn Rows, options: &Options, output: &str) -> Self {
        let (shape, dtype) = (table.shape(), table.element_type().name());
        let (title, short, lines) = match (&answer.candidates[..], &answer.miss) {
            ([first, ..], _) => of_candidates(answer, first, shape, dtype, options.tolerance, output),
            ([], miss) => of_miss(miss.as_ref(), &answer.notes, shape, dtype),
        };
        let undetermined = answer.undetermined.iter().map(|number| (number.key, number.digits)).collect();
        Self { outcome: answer.outcome, undetermined, shape, is_vector: false, dtype, title, short, lines }
    }

    /// Returns the line about the tensor among others, or `None` if it is not even nearly a table.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let ([rows, columns], dtype) = (self.shape, self.dtype);
        let size = if self.is_vector { columns.to_string() } else { format!("{rows} x {columns}") };
        self.short.as_ref().map(|short| format!("{size} {dtype}, {short}"))
    }

    /// Returns all lines as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for (name, value) in &self.lines {
            writeln!(text, "  {name:<9}{value}").expect("writing to a String succeeds");
        }
        text
    }
}

/// The title, the short answer and the lines.
type Text = (String, Option<String>, Vec<AnswerLine>);

fn of_candidates(
    answer: &Answer,
    first: &Candidate,
    [seq_len, d_model]: [usize; 2],
    dtype: &str,
    tolerance: f64,
    output: &str,
) -> Text {
    let title = call(first, seq_len);
    let error = error(first, tolerance, &answer.undetermined);
    let mut lines = vec![("table", format!("{seq_len} x {d_model} {dtype}, {error}"))];
    lines.extend(about(first, seq_len, output));
    let (of_rule, others): (Vec<Note>, Vec<Note>) = answer.notes.iter().partition(|note| is_about_rule(**note));
    let sentence = |about: Note| ("note", note(about, d_model));
    lines.extend(of_rule.into_iter().map(sentence));
    lines.extend(answer.candidates[1..].iter().map(|other| ("or", alternative(other, seq_len))));
    if let Some(twin) = &answer.twin {
        lines.push(("or", alternative(twin, seq_len)));
        if let Found::Rotary { .. } = twin.found {
            lines.extend(about(twin, seq_len, output));
        }
    }
    let doubt = if others.iter().any(|note| is_doubt(*note)) { " or another table" } else { "" };
    lines.extend(others.into_iter().map(sentence));
    lines.extend(answer.undetermined.iter().map(|number| ("note", undetermined(number))));
    let short = format!("{}{doubt}, {error}", name(first).unwrap_or_else(|| title.clone()));
    let lines = without_repeats(&title, lines);
    (title, Some(short), lines)
}

/// Returns the lines about what a candidate is and how it is made.
fn about(candidate: &Candidate, seq_len: usize, output: &str) -> Vec<AnswerLine> {
    let mut lines = match &candidate.found {
        Found::Sinusoidal { .. } if !matches!(candidate.dtype, Dtype::Float(_)) => Vec::new(),
        Found::Sinusoidal { presets: named, .. } => vec![("presets", presets(named))],
        Found::Rotary { rope, packing, attention_factor, presets: named } => {
            let parameters = rope.parameters();
            let base = base(&parameters.frequencies);
            let base = base.map_or("none, a list of frequencies".to_owned(), |base| base.to_string());
            let (rule, repeat) = (parameters.scaling.name(), parameters.repeat);
            let text = format!(
                "base {base}, rule {rule}, attention factor {attention_factor}, packing {packing}, repeat {repeat}"
            );
            vec![("rotary", text), ("presets", presets(named))]
        }
        Found::Grid { presets, .. } => vec![("presets", grid_presets(presets))],
        Found::Axial { rope, packing, presets: named, swapped } => {
            let (axes, merge, repeat) = with_axial!(rope, rope => {
                let AxialParameters { first, merge, repeat, .. } = rope.parameters();
                let preset = named.first().map(|named| named.preset);
                let axes = axial_axis_names(preset, first.len());
                (first.map(|axis| axes[axis]).join(", "), merge, repeat)
            });
            let text = format!("columns of the axes {axes}, packing {packing}, repeat {repeat}, merge {merge}");
            let mut lines = vec![("rotary", text), ("presets", presets(named))];
            lines.extend((!swapped.is_empty()).then(|| ("note", swapped_axes(swapped))));
            lines
        }
    };
    lines.push(("command", command(candidate, seq_len, output)));
    lines
}

/// Returns the name of a candidate that is a preset.
fn name(candidate: &Candidate) -> Option<String> {
    match &candidate.found {
        Found::Sinusoidal { presets: named, .. } => {
            named.iter().any(|named| named.changed.is_empty()).then(|| presets(named))
        }
        Found::Grid { presets, .. } => {
            presets[0].changed.iter().all(|(key, _)| *key == "zero_rows").then(|| grid_presets(presets))
        }
        Found::Axial { presets: named, .. } => (!named.is_empty()).then(|| presets(named)),
        Found::Rotary { .. } => None,
    }
}

/// Returns the call for an alternative, and its distance.
fn alternative(other: &Candidate, seq_len: usize) -> String {
    let call = call(other, seq_len);
    match &other.found {
        Found::Grid { .. } | Found::Axial { .. } => format!("{call}, fits too"),
        _ if !matches!(other.dtype, Dtype::Float(_)) => format!("{call}, {}", error(other, 0.0, &[])),
        _ if other.is_same => format!("{call}, the same table"),
        _ => format!("{call}, off by {:.1e}", other.distance.largest),
    }
}

/// Returns the lines without alternatives that another search has found too.
fn without_repeats(title: &str, lines: Vec<AnswerLine>) -> Vec<AnswerLine> {
    let mut told = vec![title.to_owned()];
    let is_new = |(name, text): &AnswerLine| {
        let is_new = *name != "or" || !told.iter().any(|told| text.starts_with(told.as_str()));
        told.extend((*name == "or").then(|| text.clone()));
        is_new
    };
    lines.into_iter().filter(is_new).collect()
}

/// Returns the text if nothing fits.
fn of_miss(miss: Option<&Miss>, notes: &[Note], [seq_len, d_model]: [usize; 2], dtype: &str) -> Text {
    let title = format!("nothing fits this table of {seq_len} x {d_model} {dtype} entries");
    let tried = "sines and cosines interleaved or in halves, in both orders, paired or unpaired, only sines or only cosines, a \
                 row of zeros; frequencies base^(-k/h) and base^(-k/(h-1)); most bases, scales, amplitudes and integer starts and \
                 step; rotary caches with most bases and all scaling rules; lists of frequencies; the transpose, tables below \
                 each other, repeated and permuted columns; grids and rotary tables of several axes";
    let (short, nearest) = match miss {
        Some(Miss::NotFinite { row, column }) => {
            let note = format!("the entry in row {row}, column {column} is not finite");
            return (title, Some(format!("nothing fits: {note}")), vec![("note", note)]);
        }
        Some(Miss::Changed(change)) => {
            let (name, text) = changed(change, [seq_len, d_model]);
            let short = format!("nothing fits as it is; {name}: {text}");
            return (title + " as it is", Some(short), vec![(name, text)]);
        }
        Some(Miss::Integers) => {
            let tried = "q7, q15 or q31, common scales and zero points, and the scale and zero point with which the extremes are -1 and 1";
            return (title, None, vec![("tried", tried.to_owned())]);
        }
        Some(Miss::Nearest { candidate, preset }) => {
            let nearest = format!("{}, {}", call(candidate, seq_len), off(&candidate.distance, *preset));
            // Equal entries are nearly many tables.
            let Distance { rows_off, rows, .. } = candidate.distance;
            let has_few_wrong_rows = !notes.contains(&Note::TooSmall) && 2 * rows_off < rows;
            (has_few_wrong_rows.then(|| format!("nothing fits; nearest {nearest}")), nearest)
        }
        Some(Miss::Far) | None => {
            let far = "none: the columns are not sines and cosines with frequencies in a geometric progression";
            (None, far.to_owned())
        }
    };
    let mut lines = vec![("tried", tried.to_owned()), ("nearest", nearest)];
    if notes.contains(&Note::TooSmall) {
        let note = "the table is too small, or all its entries are equal: many parameters make such entries";
        lines.push(("note", note.to_owned()));
    }
    let note = "learned positions cannot be identified, and a table computed in 16 bits may be too inaccurate";
    lines.push(("note", note.to_owned()));
    (title, short, lines)
}

/// Says what was done to a table of the formula, of which this table has the shape.
fn changed(change: &Change, [seq_len, d_model]: [usize; 2]) -> AnswerLine {
    match change {
        Change::Transposed(table) => ("turned", format!("the transpose of {}", call(table, d_model))),
        Change::Stacked { upper, is_same: true, .. } => {
            ("stacked", format!("{} twice, one below the other", call(upper, seq_len / 2)))
        }
        Change::Stacked { upper, lower, .. } => {
            let half = seq_len / 2;
            let [upper, lower] = [upper, lower].map(|table| call(table, half));
            ("stacked", format!("rows 0 to {} are {upper}, and the others {lower}", half - 1))
        }
        Change::Repeated { repeat, once } => {
            let once = call(once, seq_len);
            ("repeated", format!("each column occurs twice ({repeat}); once, they are {once}"))
        }
        Change::Permuted { ordered, columns } => {
            let order: Vec<String> = columns.iter().take(8).map(ToString::to_string).collect();
            let more = if columns.len() > 8 { ", .." } else { "" };
            let call = call(ordered, seq_len);
            ("permuted", format!("{call} in another order: its columns are here {}{more}", order.join(", ")))
        }
    }
}

/// Describes the error of the nearest candidate, and the rows that differ if most of them fit.
fn off(distance: &Distance, preset: Option<&str>) -> String {
    let preset = preset.map_or_else(String::new, |name| format!("`{name}`, "));
    let Distance { mean, largest, rows_off, rows, .. } = distance;
    let size = format!("off by {mean:.1e} on average and {largest:.1e} at most");
    match distance.first_off {
        Some(first) if rows_off < rows => {
            format!("{preset}{size}; {rows_off} of {rows} rows differ, the first is row {first}")
        }
        _ => format!("{preset}{size}"),
    }
}
