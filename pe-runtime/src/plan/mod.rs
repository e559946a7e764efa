//! The plan of a table: its parameters, checked and lowered to what the arithmetic needs.
//!
//! Plans and [positions] are the only input of the tiers.

pub(crate) mod placement;
pub(crate) mod positions;

use core::marker::PhantomData;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::exact::format::Format;
#[cfg(feature = "alloc")]
use crate::exact::frequency::Frequency;
use crate::exact::frequency_rule::FrequencyRule;
#[cfg(feature = "alloc")]
use crate::exact::limbs::NARROW;
#[cfg(feature = "alloc")]
use crate::exact::sinusoid::Sinusoid;
use crate::exact::sinusoid::{Function, PreparedAmplitude, Sinusoids};
#[cfg(feature = "alloc")]
use crate::float_bits::fixed_point_rounder;
use crate::plan::positions::Positions;
use crate::spec::Spec;
#[cfg(feature = "alloc")]
use crate::spec::arrangement::Run;
use crate::spec::arrangement::{Arrangement, PairColumns};
use crate::spec::choices::Repeat;
use crate::spec::error::SpecError;
use crate::spec::quantiser::units_and_format;

/// The contents of a row, for elements of type `T`.
///
/// Its only constructor checks the parameters, so code that has a plan need not check them again. The positions of the
/// rows are in [`Positions`](positions::Positions).
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a, T> {
    d_model: usize,
    arrangement: Arrangement,
    frequencies: FrequencyRule<'a>,
    /// `None` if the amplitude is zero, and therefore every entry.
    amplitude: Option<PreparedAmplitude>,
    /// The format of the type, with the zero point of the quantiser.
    format: Format,
    /// What the roundings of floats to integers add, and others ignore.
    #[cfg(feature = "alloc")]
    rounder: f64,
    element: PhantomData<T>,
}

/// A table of a spec that has been checked: all that the tiers take.
#[derive(Clone, Copy)]
pub(crate) struct TablePlan<'a, T> {
    pub(crate) plan: Plan<'a, T>,
    pub(crate) positions: Positions<'static>,
    pub(crate) rows: usize,
}

impl<'a, T: Element> TablePlan<'a, T> {
    /// Checks a table of `spec`, of at most `max_bytes`, and lowers it.
    pub(crate) const fn new(spec: &Spec<'a>, rows: usize, max_bytes: usize) -> Result<Self, SpecError> {
        let plan = try_const!(Plan::new(spec));
        let positions = try_const!(Positions::of_table::<T>(spec, rows, max_bytes));
        Ok(Self { plan, positions, rows })
    }

    /// Returns the size of the table.
    pub(crate) const fn bytes(&self) -> usize {
        self.rows * self.plan.d_model * size_of::<T>()
    }
}

/// A column, and the function of its frequency that fills it.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) column: usize,
    pub(crate) function: Function,
}

/// What feeds a column: a function of a frequency.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) frequency: usize,
    pub(crate) function: Function,
}

/// The columns that one frequency feeds, without those that repeat them, or only those.
pub(crate) type Targets = [Option<Target>; 2];

impl Target {
    const fn new(column: Option<usize>, function: Function) -> Option<Self> {
        match column {
            Some(column) => Some(Self { column, function }),
            None => None,
        }
    }
}

impl<'a, T: Element> Plan<'a, T> {
    /// Checks the parameters of `spec` and lowers them.
    pub(crate) const fn new(spec: &Spec<'a>) -> Result<Self, SpecError> {
        let scaling = try_const!(spec.check::<T>());
        let (units, format) = try_const!(units_and_format(spec.parameters.quantiser, T::FORMAT, T::DTYPE));
        Ok(Self {
            d_model: spec.d_model(),
            arrangement: spec.arrangement(),
            frequencies: spec.frequency_rule(scaling),
            amplitude: match spec.parameters.amplitude.sign() {
                0 => None,
                sign => Some(PreparedAmplitude::new(
                    spec.parameters.amplitude.size(spec.d_model(), &spec.parameters.scaling),
                    units,
                    sign < 0,
                    format,
                )),
            },
            format,
            #[cfg(feature = "alloc")]
            rounder: match format.integers {
                Some(integers) => fixed_point_rounder(format.width, integers.zero_point),
                None => 0.0,
            },
            element: PhantomData,
        })
    }

