//! Shares as percentages.

use core::fmt::{Display, Formatter, Result as FmtResult};

/// The share of some entries, displayed as a percentage to a tenth.
///
/// It shows 0 or 100 only if that is exact.
///
/// # Examples
///
/// ```
/// use posenc::Share;
///
/// assert_eq!(Share { count: 1, of: 8 }.to_string(), "12.5 %");
/// assert_eq!(Share { count: 6, of: 2_097_152 }.to_string(), "<0.1 %");
/// assert_eq!(Share { count: 0, of: 8 }.to_string(), "0.0 %");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of these entries.
    pub count: u64,
    /// The number of all entries.
    pub of: u64,
}

impl Display for Share {
    #[allow(clippy::float_arithmetic, reason = "a percentage")]
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let width = f.width().map_or(0, |width| width.saturating_sub(2));
        match 100.0 * self.count as f64 / self.of.max(1) as f64 {
            share if self.count > 0 && share < 0.1 => write!(f, "{:>width$} %", "<0.1"),
            share if self.count < self.of && share > 99.9 => write!(f, "{:>width$} %", ">99.9"),
            share => write!(f, "{share:>width$.1} %"),
        }
    }
}
