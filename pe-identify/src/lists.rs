//! The lists of frequencies and factors that candidates refer to.

use std::cell::OnceCell;

/// The lists of frequencies and factors that an [`Answer`](crate::Answer) refers to.
///
/// A `Spec` borrows its list, so the lists must outlive the answer. One `Lists` can serve many answers.
///
/// # Examples
///
/// ```
/// use posenc::Spec;
/// use posenc_identify::{Lists, Options, Slice, identify};
///
/// let table = Spec::new(8).frequencies(&[0.71, 0.22, 0.3, 0.1]).table::<f64>(200)?;
/// let lists = Lists::default();
/// let answer = identify(&Slice::new(table.as_slice(), 8), &Options::default(), &lists)?;
/// assert!(answer.candidates[0].distance.is_identical);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Lists(OnceCell<Box<(Vec<f64>, Lists)>>);

impl Lists {
    /// Keeps a list as long as this.
    pub(crate) fn keep(&self, list: Vec<f64>) -> &[f64] {
        let mut end = self;
        while let Some(next) = end.0.get() {
            end = &next.1;
        }
        &end.0.get_or_init(|| Box::new((list, Self::default()))).0
    }
}
