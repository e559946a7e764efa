//! Estimates how the angle of each frequency grows from row to row.
//!
//! Row `i` of a frequency has the angle `step * i + first`, whatever the base, scale and start are.

use std::f64::consts::{PI, TAU};

use posenc::PairColumns;

use crate::numbers::rsqrt;
use crate::sample::{Numbers, WINDOW};
use crate::structure::Structure;

/// The angle of a frequency in row 0 and its growth per row, both from -pi to pi.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Angle {
    pub(crate) first: f64,
    pub(crate) step: f64,
    /// The error of the step.
    pub(crate) error: f64,
}

/// The angles of all frequencies, of which some are not known, and the amplitude.
#[derive(Clone, Debug)]
pub(crate) struct Angles {
    pub(crate) of: Vec<Option<Angle>>,
    pub(crate) amplitude: f64,
    /// For columns that have no partner, the sign of an angle is not known. The reflected one has the same entries.
    pub(crate) reflected: Option<fn(Angle, PairColumns) -> Angle>,
}

impl Angles {
    /// Returns the angles of the frequencies of an arrangement, if its columns are sinusoids, for each likely amplitude.
    pub(crate) fn all(numbers: &Numbers, structure: &Structure) -> Vec<Self> {
        if structure.is_paired() {
            paired(numbers, structure).into_iter().collect()
        } else {
            single(numbers, structure)
        }
    }

    /// Returns the angle per row nearest to an expected one that differs from this step by full turns.
    pub(crate) fn nearest(&self, step: f64, expected: f64) -> f64 {
        let turned = |step: f64| step + TAU * ((expected - step) / TAU).round();
        let (one, other) = (turned(step), turned(-step));
        let is_other = self.reflected.is_some() && (other - expected).abs() < (one - expected).abs();
        if is_other { other } else { one }
    }

    /// Returns the angles per row between two positive ones that differ from this step by full turns.
    pub(crate) fn turned(&self, step: f64, low: f64, high: f64) -> impl Iterator<Item = f64> + use<> {
        let both = if self.reflected.is_some() { 2 } else { 1 };
        [step, -step].into_iter().take(both).flat_map(move |step| {
            let first = step + TAU * ((low - step) / TAU).floor() + TAU;
            (0..).map(move |turns| first + TAU * f64::from(turns)).take_while(move |&step| step < high)
        })
    }
}

/// Returns the angles of pairs. The last sine of an odd width has no cosine, and so no angle.
pub(crate) fn paired(numbers: &Numbers, structure: &Structure) -> Option<Angles> {
    let amplitude = radius(numbers, &structure.slots)?;
    let angle = |slot: &PairColumns| Some(pair(numbers, slot.sin?, slot.cos?));
    let of: Vec<_> = structure.slots.iter().map(angle).collect();
    of.iter().any(Option::is_some).then_some(Angles { of, amplitude, reflected: None })
}

/// Returns the radius of the circles, the median over rows and frequencies.
///
/// It is `None` if the radius varies, because the columns are then not pairs.
fn radius(numbers: &Numbers, slots: &[PairColumns]) -> Option<f64> {
    let rows = numbers.positions().take(16);
    let radius = |row, slot: &PairColumns| Some(numbers.at(row, slot.sin?).hypot(numbers.at(row, slot.cos?)));
    let mut radii: Vec<_> = rows.flat_map(|row| slots.iter().filter_map(move |slot| radius(row, slot))).collect();
    radii.sort_by(f64::total_cmp);
    let (&low, &middle, &high) = (radii.first()?, radii.get(radii.len() / 2)?, radii.last()?);
    let allowed = (0.02 + 4.0 * numbers.rounding) * middle + 4.0 * numbers.tolerance;
    (middle > 0.0 && high - low <= allowed).then_some(middle)
}

/// Returns rows `i` of the beginning for which rows `i` and `i + distance` have positions.
fn rows(numbers: &Numbers, distance: usize) -> impl Iterator<Item = usize> {
    (0..WINDOW.min(numbers.seq_len)).filter(move |&row| numbers.has(row) && numbers.has(row + distance))
}

