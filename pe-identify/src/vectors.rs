//! Vectors of frequencies in checkpoints: `inv_freq`, periods, and the factors of a scaling rule.

use std::io;

use posenc::half::{bf16, f16};
use posenc::reflection::Value;
use posenc::{AxialPreset, AxialRope, Element, FrequencyDtype, Rope, RopeError, RopePreset, Scaling};

use crate::answer::{Named, Outcome};
use crate::element::FloatType;
use crate::interval::Interval;
use crate::known;
use crate::rotary::cache::{has_its_own_width, with_pairs};
use crate::rotary::common::{bases, common_rules};
use crate::rounding::{UNIT_DOUBLE, UNIT_SINGLE, half_gap};
use crate::rows::{Rows, Table};
use crate::shown_base::{Shown, shown};
use crate::undetermined::Undetermined;

/// The frequencies of a rotary cache, as models and other programs store them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FrequencyVector {
    /// What the numbers are.
    pub kind: VectorKind,
    /// The cache whose frequencies they are, with as many pairs as there are numbers.
    pub rope: Rope<'static>,
    /// The presets of rotary caches with the same frequencies at this width.
    pub presets: Vec<Named<'static, RopePreset>>,
    /// The presets of rotary tables of several axes of which each axis has these frequencies.
    pub axial_presets: Vec<AxialPreset>,
    /// The largest relative difference from the exact numbers.
    pub largest: f64,
    /// The number of entries that are not the exact numbers rounded to their type.
    pub inexact: usize,
    /// The base, if the numbers determine only some of its digits. It then has no more digits than these.
    pub undetermined: Option<Undetermined>,
}

impl FrequencyVector {
    /// Returns whether the answer is certain: it is not if digits of the base are not determined.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::Rope;
    /// use posenc_identify::{Outcome, Slice, identify_vector};
    ///
    /// let vector: Vec<f32> = Rope::new(64).base(12_345.678_901).inv_freq()?;
    /// let found = identify_vector(&Slice::new(&vector, 32))?.expect("a progression");
    /// assert_eq!(found.outcome(), Outcome::Several);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        if self.undetermined.is_some() { Outcome::Several } else { Outcome::Identified }
    }
}

/// What the numbers of a [`FrequencyVector`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorKind {
    /// The frequencies in radians per position: [`Rope::inv_freq`].
    InvFreq,
    /// Their reciprocals: [`Rope::periods`].
    Periods,
    /// The factors by which the scaling rule divides them: [`Rope::frequency_factors`].
    Factors,
}

impl VectorKind {
    /// Returns the name of the method that makes such a vector.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc_identify::VectorKind::InvFreq.name(), "inv_freq");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvFreq => "inv_freq",
            Self::Periods => "periods",
            Self::Factors => "frequency_factors",
        }
    }

    /// Returns the vector of a cache, each number rounded to `T` once.
    fn of<T: Element>(self, rope: &Rope) -> Result<Vec<T>, RopeError> {
        match self {
            Self::InvFreq => rope.inv_freq(),
            Self::Periods => rope.periods(),
            Self::Factors => rope.frequency_factors(),
        }
    }
}

/// A vector has at least so many numbers, because fewer fit too much, and at most so many.
const LEAST: usize = 4;
const MOST: usize = 512;

/// A base that is of no model is told only of so many frequencies, because fewer fit too much.
const LEAST_OF_COMMON: usize = 8;

/// Returns the rotary cache whose frequencies are in a single row, or `None` if there is none.
///
/// The numbers may have been computed in `f32` and rounded to 16 bits. The search tries known models first, and then,
/// for at least 8 frequencies, common bases and rules, and the base that the numbers show, to the digits that they
/// determine. A vector has from 4 to 512 numbers.
///
/// # Errors
///
/// Returns an error if there are several rows or none, or if the numbers cannot be read.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, RopePreset};
/// use posenc_identify::{Slice, VectorKind, identify_vector};
///
/// let inv_freq: Vec<f32> = Rope::preset(RopePreset::Llama3_1).inv_freq()?;
/// let found = identify_vector(&Slice::new(&inv_freq, inv_freq.len()))?.expect("the frequencies of Llama");
/// assert_eq!((found.kind, found.presets[0].preset), (VectorKind::InvFreq, RopePreset::Llama3_1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn identify_vector(rows: &dyn Rows) -> io::Result<Option<FrequencyVector>> {
    let table = Table::new(rows)?;
    let [seq_len, count] = table.shape();
    if seq_len != 1 {
        let sentence = format!("the vector has {seq_len} rows, but must have one");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
    }
    let Some(float) = table.element_type().float() else { return Ok(None) };
    if !(LEAST..=MOST).contains(&count) {
        return Ok(None);
    }
    let numbers = table.rows(0..1)?;
    let vector = Vector { float, dtype: frequency_type(&numbers), numbers };
    Ok(vector.identified())
}

