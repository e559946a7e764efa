//! The factors of a table: amplitude, scale and base, to the digits that its entries determine.
//!
//! From a spec that is near, least squares lead to the factors nearest to the entries. The errors of an
//! [arithmetic](Precision) then permit a range of each factor. If a number in it is so [common](numbers) that hardly any would be
//! there by chance, it is the factor. If all numbers in it round to the same `f64`, that is the factor. Otherwise the
//! entries determine only the digits that all numbers in the range have.

use std::collections::BTreeMap;

use posenc::{Frequencies, Parameters, Spec};

use crate::factor::Factor;
use crate::linear::{HalfSpace, Normal, furthest, product};
use crate::numbers::{Number, Range};
use crate::rotary::cache;
use crate::rounding::{Precision, UNIT_DOUBLE, UNIT_SINGLE, angle_error, half_gap, units};
use crate::sample::Numbers;
use crate::undetermined::Undetermined;

/// A factor of which the entries determine only some digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    pub(crate) factor: Factor,
    /// The number of digits that all numbers in its range have.
    pub(crate) digits: usize,
    /// The number in the middle of its range, with so many digits.
    value: f64,
}

impl From<&Rounded> for Undetermined {
    fn from(rounded: &Rounded) -> Self {
        Self::number(rounded.factor.key(), rounded.digits)
    }
}

/// A spec with the factors that the entries determine.
#[derive(Clone, Debug)]
pub(crate) struct Refined<'a> {
    /// It has the factors nearest to the entries.
    pub(crate) spec: Spec<'a>,
    /// The factors that were free.
    searched: Vec<Factor>,
    /// Those that no common number explains.
    unusual: Vec<Factor>,
    /// Those that are not determined.
    pub(crate) rounded: Vec<Rounded>,
}

impl<'a> Refined<'a> {
    /// Returns the spec with the digits that are determined.
    pub(crate) fn rounded_spec(&self) -> Spec<'a> {
        let set = |spec, rounded: &Rounded| rounded.factor.set(spec, Number::Plain(rounded.value));
        self.rounded.iter().fold(self.spec, set)
    }

    /// Returns whether it was searched which digits of a number are determined.
    pub(crate) fn has_searched(&self, key: &str) -> bool {
        self.searched.iter().any(|factor| factor.key() == key)
    }

    /// Returns whether a spec differs from this one only in the factors that were free.
    fn has_found(&self, other: &Spec) -> bool {
        self.is_same_beside(&self.searched, other)
    }

    /// Returns whether a spec differs from this one only in the factors that no common number explains.
    pub(crate) fn covers(&self, other: &Spec) -> bool {
        self.is_same_beside(&self.unusual, other)
    }

    fn is_same_beside(&self, factors: &[Factor], other: &Spec) -> bool {
        let set = |spec, factor: &Factor| factor.set(spec, Number::Plain(1.0));
        factors.iter().fold(*other, set) == factors.iter().fold(self.spec, set)
    }
}

/// Returns near specs with the factors nearest to the entries, if there are such specs that an arithmetic explains.
pub(crate) fn nearest<'a>(near: impl Iterator<Item = Spec<'a>>, numbers: &Numbers) -> Vec<Refined<'a>> {
    /// The specs that are tried. Those that differ only in factors are tried once.
    const MOST: usize = 12;
    let mut found: Vec<Refined> = Vec::new();
    let mut tried = 0;
    for spec in near {
        if tried < MOST && !found.iter().any(|refined| refined.has_found(&spec)) {
            found.extend(of_any_factors(&spec, numbers));
            tried += 1;
        }
    }
    found
}

fn of_any_factors<'a>(spec: &Spec<'a>, numbers: &Numbers) -> Option<Refined<'a>> {
    let free = factors(spec)?;
    let unusual = free.iter().copied().filter(|factor| !factor.is_common(spec)).collect();
    let searches = precisions(numbers).map(|precision| FactorSearch { numbers, precision });
    let mut searches = searches.flat_map(|search| [&unusual, &free].map(|free: &Vec<_>| (search, free.clone())));
    searches.find_map(|(search, free)| search.chosen(spec, free))
}

/// Returns the spec with the unusual factors that the entries determine, for the most precise arithmetic that explains a sample.
pub(crate) fn determined<'a>(spec: &Spec<'a>, numbers: &Numbers, most: Precision) -> Option<Refined<'a>> {
    let unusual: Vec<_> = factors(spec)?.into_iter().filter(|factor| !factor.is_common(spec)).collect();
    if unusual.is_empty() {
        return None;
    }
    // Narrow entries may be the exact ones by chance.
    let least = precision(numbers, most);
    let mut precisions = precisions(numbers).take_while(|precision| *precision <= least);
    precisions.find_map(|precision| FactorSearch { numbers, precision }.chosen(spec, unusual.clone()))
}

