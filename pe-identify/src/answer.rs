//! The answer about a table, as data.

use posenc::reflection::Value;
use posenc::{AxialPreset, GridPreset, Packing, Preset, Repeat, Rope, RopePreset, Spec};

use crate::any_axial::AnyAxial;
use crate::any_grid::AnyGrid;
use crate::element::Dtype;
use crate::rounding::Precision;
use crate::undetermined::Undetermined;

/// The answer about a table: the candidates that fit, with notes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// Whether the answer is certain.
    pub outcome: Outcome,
    /// The tables that fit, the most likely first. It is empty if nothing fits.
    pub candidates: Vec<Candidate<'a>>,
    /// The first candidate as the other kind of table: a rotary cache of known models as a 1-D table, or a 1-D table as
    /// such a cache.
    pub twin: Option<Candidate<'a>>,
    /// Notes for the user, the most important first.
    pub notes: Vec<Note>,
    /// The numbers of the first candidate of which the entries determine only some digits.
    pub undetermined: Vec<Undetermined>,
    /// Why nothing fits, or `None` if something does.
    pub miss: Option<Miss<'a>>,
}

/// Whether an answer is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The first candidate makes the table.
    Identified,
    /// Several tables fit and none is clearly the most likely, or digits of a number are not determined.
    Several,
    /// Nothing fits.
    Nothing,
}

/// A table that fits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate<'a> {
    /// What makes the table.
    pub found: Found<'a>,
    /// The element type of the table.
    pub dtype: Dtype,
    /// The distance of the entries from the exact ones, in steps if they are integers.
    pub distance: Distance,
    /// Whether it makes the same entries as the first candidate, in these rows.
    pub is_same: bool,
}

/// The distance of a table from the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// The root mean square of the differences. It is 0 for grids and integers, for which it is not computed.
    pub mean: f64,
    /// The largest difference.
    pub largest: f64,
    /// The most precise arithmetic that explains the distance, or `None` if none does.
    ///
    /// If digits of a number are not determined, the entries are explained only with more of them.
    pub precision: Option<Precision>,
    /// The number of rows that no arithmetic explains.
    pub rows_off: usize,
    /// The first of these rows.
    pub first_off: Option<usize>,
    /// The number of rows compared.
    pub rows: usize,
    /// The number of entries compared.
    pub entries: usize,
    /// The number of entries that are not the exact ones.
    pub inexact: usize,
    /// Whether the entries have the same bits as the exact ones, including the signs of zeros.
    pub is_identical: bool,
}

impl Distance {
    /// The distance before any row is compared.
    pub(crate) const EXACT: Self = Self {
        mean: 0.0,
        largest: 0.0,
        precision: Some(Precision::Exact),
        rows_off: 0,
        first_off: None,
        rows: 0,
        entries: 0,
        inexact: 0,
        is_identical: true,
    };
}

/// What makes a table.
#[derive(Clone, Debug)]
pub enum Found<'a> {
    /// A 1-D table.
    Sinusoidal {
        /// All parameters, including the width, and the quantiser of integers.
        spec: Spec<'a>,
        /// The presets that make it with the fewest changes. Only the first candidate lists them.
        presets: Vec<Named<'a, Preset>>,
    },
    /// A rotary cache, its cosines and sines in one table.
    Rotary {
        /// All parameters.
        rope: Rope<'a>,
        /// How cosines and sines are arranged.
        packing: Packing,
        /// The factor applied to all entries, whether the rule sets it or not.
        attention_factor: f64,
        /// The presets with the same frequencies at this width.
        presets: Vec<Named<'a, RopePreset>>,
    },
    /// The table of a grid.
    Grid {
        /// All parameters, including shape and width, and the quantiser of integers.
        grid: AnyGrid,
        /// The presets that make it. Only the first candidate lists all of them.
        presets: Vec<Named<'a, GridPreset>>,
    },
    /// A rotary table of several axes.
    Axial {
        /// All parameters, including shape and width, and the quantiser of integers.
        rope: AnyAxial,
        /// How cosines and sines are arranged.
        packing: Packing,
        /// The presets that make it. Only the first candidate lists all of them.
        presets: Vec<Named<'a, AxialPreset>>,
        /// The presets that make it if height and width exchange their columns.
        ///
        /// On a square image, the table of such a preset has the same shape, so the wrong one causes no error.
        swapped: Vec<AxialPreset>,
    },
}

