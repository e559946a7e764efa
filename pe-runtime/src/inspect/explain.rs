//! One entry through every stage: frequency, angle, turns, sine or cosine, the two numbers around it, rounding.
//!
//! Every number is an interval that holds the exact one. Only digits that both ends agree on are shown; where they do not, all
//! is computed again with the most limbs there are. The entry itself is not rounded here but asked for where tables are made.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{Display, Formatter, Result as FmtResult};

use crate::element::Element;
use crate::element::bits::{from_bits, to_bits};
use crate::error_bounds::{POWER_ERROR_BITS, WIDE_ERROR_BITS};
use crate::exact::bits::{is_zero, sign};
use crate::exact::constants::{INVERSE_TAU, LIMBS};
use crate::exact::factor::{Factor, Size};
use crate::exact::fixed::Fixed;
use crate::exact::format::Format;
use crate::exact::frequency::{Family, power};
use crate::exact::phase::Phase;
use crate::exact::sincos::wide_halves;
use crate::inspect::bignum::{Dyadic, Interval};
use crate::plan::frequencies_of;
use crate::spec::Spec;
use crate::spec::choices::{Columns, Pairing};
use crate::spec::error::SpecError;
use crate::spec::position::Position;
use crate::spec::values::Frequencies;

/// Significant digits of the numbers.
const DIGITS: usize = 40;
/// Significant digits of the distances.
const DISTANCE_DIGITS: usize = 10;
/// Limbs that are tried first. Enough for usual parameters: of 1024 bits 133 are shown.
const FIRST_LIMBS: usize = 16;

/// How an entry of a table comes to be: every stage from the frequency to the rounding, as decimals. Made by
/// [`Spec::explain`]; shows itself as some lines of text.
///
/// Numbers have 40 significant digits, distances 10, all correctly rounded to nearest (and half way, to the smaller one). One
/// that has fewer is exact. Below 0.00001 and from 1e40 on they have an exponent, as in `1.25e-7`. (Numbers that 5120 bits do not tell
/// from half way count as half way, such as those that are.)
///
/// ```
/// use posenc::{Explanation, Spec};
///
/// let entry: Explanation<f32> = Spec::new(512).explain(4095, 17)?;
/// assert_eq!(entry.function(), "cosine");
/// assert_eq!(entry.formula(), Some("w = 10000^(-16/512)"));
/// assert_eq!(entry.frequency(), Some("0.7498942093324558273021842756151364384419"));
/// assert_eq!(entry.whole_turns(), Some("488"));
/// println!("{entry}");
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<T> {
    d_model: usize,
    column: usize,
    position: f64,
    /// Nothing for a column of zeros.
    stages: Option<Stages>,
    amplitude: String,
    value: String,
    below: Neighbour<T>,
    above: Neighbour<T>,
    from_middle: String,
    result: T,
    result_bits: u64,
}

/// A number of the element type beside the exact value of an entry; [`Explanation::below`] and [`Explanation::above`] give them.
///
/// ```
/// use posenc::{Explanation, Neighbour, Spec};
///
/// let entry: Explanation<f32> = Spec::new(2).explain(1, 0)?; // sin(1) = 0.84147098...
/// let below: &Neighbour<f32> = entry.below();
/// assert_eq!((below.value(), below.bits()), (0.841_470_96, 0x3f57_6aa4));
/// assert_eq!(below.decimal(), "0.8414709568023681640625");
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour<T> {
    value: T,
    bits: u64,
    decimal: String,
    distance: String,
}

