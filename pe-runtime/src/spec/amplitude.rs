//! The factor of all entries: a given number, or one over a square root.

use crate::exact::factor::Size;
use crate::float_bits::{sign, times_power_of_two};
use crate::spec::scaling::Scaling;

/// A factor applied to every sine and cosine, before the single rounding.
///
/// # Examples
///
/// ```
/// use posenc::{Amplitude, Spec};
///
/// let mut row = [0.0f64; 8];
/// Spec::new(8).amplitude(Amplitude::Value(-0.5)).encode(0, &mut row)?;
/// assert_eq!(row[..2], [0.0, -0.5]); // sin 0 and cos 0
/// Spec::new(8).amplitude(Amplitude::Sqrt2OverD).encode(0, &mut row)?;
/// assert_eq!(row[..2], [0.0, 0.5]); // every row has length 1
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amplitude {
    /// A finite number within the range of the element type. It may be negative or zero.
    Value(f64),
    /// `1 / sqrt(d_model)`, as in `NeMo` and x-transformers. The macro calls it `rsqrt_d`.
    RsqrtD,
    /// `sqrt(2 / d_model)`, as in MLX. The macro calls it `sqrt_2_over_d`.
    Sqrt2OverD,
    /// The attention factor of the [scaling rule](crate::Scaling), which is 1 for rules that have none.
    /// The macro calls it `attention_factor`.
    AttentionFactor,
}

/// The amplitudes that are not numbers, with their words in the macro and the tool.
pub(crate) static AMPLITUDE_WORDS: [(&str, Amplitude); 3] = [
    ("rsqrt_d", Amplitude::RsqrtD),
    ("sqrt_2_over_d", Amplitude::Sqrt2OverD),
    ("attention_factor", Amplitude::AttentionFactor),
];

/// The amplitudes that the macro accepts, as its error message lists them.
#[doc(hidden)]
pub const AMPLITUDE_EXPECTED: &str = "a number, `rsqrt_d`, `sqrt_2_over_d` or `attention_factor`";

/// Returns the amplitude that this word names in the macros, or `None`.
///
/// Other amplitudes are numbers. [`AMPLITUDE_EXPECTED`](crate::reflection::AMPLITUDE_EXPECTED) lists the words for an
/// error message.
///
/// # Examples
///
/// ```
/// use posenc::Amplitude;
/// use posenc::reflection::amplitude_of_word;
///
/// assert_eq!(amplitude_of_word("rsqrt_d"), Some(Amplitude::RsqrtD));
/// assert_eq!(amplitude_of_word("rsqrt"), None);
/// ```
#[must_use]
pub fn amplitude_of_word(word: &str) -> Option<Amplitude> {
    AMPLITUDE_WORDS.iter().find(|(name, _)| *name == word).map(|(_, amplitude)| *amplitude)
}

/// Returns `Value(1.0)`, which leaves the sines and cosines unchanged.
impl Default for Amplitude {
    fn default() -> Self {
        Self::Value(1.0)
    }
}

/// Converts a number to [`Value`](Self::Value).
///
/// # Examples
///
/// ```
/// use posenc::{Amplitude, Spec};
///
/// assert_eq!(Spec::new(8).amplitude(0.5.into()), Spec::new(8).amplitude(Amplitude::Value(0.5)));
/// assert_eq!(Spec::new(8).amplitude(Amplitude::default()), Spec::new(8));
/// ```
impl From<f64> for Amplitude {
    fn from(value: f64) -> Self {
        Self::Value(value)
    }
}

impl Amplitude {
    pub(crate) const fn sign(self) -> i32 {
        match self {
            Self::Value(value) => sign(value),
            Self::RsqrtD | Self::Sqrt2OverD | Self::AttentionFactor => 1,
        }
    }

    /// Returns the absolute value for a rule that has been checked.
    pub(crate) const fn size(self, d_model: usize, scaling: &Scaling) -> Size {
        match self {
            Self::Value(value) => Size::of(value),
            Self::AttentionFactor => scaling.attention_factor(),
            Self::RsqrtD => Size::rsqrt(d_model as f64),
            Self::Sqrt2OverD => Size::rsqrt(times_power_of_two(d_model as u64, -1)),
        }
    }
}
