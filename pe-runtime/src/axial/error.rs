//! The errors of a rotary table of several axes, and their sentences.

use crate::grid::error::GridError;
use crate::rope::error::RopeError;
use crate::spec::error::SpecError;
use crate::spec::error::message::too_large;
use crate::text::message::{Message, Part, error_with_message};

/// An error from making a rotary table of several axes, in terms of the parameters of [`AxialRope`](crate::AxialRope).
///
/// The [`Display`](core::fmt::Display) text says what is wrong and what to do, as it does for [`SpecError`]. Any version may
/// add variants and fields, so patterns must end in `..`.
///
/// # Examples
///
/// ```
/// use posenc::{AxialError, AxialRope};
///
/// let error = AxialRope::new([8, 8, 8], 64).check::<f32>().unwrap_err();
/// assert!(matches!(error, AxialError::Shares { rotary_dim: 64, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum AxialError {
    /// A parameter that is also a parameter of [`Grid`](crate::Grid) or [`Spec`](crate::Spec), a position, or a range
    /// of rows is wrong.
    Grid(GridError),
    /// A parameter that is also a parameter of [`Rope`](crate::Rope), or the length of a buffer, is wrong.
    Rope(RopeError),
    /// The axes cannot share the rotated columns equally.
    #[non_exhaustive]
    Shares {
        /// The number of columns that are rotated.
        rotary_dim: usize,
        /// The number of axes.
        axes: usize,
    },
    /// The rotated columns cannot be divided into the shares of a preset.
    #[non_exhaustive]
    NotShared {
        /// The number of columns that are rotated.
        rotary_dim: usize,
        /// The number of which `rotary_dim` must be a multiple.
        of: usize,
        /// The name of the preset.
        preset: &'static str,
    },
    /// The width of an axis is odd.
    #[non_exhaustive]
    Width {
        /// The name of the axis.
        axis: &'static str,
        /// Its width.
        value: usize,
    },
    /// The widths of the axes do not fit the rotated columns.
    #[non_exhaustive]
    Widths {
        /// Their sum.
        sum: u128,
        /// The number of columns that are rotated.
        rotary_dim: usize,
        /// Whether the sum must equal `rotary_dim`, because there is no rest.
        exactly: bool,
    },
    /// The buffers given to `fill_points` do not have one row for each point.
    #[non_exhaustive]
    PointsLength {
        /// The length of the buffer for the cosines.
        len: usize,
        /// The number of points.
        points: usize,
        /// The length of a row.
        columns: usize,
    },
    /// A table takes more bytes than the limit.
    #[non_exhaustive]
    TooLarge {
        /// The number of rows requested.
        rows: usize,
        /// The number of columns of the table.
        columns: usize,
        /// The name of the element type.
        dtype: &'static str,
        /// The size of the table.
        bytes: u128,
        /// The limit: `isize::MAX` at run time, or the `max_bytes` key in the macro.
        max_bytes: usize,
    },
}

impl AxialError {
    pub(crate) const fn message(&self) -> Message {
        use Part::{Size, Text, Unsigned};
        match *self {
            Self::Grid(error) => error.message(),
            Self::Rope(error) => error.message(),
            Self::Shares { rotary_dim, axes } => {
                let of = 2 * axes;
                let (below, above) = (rotary_dim / of * of, (rotary_dim / of + 1) * of);
                let (below, or) = if below == 0 { (Text(""), "") } else { (Size(below), " or ") };
                Message::new(
                    "the number of rotated columns is {}, but {} {} a multiple of {}; use {}{}{}, or set `rotary_dim`, \
                     `widths` or `rest = identity`",
                    &[
                        Size(rotary_dim),
                        Size(axes),
                        Text(if axes == 1 { "axis needs" } else { "axes need" }),
                        Size(of),
                        below,
                        Text(or),
                        Size(above),
                    ],
                )
            }
            Self::NotShared { rotary_dim, of, preset } => Message::new(
                "the number of rotated columns is {}, but must be a multiple of {} for `preset = {}`; change it, or set \
                 `widths`",
                &[Size(rotary_dim), Size(of), Text(preset)],
            ),
            Self::Width { axis, value } => Message::new(
                "the width of axis `{}` is {}, but must be even; change `head_dim` or `widths`",
                &[Text(axis), Size(value)],
            ),
            Self::Widths { sum: 0, .. } => Message::new("all widths are 0; change `head_dim` or `widths`", &[]),
            Self::Widths { sum, rotary_dim, exactly } => Message::new(
                "the sum of `widths` is {}, but must be {}{}, the number of rotated columns{}",
                &[
                    Unsigned(sum),
                    Text(if exactly { "" } else { "at most " }),
                    Size(rotary_dim),
                    Text(if exactly && sum < rotary_dim as u128 {
                        "; set `rotary_dim` to leave the others alone, or `rest = identity` to keep them in the table"
                    } else {
                        "; change `head_dim` or `widths`"
                    }),
                ],
            ),
            Self::PointsLength { len, points, columns } => Message::new(
                "the length of the cosines is {}, but must be {} x {}: a row for each point",
                &[Size(len), Size(points), Size(columns)],
            ),
            Self::TooLarge { rows, columns, dtype, bytes, max_bytes } => {
                too_large("table", [rows, columns], dtype, bytes, max_bytes, "`shape` or `head_dim`")
            }
        }
    }

    /// Returns the names of the parameters to correct, as [`SpecError::parameters`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = posenc::AxialRope::new([4, 4], 8).widths([3, 5]).check::<f32>().unwrap_err();
    /// assert_eq!(error.parameters(), ["widths", "head_dim"]);
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> &[&'static str] {
        match self {
            Self::Grid(error) => error.parameters(),
            Self::Rope(error) => error.parameters(),
            Self::Shares { .. } => &["rotary_dim", "partial_rotary_factor", "head_dim", "rest"],
            Self::NotShared { .. } => &["rotary_dim", "head_dim", "preset"],
            Self::Width { .. } => &["widths", "head_dim"],
            Self::Widths { .. } => &["widths", "rotary_dim", "head_dim"],
            Self::TooLarge { .. } => &["shape", "head_dim"],
            Self::PointsLength { .. } => &[],
        }
    }

    /// Returns the error of a table with too many columns.
    pub(crate) const fn columns(value: usize) -> Self {
        Self::Rope(RopeError::Columns { value })
    }

    /// Returns the error of the grid of a table, whose entries may be repeated, in the terms of the rotary table.
    pub(crate) const fn of_table(error: GridError, repeated: bool) -> Self {
        match error {
            GridError::Spec(SpecError::PositionsLength { len, positions: points, d_model: columns }) => {
                Self::PointsLength { len, points, columns }
            }
            GridError::Spec(error) => match RopeError::of_table(error, repeated) {
                RopeError::Spec(error) => Self::Grid(GridError::Spec(error)),
                error => Self::Rope(error),
            },
            GridError::TooLarge { rows, d_model: columns, dtype, bytes, max_bytes } => {
                Self::TooLarge { rows, columns, dtype, bytes, max_bytes }
            }
            other => Self::Grid(other),
        }
    }
}

error_with_message!(AxialError, Grid(GridError), Rope(RopeError));

impl From<SpecError> for AxialError {
    fn from(error: SpecError) -> Self {
        Self::Grid(GridError::Spec(error))
    }
}