/// What a column of a sine or cosine goes through before the amplitude.
#[derive(Clone, Debug, PartialEq)]
struct Stages {
    cosine: bool,
    number: usize,
    formula: String,
    frequency: String,
    frequency_in_turns: String,
    /// Nothing for a frequency of zero.
    wavelength: Option<String>,
    angle: String,
    whole_turns: String,
    phase: String,
    quadrant: u8,
    unscaled: String,
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
    /// ```
    /// # use posenc::Spec;
    /// let entry = Spec::new(512).explain::<f32>(4095, 17)?;
    /// let mut row = [0.0; 512];
    /// Spec::new(512).encode(4095, &mut row)?;
    /// assert_eq!(entry.result(), row[17]);
    /// assert_eq!(
    ///     Spec::new(512).explain::<f32>(4095, 512).unwrap_err().to_string(),
    ///     "`column` is 512, but must be from 0 to 511; give one of those",
    /// );
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn explain<T: Element>(&self, position: impl Position, column: usize) -> Result<Explanation<T>, SpecError> {
        self.check_parameters::<T>()?;
        let position = position.exact()?;
        let d_model = self.d_model;
        if column >= d_model {
            return Err(SpecError::Column { value: column, d_model });
        }
        let result = self.encode_column(position, column)?;
        let entry = Entry { spec: self, position, source: self.source(column) };
        let Computed { stages, amplitude, value, place } = entry.compute(T::FORMAT);
        let [below, above] = place.neighbours;
        Ok(Explanation {
            d_model,
            column,
            position,
            stages,
            amplitude,
            value,
            below: below.element(),
            above: above.element(),
            from_middle: place.from_middle,
            result,
            result_bits: to_bits(result),
        })
    }

    /// The entry, by the way that all take.
    fn encode_column<T: Element>(&self, position: f64, column: usize) -> Result<T, SpecError> {
        let mut row = Vec::new();
        let no_memory = |_| SpecError::OutOfMemory { bytes: self.d_model * size_of::<T>() };
        row.try_reserve_exact(self.d_model).map_err(no_memory)?;
        row.resize(self.d_model, T::default());
        self.encode(position, &mut row)?;
        Ok(row[column])
    }

    /// Whether a column is a cosine and the number of its frequency; nothing for a column of zeros.
    fn source(&self, column: usize) -> Option<(bool, usize)> {
        let arrangement = self.arrangement();
        (0..arrangement.frequencies()).find_map(|i| {
            let targets = arrangement.targets(i);
            let cosine = targets.cos == Some(column);
            (cosine || targets.sin == Some(column)).then_some((cosine, i))
        })
    }
}

