//! How an entry is computed, as [`Spec::explain`] shows it.
//!
//! The stages are frequency, angle, turns, sine or cosine, the two nearest numbers of the element type, and rounding.
//! Every number is an interval that contains the exact value. Only digits on which both ends agree are shown; if they
//! do not agree, everything is computed again with the largest number of limbs. The entry itself is not rounded here,
//! but comes from the exact tier, which computes single entries of tables.

mod display;
mod formula;
mod neighbours;
mod of_grid;
mod stages;

use core::cmp::Ordering;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::exact::constants::LIMBS;
use crate::inspect::bignum::signed::Signed;
use crate::inspect::entry::to_bits;
use crate::inspect::explain::neighbours::Place;
use crate::inspect::explain::stages::DIGITS;
use crate::plan::Plan;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::spec::position::Position;

pub use crate::exact::sinusoid::Function;
pub use crate::inspect::bignum::decimal::Decimal;
pub use crate::inspect::bignum::signed::Integer;
pub use neighbours::{Distance, Neighbour};
pub use stages::{Scaled, Stages};

/// The number of limbs to try first. It is enough for common parameters: of 1024 bits, 133 are shown.
const FIRST_LIMBS: usize = 16;

/// The computation of an entry of a table: every stage from the frequency to the rounding, in decimal.
///
/// [`Spec::explain`] and [`Grid::explain`](crate::Grid::explain) return it. Numbers have 40 significant digits and
/// distances have 10, all correctly rounded to nearest, ties to the smaller magnitude. A number with fewer digits is
/// exact. A number that 5120 bits do not distinguish from a tie counts as a tie.
///
/// The [`Display`](core::fmt::Display) output has the stages in order, one or two lines each. For an exact entry it
/// omits the neighbours. If a number of whole turns has more than 60 digits, the middle ones are left out.
///
/// # Examples
///
/// ```
/// use posenc::Spec;
/// use posenc::explain::{Explanation, Function};
/// use std::cmp::Ordering;
///
/// let entry: Explanation<f32> = Spec::new(512).explain(4095, 17)?;
/// println!("{entry}");
/// assert_eq!(entry.value.to_string(), "-0.08991008860191881434204101643781298830412");
/// assert_eq!((entry.result, entry.rounded()), (-0.089_910_09, Ordering::Less));
/// assert_eq!(entry.from_middle.to_string(), "0.3164282397");
///
/// // The numbers of the type on either side of the exact value.
/// assert_eq!((entry.below.value, entry.above.value), (-0.089_910_09, -0.089_910_08));
/// assert_eq!(entry.below.decimal.to_string(), "-0.089910089969635009765625");
/// assert_eq!(entry.below.distance.to_string(), "0.1835717603");
///
/// let stages = entry.stages.expect("no column of zeros");
/// assert_eq!((stages.function, stages.frequency_index), (Function::Cosine, 8));
/// assert_eq!(stages.formula, "w = 10000^(-16/512)");
/// assert_eq!(stages.frequency.to_string(), "0.7498942093324558273021842756151364384419");
/// assert_eq!((stages.whole_turns.to_string().as_str(), stages.quadrant), ("488", 3));
/// assert_eq!(stages.phase.to_string(), "0.7356710150640628713727131115308398550497");
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation<T> {
    /// The width of the table.
    pub d_model: usize,
    /// The column, from 0.
    pub column: usize,
    /// The axis that fills the column of a grid, in the order of the shape. It is `None` for other tables and columns of zeros.
    pub axis: Option<usize>,
    /// The position of the row, or of the point of a grid along the axis, as the `f64` that is used for it.
    pub position: f64,
    /// The stages that lead to the value, or `None` in a column of zeros, as with [`Odd::Zero`](crate::Odd::Zero).
    pub stages: Option<Stages>,
    /// The exact value of the entry: the amplitude times the sine or cosine.
    pub value: Decimal,
    /// The largest number of the element type that is not above the exact value.
    pub below: Neighbour<T>,
    /// The smallest number of the element type that is not below the exact value.
    ///
    /// If the exact value is a number of the type, this and `below` are both that number.
    pub above: Neighbour<T>,
    /// The distance of the exact value from the midpoint between its neighbours, at which the rounding changes.
    ///
    /// It is a fraction of the gap between them: 0 for a tie, 0.5 for a number of the type.
    pub from_middle: Distance,
    /// The entry, with the same bits as from [`encode`](Spec::encode).
    pub result: T,
}