/// The error of a power in units of `f32`: the exponent is rounded, and its logarithm is up to 16.
const OF_POWER: f64 = 32.0;

/// The numbers of a vector.
struct Vector {
    numbers: Vec<f64>,
    float: FloatType,
    /// The type of 16 bits that all numbers are of, if there is one.
    dtype: FrequencyDtype,
}

/// A cache whose frequencies are near.
struct Near {
    kind: VectorKind,
    rope: Rope<'static>,
    source: Source,
    /// The largest relative difference from the exact numbers.
    largest: f64,
    /// The exact numbers, rounded to the type of the vector, and further to the type of 16 bits that its numbers are of.
    nearest: Vec<f64>,
    /// How many numbers of the vector are others.
    inexact: usize,
    /// Whether the cache itself has these numbers, without further rounding.
    is_own: bool,
}

#[derive(Clone, Copy)]
enum Source {
    Preset(RopePreset),
    Axial(AxialPreset),
    Common,
}

impl Vector {
    fn identified(&self) -> Option<FrequencyVector> {
        let kinds = self.kinds();
        if kinds.is_empty() {
            return None;
        }
        let near = |ropes: Vec<(Rope<'static>, Source)>| -> Vec<Near> {
            let pairs = ropes.iter().flat_map(|rope| kinds.iter().map(move |&kind| (rope, kind)));
            pairs.filter_map(|(&(rope, source), kind)| self.near(kind, rope, source)).collect()
        };
        let count = self.numbers.len();
        let mut all = near(of_models(count));
        if all.is_empty() {
            all = near(self.common(&kinds).into_iter().map(|rope| (rope, Source::Common)).collect());
        }
        // The first of several that make the same numbers.
        let best = all.iter().min_by_key(|near| (!near.is_own, near.inexact));
        // Another base must explain more numbers than it costs to say which it is, or all, if most are inexact.
        let is_better = |shown: &Shown| {
            let explains_all = |best: &Near| shown.inexact == 0 && 2 * best.inexact > count;
            let bits = shown.cost + shown.inexact as f64;
            best.is_none_or(|best| bits < best.inexact as f64 || explains_all(best))
        };
        let shown = self.shown(&kinds).filter(is_better).and_then(|shown| self.of_shown(&shown));
        let of_best = || best.map(|best| self.of_best(best, &all));
        shown.or_else(of_best)
    }

    /// Returns the answer with the best of several caches that are near.
    fn of_best(&self, best: &Near, all: &[Near]) -> FrequencyVector {
        let is_same =
            |near: &&Near| near.kind == best.kind && near.is_own == best.is_own && near.nearest == best.nearest;
        let same = || all.iter().filter(is_same);
        let presets = same().filter_map(|near| match near.source {
            Source::Preset(preset) => Some(named(preset, near.rope)),
            _ => None,
        });
        let axial = same().filter_map(|near| if let Source::Axial(preset) = near.source { Some(preset) } else { None });
        let mut presets: Vec<_> = presets.collect();
        // Those whose models have this width come first.
        presets.sort_by_key(|named| named.changed.len());
        FrequencyVector { presets, axial_presets: axial.collect(), ..self.of_near(best) }
    }

    /// Returns the answer with a cache that is near, without presets.
    fn of_near(&self, near: &Near) -> FrequencyVector {
        let &Near { kind, rope, largest, inexact, .. } = near;
        FrequencyVector {
            kind,
            rope: if near.is_own { rope } else { rope.frequency_dtype(self.rounded(kind)) },
            presets: Vec::new(),
            axial_presets: Vec::new(),
            largest,
            inexact,
            undetermined: None,
        }
    }

    /// Returns the answer with a base that is in no list.
    fn of_shown(&self, shown: &Shown) -> Option<FrequencyVector> {
        let undetermined = shown.digits.map(|digits| Undetermined::number("base", digits));
        // With few digits the numbers may be far from those of the base.
        let near = self.distance(VectorKind::InvFreq, shown.rope, Source::Common, f64::INFINITY)?;
        Some(FrequencyVector { undetermined, ..self.of_near(&near) })
    }

