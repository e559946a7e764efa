//! Tries the parameters of known models, in every arrangement.
//!
//! Column 0 has frequency `scale`, whatever the base, shift and arrangement are. So scale, start and step are tried on
//! that column first, and bases and shifts only with those that fit it. All this is computed in `f64`, on a few
//! entries.

use posenc::Spec;

use crate::fit::with_amplitudes;
use crate::interval::Interval;
use crate::places::{Place, Scope, places, sampled_rows};
use crate::sample::Numbers;
use crate::structure::Structure;

/// A place that fits column 0, and the amplitude if column 0 determines it.
struct FittingPlace {
    place: Place,
    amplitude: Option<f64>,
}

/// A column that is the sine or cosine of frequency `k`.
#[derive(Clone, Copy, Debug)]
struct WaveColumn {
    place: usize,
    is_sin: bool,
    k: usize,
}

impl WaveColumn {
    /// Returns the waves of a frequency at these angles of column 0, each with its entry.
    fn waves<'e>(
        self,
        frequency: f64,
        angles: &'e [f64],
        entries: &'e [f64],
    ) -> impl Iterator<Item = (f64, f64)> + Clone + use<'e> {
        angles.iter().zip(entries).map(move |(angle, entry)| (wave(self.is_sin, angle * frequency), *entry))
    }
}

/// More places than this fit column 0 only if it determines nothing. The most common ones come first.
const MOST_KEPT: usize = 600;

/// If more specs than this fit in an arrangement, the entries do not distinguish them.
const MOST_SPECS: usize = 100;

/// Returns the specs that fit a sample of the entries.
pub(crate) fn specs(numbers: &Numbers, scope: Scope) -> Vec<Spec<'static>> {
    let mut specs = Vec::new();
    let places = places(numbers, scope);
    let rows = sampled_rows(numbers);
    let structures = Structure::all(numbers.d_model);
    for is_sin in [true, false] {
        let kept = kept(numbers, &rows, &places, is_sin);
        if kept.is_empty() {
            continue;
        }
        for structure in &structures {
            let columns = columns(structure);
            if columns.iter().any(|column| column.place == 0 && column.is_sin == is_sin) {
                let sample = SampledEntries::new(numbers, &rows, structure, &columns);
                specs.extend(kept.iter().flat_map(|kept| sample.specs(structure, kept)).take(MOST_SPECS));
            }
        }
    }
    specs
}

/// Returns the columns of an arrangement that the formula fills.
fn columns(structure: &Structure) -> Vec<WaveColumn> {
    let columns = structure.slots.iter().enumerate().flat_map(|(k, slot)| {
        let sin = slot.sin.map(|column| WaveColumn { place: column, is_sin: true, k });
        let cos = slot.cos.map(|column| WaveColumn { place: column, is_sin: false, k });
        [sin, cos].into_iter().flatten()
    });
    columns.collect()
}

fn wave(is_sin: bool, angle: f64) -> f64 {
    if is_sin { angle.sin() } else { angle.cos() }
}

/// Returns the error bound of an entry in units of the amplitude.
///
/// It is twice the bound for accepting a candidate, because candidates are only preselected here.
fn slack(numbers: &Numbers, angle: f64) -> f64 {
    // A larger error would let any table fit.
    (4.0 * numbers.rounding.max(f64::from(f32::EPSILON)) + 2.0 * super::rounding::SINGLE * angle.abs()).min(0.25)
}

/// Returns the places that fit column 0.
fn kept(numbers: &Numbers, rows: &[usize], places: &[Place], is_sin: bool) -> Vec<FittingPlace> {
    let column = Column0::new(numbers, rows, is_sin);
    let possible = places.chunk_by(|place, next| place.turn() == next.turn()).filter(|same| column.can_turn(same));
    possible.flatten().flat_map(|place| column.fitting(place)).take(MOST_KEPT).collect()
}

/// The sampled entries of column 0.
struct Column0<'a> {
    numbers: &'a Numbers,
    rows: &'a [usize],
    is_sin: bool,
    entries: Vec<f64>,
    determines: Determines,
}

/// What the entries of column 0 determine.
#[derive(PartialEq, Eq)]
enum Determines {
    /// No amplitude, because all entries are zero. If the angles are full turns, all sines are, whatever it is.
    Zeros,
    /// The amplitude, because the entries vary.
    Amplitude,
    /// The product of an amplitude and a wave.
    Product,
}

impl<'a> Column0<'a> {
    fn new(numbers: &'a Numbers, rows: &'a [usize], is_sin: bool) -> Self {
        let entries: Vec<f64> = rows.iter().map(|&row| numbers.at(row, 0)).collect();
        let null = slack(numbers, numbers.seq_len as f64) * numbers.largest;
        let determines = if entries.iter().all(|entry| entry.abs() <= null) {
            Determines::Zeros
        } else if entries.len() >= 3 && entries.iter().any(|entry| (entry - entries[0]).abs() > null) {
            Determines::Amplitude
        } else {
            Determines::Product
        };
        Self { numbers, rows, is_sin, entries, determines }
    }

