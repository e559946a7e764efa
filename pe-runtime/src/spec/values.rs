//! The values of a spec's parameters.

use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, FrequencyDtype, Layout, Odd, Order, Pairing, Repeat};
use crate::spec::quantiser::Quantiser;
use crate::spec::scaling::Scaling;

/// Every parameter of a table except the number of rows.
///
/// [`Spec::parameters`](crate::Spec::parameters) returns it.
///
/// # Examples
///
/// ```
/// use posenc::{Frequencies, Layout, Preset, Spec};
///
/// let whisper = Spec::preset(Preset::Whisper, 384).parameters();
/// assert_eq!((whisper.d_model, whisper.layout), (384, Layout::Halves));
/// assert_eq!(whisper.frequencies, Frequencies::Geometric { base: 10_000.0, freq_shift: 1.0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameters<'a> {
    /// The number of columns.
    pub d_model: usize,
    /// The frequencies, before [`scale`](Self::scale).
    pub frequencies: Frequencies<'a>,
    /// The number added to the index of each frequency, as a numerator and a denominator.
    pub freq_offset: (i64, i64),
    /// The scaling rule that changes the frequencies.
    pub scaling: Scaling<'a>,
    /// What the frequencies are rounded to, after the scaling rule.
    pub frequency_dtype: FrequencyDtype,
    /// The placement of the two columns of a pair.
    pub layout: Layout,
    /// Which column of a pair comes first.
    pub order: Order,
    /// Which functions of the angles the table has.
    pub columns: Columns,
    /// Whether sine and cosine share a frequency.
    pub pairing: Pairing,
    /// Whether each frequency fills its columns twice.
    pub repeat: Repeat,
    /// How the last column of an odd width is filled.
    pub odd: Odd,
    /// The position of row 0, or `None` if the preset requires the user to set it.
    pub start: Option<i64>,
    /// The distance between the positions of consecutive rows.
    pub step: i64,
    /// The factor applied to all angles.
    pub scale: f64,
    /// Another factor applied to all angles, as a numerator and a denominator.
    pub unit: (i64, i64),
    /// The factor applied to all entries.
    pub amplitude: Amplitude,
    /// The scale and the zero point of integer entries, if they are set.
    pub quantiser: Option<Quantiser>,
    /// The row of zeros, if there is one.
    pub zero_row: Option<usize>,
}

impl Parameters<'_> {
    /// Returns the parameters that [`Spec::new`](crate::Spec::new) sets.
    pub(crate) const fn paper(d_model: usize) -> Self {
        Self {
            d_model,
            frequencies: Frequencies::PAPER,
            freq_offset: (0, 1),
            scaling: Scaling::None,
            frequency_dtype: FrequencyDtype::Exact,
            layout: Layout::Interleaved,
            order: Order::SinCos,
            columns: Columns::Both,
            pairing: Pairing::Paired,
            repeat: Repeat::None,
            odd: Odd::LastSin,
            start: Some(0),
            step: 1,
            scale: 1.0,
            unit: (1, 1),
            amplitude: Amplitude::Value(1.0),
            quantiser: None,
            zero_row: None,
        }
    }
}

/// The frequencies of a table in radians per position, before [`scale`](crate::Spec::scale).
///
/// # Examples
///
/// ```
/// use posenc::{Frequencies, Spec};
///
/// let given = Spec::new(4).frequencies(&[1.0, 0.5]);
/// assert_eq!(given.parameters().frequencies, Frequencies::Given(&[1.0, 0.5]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Frequencies<'a> {
    /// A geometric progression.
    Geometric {
        /// Its [`base`](crate::Spec::base).
        base: f64,
        /// What is subtracted from the exponents' denominator: [`freq_shift`](crate::Spec::freq_shift).
        freq_shift: f64,
    },
    /// The [list](crate::Spec::frequencies) that was set.
    Given(&'a [f64]),
}

/// The base of the paper.
const PAPER_BASE: f64 = 10_000.0;

impl Frequencies<'static> {
    /// The frequencies of the paper.
    pub(crate) const PAPER: Self = Self::Geometric { base: PAPER_BASE, freq_shift: 0.0 };
}

impl Frequencies<'_> {
    /// Returns the base, or the paper's base for a list.
    pub(crate) const fn base(self) -> f64 {
        match self {
            Self::Geometric { base, .. } => base,
            Self::Given(_) => PAPER_BASE,
        }
    }

    /// Returns the shift, or the paper's shift for a list.
    pub(crate) const fn freq_shift(self) -> f64 {
        match self {
            Self::Geometric { freq_shift, .. } => freq_shift,
            Self::Given(_) => 0.0,
        }
    }
}