    /// Returns the cache with the base that frequencies show, in the most precise arithmetic that explains them.
    fn shown(&self, kinds: &[VectorKind]) -> Option<Shown> {
        if !kinds.contains(&VectorKind::InvFreq) || self.numbers.len() < LEAST_OF_COMMON {
            return None;
        }
        let further = self.further(VectorKind::InvFreq);
        // Powers of two are numbers of 16 bits, but not rounded to them.
        let mut arithmetics = vec![(self.float, 0.0), (further, 0.0), (further, UNIT_SINGLE)];
        if further == FloatType::F64 {
            arithmetics.insert(2, (further, UNIT_DOUBLE));
        }
        arithmetics.into_iter().find_map(|(float, unit)| {
            let rounding = float.rounding();
            let error = |number: f64| half_gap(number, rounding) + OF_POWER * unit * number;
            let explains = |rope: &Rope<'static>| {
                let near = self.distance(VectorKind::InvFreq, *rope, Source::Common, rounding + OF_POWER * unit)?;
                let is_exact = if float == self.float { near.is_own } else { near.inexact == 0 };
                (is_exact || (unit > 0.0 && self.is_likely(&near))).then_some(near.inexact)
            };
            shown(&self.numbers, error, explains)
        })
    }

    /// Returns what the numbers can be: frequencies fall, their reciprocals rise, and so do the factors of rules.
    fn kinds(&self) -> Vec<VectorKind> {
        let numbers = &self.numbers;
        let all = |holds: fn(f64, f64) -> bool| numbers.windows(2).all(|pair| holds(pair[0], pair[1]));
        // Frequencies may be zero from one on, and their reciprocals are then infinite.
        let falls = all(|one, next| one > next || (one == next && one == 0.0));
        let rises = all(|one, next| one < next || (one == next && one == f64::INFINITY));
        let does_not_fall = all(|one, next| one <= next) && numbers[0] < numbers[numbers.len() - 1];
        let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
        let mut kinds = Vec::new();
        kinds.extend((falls && first.is_finite() && last >= 0.0).then_some(VectorKind::InvFreq));
        kinds.extend((rises && first > 0.0).then_some(VectorKind::Periods));
        kinds.extend((does_not_fall && first >= 0.5 && last.is_finite()).then_some(VectorKind::Factors));
        kinds
    }

    /// Returns the relative error that an entry may have.
    fn allowed(&self) -> f64 {
        let of_sixteen = match self.dtype {
            FrequencyDtype::Exact => 0.0,
            FrequencyDtype::F16 => f64::exp2(-11.0),
            _ => f64::exp2(-8.0),
        };
        self.float.rounding().max(of_sixteen) + OF_POWER * UNIT_SINGLE
    }

    fn near(&self, kind: VectorKind, rope: Rope<'static>, source: Source) -> Option<Near> {
        self.distance(kind, rope, source, self.allowed()).filter(|near| self.is_likely(near))
    }

    /// Returns whether so many inexact numbers are likely: in 16 bits, what `f32` computes is nearly always the nearest one.
    fn is_likely(&self, near: &Near) -> bool {
        let is_narrow = matches!(self.further(near.kind), FloatType::F16 | FloatType::Bf16);
        !is_narrow || 8 * near.inexact <= self.numbers.len()
    }

    /// Returns the distance from a cache, unless a number has a larger relative error than allowed.
    fn distance(&self, kind: VectorKind, rope: Rope<'static>, source: Source, allowed: f64) -> Option<Near> {
        let exact = kind.of::<f64>(&rope).ok().filter(|exact| exact.len() == self.numbers.len())?;
        // Numbers of `f16` may be subnormal.
        let least =
            if self.float == FloatType::F16 || self.dtype == FrequencyDtype::F16 { f64::exp2(-25.0) } else { 0.0 };
        let mut largest = 0.0_f64;
        for (&exact, &found) in exact.iter().zip(&self.numbers) {
            if exact == found {
                continue;
            }
            let off = (exact - found).abs();
            if !(off <= allowed * exact.abs() + least && off.is_finite()) {
                return None;
            }
            largest = largest.max(if exact == 0.0 { off } else { off / exact.abs() });
        }
        let nearest = Self::nearest(kind, &rope, self.further(kind));
        let is_own = Self::nearest(kind, &rope, self.float) == self.numbers;
        let inexact = nearest.iter().zip(&self.numbers).filter(|(nearest, found)| nearest != found).count();
        Some(Near { kind, rope, source, largest, nearest, inexact, is_own })
    }

    /// Returns the type to which the numbers are rounded. Only what a cache can have is rounded further.
    fn further(&self, kind: VectorKind) -> FloatType {
        match self.rounded(kind) {
            FrequencyDtype::F16 => FloatType::F16,
            FrequencyDtype::Bf16 | FrequencyDtype::Bf16Period => FloatType::Bf16,
            FrequencyDtype::Exact => self.float,
        }
    }

    /// Returns what the numbers are rounded to, if they are of a wider type.
    fn rounded(&self, kind: VectorKind) -> FrequencyDtype {
        let is_wide = matches!(self.float, FloatType::F32 | FloatType::F64);
        match (kind, self.dtype) {
            (VectorKind::InvFreq, dtype) if is_wide => dtype,
            (VectorKind::Periods, FrequencyDtype::Bf16) if is_wide => FrequencyDtype::Bf16Period,
            _ => FrequencyDtype::Exact,
        }
    }

    /// Returns the numbers of a cache, each rounded to a type of floats once.
    fn nearest(kind: VectorKind, rope: &Rope, float: FloatType) -> Vec<f64> {
        fn nearest<T: Element + Into<f64>>(kind: VectorKind, rope: &Rope) -> Vec<f64> {
            kind.of::<T>(rope).map_or_else(|_| Vec::new(), |numbers| numbers.into_iter().map(T::into).collect())
        }
        match float {
            FloatType::F16 => nearest::<f16>(kind, rope),
            FloatType::Bf16 => nearest::<bf16>(kind, rope),
            FloatType::F32 => nearest::<f32>(kind, rope),
            FloatType::F64 => nearest::<f64>(kind, rope),
        }
    }

    /// Returns caches of frequencies that fall: with common bases, and with the bases and rules of models whose first two
    /// frequencies have the same ratio.
    fn common(&self, kinds: &[VectorKind]) -> Vec<Rope<'static>> {
        let count = self.numbers.len();
        if !kinds.contains(&VectorKind::InvFreq) || count < LEAST_OF_COMMON {
            return Vec::new();
        }
        let shown = Interval::of(self.numbers[0] / self.numbers[1]).widened(2.0 * self.allowed());
        let shown = shown.map(|ratio| ratio.powf(count as f64));
        let plain = known::bases().into_iter().filter(|&base| shown.contains(base));
        let plain = plain.map(|base| Rope::new(2 * count).base(base));
        let ruled = bases().into_iter().flat_map(|base| common_rules(0).into_iter().map(move |rule| (base, rule)));
        // These change the ratio.
        let changes = |rule| matches!(rule, Scaling::Ntk(_) | Scaling::Dynamic(_) | Scaling::LongRope(_));
        let ruled = ruled.filter(|&(base, rule)| shown.contains(base) || changes(rule));
        plain.chain(ruled.map(|(base, rule)| Rope::new(2 * count).base(base).scaling(rule))).collect()
    }
}

