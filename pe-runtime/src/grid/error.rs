//! The errors of a grid, and their sentences.

use crate::limits::{MAX_D_MODEL, MAX_POSITION};
use crate::spec::error::SpecError;
use crate::spec::error::embeddings::EmbeddingError;
use crate::spec::error::message::too_large;
use crate::text::message::{Message, Part, error_with_message};

/// An error from making a grid or adding it to embeddings.
///
/// The [`Display`](core::fmt::Display) text says what is wrong and what to do, as it does for [`SpecError`]. Any version may
/// add variants and fields, so patterns must end in `..`.
///
/// # Examples
///
/// ```
/// use posenc::{Grid, GridError, GridPreset, SpecError};
///
/// let error = Grid::preset(GridPreset::CogVideoX, [30, 45], 1920).check::<f32>().unwrap_err();
/// assert!(matches!(error, GridError::Axes { given: 2, .. }));
/// let error = Grid::new([30, 45], 64).base([0.0; 2]).check::<f32>().unwrap_err();
/// assert!(matches!(error, GridError::Spec(SpecError::Base { .. })));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GridError {
    /// A parameter that is also a parameter of [`Spec`](crate::Spec), or the length of a buffer, is wrong.
    Spec(SpecError),
    /// The embeddings do not fit the grid.
    Embeddings(EmbeddingError),
    /// The preset of a grid and its shape have different numbers of axes.
    #[non_exhaustive]
    Axes {
        /// The name of the preset.
        preset: &'static str,
        /// The names of its axes.
        axes: &'static str,
        /// The number of axes of the shape.
        given: usize,
    },
    /// An axis of a grid has more points than the preset allows.
    #[non_exhaustive]
    Points {
        /// The name of the preset.
        preset: &'static str,
        /// The name of the axis.
        axis: &'static str,
        /// The number of points along the axis.
        points: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// The preset of a grid requires an [`extent`](crate::Grid::extent).
    NoExtent,
    /// A grid with an extent was [resized](crate::Grid::resized), but an axis had no points that could share the
    /// extent.
    #[non_exhaustive]
    Unshared {
        /// The name of the axis.
        axis: &'static str,
    },
    /// A number of the extent of a grid is out of range.
    #[non_exhaustive]
    Extent {
        /// The numerator given.
        numerator: i64,
        /// The denominator given.
        denominator: i64,
    },
    /// The order of the axes of a grid does not contain each axis once.
    #[non_exhaustive]
    First {
        /// The first axis that is missing or occurs twice.
        axis: usize,
        /// The number of axes.
        axes: usize,
    },
    /// The width of an axis of a grid is too large, or is not a multiple of the columns per frequency.
    #[non_exhaustive]
    Width {
        /// The name of the axis.
        axis: &'static str,
        /// Its width.
        value: usize,
        /// The number of columns of each frequency.
        columns: usize,
    },
    /// No axis of a grid has columns.
    NoWidth,
    /// The list of positions of an axis does not have one position for each point.
    #[non_exhaustive]
    PositionCount {
        /// The name of the axis.
        axis: &'static str,
        /// The number of positions.
        given: usize,
        /// The number of points along the axis.
        points: usize,
    },
    /// The scaling rule of an axis has an attention factor.
    #[non_exhaustive]
    AttentionFactor {
        /// The name of the axis.
        axis: &'static str,
        /// The name of the rule.
        rule: &'static str,
    },
    /// The size of the blocks of merged points is 0, or the grid has fewer than two axes.
    #[non_exhaustive]
    Merge {
        /// The size.
        value: usize,
        /// The number of axes.
        axes: usize,
    },
    /// The size of the blocks of merged points does not divide an axis.
    #[non_exhaustive]
    MergeOfAxis {
        /// The size.
        value: usize,
        /// The name of the axis.
        axis: &'static str,
        /// The number of points along the axis.
        points: usize,
    },
    /// The axes of a grid cannot share its columns equally.
    #[non_exhaustive]
    Shares {
        /// The number of columns.
        d_model: usize,
        /// The number of axes.
        axes: usize,
        /// The number of columns of each frequency.
        columns: usize,
    },
    /// The widths of the axes of a grid do not fit its columns.
    #[non_exhaustive]
    Widths {
        /// Their sum.
        sum: u128,
        /// The number of columns.
        d_model: usize,
        /// How the sum must be related to `d_model`: empty if they must be equal.
        relation: &'static str,
    },
    /// The grid does not have all of the rows.
    #[non_exhaustive]
    Rows {
        /// The first row.
        start: usize,
        /// The row after the last.
        end: usize,
        /// The number of rows in the grid.
        rows: usize,
    },
    /// The table of a grid takes more bytes than the limit.
    #[non_exhaustive]
    TooLarge {
        /// The number of rows requested.
        rows: usize,
        /// The number of columns requested.
        d_model: usize,
        /// The name of the element type.
        dtype: &'static str,
        /// The size of the table.
        bytes: u128,
        /// The limit: `isize::MAX` at run time, the `max_bytes` key in the macro, or 1 GiB in a build script.
        max_bytes: usize,
    },
    /// The array of `const_grid` and the grid have different numbers of rows.
    #[non_exhaustive]
    ArrayRows {
        /// The number of rows of the array.
        rows: usize,
        /// The number of rows of the grid.
        needed: usize,
    },
}

