//! The errors of tables of all kinds, for what makes any of them.

use crate::axial::error::AxialError;
use crate::grid::error::GridError;
use crate::rope::error::RopeError;
use crate::spec::error::SpecError;
use crate::text::message::{Message, error_with_message};

/// An error from making a table of any kind.
///
/// Its [`Display`](core::fmt::Display) text is the sentence of the error that it holds.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, RopeError, TableError};
///
/// fn check(rope: &Rope) -> Result<(), TableError> {
///     Ok(rope.check::<f32>()?)
/// }
///
/// assert!(matches!(check(&Rope::new(7)), Err(TableError::Rope(RopeError::RotaryDim { .. }))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TableError {
    /// The table of a [`Spec`](crate::Spec).
    Spec(SpecError),
    /// A table of a rotary cache.
    Rope(RopeError),
    /// A grid.
    Grid(GridError),
    /// A rotary table of several axes.
    Axial(AxialError),
}

impl TableError {
    pub(crate) const fn message(&self) -> Message {
        match self {
            Self::Spec(error) => error.message(),
            Self::Rope(error) => error.message(),
            Self::Grid(error) => error.message(),
            Self::Axial(error) => error.message(),
        }
    }

    /// Returns the names of the parameters to correct, as [`SpecError::parameters`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = posenc::Rope::new(64).base(0.0).check::<f32>().unwrap_err();
    /// assert_eq!(posenc::TableError::from(error).parameters(), ["base"]);
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> &[&'static str] {
        match self {
            Self::Spec(error) => error.parameters(),
            Self::Rope(error) => error.parameters(),
            Self::Grid(error) => error.parameters(),
            Self::Axial(error) => error.parameters(),
        }
    }

    /// Returns the error of a table of a rotary cache, in the terms of the cache.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_rope(error: SpecError) -> Self {
        Self::Rope(RopeError::of_table(error, false))
    }
}

error_with_message!(TableError, Spec(SpecError), Rope(RopeError), Grid(GridError), Axial(AxialError));