/// Returns the factors that a table may determine, if its spec has them.
fn factors(spec: &Spec) -> Option<Vec<Factor>> {
    let is_progression = matches!(spec.parameters().frequencies, Frequencies::Geometric { .. });
    let is_1d = is_progression && !cache::is_cache(spec);
    // A single frequency has no base.
    let has_base = spec.sin_cos_columns().nth(1).is_some();
    is_1d.then(|| Factor::ALL.into_iter().filter(|factor| *factor != Factor::Base || has_base).collect())
}

/// Returns the arithmetic whose errors the entries show, given the most precise one that explains them.
pub(crate) fn precision(numbers: &Numbers, most: Precision) -> Precision {
    precisions(numbers).find(|precision| *precision >= most).unwrap_or(Precision::Single)
}

/// Returns the arithmetics that the entries tell from less precise ones, the most precise first.
fn precisions(numbers: &Numbers) -> impl Iterator<Item = Precision> {
    /// An entry that is computed less precisely may be the same by chance, but not so many.
    const MANY: usize = 64;
    let entries = numbers.positions().flat_map(|row| numbers.row(row));
    // Zeros and peaks are the same in any arithmetic.
    let telling = entries.filter(|entry| 0.0 < entry.abs() && entry.abs() < 0.99 * numbers.largest);
    let is_many = telling.take(MANY).count() == MANY;
    let is_told = move |precision: &Precision| match precision {
        // Rounded to fewer digits, hardly any entry differs.
        Precision::Exact => is_many && numbers.is_double(),
        Precision::Double => numbers.is_double() || (is_many && numbers.rounding <= UNIT_SINGLE),
        Precision::Single => true,
    };
    [Precision::Exact, Precision::Double, Precision::Single].into_iter().filter(is_told)
}

/// An entry, which is linear in small relative changes of the factors.
struct LinearEntry {
    position: i64,
    /// The number of its frequency.
    frequency: usize,
    /// How far the entry is from the exact one.
    off: f64,
    /// How it changes with each factor.
    slopes: [f64; 3],
    /// How far it may be.
    allowed: f64,
    /// Its weight in an average over the first frequency.
    weight: f64,
}

/// The entries that are compared, at most about so many.
const MOST: usize = 1 << 16;

/// The number of standard errors within which an average is.
const ERRORS: f64 = 6.0;

/// The least number of rows whose errors average out.
const FEW: usize = 16;

/// What the factors are searched with.
#[derive(Clone, Copy)]
struct FactorSearch<'a> {
    numbers: &'a Numbers,
    precision: Precision,
}