/// Estimates the angle from columns of sine and cosine: the entries of a row are a point on a circle.
fn pair(numbers: &Numbers, sin: usize, cos: usize) -> Angle {
    let turn = |distance: usize| {
        let mut sum = (0.0, 0.0);
        for row in rows(numbers, distance) {
            let (s, c) = (numbers.at(row, sin), numbers.at(row, cos));
            let (s2, c2) = (numbers.at(row + distance, sin), numbers.at(row + distance, cos));
            sum = (sum.0 + s2 * c - c2 * s, sum.1 + c2 * c + s2 * s);
        }
        f64::atan2(sum.0, sum.1)
    };
    // Adjacent rows give a rough estimate, and rows further apart refine it.
    let mut step = if numbers.seq_len > 1 { turn(1) } else { 0.0 };
    let (mut known, mut distance) = (1, 2);
    while rows(numbers, distance).next().is_some() {
        let missed = wrapped(turn(distance) - step * distance as f64);
        if missed.abs() > 0.5 {
            break;
        }
        step += missed / distance as f64;
        known = distance;
        distance *= 2;
    }
    let mut sum = (0.0, 0.0);
    for row in rows(numbers, 0) {
        let (s, c) = (numbers.at(row, sin), numbers.at(row, cos));
        let (s2, c2) = (step * row as f64).sin_cos();
        sum = (sum.0 + s * c2 - c * s2, sum.1 + c * c2 + s * s2);
    }
    Angle { first: f64::atan2(sum.0, sum.1), step, error: numbers.relative_error() / known as f64 }
}

/// Returns the angles of columns that have no partner, for each likely amplitude.
fn single(numbers: &Numbers, structure: &Structure) -> Vec<Angles> {
    let column = |slot: &PairColumns| slot.sin.or(slot.cos);
    let waves: Vec<_> = structure.slots.iter().map(|slot| wave(numbers, column(slot)?)).collect();
    let of = |amplitude: f64| {
        let angle = |(wave, slot): (&Option<Wave>, &PairColumns)| {
            let is_near = |wave: &Wave| (wave.amplitude() - amplitude).abs() <= 0.1 * amplitude;
            // One that turns enough needs no amplitude.
            let Wave { step, error, cos, sin } = match wave {
                Some(wave) => Some(*wave).filter(is_near),
                None => slow_wave(numbers, column(slot)?, amplitude),
            }?;
            let first = if slot.sin.is_some() { f64::atan2(cos, sin) } else { f64::atan2(-sin, cos) };
            Some(Angle { first, step, error })
        };
        let of: Vec<_> = waves.iter().zip(&structure.slots).map(angle).collect();
        let is_enough = of.iter().flatten().count() >= 2.min(of.len());
        is_enough.then_some(Angles { of, amplitude, reflected: Some(reflected) })
    };
    amplitudes(numbers, &waves).into_iter().filter_map(of).collect()
}

/// Returns the amplitudes that waves may have, the median of those found first.
fn amplitudes(numbers: &Numbers, waves: &[Option<Wave>]) -> Vec<f64> {
    let mut found: Vec<_> = waves.iter().flatten().map(Wave::amplitude).collect();
    found.sort_by(f64::total_cmp);
    let mut amplitudes: Vec<f64> = found.get(found.len() / 2).copied().into_iter().collect();
    if found.len() < waves.len() {
        let named = [1.0, rsqrt(numbers.d_model), rsqrt(numbers.d_model) * 2_f64.sqrt(), numbers.largest];
        for amplitude in named.into_iter().filter(|amplitude| *amplitude >= 0.98 * numbers.largest) {
            if amplitudes.iter().all(|other| (amplitude - other).abs() > 0.001 * amplitude) {
                amplitudes.push(amplitude);
            }
        }
    }
    amplitudes
}

/// Returns the angle of the opposite sense with the same sines, or the same cosines.
fn reflected(angle: Angle, slot: PairColumns) -> Angle {
    let first = if slot.sin.is_some() { wrapped(PI - angle.first) } else { -angle.first };
    Angle { first, step: -angle.step, ..angle }
}

/// The entries `cos * cos(step * i) + sin * sin(step * i)`.
#[derive(Clone, Copy, Debug)]
struct Wave {
    step: f64,
    error: f64,
    cos: f64,
    sin: f64,
}

impl Wave {
    fn amplitude(&self) -> f64 {
        self.cos.hypot(self.sin)
    }
}

/// Returns the wave of a column that turns by half a radian or more in the first rows.
fn wave(numbers: &Numbers, column: usize) -> Option<Wave> {
    let (step, error) = rate(numbers, column)?;
    let mut sums = [0.0; 5];
    let mut turned = 0.0_f64;
    for row in rows(numbers, 0) {
        let entry = numbers.at(row, column);
        let (sin, cos) = (step * row as f64).sin_cos();
        let products = [cos * cos, cos * sin, sin * sin, cos * entry, sin * entry];
        sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
        turned = turned.max(step * row as f64);
    }
    let [cc, cs, ss, cx, sx] = sums;
    let determinant = cc * ss - cs * cs;
    // At half a turn per row all sines are zero.
    if turned < 0.5 || determinant <= 1e-9 * (cc + ss).powi(2) {
        return None;
    }
    Some(Wave { step, error, cos: (cx * ss - sx * cs) / determinant, sin: (sx * cc - cx * cs) / determinant })
}