impl<T: Element> Explanation<T> {
    /// Returns how the entry compares with the exact value.
    ///
    /// `Less` means that the value was rounded down, `Greater` that it was rounded up. `Equal` means that the value is
    /// a number of the element type, which is the case if the position, the frequency or the amplitude is zero.
    #[must_use]
    pub fn rounded(&self) -> Ordering {
        let [below, above, result] = [self.below.value, self.above.value, self.result].map(to_bits);
        if below == above {
            Ordering::Equal
        } else if result == below {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }
}

impl Spec<'_> {
    /// Explains the entry of `column`, counted from 0, at `position`.
    ///
    /// As for [`encode`](Self::encode), the position is any integer within `±2^53` or any finite `f64` or `f32`, used
    /// exactly. [`start`](Self::start), [`step`](Self::step) and [`zero_row`](Self::zero_row) apply to rows and are
    /// ignored here.
    ///
    /// It takes less than a millisecond for typical parameters, and up to about 50 ms for angles of thousands of bits.
    ///
    /// # Errors
    ///
    /// Returns an error if the element type is a type of integers, if [`check_parameters`](Self::check_parameters)
    /// does, if the position is out of range, or if the column is not below `d_model`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let entry = Spec::new(512).explain::<f32>(4095, 17)?;
    /// let mut row = [0.0; 512];
    /// Spec::new(512).encode(4095, &mut row)?;
    /// assert_eq!(entry.result, row[17]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn explain<T: Element>(&self, position: impl Position, column: usize) -> Result<Explanation<T>, SpecError> {
        check_dtype::<T>()?;
        let plan = Plan::<T>::new(self)?;
        let position = position.exact()?;
        let d_model = self.d_model();
        if column >= d_model {
            return Err(SpecError::Column { value: column, d_model });
        }
        let entry = Entry { spec: self, plan, position, source: source(&plan, column) };
        Ok(entry.explained(column, d_model))
    }
}

/// Checks that the entries are floating-point numbers.
fn check_dtype<T: Element>() -> Result<(), SpecError> {
    if T::FORMAT.integers.is_none() {
        return Ok(());
    }
    let reason = "has integers, but only the rounding to floating-point numbers is explained; use `f32` or `f64`";
    Err(SpecError::Dtype { dtype: T::DTYPE, reason })
}

/// Returns the function of a column and the index of its frequency, or `None` for a column of zeros.
fn source<T: Element>(plan: &Plan<T>, column: usize) -> Option<(Function, usize)> {
    (0..plan.count()).find_map(|i| {
        let target = plan.all_targets(i).find(|target| target.column == column)?;
        Some((target.function, i))
    })
}

/// The entry to explain.
struct Entry<'a, T> {
    spec: &'a Spec<'a>,
    plan: Plan<'a, T>,
    position: f64,
    /// `None` for a column of zeros.
    source: Option<(Function, usize)>,
}

/// The explanation, except for the entry itself.
struct Evaluated<T> {
    stages: Option<Stages>,
    value: Decimal,
    place: Place<T>,
}

impl<T: Element> Entry<'_, T> {
    /// Explains the entry, which is in this column of a 1-D table.
    fn explained(&self, column: usize, d_model: usize) -> Explanation<T> {
        let (position, axis, result) = (self.position, None, self.result());
        let Evaluated { stages, value, place: Place { below, above, from_middle } } = self.evaluate();
        Explanation { d_model, column, axis, position, stages, value, below, above, from_middle, result }
    }

    /// Returns the entry itself, which has the same bits in every tier, from the one for single entries.
    fn result(&self) -> T {
        let sinusoid = self.source.and_then(|(function, i)| Some((function, self.plan.sinusoid(i, None)?)));
        sinusoid.map_or(self.plan.zero(), |(function, sinusoid)| {
            from_bits(sinusoid.round_at(function, self.position, self.plan.format()))
        })
    }

    /// Evaluates the entry in as many limbs as it takes.
    ///
    /// After the whole turns of the angle, more than 800 of the last 5120 bits remain, six times as many as are shown (see
    /// `round_wide` in `exact::sinusoid`). If these do not distinguish the value from a tie or from a number of the
    /// type, the lower end of the interval is used. So the last attempt always decides.
    fn evaluate(&self) -> Evaluated<T> {
        let evaluated = self.evaluate_with::<FIRST_LIMBS>().or_else(|| self.evaluate_with::<LIMBS>());
        evaluated.expect("the last intervals always decide")
    }

    /// Evaluates the entry in `L` limbs, or returns `None` if some digit is not certain.
    fn evaluate_with<const L: usize>(&self) -> Option<Evaluated<T>> {
        let last = L == LIMBS;
        let (stages, value) = match self.source {
            None => (None, Signed::zero()),
            Some(source) => {
                let (stages, value) = Stages::of::<T, L>(self.spec, &self.plan, source, self.position)?;
                (Some(stages), value)
            }
        };
        Some(Evaluated { stages, value: value.decimal(DIGITS, last)?, place: Place::of(&value, last)? })
    }
}