impl<T: Element> Explanation<T> {
    /// The position, as the `f64` that it is used as.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(8).explain::<f32>(998.39, 3)?.position(), 998.39);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> f64 {
        self.position
    }

    /// The column, from 0.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(8).explain::<f32>(1, 3)?.column(), 3);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// What the column is: `"sine"`, `"cosine"`, or `"zero"` for the column of zeros that ends an odd width with
    /// [`Odd::Zero`](crate::Odd::Zero). Of that there is no frequency, angle or phase to tell.
    ///
    /// ```
    /// # use posenc::{Odd, Spec};
    /// let spec = Spec::new(3).odd(Odd::Zero);
    /// let function = |column| Ok(spec.explain::<f32>(1, column)?.function());
    /// assert_eq!([function(0)?, function(1)?, function(2)?], ["sine", "cosine", "zero"]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn function(&self) -> &'static str {
        match self.stages {
            Some(Stages { cosine: true, .. }) => "cosine",
            Some(_) => "sine",
            None => "zero",
        }
    }

    /// The number of the column's frequency, from 0: that of a pair of columns, where those share one.
    ///
    /// ```
    /// # use posenc::{Layout, Spec};
    /// assert_eq!(Spec::new(8).explain::<f32>(1, 5)?.number(), Some(2));
    /// assert_eq!(Spec::new(8).layout(Layout::Halves).explain::<f32>(1, 5)?.number(), Some(1));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        Some(self.stages.as_ref()?.number)
    }

    /// The formula of the frequency, in radians per position, the parameters filled in.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let formula = |spec: Spec| Ok(spec.explain::<f32>(1, 3)?.formula().map(String::from));
    /// assert_eq!(formula(Spec::new(8))?.as_deref(), Some("w = 10000^(-2/8)"));
    /// assert_eq!(formula(Spec::new(8).freq_shift(1.0).scale(0.25))?.as_deref(), Some("w = 10000^(-1/(4 - 1)) * 0.25"));
    /// assert_eq!(formula(Spec::new(4).frequencies(&[1.0, 0.1]))?.as_deref(), Some("w = frequencies[1]"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn formula(&self) -> Option<&str> {
        Some(&self.stages.as_ref()?.formula)
    }

    /// The frequency in radians per position, `scale` included.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let spec = Spec::new(4).frequencies(&[1.0, -0.1]).scale(0.5);
    /// assert_eq!(spec.explain::<f32>(1, 2)?.frequency(), Some("-0.05000000000000000277555756156289135105908"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn frequency(&self) -> Option<&str> {
        Some(&self.stages.as_ref()?.frequency)
    }

    /// The frequency in turns per position: that in radians over 2π.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let turns = Spec::new(2).explain::<f32>(1, 0)?.frequency_in_turns().map(String::from);
    /// assert_eq!(turns.as_deref(), Some("0.1591549430918953357688837633725143620345"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn frequency_in_turns(&self) -> Option<&str> {
        Some(&self.stages.as_ref()?.frequency_in_turns)
    }

    /// The wavelength, in positions, always positive: 2π over the size of the frequency. A frequency of zero has none.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let wavelength = Spec::new(2).explain::<f32>(1, 0)?.wavelength().map(String::from);
    /// assert_eq!(wavelength.as_deref(), Some("6.283185307179586476925286766559005768394"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn wavelength(&self) -> Option<&str> {
        self.stages.as_ref()?.wavelength.as_deref()
    }

    /// The angle in radians: position times frequency.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f32>(-4095, 0)?.angle(), Some("-4095"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn angle(&self) -> Option<&str> {
        Some(&self.stages.as_ref()?.angle)
    }

    /// The whole turns in the angle, an integer with the sign of the angle: what is taken away.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f32>(4095, 0)?.whole_turns(), Some("651"));
    /// assert_eq!(Spec::new(2).explain::<f32>(-4095, 0)?.whole_turns(), Some("-651"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn whole_turns(&self) -> Option<&str> {
        Some(&self.stages.as_ref()?.whole_turns)
    }

    /// The rest of the angle in turns, with the sign of the angle: less than 1 in size.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let phase = Spec::new(2).explain::<f32>(-4095, 0)?.phase().map(String::from);
    /// assert_eq!(phase.as_deref(), Some("-0.7394919613113999735790110104463125311122"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn phase(&self) -> Option<&str> {
        Some(&self.stages.as_ref()?.phase)
    }

    /// The quadrant of the angle, 1 to 4: in 1 and 2 the sine is positive, in 4 and 1 the cosine.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f32>(2, 0)?.quadrant(), Some(2));
    /// assert_eq!(Spec::new(2).explain::<f32>(-2, 0)?.quadrant(), Some(3));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn quadrant(&self) -> Option<u8> {
        Some(self.stages.as_ref()?.quadrant)
    }

    /// The sine or cosine of the angle, before the amplitude.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let sine = Spec::new(2).explain::<f32>(1, 0)?.unscaled().map(String::from);
    /// assert_eq!(sine.as_deref(), Some("0.8414709848078965066525023216302989996226"));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn unscaled(&self) -> Option<&str> {
        Some(&self.stages.as_ref()?.unscaled)
    }

    /// The amplitude.
    ///
    /// ```
    /// # use posenc::{Amplitude, Spec};
    /// let entry = Spec::new(2).amplitude(Amplitude::RsqrtD).explain::<f32>(1, 0)?;
    /// assert_eq!(entry.amplitude(), "0.7071067811865475244008443621048490392848");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn amplitude(&self) -> &str {
        &self.amplitude
    }

    /// The exact value of the entry: the amplitude times the sine or cosine.
    ///
    /// ```
    /// # use posenc::{Amplitude, Spec};
    /// let entry = Spec::new(2).amplitude(Amplitude::Value(-2.0)).explain::<f32>(1, 0)?;
    /// assert_eq!(entry.value(), "-1.682941969615793013305004643260597999245");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The largest number of the element type that is not above the exact value.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let entry = Spec::new(2).explain::<f32>(1, 0)?;
    /// assert_eq!(entry.below().value(), 0.841_470_96);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn below(&self) -> &Neighbour<T> {
        &self.below
    }

    /// The smallest number of the element type that is not below the exact value. Where that is exactly a number of the
    /// type, this and [`below`](Self::below) are both it.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let entry = Spec::new(2).explain::<f32>(1, 0)?;
    /// assert_eq!(entry.above().value(), entry.below().value().next_up());
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn above(&self) -> &Neighbour<T> {
        &self.above
    }

    /// How far the exact value is from the middle between its neighbours, where rounding changes over, as a share of the gap between
    /// them: 0 for a tie, 0.5 for a number of the type.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f32>(1, 0)?.from_middle(), "0.03014520180");
    /// assert_eq!(Spec::new(2).explain::<f32>(0, 0)?.from_middle(), "0.5");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn from_middle(&self) -> &str {
        &self.from_middle
    }

    /// The entry: what [`encode`](Spec::encode) writes there, which is called for it.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f32>(1, 0)?.result(), 0.841_470_96);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn result(&self) -> T {
        self.result
    }

    /// The bits of the entry.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f64>(0, 1)?.result_bits(), 1.0f64.to_bits());
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn result_bits(&self) -> u64 {
        self.result_bits
    }

    /// How the entry compares with the exact value: `Less` if that was rounded down, `Greater` if up, `Equal` if it is a number of
    /// the element type, as where the position, the frequency or the amplitude is zero.
    ///
    /// ```
    /// # use posenc::Spec;
    /// use std::cmp::Ordering;
    ///
    /// assert_eq!(Spec::new(2).explain::<f32>(1, 0)?.rounded(), Ordering::Less);
    /// assert_eq!(Spec::new(2).explain::<f32>(0, 0)?.rounded(), Ordering::Equal);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn rounded(&self) -> Ordering {
        match () {
            () if self.below.bits == self.above.bits => Ordering::Equal,
            () if self.result_bits == self.below.bits => Ordering::Less,
            () => Ordering::Greater,
        }
    }
}