/// Returns the wave of a column of this amplitude that turns less, of which value and slope determine the angle.
fn slow_wave(numbers: &Numbers, column: usize, amplitude: f64) -> Option<Wave> {
    let entries: Vec<_> = rows(numbers, 0).map(|row| (row as f64, numbers.at(row, column))).collect();
    let mean = |of: &dyn Fn(f64, f64) -> f64| {
        entries.iter().map(|&(row, entry)| of(row, entry)).sum::<f64>() / entries.len() as f64
    };
    let (middle, value) = (mean(&|row, _| row), mean(&|_, entry| entry));
    let slope = mean(&|row, entry| (row - middle) * entry) / mean(&|row, _| (row - middle).powi(2));
    // The derivative of a sinusoid is the sinusoid a quarter of a turn later.
    let quarter = (amplitude * amplitude - value * value).max(0.0).sqrt();
    let (mut angle, mut step) = (f64::atan2(value, slope.signum() * quarter), slope.abs() / quarter);
    let mut error = f64::INFINITY;
    for _ in 0..5 {
        // The distance of each row from the middle, the derivative there, and how far the entry is off.
        let point = |&(row, entry): &(f64, f64)| {
            let at = angle + step * (row - middle);
            [row - middle, amplitude * at.cos(), entry - amplitude * at.sin()]
        };
        let points: Vec<_> = entries.iter().map(point).collect();
        let mean = |of: fn([f64; 3]) -> f64| points.iter().map(|&point| of(point)).sum::<f64>() / points.len() as f64;
        let squares = mean(|[_, turned, _]| turned.powi(2));
        let products = mean(|[from, turned, _]| turned.powi(2) * from);
        let moments = mean(|[from, turned, _]| (turned * from).powi(2));
        let first = mean(|[_, turned, off]| turned * off);
        let second = mean(|[from, turned, off]| turned * from * off);
        let determinant = squares * moments - products * products;
        // The entries have errors of their own, and a column that is no wave has more.
        let spread = mean(|[_, _, off]| off.powi(2)).sqrt() + numbers.relative_error() * numbers.largest;
        error = 2.0 * spread * (squares / determinant / entries.len() as f64).sqrt();
        angle += (first * moments - second * products) / determinant;
        step += (second * squares - first * products) / determinant;
    }
    let (cos, sin) = (angle - step * middle).sin_cos();
    (error <= 0.1 * step).then_some(Wave { step, error, cos: amplitude * cos, sin: amplitude * sin })
}

/// Estimates the frequency `s` of a column, from 0 to pi, with its error.
///
/// It uses `x[i] + x[i + 2m] = 2 cos(m s) x[i + m]`, which holds for any start and amplitude.
pub(crate) fn rate(numbers: &Numbers, column: usize) -> Option<(f64, f64)> {
    let mut known: Option<(f64, f64)> = None;
    let mut lag = 1;
    // A large lag gives an accurate angle. Beyond half a turn the angle is ambiguous.
    loop {
        let (mut product, mut square, mut count) = (0.0, 0.0, 0);
        for row in rows(numbers, lag).filter(|row| numbers.has(row + 2 * lag)) {
            let middle = numbers.at(row + lag, column);
            product += middle * (numbers.at(row, column) + numbers.at(row + 2 * lag, column));
            square += 2.0 * middle * middle;
            count += 1;
        }
        if count < 2 || square == 0.0 {
            break;
        }
        let cosine = (product / square).clamp(-1.0, 1.0);
        let spread = 2.0 * numbers.relative_error() * numbers.largest / (square / f64::from(count)).sqrt();
        let error = |angle: f64| spread / (angle.sin().abs() + spread.sqrt()) / lag as f64;
        let angle = match known {
            None => cosine.acos(),
            Some((step, _)) => {
                let expected = step * lag as f64;
                let turns = TAU * (expected / TAU).round();
                let side = if wrapped(expected) < 0.0 { -1.0 } else { 1.0 };
                turns + side * cosine.acos()
            }
        };
        let step = angle / lag as f64;
        if let Some((before, uncertain)) = known {
            if uncertain * lag as f64 > 0.3 || (step - before).abs() > 6.0 * (uncertain + error(angle)) {
                break;
            }
            // The side of the peak is not certain.
            if error(angle) < uncertain && uncertain * (lag as f64) < angle.sin().abs() {
                known = Some((step, error(angle)));
            }
        } else {
            known = Some((step, error(angle)));
        }
        lag *= 2;
    }
    known.filter(|(step, error)| *error <= 0.1 * step)
}

/// Reduces an angle to -pi to pi.
pub(crate) fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}