/// Returns the caches of models with so many pairs.
fn of_models(count: usize) -> Vec<(Rope<'static>, Source)> {
    let of_rope = with_pairs(count).map(|(preset, rope)| (rope, Source::Preset(preset)));
    let of_axial = AxialPreset::ALL.iter().filter_map(|&preset| {
        let rope = of_all_axes::<2>(preset, count).or_else(|| of_all_axes::<3>(preset, count));
        rope.or_else(|| of_all_axes::<4>(preset, count)).map(|rope| (rope, Source::Axial(preset)))
    });
    of_rope.chain(of_axial).collect()
}

/// Returns the frequencies of a preset with so many axes, if all axes have the same, and as many as this.
fn of_all_axes<const A: usize>(preset: AxialPreset, count: usize) -> Option<Rope<'static>> {
    let axial = AxialRope::preset(preset, [4; A], 2 * A * count);
    // The positions of an axis do not matter.
    let of_axis = |axis| axial.axis(axis).ok().map(|rope: Rope<'static>| rope.start(0).step(1).scale(1.0).unit(1, 1));
    let first = of_axis(0).filter(|rope| rope.pairs() == count)?;
    let is_same = (1..A).all(|axis| of_axis(axis).is_some_and(|other| other.is_same_table(&first)));
    is_same.then_some(first)
}

/// Returns the preset, with its width if it differs from the model's.
fn named(preset: RopePreset, rope: Rope<'static>) -> Named<'static, RopePreset> {
    let width = ("head_dim", Value::Size(rope.head_dim()));
    Named { preset, changed: if has_its_own_width(&(preset, rope)) { Vec::new() } else { vec![width] } }
}

/// Returns the type of 16 bits that all numbers are of.
fn frequency_type(numbers: &[f64]) -> FrequencyDtype {
    let all = |rounded: fn(f64) -> f64| numbers.iter().all(|&number| rounded(number) == number);
    if all(|number| bf16::from_f64(number).into()) {
        FrequencyDtype::Bf16
    } else if all(|number| f16::from_f64(number).into()) {
        FrequencyDtype::F16
    } else {
        FrequencyDtype::Exact
    }
}