impl GridError {
    pub(crate) const fn message(&self) -> Message {
        use Part::{Integer, Size, Text, Unsigned};
        match *self {
            Self::Spec(error) => error.message(),
            Self::Embeddings(error) => error.message(),
            Self::Axes { preset, axes, given } => Message::new(
                "the axes of `preset = {}` are {}, but the length of `shape` is {}; write one size for each axis",
                &[Text(preset), Text(axes), Size(given)],
            ),
            Self::Points { preset, axis, points, most } => Message::new(
                "the number of points along axis `{}` is {}, but must be at most {} in `preset = {}`; reduce `shape`, or set `start`",
                &[Text(axis), Size(points), Size(most), Text(preset)],
            ),
            Self::NoExtent => Message::new(
                "`extent` is missing: the points of this preset run from 0 to below it along each axis; set it to \
                 their number in training, which is base_size / interpolation_scale in diffusers",
                &[],
            ),
            Self::Unshared { axis } => Message::new(
                "`extent` is not shared by axis `{}`, which had no points before the grid was resized; begin with a shape that has \
                 points, or set `extent` after `resized`",
                &[Text(axis)],
            ),
            Self::Extent { numerator, denominator } => Message::new(
                "`extent` is {}/{}, but both numbers must be integers from 1 to {}; it is the number of positions along each axis",
                &[Integer(numerator as i128), Integer(denominator as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::First { axis, axes } if axis < axes => {
                Message::new("`first` has axis {} twice; write each axis once", &[Size(axis)])
            }
            Self::First { axis, axes } => Message::new(
                "`first` has axis {}, but the axes are 0 to {}; write each axis once",
                &[Size(axis), Size(axes - 1)],
            ),
            Self::Shares { d_model, axes, columns } => shares([d_model, axes, columns]),
            Self::Width { axis, value, columns } => width(axis, value, columns),
            Self::NoWidth => Message::new("all of `widths` are 0; at least one axis must have columns", &[]),
            Self::PositionCount { axis, given, points } => Message::new(
                "the number of `positions` of axis `{}` is {}, but must be {}, one for each point, or 0 to use `start` and \
                 `step`",
                &[Text(axis), Size(given), Size(points)],
            ),
            Self::AttentionFactor { axis, rule } => Message::new(
                "`scaling = {}` of axis `{}` has an attention factor, which would differ between axes; use a rule without one",
                &[Text(rule), Text(axis)],
            ),
            Self::Merge { value: 0, .. } => {
                Message::new("`merge` is 0, but must be at least 1; 1 keeps the order of the points", &[])
            }
            Self::Merge { value, axes } => Message::new(
                "`merge` is {}, but blocks need two axes, and the number of axes is {}; 1 keeps the order of the points",
                &[Size(value), Size(axes)],
            ),
            Self::MergeOfAxis { value, axis, points } => Message::new(
                "`merge` is {}, but must divide {}, the number of points along axis `{}`; 1 keeps the order of the points",
                &[Size(value), Size(points), Text(axis)],
            ),
            Self::Widths { sum, d_model, relation } => {
                let (remedy, columns) = if sum > d_model as u128 {
                    ("`rest = cut` leaves out the last", sum - d_model as u128)
                } else {
                    ("`rest = zero` adds zeros in the last", d_model as u128 - sum)
                };
                Message::new(
                    "the sum of `widths` is {}, but must be {}{} (`d_model`); {} {} {}",
                    &[
                        Unsigned(sum),
                        Text(relation),
                        Size(d_model),
                        Text(remedy),
                        Unsigned(columns),
                        Text(if columns == 1 { "column" } else { "columns" }),
                    ],
                )
            }
            Self::Rows { start, end, rows } => Message::new(
                "rows {}..{} are out of bounds: the number of rows in the table is {}",
                &[Size(start), Size(end), Size(rows)],
            ),
            Self::TooLarge { rows, d_model, dtype, bytes, max_bytes } => {
                too_large("grid", [rows, d_model], dtype, bytes, max_bytes, "`shape` or `d_model`")
            }
            Self::ArrayRows { rows, needed } => Message::new(
                "the number of rows of the array is {}, but must be {} for this grid",
                &[Size(rows), Size(needed)],
            ),
        }
    }

    /// Returns the names of the parameters to correct, as [`SpecError::parameters`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Grid, MAX_POSITION};
    ///
    /// let error = Grid::new([4, 4], 6).check::<f32>().unwrap_err();
    /// assert_eq!(error.parameters(), ["d_model", "rest"]);
    /// let error = Grid::new([4, 4], 8).extent(1, MAX_POSITION).check::<f32>().unwrap_err();
    /// assert_eq!(error.parameters(), ["unit", "extent"]); // a quarter of the extent
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> &[&'static str] {
        match self {
            // An extent sets the units of the axes.
            Self::Spec(SpecError::Unit { .. }) => &["unit", "extent"],
            Self::Spec(error) => error.parameters(),
            Self::Axes { .. } | Self::Points { .. } => &["shape", "preset"],
            Self::NoExtent | Self::Unshared { .. } | Self::Extent { .. } => &["extent"],
            Self::First { .. } => &["first"],
            Self::Width { .. } | Self::Widths { .. } | Self::NoWidth => &["widths", "d_model"],
            Self::PositionCount { .. } => &["positions", "shape"],
            Self::AttentionFactor { .. } => &["scaling"],
            Self::Merge { .. } | Self::MergeOfAxis { .. } => &["merge", "shape"],
            Self::Shares { .. } => &["d_model", "rest"],
            Self::ArrayRows { .. } => &["shape"],
            Self::TooLarge { .. } => &["shape", "d_model"],
            Self::Embeddings(_) | Self::Rows { .. } => &[],
        }
    }
}

/// Returns the sentence for columns that axes cannot share equally.
const fn shares([d_model, axes, columns]: [usize; 3]) -> Message {
    use Part::{Size, Text};
    let of = columns * axes;
    let (noun, verb) = if axes == 1 { ("axis", "needs") } else { ("axes", "need") };
    let (below, above) = (d_model / of * of, (d_model / of + 1) * of);
    // Without columns for each axis there is nothing to fill up with zeros.
    let (below, or, rest) = if below == 0 { (Text(""), "", "") } else { (Size(below), " or ", "`rest = zero` or ") };
    Message::new(
        "`d_model` is {}, but {} {} {} a multiple of {}; use {}{}{}, or set {}`rest = cut`",
        &[Size(d_model), Size(axes), Text(noun), Text(verb), Size(of), below, Text(or), Size(above), Text(rest)],
    )
}

/// Returns the sentence for the width of an axis.
const fn width(axis: &'static str, value: usize, columns: usize) -> Message {
    use Part::{Size, Text};
    let multiple = Message::new("a multiple of {} and ", &[Size(columns)]);
    let multiple = match columns {
        1 => "",
        2 => "even and ",
        _ => multiple.as_str(),
    };
    // An axis without columns is one whose width is given as 0.
    let least = if value == 0 { columns } else { 0 };
    Message::new(
        "the width of axis `{}` is {}, but must be {}from {} to {}; change `d_model` or `widths`",
        &[Text(axis), Size(value), Text(multiple), Size(least), Size(MAX_D_MODEL)],
    )
}

error_with_message!(GridError, Spec(SpecError), Embeddings(EmbeddingError));