impl<T: Element> Neighbour<T> {
    /// The number.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f32>(0, 1)?.below().value(), 1.0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> T {
        self.value
    }

    /// Its bits.
    ///
    /// ```
    /// # use posenc::Spec;
    /// assert_eq!(Spec::new(2).explain::<f32>(0, 1)?.below().bits(), 0x3f80_0000);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// The number to 40 significant digits, fewer if they are all it has: for comparing with the exact value. The smallest number
    /// below zero is followed by `"-0"`.
    ///
    /// ```
    /// # use posenc::{F16Bits, Spec};
    /// assert_eq!(Spec::new(2).explain::<F16Bits>(1, 0)?.below().decimal(), "0.84130859375");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn decimal(&self) -> &str {
        &self.decimal
    }

    /// How far it is from the exact value, as a share of the gap between the two neighbours: the two distances add up to 1, unless the
    /// value is a number of the type, when both are 0. (Where 5120 bits do not tell the value from its
    /// neighbour, as for the cosine of 1e-800, the distance is such as `"less than 1e-1500"`.)
    ///
    /// ```
    /// # use posenc::Spec;
    /// let entry = Spec::new(2).explain::<f32>(1, 0)?;
    /// assert_eq!([entry.below().distance(), entry.above().distance()], ["0.4698547982", "0.5301452018"]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn distance(&self) -> &str {
        &self.distance
    }
}

/// The stages in order, a line or two each; of an entry that is exact, without its neighbours. (Of a number of whole turns with
/// more than 60 digits the middle ones are left out.)
///
/// ```
/// let text = posenc::Spec::new(4).explain::<f32>(0, 1)?.to_string();
/// assert!(text.starts_with("column 1 of 4 at position 0: the cosine of frequency 0\n"));
/// assert!(text.ends_with("result          1.0 (f32 0x3f800000), exact"));
/// # Ok::<(), posenc::SpecError>(())
/// ```
impl<T: Element> Display for Explanation<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let Self { d_model, column, value, .. } = self;
        write!(f, "column {column} of {d_model} at position {}: ", plain(self.position))?;
        match &self.stages {
            None => writeln!(f, "zero, as `odd = zero` asks")?,
            Some(stages) => {
                let Stages { number, formula, frequency, frequency_in_turns, angle, .. } = stages;
                let Stages { whole_turns, phase, quadrant, unscaled, .. } = stages;
                let function = self.function();
                writeln!(f, "the {function} of frequency {number}")?;
                writeln!(f, "formula         {formula}")?;
                writeln!(f, "frequency       {frequency} radians per position")?;
                writeln!(f, "                {frequency_in_turns} turns per position")?;
                match &stages.wavelength {
                    Some(wavelength) => writeln!(f, "wavelength      {wavelength} positions")?,
                    None => writeln!(f, "wavelength      none")?,
                }
                writeln!(f, "angle           {angle} radians")?;
                writeln!(f, "whole turns     {}", abridged(whole_turns))?;
                writeln!(f, "phase           {phase} turns, quadrant {quadrant}")?;
                if self.amplitude != "1" {
                    writeln!(f, "{function:<15} {unscaled}")?;
                    writeln!(f, "amplitude       {}", self.amplitude)?;
                }
            }
        }
        writeln!(f, "value           {value}")?;
        let (dtype, digits) = (T::DTYPE, T::FORMAT.width as usize / 4);
        if self.rounded() != Ordering::Equal {
            for (name, neighbour) in [("below", &self.below), ("above", &self.above)] {
                let Neighbour { bits, decimal, distance, .. } = neighbour;
                writeln!(f, "{name:<15} {decimal} ({dtype} 0x{bits:0digits$x})")?;
                writeln!(f, "                {distance} of the gap away")?;
            }
            writeln!(f, "middle          {} of the gap away", self.from_middle)?;
        }
        let rounded = match self.rounded() {
            Ordering::Less => "rounded down",
            Ordering::Greater => "rounded up",
            Ordering::Equal => "exact",
        };
        let Self { result, result_bits, .. } = self;
        write!(f, "result          {result:?} ({dtype} 0x{result_bits:0digits$x}), {rounded}")
    }
}