/// A preset, and the parameters that differ from it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Named<'a, P> {
    /// The preset.
    pub preset: P,
    /// The keys and values that are set in addition to the preset. For a rotary cache this is its `head_dim`.
    pub changed: Vec<(&'static str, Value<'a>)>,
}

/// A note for the user about an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The bounds of `yarn` are integers, so other lengths and turns make the same table.
    IntegerBounds,
    /// Lengths and turns of the rule in another unit make the same table.
    OtherUnits,
    /// The rule rotates whole pairs, so other shares make the same table.
    WholePairs,
    /// Other lengths with another factor make the same attention factor.
    OtherLengths,
    /// This many of the frequencies in a list are 0, because their columns hardly change.
    RestingFrequencies(usize),
    /// The table is so small, or so uniform, that many other parameters fit.
    TooSmall,
    /// The table has one frequency, which cannot determine base, shift and arrangement.
    OneFrequency,
    /// The table has two frequencies, which cannot distinguish base and shift.
    TwoFrequencies,
    /// The table has one row, which cannot distinguish start, step and scale.
    OneRow,
    /// Several candidates make the same table, which cannot distinguish them.
    SameTable,
    /// Several tables fit, and none is clearly the most likely.
    SeveralFit,
    /// Other numbers make exactly these entries; the numbers of the first candidate make them only nearly.
    OthersAreExact,
}

/// Why nothing fits a table, or what is nearest to it.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few answers, and each is made once")]
pub enum Miss<'a> {
    /// An entry is infinite or not a number.
    NotFinite {
        /// The row of the first such entry.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// The input is a table of the formula that was changed.
    Changed(Change<'a>),
    /// No candidate fits; this one is the nearest.
    Nearest {
        /// The nearest candidate.
        candidate: Candidate<'a>,
        /// The first preset that has its parameters.
        preset: Option<&'static str>,
    },
    /// No candidate is near.
    Far,
    /// The integers fit no table with any of the scales that were tried.
    Integers,
}

/// How the input differs from a table of the formula.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few answers, and each is made once")]
pub enum Change<'a> {
    /// It was transposed.
    Transposed(Candidate<'a>),
    /// Two tables are stacked, one below the other.
    Stacked {
        /// The upper table.
        upper: Candidate<'a>,
        /// The lower one.
        lower: Candidate<'a>,
        /// Whether both are the same.
        is_same: bool,
    },
    /// Each column occurs twice.
    Repeated {
        /// How the columns are repeated.
        repeat: Repeat,
        /// The table of the first copies.
        once: Candidate<'a>,
    },
    /// The columns of a preset are in another order.
    Permuted {
        /// The table with its columns in the order of the preset.
        ordered: Candidate<'a>,
        /// The column of the input that holds each column of that table.
        columns: Vec<usize>,
    },
}

impl<'a> Answer<'a> {
    /// Returns the answer that nothing fits.
    pub(crate) fn nothing(miss: Miss<'a>) -> Self {
        Self { miss: Some(miss), ..Self::of(Outcome::Nothing, Vec::new()) }
    }

    /// Returns an answer with these candidates alone.
    pub(crate) fn of(outcome: Outcome, candidates: Vec<Candidate<'a>>) -> Self {
        Self { outcome, candidates, twin: None, notes: Vec::new(), undetermined: Vec::new(), miss: None }
    }
}