impl FactorSearch<'_> {
    /// Chooses common numbers for the free factors, and otherwise those nearest to the entries.
    fn chosen<'a>(&self, spec: &Spec<'a>, mut free: Vec<Factor>) -> Option<Refined<'a>> {
        let searched = free.clone();
        let mut spec = self.nearest(*spec, &free)?;
        let mut ranges = self.ranges(&spec, &free)?;
        let is_exact = self.precision == Precision::Exact;
        while let Some((i, number)) = (0..free.len()).find_map(|i| {
            let factor = free[i];
            Some((i, ranges[i].common(factor == Factor::Scale, is_exact, factor.multiple(&spec))?))
        }) {
            spec = free.remove(i).set(spec, number);
            spec = self.nearest(spec, &free)?;
            ranges = self.ranges(&spec, &free)?;
        }
        let mut rounded = Vec::new();
        for (&factor, range) in free.iter().zip(&ranges) {
            spec = factor.set(spec, Number::Plain(range.middle()));
            rounded.extend(range.digits().map(|digits| Rounded { factor, digits, value: range.rounded(digits) }));
        }
        Some(Refined { spec, searched, unusual: free, rounded })
    }

    /// Returns the spec with the free factors nearest to the entries.
    fn nearest<'a>(&self, mut spec: Spec<'a>, free: &[Factor]) -> Option<Spec<'a>> {
        const STEPS: usize = 8;
        for _ in 0..STEPS {
            let changes = Equations::new(self.points(&spec)?.iter(), |point| point.allowed.powi(-2), free)?.changes;
            let mut next = spec;
            for &factor in free {
                let (value, change) = (factor.of(&spec), changes[factor as usize].clamp(-0.1, 0.1));
                next = factor.set(next, Number::Plain(value + value * change));
            }
            if next == spec {
                break;
            }
            spec = next;
        }
        Some(spec)
    }

    /// Returns the ranges of the free factors that the arithmetic permits, if it permits any.
    fn ranges(&self, spec: &Spec, free: &[Factor]) -> Option<Vec<Range>> {
        let points = self.points(spec)?;
        let mut ranges = permitted(&points, free)?;
        // The errors of narrower types are alike in many entries, so they do not average out.
        let averages =
            if self.numbers.is_double() && self.precision <= Precision::Double { averages(&points) } else { None };
        for (range, &factor) in ranges.iter_mut().zip(free) {
            let average = averages.as_ref().filter(|_| factor != Factor::Base);
            if let Some(Average { changes, errors }) = average {
                let (change, error) = (changes[factor as usize], ERRORS * errors[factor as usize]);
                *range = [range[0].max(change - error), range[1].min(change + error)];
            }
            if let Some([low, high]) = self.likely_changes(&points, free, factor, spec) {
                *range = [range[0].max(low), range[1].min(high)];
            }
        }
        let range = |(factor, [low, high]): (&Factor, [f64; 2])| Range { near: factor.of(spec), low, high };
        Some(free.iter().zip(ranges).map(range).collect())
    }

    /// Returns the changes of a factor with which the entries of `f32` are hardly further off than with the nearest one.
    ///
    /// The bounds are those of single entries. All together are off by much more than with the nearest factor only if
    /// the right one is another. Apart from rounding errors of its own, the right one was up to 1.5 root mean squares from
    /// the nearest (160 tables with random scales, and 90 with random bases, in three recipes of `f32`).
    fn likely_changes(&self, points: &[LinearEntry], free: &[Factor], factor: Factor, spec: &Spec) -> Option<[f64; 2]> {
        const MOST: f64 = 2.5;
        // The recipe may round the factor, or the logarithm of the base.
        let own = match factor {
            _ if self.precision < Precision::Single => return None,
            Factor::Scale => UNIT_SINGLE,
            Factor::Base => UNIT_SINGLE * (1.0 + Factor::Base.of(spec).ln().abs()),
            Factor::Amplitude => return None,
        };
        let weight = |point: &LinearEntry| point.allowed.powi(-2);
        let Equations { inverse, changes } = Equations::new(points.iter(), weight, free)?;
        let (change, variance) = (changes[factor as usize], inverse[factor as usize][factor as usize]);
        let squares: f64 = points.iter().map(|point| weight(point) * point.off.powi(2)).sum();
        let most = MOST * (squares * variance).sqrt() + own;
        Some([change - most, change + most])
    }

    /// Compares a sample of the entries with the entries of a spec.
    fn points(&self, spec: &Spec) -> Option<Vec<LinearEntry>> {
        let numbers = self.numbers;
        let Parameters { start, step, scale, unit, zero_row, .. } = spec.parameters();
        // The product of a position and a power of two is exact.
        let of_product = if scale.log2().fract() == 0.0 && unit == (1, 1) { 0.0 } else { UNIT_DOUBLE };
        let amplitude = Factor::Amplitude.of(spec);
        let peak = amplitude.abs().min(1.125 * numbers.largest);
        let frequencies: Vec<f64> = spec.angular_frequencies().ok()?.collect();
        let logarithms: Vec<f64> = frequencies.iter().map(|frequency| (frequencies[0] / frequency).ln()).collect();
        let base = Factor::Base.of(spec).ln();
        let slots: Vec<_> = spec.sin_cos_columns().enumerate().collect();
        let part = (MOST / 3 / numbers.d_model).max(FEW);
        let mut points = Vec::new();
        for rows in numbers.parts(part) {
            let mut values = vec![0.0_f64; rows.len() * numbers.d_model];
            spec.fill(rows.start.., &mut values).ok()?;
            for (row, values) in rows.zip(values.chunks(numbers.d_model)) {
                if Some(row) == zero_row {
                    continue;
                }
                let found = numbers.row(row);
                let position = start? + step * i64::try_from(row).ok()?;
                for &(k, slot) in &slots {
                    let angle = position as f64 * frequencies[k];
                    let (sin, cos) = angle.sin_cos();
                    let error = angle_error(self.precision, logarithms[k]) * angle.abs();
                    // Angles with larger errors say nothing.
                    if error > 0.125 {
                        continue;
                    }
                    for (column, turned) in [(slot.sin, cos), (slot.cos, -sin)] {
                        let Some(column) = column else { continue };
                        let (value, found) = (values[column], found[column]);
                        let slope = amplitude * turned * angle;
                        let rounding = half_gap(found, numbers.rounding) + half_gap(value, UNIT_DOUBLE);
                        // An entry of zero has an error too.
                        let least = 1e-5 * numbers.rounding * peak + numbers.tolerance;
                        let allowed = peak * error + units(self.precision) * value.abs() + rounding + least;
                        let slopes = [value, slope, -slope * logarithms[k] / base];
                        let spread =
                            peak * of_product * angle.abs() + units(Precision::Double) * value.abs() + rounding + least;
                        let weight = spread.powi(-2);
                        points.push(LinearEntry {
                            weight,
                            position,
                            frequency: k,
                            off: found - value,
                            slopes,
                            allowed,
                        });
                    }
                }
            }
        }
        Some(points)
    }
}

