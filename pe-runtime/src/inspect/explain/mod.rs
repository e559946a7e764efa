//! How an entry comes to be: what [`Spec::explain`] returns.
//!
//! The stages are frequency, angle, turns, sine or cosine, the two numbers around it, and rounding. Every number is an interval that holds the exact one. Only digits that both ends agree on are shown; where they do not, all
//! is computed again with the most limbs there are. The entry itself is not rounded here but asked for where tables are made.

mod display;
mod formula;
mod neighbours;
mod stages;

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::element::Element;
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
pub use stages::Stages;

/// Limbs that are tried first. Enough for usual parameters: of 1024 bits 133 are shown.
const FIRST_LIMBS: usize = 16;

/// How an entry of a table comes to be: every stage from the frequency to the rounding, as decimals. Made by
/// [`Spec::explain`]; shows itself as some lines of text.
///
/// Numbers have 40 significant digits, distances 10, all correctly rounded to nearest (and half way, to the smaller one). One
/// that has fewer is exact. (Numbers that 5120 bits do not tell from half way count as half way, such as those that are.)
///
/// The text has the stages in order, a line or two each; of an entry that is exact, without its neighbours. Of a number of whole turns
/// with more than 60 digits the middle ones are left out.
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
    /// The position, as the `f64` that it is used as.
    pub position: f64,
    /// What leads to the value; `None` for the column of zeros that ends an odd width with [`Odd::Zero`](crate::Odd::Zero).
    pub stages: Option<Stages>,
    /// The exact value of the entry: the amplitude times the sine or cosine.
    pub value: Decimal,
    /// The largest number of the element type that is not above the exact value.
    pub below: Neighbour<T>,
    /// The smallest number of the element type that is not below the exact value. Where that is exactly a number of the type, this and
    /// `below` are both it.
    pub above: Neighbour<T>,
    /// How far the exact value is from the middle between its neighbours, where rounding changes over, as a share of the gap between
    /// them: 0 for a tie, 0.5 for a number of the type.
    pub from_middle: Distance,
    /// The entry: what [`encode`](Spec::encode) writes there, which is called for it.
    pub result: T,
}

impl<T: Element> Explanation<T> {
    /// Returns how the entry compares with the exact value: `Less` if that was rounded down, `Greater` if up, `Equal` if it is a number
    /// of the element type, as where the position, the frequency or the amplitude is zero.
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
    /// Explains the entry of `column`, counted from 0, at `position`, which is taken as [`encode`](Self::encode) takes it: any
    /// integer within `±2^53` or any finite `f64` or `f32`, used exactly. ([`start`](Self::start), [`step`](Self::step) and
    /// [`zero_row`](Self::zero_row) are for rows: an entry that `zero_row` sets to zero is explained as if it did not.)
    ///
    /// It takes as long as encoding a row, and then less than a millisecond for usual parameters, up to some 50 ms for angles of
    /// thousands of bits.
    ///
    /// # Errors
    ///
    /// For parameters that [`check_parameters`](Self::check_parameters) refuses, for a position out of its range, for a column
    /// that is not below `d_model`, and without memory for a row.
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
        let plan = Plan::<T>::new(self)?;
        let position = position.exact()?;
        let d_model = self.d_model();
        if column >= d_model {
            return Err(SpecError::Column { value: column, d_model });
        }
        let result = self.encode_column(position, column)?;
        let entry = Entry { spec: self, plan, position, source: source(&plan, column) };
        let Evaluated { stages, value, place } = entry.evaluate();
        let Place { below, above, from_middle } = place;
        Ok(Explanation { d_model, column, position, stages, value, below, above, from_middle, result })
    }

    /// Returns the entry, by the way that all take.
    fn encode_column<T: Element>(&self, position: f64, column: usize) -> Result<T, SpecError> {
        let mut row = Vec::new();
        let no_memory = |_| SpecError::OutOfMemory { bytes: self.d_model() * size_of::<T>() };
        row.try_reserve_exact(self.d_model()).map_err(no_memory)?;
        row.resize(self.d_model(), T::default());
        self.encode(position, &mut row)?;
        Ok(row[column])
    }
}

/// Returns the function that a column holds and the number of its frequency, or `None` for a column of zeros.
fn source<T: Element>(plan: &Plan<T>, column: usize) -> Option<(Function, usize)> {
    (0..plan.count()).find_map(|i| {
        let target = plan.targets(i).into_iter().flatten().find(|target| target.column == column)?;
        Some((target.function, i))
    })
}

/// What is to be explained.
struct Entry<'a, T> {
    spec: &'a Spec<'a>,
    plan: Plan<'a, T>,
    position: f64,
    /// Nothing for a column of zeros.
    source: Option<(Function, usize)>,
}

/// All but the entry itself.
struct Evaluated<T> {
    stages: Option<Stages>,
    value: Decimal,
    place: Place<T>,
}

impl<T: Element> Entry<'_, T> {
    /// Evaluates the entry in as many limbs as it takes.
    ///
    /// The angle's whole turns leave some 690 of the last 5120 bits, and so five times the digits that are shown (see `round_wide`
    /// in `exact::sinusoid`). What these do not tell from half way or from a number is taken as the lower end, so the last time
    /// always decides.
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
