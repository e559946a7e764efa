//! Tries the parameters of known models, in every arrangement.
//!
//! Column 0 has frequency `scale`, whatever the base, shift and arrangement are. So scale, start and step are tried on
//! that column first, and bases and shifts only with those that fit it. All this is computed in `f64`, on a few
//! entries.

use std::f64::consts::{PI, TAU};

use posenc::Spec;

use crate::angles::rate;
use crate::fit::with_amplitudes;
use crate::numbers::between;
use crate::sample::Numbers;
use crate::structure::Structure;

/// The extent of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The starts of known models, with all scales.
    Usual,
    /// All plausible starts, and the steps of samplers.
    Far,
}

/// The positions of the rows, and the scale.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: i64,
    step: i64,
    scale: f64,
}

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

/// Returns the scales of known models, and those estimated from column 0.
fn scales(numbers: &Numbers) -> Vec<f64> {
    let mut scales = vec![1.0, 1000.0, TAU, PI, 100.0, 10.0, 0.1, 0.01, 0.001, 2.0, 4.0];
    scales.extend((1..=12).map(|power| 0.5_f64.powi(power)));
    if let Some((measured, _)) = rate(numbers, 0) {
        // The estimate has three digits even for slow waves. The angles give the remaining ones.
        let error = 1e-3_f64.max(4.0 * numbers.rounding);
        scales.extend(between(measured * (1.0 - error), measured * (1.0 + error)).into_iter().take(4));
    }
    scales
}

/// Returns starts and steps with scales, the most common first.
fn places(numbers: &Numbers, scope: Scope) -> Vec<Place> {
    let n = i64::try_from(numbers.seq_len).unwrap_or(i64::MAX);
    let scales = scales(numbers);
    let mut places = Vec::new();
    let mut add = |start, step, scale| places.push(Place { start, step, scale });
    if scope == Scope::Usual {
        // Positions from 0, from 1, after the padding row, or with a padding row before them; and descending ones, as
        // in Transformer-XL, XLNet and Conformer.
        let (up, down) = ([0, 1, 2, -1], [n - 1, (n - 1) / 2, n / 2, n, 0]);
        for &scale in &scales {
            for start in up {
                add(start, 1, scale);
            }
            // A single row cannot descend.
            for start in down.into_iter().filter(|_| n > 1) {
                add(start, -1, scale);
            }
        }
        return places;
    }
    if numbers.seq_len > 1 && numbers.is_constant() {
        for start in 0..=2000 {
            add(start, 0, 1.0);
        }
        return places;
    }
    for &scale in &scales {
        for start in 3..=64 {
            add(start, 1, scale);
        }
    }
    // A cache of a long context may be cut anywhere.
    for start in (0..=20_000).chain(-2048..0) {
        add(start, 1, 1.0);
        if n > 1 {
            add(start, -1, 1.0);
        }
    }
    if n == 1 {
        return places;
    }
    // Samplers of diffusion models use a part of 1000 timesteps.
    for step in (2..=50).chain([100, 111, 125, 200, 250]) {
        for start in 0..=1000 {
            add(start, step, 1.0);
            add(start, -step, 1.0);
        }
    }
    places
}

/// Returns a sample of rows: the last ones, where the angles are largest, some in the middle, and the first ones.
pub(crate) fn sampled_rows(numbers: &Numbers) -> Vec<usize> {
    let n = numbers.seq_len;
    let mut rows = Vec::new();
    for row in [n - 1, n.saturating_sub(2), n.saturating_sub(3), n / 2, n / 2 + 1, n / 3, 0, 1, 2] {
        if row < n && Some(row) != numbers.zero_row && !rows.contains(&row) {
            rows.push(row);
        }
    }
    rows
}