/// What is to be explained.
struct Entry<'a> {
    spec: &'a Spec<'a>,
    position: f64,
    /// Whether it is a cosine, and the number of its frequency; nothing for a zero.
    source: Option<(bool, usize)>,
}

/// All but the entry itself.
struct Computed {
    stages: Option<Stages>,
    amplitude: String,
    value: String,
    place: Place,
}

impl Entry<'_> {
    /// The angle's whole turns leave some 690 of the last 5120 bits, and so five times the digits that are shown (see `round_wide` in
    /// `wave`). What these do not tell from half way or from a number is taken as the lower end, so the last time always decides.
    fn compute(&self, format: Format) -> Computed {
        let computed = self.compute_with::<FIRST_LIMBS>(format).or_else(|| self.compute_with::<LIMBS>(format));
        computed.expect("the last intervals always decide")
    }

    /// Nothing if some digit is not certain.
    fn compute_with<const L: usize>(&self, format: Format) -> Option<Computed> {
        let last = L == LIMBS;
        let amplitude = self.amplitude::<L>();
        let mut value = Signed::of_f64(0.0);
        let mut stages = None;
        if let Some((cosine, number)) = self.source {
            let wave = Wave { spec: self.spec, position: self.position, cosine, number };
            let unscaled = wave.unscaled::<L>()?;
            value = amplitude.times(&unscaled);
            stages = Some(wave.stages::<L>(&unscaled)?);
        }
        let (amplitude, place) = (amplitude.text(last)?, Place::of(&value, format, last)?);
        Some(Computed { stages, amplitude, value: value.text(last)?, place })
    }

    fn amplitude<const L: usize>(&self) -> Signed {
        let size = match self.spec.amplitude.size(self.spec.d_model) {
            Size::Of(value) => Interval::exact(Dyadic::of_f64(value)),
            root @ Size::Rsqrt(_) => {
                let Factor { size, error_bits } = Factor::<L>::of(root);
                Interval::around(&size.fraction, error_bits, size.exponent)
            }
        };
        Signed { negative: self.spec.amplitude.sign() < 0, size }
    }
}

/// A sine or cosine that is to be explained.
struct Wave<'a> {
    spec: &'a Spec<'a>,
    position: f64,
    cosine: bool,
    number: usize,
}

