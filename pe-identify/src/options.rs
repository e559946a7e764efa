//! The options of a search.

/// Options of a search: what is known about the table beforehand.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options<'a> {
    /// The error of entries, 0 or more, that is accepted in addition to the errors of an arithmetic. Use it for noisy
    /// tables.
    pub tolerance: f64,
    /// The shape of the grid, of 1 to 4 axes, if the table may be one. If it is `None`, the search guesses the shape of
    /// an image.
    pub shape: Option<&'a [usize]>,
}

impl<'a> Options<'a> {
    /// Sets the error of entries that is accepted in addition to the errors of an arithmetic.
    #[must_use]
    pub const fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Sets the shape of the grid.
    #[must_use]
    pub const fn shape(self, shape: &'a [usize]) -> Self {
        Self { shape: Some(shape), ..self }
    }
}
