//! The errors of tables of all kinds, for what makes any of them.

use crate::bake::const_table::{is_equal, refuse};
use crate::grid::error::GridError;
use crate::rope::error::RopeError;
use crate::spec::error::SpecError;
use crate::text::message::{Message, error_with_message};

/// Why a table cannot be made, of whichever kind it is.
///
/// The [`Display`](core::fmt::Display) sentence is that of the error that it holds.
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
}

impl TableError {
    const fn message(&self) -> Message {
        match self {
            Self::Spec(error) => error.message(),
            Self::Rope(error) => error.message(),
            Self::Grid(error) => error.message(),
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
        }
    }

    /// Returns the error of a table of a rotary cache, in the terms of the cache.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_rope(error: SpecError) -> Self {
        Self::Rope(RopeError::of_table(error, false))
    }
}

error_with_message!(TableError, Spec(SpecError), Rope(RopeError), Grid(GridError));

/// What is wrong with a table that has been checked, for the macro to report at the argument concerned.
pub struct Verdict(Option<TableError>);

impl Verdict {
    /// Returns the verdict on the table of a spec.
    #[must_use]
    pub const fn of_spec(checked: Result<usize, SpecError>) -> Self {
        match checked {
            Ok(_) => Self(None),
            Err(error) => Self(Some(TableError::Spec(error))),
        }
    }

    /// Returns the verdict on a table of a rotary cache.
    #[must_use]
    pub const fn of_rope(checked: Result<usize, SpecError>) -> Self {
        match checked {
            Ok(_) => Self(None),
            Err(error) => Self(Some(TableError::of_rope(error))),
        }
    }

    /// Returns the verdict on a grid.
    #[must_use]
    pub const fn of_grid(checked: Result<usize, GridError>) -> Self {
        match checked {
            Ok(_) => Self(None),
            Err(error) => Self(Some(TableError::Grid(error))),
        }
    }

    /// Panics with the error if it concerns `parameter`. The macro calls this at the span of that argument.
    #[track_caller]
    pub const fn blame(&self, parameter: &str) {
        let Some(error) = &self.0 else { return };
        let (concerned, mut i) = (error.parameters(), 0);
        while i < concerned.len() {
            if is_equal(concerned[i].as_bytes(), parameter.as_bytes()) {
                refuse(&error.message());
            }
            i += 1;
        }
    }
}