impl Place {
    /// Returns the largest angle in these rows. Its error affects the fitted amplitude, and so the entries of all rows.
    fn turned(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&row| (self.scale * self.position(row)).abs()).fold(0.0, f64::max)
    }

    fn position(&self, row: usize) -> f64 {
        self.start as f64 + self.step as f64 * row as f64
    }
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
    let entries: Vec<f64> = rows.iter().map(|&row| numbers.at(row, 0)).collect();
    // If the angles are full turns, all sines are zero, whatever the amplitude is.
    let null = slack(numbers, numbers.seq_len as f64) * numbers.largest;
    let is_null = entries.iter().all(|entry| entry.abs() <= null);
    let varies = entries.iter().any(|entry| (entry - entries[0]).abs() > null);
    let named = named_amplitudes(numbers.d_model);
    let mut kept = Vec::new();
    for place in places {
        let wave = |i: usize| wave(is_sin, place.scale * place.position(rows[i]));
        let waves = || -> Vec<f64> { (0..entries.len()).map(wave).collect() };
        let allowed = slack(numbers, place.turned(rows));
        let fits = |amplitude: f64, waves: &[f64]| {
            let near = |(entry, wave): (&f64, &f64)| (entry - amplitude * wave).abs() <= allowed * amplitude.abs();
            entries.iter().zip(waves).all(near)
        };
        if is_null {
            let zero = (0..entries.len()).all(|i| wave(i).abs() <= allowed);
            kept.extend(zero.then_some(FittingPlace { place: *place, amplitude: None }));
        } else if varies && entries.len() >= 3 {
            // Three entries rule out most places. The other entries check the remaining ones.
            let fitted = |waves: &[f64]| {
                let amplitude = least_squares(waves.iter().copied().zip(entries.iter().copied()));
                fits(amplitude, waves).then_some(amplitude)
            };
            if let Some(amplitude) = fitted(&[wave(0), wave(1), wave(2)]).and_then(|_| fitted(&waves())) {
                kept.push(FittingPlace { place: *place, amplitude: Some(amplitude) });
            }
        } else {
            let waves = waves();
            let fitting = named.iter().filter(|amplitude| fits(**amplitude, &waves));
            kept.extend(fitting.map(|&amplitude| FittingPlace { place: *place, amplitude: Some(amplitude) }));
        }
        if kept.len() >= MOST_KEPT {
            break;
        }
    }
    kept
}

/// Returns the amplitudes of known models, for entries that do not determine it.
fn named_amplitudes(d_model: usize) -> [f64; 6] {
    let rsqrt = (d_model as f64).sqrt().recip();
    [1.0, -1.0, rsqrt, -rsqrt, rsqrt * 2_f64.sqrt(), -rsqrt * 2_f64.sqrt()]
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
    columns: Vec<WaveColumn>,
    progressions: Vec<Progression>,
}

/// Frequencies relative to that of column 0.
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
        Self { numbers, rows, columns, progressions }
    }

    /// Returns the specs with this place that fit.
    fn specs(&self, structure: &Structure, kept: &FittingPlace) -> Vec<Spec<'static>> {
        let Place { start, step, scale } = kept.place;
        let mut specs = Vec::new();
        for progression in &self.progressions {
            let &Progression { shift, base, .. } = progression;
            if let Some(amplitude) = self.fitted(kept, progression) {
                let spec = structure.spec.start(start).step(step).scale(scale).freq_shift(shift).base(base);
                specs.extend(with_amplitudes(spec, amplitude, self.numbers));
            }
        }
        specs
    }

    /// Returns the amplitude with which the frequencies fit.
    fn fitted(&self, kept: &FittingPlace, progression: &Progression) -> Option<f64> {
        let allowed = slack(self.numbers, kept.place.turned(self.rows));
        let columns = || self.columns.iter().zip(&progression.of_columns);
        let wave = |(column, frequency): (&WaveColumn, &f64), row| {
            wave(column.is_sin, kept.place.scale * kept.place.position(row) * frequency)
        };
        let is_near = |column: (&WaveColumn, &f64), row, amplitude: f64, allowed: f64| {
            let entry = self.numbers.at(row, column.0.place);
            (entry - amplitude * wave(column, row)).abs() <= allowed * amplitude.abs()
        };
        // The amplitude estimated from column 0 is rough if its entries are small.
        if let Some(amplitude) = kept.amplitude
            && !columns().take(3).all(|column| is_near(column, self.rows[0], amplitude, allowed + 0.02))
        {
            return None;
        }
        let pairs = columns().flat_map(|column| {
            self.rows.iter().map(move |&row| (wave(column, row), self.numbers.at(row, column.0.place)))
        });
        let amplitude = least_squares(pairs);
        let fits = |column| self.rows.iter().all(|&row| is_near(column, row, amplitude, allowed));
        // An amplitude far above the entries is amplified noise. The limit allows for slow sines that scope a
        // thousandth of it.
        let plausible = amplitude != 0.0 && amplitude.abs() <= 2000.0 * self.numbers.largest;
        (plausible && columns().all(fits)).then_some(amplitude)
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