/// The equations for the changes of the free factors that bring some entries nearest.
struct Equations {
    inverse: [[f64; 3]; 3],
    changes: [f64; 3],
}

impl Equations {
    fn new<'a>(
        points: impl Iterator<Item = &'a LinearEntry>,
        weight: fn(&LinearEntry) -> f64,
        free: &[Factor],
    ) -> Option<Self> {
        let mut normal = Normal::default();
        points.for_each(|point| normal.add(weight(point), &point.slopes, point.off));
        let (inverse, changes) = normal.solved(|i| free.iter().any(|free| *free as usize == i))?;
        Some(Self { inverse, changes })
    }
}

/// The changes of amplitude and scale that bring the entries of the first frequency nearest, and their standard errors.
struct Average {
    changes: [f64; 3],
    errors: [f64; 3],
}

/// Returns the average over the rows, if they are enough.
///
/// The first frequency is the scale, in any arithmetic, so the errors are those of each row: of the product of position and
/// scale, and of the sine or cosine with its amplitude. Products whose positions differ by a power of two have the same error.
fn averages(points: &[LinearEntry]) -> Option<Average> {
    let first = || points.iter().filter(|point| point.frequency == 0);
    let Equations { inverse, changes } =
        Equations::new(first(), |point| point.weight, &[Factor::Amplitude, Factor::Scale])?;
    let mut sums = BTreeMap::new();
    for point in first() {
        let odd = point.position >> point.position.trailing_zeros().min(62);
        let sum = sums.entry(odd).or_insert([0.0; 3]);
        let off = point.off - product(&point.slopes, &[changes[0], changes[1], 0.0]);
        (0..3).for_each(|i| sum[i] += point.slopes[i] * off * point.weight);
    }
    let mut variances = [0.0; 3];
    for sum in sums.values() {
        (0..3).for_each(|i| variances[i] += product(&inverse[i], sum).powi(2));
    }
    (sums.len() >= FEW).then(|| Average { changes, errors: variances.map(f64::sqrt) })
}

/// Returns the least and the largest change of each free factor with which every entry is as far off as it may be, or less.
fn permitted(points: &[LinearEntry], free: &[Factor]) -> Option<Vec<[f64; 2]>> {
    // In these units, no entry changes by more than it may be off.
    let unit = |i: usize| {
        let units =
            points.iter().filter(|point| point.slopes[i] != 0.0).map(|point| point.allowed / point.slopes[i].abs());
        units.fold(f64::INFINITY, f64::min)
    };
    let units: [f64; 3] = std::array::from_fn(unit);
    let free: Vec<_> = free.iter().map(|factor| *factor as usize).collect();
    if free.iter().any(|&i| !units[i].is_finite()) {
        return None;
    }
    let mut spaces = Vec::new();
    for i in 0..points.len() {
        /// A prime larger than the number of points, which brings them in no particular order.
        const STRIDE: usize = 2_654_435_761;
        let LinearEntry { off, slopes, allowed, .. } = points[i * STRIDE % points.len()];
        let slope = |i: usize| if free.contains(&i) { slopes[i] * units[i] / allowed } else { 0.0 };
        let slopes: [f64; 3] = std::array::from_fn(slope);
        spaces.push(HalfSpace { slopes, most: 1.0 + off / allowed });
        spaces.push(HalfSpace { slopes: slopes.map(|slope| -slope), most: 1.0 - off / allowed });
    }
    if free.is_empty() {
        return spaces.iter().all(|space| space.most >= 0.0).then(Vec::new);
    }
    let end = |i: usize, sign: f64| {
        let goal = std::array::from_fn(|j| if i == j { sign } else { 0.0 });
        Some(furthest(&spaces, &free, goal)?[i] * units[i])
    };
    free.iter().map(|&i| Some([end(i, -1.0)?, end(i, 1.0)?])).collect()
}