    /// Returns the number of entries in a row.
    pub(crate) const fn d_model(&self) -> usize {
        self.d_model
    }

    /// Returns the number of columns that are a sine or a cosine. The columns after them are zeros.
    pub(crate) const fn width(&self) -> usize {
        if self.amplitude.is_some() { self.arrangement.width } else { 0 }
    }

    /// Returns the amplitude, or `None` if it is zero.
    pub(crate) const fn amplitude(&self) -> Option<&PreparedAmplitude> {
        self.amplitude.as_ref()
    }

    /// Returns the format of the entries.
    pub(crate) const fn format(&self) -> Format {
        self.format
    }

    /// Returns the entry for the real number 0, as in the zero row and in columns that are neither sines nor cosines.
    pub(crate) const fn zero(&self) -> T {
        from_bits(self.format.zero())
    }

    /// Returns what the roundings of floats to integers add, and others ignore.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) const fn rounder(&self) -> f64 {
        self.rounder
    }

    /// Returns the rule for the frequencies. [`count`](Self::count) returns their number.
    pub(crate) const fn frequencies(&self) -> &FrequencyRule<'a> {
        &self.frequencies
    }

    /// Returns the number of frequencies, even if the amplitude is zero and no column is fed.
    pub(crate) const fn count(&self) -> usize {
        self.arrangement.frequencies()
    }

    /// Returns the columns that frequency `i` feeds if the amplitude is not zero, without those that repeat them.
    pub(crate) const fn targets(&self, i: usize) -> Targets {
        targets(self.arrangement.pair_columns(i))
    }

    /// Returns the columns that repeat the columns of frequency `i`, in the same order.
    pub(crate) const fn repeated_targets(&self, i: usize) -> Targets {
        targets(self.arrangement.repeated_columns(i))
    }

    /// Returns all columns that frequency `i` feeds if the amplitude is not zero.
    #[cfg(feature = "alloc")]
    pub(crate) fn all_targets(&self, i: usize) -> impl Iterator<Item = Target> + use<T> {
        self.targets(i).into_iter().chain(self.repeated_targets(i)).flatten()
    }

    /// Returns what feeds a column that is not one of zeros.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) const fn column(&self, column: usize) -> Column {
        let (frequency, is_cosine) = self.arrangement.source(column);
        Column { frequency, function: if is_cosine { Function::Cosine } else { Function::Sine } }
    }

    /// Returns the runs of the columns, if there are any.
    #[cfg(feature = "alloc")]
    pub(crate) const fn run(&self) -> Option<Run> {
        self.arrangement.run()
    }

    /// Returns whether columns are repeated.
    pub(crate) const fn repeats(&self) -> bool {
        self.amplitude.is_some() && !matches!(self.arrangement.repeat, Repeat::None)
    }

    /// Returns the sinusoids of all frequencies in order, or of none if the amplitude is zero.
    pub(crate) const fn sinusoids(&self) -> Sinusoids<'_> {
        match &self.amplitude {
            Some(amplitude) => Sinusoids::new(&self.frequencies, self.count(), amplitude),
            None => Sinusoids::new(&self.frequencies, 0, &PreparedAmplitude::ONE),
        }
    }

    /// Returns the sinusoid of frequency `i`, or `None` if the amplitude is zero.
    ///
    /// The frequency is computed unless it is given as `turns`.
    #[cfg(feature = "alloc")]
    pub(crate) fn sinusoid(&self, i: usize, turns: Option<Frequency<NARROW>>) -> Option<Sinusoid<'_>> {
        let (frequencies, amplitude) = (&self.frequencies, self.amplitude.as_ref()?);
        Some(Sinusoid::new(frequencies, i, turns.unwrap_or_else(|| frequencies.of(i)), amplitude))
    }
}

#[inline]
const fn targets(PairColumns { sin, cos }: PairColumns) -> Targets {
    [Target::new(sin, Function::Sine), Target::new(cos, Function::Cosine)]
}
