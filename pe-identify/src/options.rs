//! The options of a search.

/// What is known of a table beforehand.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options<'a> {
    /// How far entries may be off beside the errors of an arithmetic, 0 or more. It is for noisy tables.
    pub tolerance: f64,
    /// The shape of the grid, of 1 to 4 axes, if it may be one. If it is `None`, that of an image is guessed.
    pub shape: Option<&'a [usize]>,
}

impl<'a> Options<'a> {
    /// Sets how far entries may be off.
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