    /// Returns `false` if no place with the turn per row of these fits, whatever its start is.
    fn can_turn(&self, same_turn: &[Place]) -> bool {
        let &[last, middle, first, ..] = self.rows else { return true };
        if self.determines != Determines::Amplitude || last != middle + 1 || middle != first + 1 {
            return true;
        }
        let cosine = same_turn[0].turn().cos();
        let slack = same_turn.iter().map(|place| self.slack(place)).fold(0.0, f64::max);
        // The waves of three rows have `first + last = 2 cosine middle`. The sum of their squares is at least this, so the
        // amplitude of the least squares is at most the norm of the entries divided by its root.
        let square = 1.5 - 0.5 * (4.0 * cosine * cosine - 1.0).abs();
        let entries = &self.entries[..3];
        let missed = (entries[0] + entries[2] - 2.0 * cosine * entries[1]).abs();
        let norm = entries.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        missed * square.max(0.0).sqrt() <= 4.0 * slack * norm
    }

    /// Returns the place with each amplitude with which it fits.
    fn fitting(&self, place: &Place) -> Vec<FittingPlace> {
        let wave = |&row: &usize| wave(self.is_sin, place.scale * place.position(row));
        let waves = || -> Vec<f64> { self.rows.iter().map(wave).collect() };
        let slack = self.slack(place);
        let fits = |amplitude: f64, waves: &[f64]| {
            let near = |(entry, wave): (&f64, &f64)| (entry - amplitude * wave).abs() <= slack * amplitude.abs();
            self.entries.iter().zip(waves).all(near)
        };
        let with = |amplitude| FittingPlace { place: *place, amplitude };
        match self.determines {
            Determines::Zeros => {
                let is_zero = self.rows.iter().all(|row| wave(row).abs() <= slack);
                is_zero.then_some(with(None)).into_iter().collect()
            }
            Determines::Amplitude => {
                let fitted = |waves: &[f64]| {
                    let amplitude = least_squares(waves.iter().copied().zip(self.entries.iter().copied()));
                    fits(amplitude, waves).then_some(amplitude)
                };
                // Three entries rule out most places. The other entries check the remaining ones.
                let three: Vec<f64> = self.rows[..3].iter().map(wave).collect();
                let amplitude = fitted(&three).and_then(|_| fitted(&waves()));
                amplitude.map(|amplitude| with(Some(amplitude))).into_iter().collect()
            }
            Determines::Product => {
                let waves = waves();
                let named = named_amplitudes(self.numbers.d_model).into_iter();
                named.filter(|&amplitude| fits(amplitude, &waves)).map(|amplitude| with(Some(amplitude))).collect()
            }
        }
    }

    fn slack(&self, place: &Place) -> f64 {
        slack(self.numbers, place.turned(self.rows))
    }
}

/// Returns the amplitudes of known models, for entries that do not determine it.
fn named_amplitudes(d_model: usize) -> [f64; 6] {
    let rsqrt = (d_model as f64).sqrt().recip();
    [1.0, -1.0, rsqrt, -rsqrt, rsqrt * 2_f64.sqrt(), -rsqrt * 2_f64.sqrt()]
}

/// Returns `false` if no amplitude brings all waves near their entries, which a few of them show if the table is of
/// another kind.
fn has_amplitude(mut pairs: impl Iterator<Item = (f64, f64)>, slack: f64) -> bool {
    // The amplitude is rounded.
    let slack = slack * (1.0 + 1e-9);
    // A positive `a` is near if `a (wave + slack) >= entry` and `a (slack - wave) >= -entry`.
    let nearer = |range: Interval, wave: f64, entry: f64| {
        range.meet(at_least(wave + slack, entry)?)?.meet(at_least(slack - wave, -entry)?)
    };
    let both = [Some(Interval::ALL); 2];
    let found = pairs.try_fold(both, |[positive, negative], (wave, entry)| {
        let positive = positive.and_then(|range| nearer(range, wave, entry));
        let negative = negative.and_then(|range| nearer(range, wave, -entry));
        (positive.is_some() || negative.is_some()).then_some([positive, negative])
    });
    found.is_some()
}

/// Returns the positive `a` for which `a x` is at least `y`.
fn at_least(x: f64, y: f64) -> Option<Interval> {
    match (x > 0.0, y > 0.0) {
        (true, _) => Some(Interval::new((y / x).max(0.0), f64::INFINITY)),
        (false, true) => None,
        (false, false) if x < 0.0 => Some(Interval::new(0.0, y / x)),
        (false, false) => Some(Interval::ALL),
    }
}

/// Returns the `a` for which `a x` is nearest to `y`, or 0 if all `x` are 0.
pub(crate) fn least_squares(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (product, square) = pairs.fold((0.0, 0.0), |sums, (x, y)| (sums.0 + x * y, sums.1 + x * x));
    if square == 0.0 { 0.0 } else { product / square }
}