impl Wave<'_> {
    fn stages<const L: usize>(&self, unscaled: &Signed) -> Option<Stages> {
        let last = L == LIMBS;
        let frequency = self.frequency::<L>();
        let angle = frequency.times(&Signed::of_f64(self.position));
        let turns = angle.times(&inverse_tau::<L>());
        let frequency_in_turns = frequency.times(&inverse_tau::<L>());
        let wavelength = if frequency.size.is_zero() {
            None
        } else {
            Some(frequency_in_turns.size.reciprocal(Fixed::<L>::BITS).decimal(DIGITS, last)?.to_string())
        };
        let (whole, phase) = turns.size.split(last)?;
        let quarters = phase.times_power_of_two(2).split(last)?.0.small()? as u8;
        let phase = Signed { negative: turns.negative, size: phase };
        let sign = if turns.negative && whole.small() != Some(0) { "-" } else { "" };
        Some(Stages {
            cosine: self.cosine,
            number: self.number,
            formula: self.formula(),
            frequency: frequency.text(last)?,
            frequency_in_turns: frequency_in_turns.text(last)?,
            wavelength,
            angle: angle.text(last)?,
            whole_turns: format!("{sign}{whole}"),
            phase: phase.text(last)?,
            // An angle that is no multiple of a quarter turn, as none but 0 is, is in the opposite one when negative.
            quadrant: if turns.negative { 4 - quarters } else { 1 + quarters },
            unscaled: unscaled.text(last)?,
        })
    }

    /// The exponents' numerator and denominator as the paper has them, 2k and d, or k and d/2 where a shift is taken off the latter.
    fn formula(&self) -> String {
        let Self { spec, number: k, .. } = *self;
        let own = match spec.frequencies {
            Frequencies::Given(_) => format!("frequencies[{k}]"),
            Frequencies::Geometric { base, .. } if k == 0 => format!("{}^0", plain(base)),
            Frequencies::Geometric { base, freq_shift } => format!("{}^(-{})", plain(base), self.exponent(freq_shift)),
        };
        if spec.scale == 1.0 { format!("w = {own}") } else { format!("w = {own} * {}", plain(spec.scale)) }
    }

    fn exponent(&self, freq_shift: f64) -> String {
        let Self { spec, number: k, .. } = *self;
        let width = spec.arrangement().width;
        let shift = plain(freq_shift.abs());
        let sign = if freq_shift < 0.0 { '+' } else { '-' };
        let shifted = freq_shift != 0.0;
        match (spec.columns, spec.pairing) {
            (Columns::Both, Pairing::Paired) if shifted => {
                let half = if width % 2 == 0 { "" } else { ".5" };
                format!("{k}/({}{half} {sign} {shift})", width / 2)
            }
            (Columns::Both, Pairing::Unpaired) if shifted => format!("{k}/({width} {sign} 2 * {shift})"),
            (_, _) if shifted => format!("{k}/({width} {sign} {shift})"),
            (Columns::Both, Pairing::Paired) => format!("{}/{width}", 2 * k),
            (_, _) => format!("{k}/{width}"),
        }
    }

    /// In radians. The error of a power, `2^POWER_ERROR_BITS` ulp relative to it, is in ulp of its fraction less than twice that.
    fn frequency<const L: usize>(&self) -> Signed {
        let frequencies = frequencies_of(self.spec);
        let own = match frequencies.family {
            Family::Given(list) => Signed::of_f64(list[self.number]),
            Family::Geometric { .. } if self.number == 0 => Signed::of_f64(1.0),
            Family::Geometric { base, step } => {
                let power = power::<L>(base, step.times(self.number));
                Signed::positive(Interval::around(&power.fraction, POWER_ERROR_BITS + 1, power.exponent))
            }
        };
        own.times(&Signed::of_f64(frequencies.scale))
    }

    /// The sine or cosine, as the exact tier computes it, before it is cut to 128 bits.
    fn unscaled<const L: usize>(&self) -> Option<Signed> {
        let Self { position, cosine, number, .. } = *self;
        let frequencies = frequencies_of(self.spec);
        let backwards = (sign(position) < 0) != (frequencies.sign(number) < 0);
        if is_zero(position) || frequencies.sign(number) == 0 {
            return Some(Signed::of_f64(if cosine { 1.0 } else { 0.0 }));
        }
        let phase = Phase::new(position, &frequencies.of::<L>(number))?;
        let (sin, half_cos) = wide_halves(&phase);
        let error_bits = phase.error_bits + WIDE_ERROR_BITS;
        // Odd quadrants and folding each turn one function into the other.
        let from_sine = phase.folded ^ (phase.quadrant % 2 == 1) ^ !cosine;
        let (value, exponent) = if from_sine { (sin, 0) } else { (half_cos, 1) };
        let size = Interval::around(&value, error_bits, exponent);
        let negative = if cosine { matches!(phase.quadrant, 1 | 2) } else { (phase.quadrant >= 2) != backwards };
        Some(Signed { negative, size })
    }
}

/// The cosine of a frequency at `position`, before the amplitude. Nothing if `L` limbs do not even tell where in its turn it is.
pub(crate) fn cosine<const L: usize>(spec: &Spec, position: f64, number: usize) -> Option<Signed> {
    Wave { spec, position, cosine: true, number }.unscaled::<L>()
}

/// A number whose size is enclosed, with a sign.
pub(crate) struct Signed {
    pub(crate) negative: bool,
    pub(crate) size: Interval,
}