/// The entries that a candidate is compared with.
struct SampledEntries<'a> {
    numbers: &'a Numbers,
    rows: &'a [usize],
    /// Some columns, each with its entries in these rows.
    columns: Vec<(WaveColumn, Vec<f64>)>,
    progressions: Vec<Progression>,
}

/// Frequencies relative to the frequency of column 0.
struct Progression {
    shift: f64,
    base: f64,
    /// The frequencies of the columns of the sample.
    of_columns: Vec<f64>,
}

/// The number of columns in a sample, enough that a wrong base does not fit by chance.
const COLUMNS: usize = 14;

impl<'a> SampledEntries<'a> {
    fn new(numbers: &'a Numbers, rows: &'a [usize], structure: &Structure, columns: &[WaveColumn]) -> Self {
        let part = columns.len().div_ceil(COLUMNS);
        let last = columns.len() - 1;
        // Columns of frequency 0 are known to fit, so the following ones come first, which determine the base.
        let mut chosen: Vec<_> = (0..columns.len()).filter(|i| i % part == 0 || *i == last || *i < 4).collect();
        chosen.sort_by_key(|&i| columns[i].k == 0);
        let columns: Vec<_> = chosen.into_iter().map(|i| columns[i]).collect();
        let progressions = Progression::all(structure, &columns);
        let entries = |place| rows.iter().map(|&row| numbers.at(row, place)).collect();
        let columns = columns.into_iter().map(|column| (column, entries(column.place))).collect();
        Self { numbers, rows, columns, progressions }
    }

    /// Returns the specs with this place that fit.
    fn specs(&self, structure: &Structure, kept: &FittingPlace) -> Vec<Spec<'static>> {
        let Place { start, step, scale } = kept.place;
        let allowed = slack(self.numbers, kept.place.turned(self.rows));
        let angles: Vec<f64> = self.rows.iter().map(|&row| scale * kept.place.position(row)).collect();
        let mut specs = Vec::new();
        for progression in &self.progressions {
            let &Progression { shift, base, .. } = progression;
            if let Some(amplitude) = self.fitted(kept.amplitude, &angles, allowed, progression) {
                let spec = structure.spec.start(start).step(step).scale(scale).freq_shift(shift).base(base);
                specs.extend(with_amplitudes(spec, amplitude, self.numbers));
            }
        }
        specs
    }

    /// Returns the amplitude with which the frequencies fit, given these angles in column 0, and its amplitude if it is
    /// known.
    fn fitted(&self, known: Option<f64>, angles: &[f64], allowed: f64, progression: &Progression) -> Option<f64> {
        let columns = self.columns.iter().zip(&progression.of_columns);
        let columns = columns.map(|((column, entries), frequency)| column.waves(*frequency, angles, entries));
        let is_near = |(wave, entry): (f64, f64), amplitude: f64, allowed: f64| {
            (entry - amplitude * wave).abs() <= allowed * amplitude.abs()
        };
        // The amplitude estimated from column 0 is rough if its entries are small.
        if let Some(amplitude) = known
            && !columns
                .clone()
                .take(3)
                .filter_map(|mut waves| waves.next())
                .all(|wave| is_near(wave, amplitude, allowed + 0.02))
        {
            return None;
        }
        let pairs = || columns.clone().flatten();
        if !has_amplitude(pairs(), allowed) {
            return None;
        }
        let amplitude = least_squares(pairs());
        // An amplitude far above the entries is amplified noise. The limit allows for slow sines that scope a
        // thousandth of it.
        let plausible = amplitude != 0.0 && amplitude.abs() <= 2000.0 * self.numbers.largest;
        (plausible && pairs().all(|wave| is_near(wave, amplitude, allowed))).then_some(amplitude)
    }
}

impl Progression {
    /// Returns the frequencies of these columns with all shifts and bases.
    fn all(structure: &Structure, columns: &[WaveColumn]) -> Vec<Self> {
        // A single frequency is the same with any shift and base.
        let (shifts, bases) =
            if structure.slots.len() > 1 { (&[0.0, 1.0][..], bases()) } else { (&[0.0][..], vec![10_000.0]) };
        let mut all = Vec::new();
        for &shift in shifts {
            let denominator = structure.denominator(shift);
            if denominator <= 0.0 && structure.slots.len() > 1 {
                continue;
            }
            all.extend(bases.iter().map(|&base| {
                let slope = base.ln() / denominator;
                Self {
                    shift,
                    base,
                    of_columns: columns.iter().map(|column| (-slope * column.k as f64).exp()).collect(),
                }
            }));
        }
        all
    }
}

/// Returns the bases of models, the most common first: one digit followed by zeros, and powers of two.
pub(crate) fn bases() -> Vec<f64> {
    let mut bases = vec![10_000.0];
    bases.extend((1..=8).flat_map(|power| (1..=9).map(move |digit| f64::from(digit) * 10_f64.powi(power))));
    bases.extend((1..=20).map(|power| 2_f64.powi(power)));
    bases.extend([1.5e5, 2.5e5, 1.5e6, 2.5e6, 1.0 / 64.0]);
    bases
}