impl Signed {
    fn positive(size: Interval) -> Self {
        Self { negative: false, size }
    }

    fn of_f64(value: f64) -> Self {
        Self { negative: sign(value) < 0, size: Interval::exact(Dyadic::of_f64(value)) }
    }

    /// The product. That with zero has no sign.
    fn times(&self, other: &Self) -> Self {
        let size = self.size.mul(&other.size);
        Self { negative: self.negative != other.negative && !size.is_zero(), size }
    }

    fn text(&self, last: bool) -> Option<String> {
        let sign = if self.negative { "-" } else { "" };
        Some(format!("{sign}{}", self.size.decimal(DIGITS, last)?))
    }
}

/// 1/2π: the constant is cut, by less than 1 ulp.
fn inverse_tau<const L: usize>() -> Signed {
    Signed::positive(Interval::around(&Fixed::<L>::from_prefix(&INVERSE_TAU), 0, 0))
}

/// A value among the numbers of a format.
struct Place {
    /// Below and above.
    neighbours: [Neighbour<()>; 2],
    from_middle: String,
}

impl Place {
    fn of(value: &Signed, format: Format, last: bool) -> Option<Self> {
        let Interval { low, high } = &value.size;
        let (bits, quantum) = low.floor(format);
        let number = Dyadic::of_bits(bits, format);
        let share = |x: &Dyadic| x.distance(&number).times_power_of_two(-quantum);
        let one = Dyadic::small(1);
        let up = match (high.floor(format).0 == bits, last) {
            (true, _) => Interval { low: share(low), high: share(high) },
            // The interval holds a number of the format, which the value is just below, as `round_wide` in `wave` says.
            (false, true) => Interval { low: share(low), high: one.clone() },
            (false, false) => return None,
        };
        let is_number = up.is_zero();
        let from_middle = distance(&from_middle(&up, last)?, last)?;
        let down =
            if is_number { up.clone() } else { Interval { low: one.distance(&up.high), high: one.distance(&up.low) } };
        let lower = Neighbour::of(value.negative, bits, format, distance(&up, last)?);
        let upper = Neighbour::of(value.negative, bits + !is_number as u64, format, distance(&down, last)?);
        let neighbours = if value.negative { [upper, lower] } else { [lower, upper] };
        Some(Self { neighbours, from_middle })
    }
}

/// The distance of a number between 0 and 1 from one half.
fn from_middle(up: &Interval, last: bool) -> Option<Interval> {
    let half = Dyadic::small(1).times_power_of_two(-1);
    let (low, high) = (half.distance(&up.low), half.distance(&up.high));
    let (below, above) = (up.low.cmp(&half) == Ordering::Less, up.high.cmp(&half) == Ordering::Greater);
    let (near, far) = if low.cmp(&high) == Ordering::Less { (low, high) } else { (high, low) };
    match below && above {
        false => Some(Interval { low: near, high: far }),
        true if last => Some(Interval { low: Dyadic::small(0), high: far }),
        true => None,
    }
}

/// A share of a gap.
fn distance(share: &Interval, last: bool) -> Option<String> {
    match share.decimal(DISTANCE_DIGITS, false) {
        Some(decimal) => Some(decimal.to_string()),
        None if last => Some(format!("less than {}", share.high.decimal(1).bound())),
        None => None,
    }
}

impl Neighbour<()> {
    fn of(negative: bool, bits: u64, format: Format, distance: String) -> Self {
        let sign = if negative { "-" } else { "" };
        let decimal = format!("{sign}{}", Dyadic::of_bits(bits, format).decimal(DIGITS));
        Self { value: (), bits: (negative as u64) << (format.width - 1) | bits, decimal, distance }
    }

    /// With its value.
    fn element<T: Element>(self) -> Neighbour<T> {
        let Self { bits, decimal, distance, .. } = self;
        Neighbour { value: from_bits(bits), bits, decimal, distance }
    }
}

/// The digits, without the middle ones where there are hundreds.
fn abridged(digits: &str) -> String {
    match digits.len() {
        ..=60 => digits.into(),
        len => format!("{}...{} ({len} characters)", &digits[..20], &digits[len - 20..]),
    }
}

/// The shortest digits that tell the number, without a fraction of 0.
fn plain(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(String::from).unwrap_or(text)
}
