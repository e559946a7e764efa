//! Estimates base, shift, scale, start, step and amplitude from the angles of all frequencies.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use posenc::__private::PairColumns;
use posenc::{Amplitude, Spec};

use super::angles::{Angle, Numbers, wrapped};
use super::numbers::written_near;
use super::structure::Structure;

/// The range of bases and scales of models. Far beyond it, the library needs milliseconds per entry.
const PLAUSIBLE: RangeInclusive<f64> = 1e-12..=1e18;

/// The steps of the angles as `sign * exp(intercept + slope * k)`.
#[derive(Clone, Copy, Debug)]
struct Line {
    sign: f64,
    intercept: f64,
    slope: f64,
    /// The error bound of the slope.
    slope_error: f64,
}

/// Returns the specs in this arrangement that may have made the table.
///
/// There are none if the angles do not form a geometric progression.
pub(super) fn specs(numbers: &Numbers, structure: &Structure) -> Vec<Spec<'static>> {
    let mut specs = Vec::new();
    if structure.is_paired() {
        let Some(amplitude) = paired_amplitude(numbers, structure) else { return specs };
        if let Some(angles) = paired_angles(numbers, structure) {
            specs.extend(of_angles(numbers, structure, &angles, amplitude));
        }
        return specs;
    }
    for (zero, amplitude) in zeros(numbers, structure) {
        let angles: Vec<_> = structure.slots.iter().map(|&slot| numbers.single(slot, zero, amplitude)).collect();
        specs.extend(of_angles(numbers, structure, &angles, amplitude));
    }
    specs
}

/// Returns the angles of the pairs. The last sine of an odd width has no cosine, and so no angle.
fn paired_angles(numbers: &Numbers, structure: &Structure) -> Option<Vec<Option<Angle>>> {
    let angle = |slot: &PairColumns| Some(numbers.pair(slot.sin?, slot.cos?));
    let mut angles: Vec<_> = structure.slots.iter().map(angle).collect();
    if numbers.seq_len == 1 {
        // One row cannot distinguish its position from the scale, so it is assumed to be position 1.
        for angle in angles.iter_mut().flatten() {
            angle.step = angle.first;
        }
    }
    angles.iter().any(Option::is_some).then_some(angles)
}

/// Returns the radius of the circles, the median over rows and frequencies.
///
/// It is `None` if the radius varies, because the columns are then not pairs.
fn paired_amplitude(numbers: &Numbers, structure: &Structure) -> Option<f64> {
    let slots = &structure.slots;
    let rows = (0..numbers.seq_len).filter(|&row| Some(row) != numbers.zero_row).take(16);
    let radius = |row, slot: &PairColumns| Some(numbers.at(row, slot.sin?).hypot(numbers.at(row, slot.cos?)));
    let mut radii: Vec<_> = rows.flat_map(|row| slots.iter().filter_map(move |slot| radius(row, slot))).collect();
    radii.sort_by(f64::total_cmp);
    let (&low, &middle, &high) = (radii.first()?, radii.get(radii.len() / 2)?, radii.last()?);
    let allowed = 0.02 + 4.0 * numbers.rounding;
    (middle > 0.0 && high - low <= allowed * middle).then_some(middle)
}

/// Returns candidates for the row of position 0 and the amplitude, for sines and cosines that are not paired.
fn zeros(numbers: &Numbers, structure: &Structure) -> Vec<(i64, f64)> {
    let slots = &structure.slots;
    let largest = numbers.largest;
    let is_zero = |row: usize| {
        let level = slots.iter().find_map(|slot| slot.cos).map_or(largest, |cos| numbers.at(row, cos));
        let near = |column: Option<usize>, value: f64| {
            column.is_none_or(|column| (numbers.at(row, column) - value).abs() <= 4.0 * numbers.rounding * largest)
        };
        level != 0.0 && slots.iter().all(|slot| near(slot.sin, 0.0) && near(slot.cos, level))
    };
    let row = (0..numbers.seq_len).find(|&row| Some(row) != numbers.zero_row && is_zero(row));
    let row = row.and_then(|row| i64::try_from(row).ok());
    let rows = row.map_or(vec![-1, -2], |row| vec![row]);
    let amplitudes = [1.0, rsqrt(numbers.d_model), rsqrt(numbers.d_model) * 2_f64.sqrt(), largest];
    let near =
        amplitudes.into_iter().find(|&amplitude| (largest - amplitude).abs() <= 0.02 * amplitude).unwrap_or(largest);
    rows.into_iter().map(|row| (row, near)).collect()
}

pub(super) fn rsqrt(d_model: usize) -> f64 {
    (d_model as f64).sqrt().recip()
}

/// Returns the specs that have these angles.
fn of_angles(numbers: &Numbers, structure: &Structure, angles: &[Option<Angle>], amplitude: f64) -> Vec<Spec<'static>> {
    let plain = structure.spec;
    if numbers.seq_len == 1 && angles.iter().flatten().all(|angle| angle.step.abs() <= 4.0 * numbers.rounding) {
        return amplitudes(plain, amplitude, numbers);
    }
    let Some(line) = line(numbers, angles) else { return Vec::new() };
    let mut specs = Vec::new();
    for (start, step) in places(&line, angles) {
        let scale = line.intercept.exp() / step.unsigned_abs() as f64;
        if !PLAUSIBLE.contains(&scale) {
            continue;
        }
        let scales = written_near(scale, 1e-3_f64.max(16.0 * numbers.rounding));
        // Most tables have scale 1. For the others the measured scale is a second guess.
        let scales = if scales[0] == 1.0 { vec![1.0, scales[scales.len() - 1]] } else { scales };
        for &scale in best(&scales) {
            // With a single row, the scale may be its position.
            let (start, scale) = match integer(scale) {
                Some(whole) if numbers.seq_len == 1 => (start.saturating_mul(whole), 1.0),
                _ => (start, scale),
            };
            let spec = plain.start(start).step(step).scale(scale);
            for spec in bases(spec, structure, &line, angles.len() > 1) {
                specs.extend(amplitudes(spec, amplitude, numbers));
            }
        }
    }
    specs
}

/// Returns the first two numbers, which have few digits, and the last, which is the measured one.
fn best(numbers: &[f64]) -> impl Iterator<Item = &f64> {
    let last = numbers.len() - 1;
    numbers.iter().enumerate().filter(move |(i, _)| *i < 2 || *i == last).map(|(_, number)| number)
}

/// Returns the number as an integer, if it is one.
fn integer(number: f64) -> Option<i64> {
    format!("{number}").parse().ok()
}

/// Returns the spec with candidates for shift and base. The table determines only `base^(1/denominator)`.
fn bases<'a>(
    spec: Spec<'static>,
    structure: &'a Structure,
    line: &'a Line,
    several: bool,
) -> impl Iterator<Item = Spec<'static>> + 'a {
    let shifts: &[f64] = if several { &[0.0, 1.0] } else { &[] };
    let several = shifts.iter().flat_map(move |&shift| {
        let denominator = structure.denominator(shift);
        let base = (-line.slope * denominator).exp();
        let written = if denominator > 0.0 && PLAUSIBLE.contains(&base) {
            let error = (5.0 * line.slope_error * denominator).clamp(1e-5, 0.05);
            let numbers = written_near(base, error);
            best(&numbers).copied().chain(numbers.iter().copied().skip(2).take(4)).collect()
        } else {
            Vec::new()
        };
        written.into_iter().map(move |base| spec.freq_shift(shift).base(base))
    });
    let single = if shifts.is_empty() { Some(spec) } else { None };
    several.chain(single)
}

/// Returns the spec with candidates for the amplitude.
pub(super) fn amplitudes(spec: Spec<'static>, measured: f64, numbers: &Numbers) -> Vec<Spec<'static>> {
    let d_model = spec.d_model();
    let named = [
        (1.0, Amplitude::Value(1.0)),
        (rsqrt(d_model), Amplitude::RsqrtD),
        (rsqrt(d_model) * 2_f64.sqrt(), Amplitude::Sqrt2OverD),
    ];
    // The radius is the median of many, so it is more accurate than one entry.
    let error = (2.0 * numbers.rounding).max(1e-5);
    let near = named.into_iter().find(|(value, _)| (value - measured).abs() <= error * value);
    let mut specs: Vec<_> = near.map(|(_, amplitude)| spec.amplitude(amplitude)).into_iter().collect();
    // A difference that rounding explains is not another amplitude.
    let same = 4.0 * numbers.rounding.max(f64::from(f32::EPSILON));
    if near.is_some_and(|(value, _)| (value - measured).abs() <= same * value) {
        return specs;
    }
    for value in named.map(|(value, _)| -value) {
        if (value - measured).abs() <= error * value.abs() {
            specs.push(spec.amplitude(Amplitude::Value(value)));
        }
    }
    let written = written_near(measured, error);
    specs.extend(best(&written).filter(|value| **value != 1.0).map(|&value| spec.amplitude(Amplitude::Value(value))));
    specs
}

/// Fits a line to the logarithms of the steps.
///
/// An angle is known only modulo full turns. So the fit begins at the slowest frequency and predicts each following
/// step from the ones before it.
fn line(numbers: &Numbers, angles: &[Option<Angle>]) -> Option<Line> {
    let known: Vec<_> =
        angles.iter().enumerate().filter_map(|(k, angle)| Some((k as f64, angle.as_ref()?.step))).collect();
    let (first, last) = (known.first()?, known.last()?);
    let mut ordered = known.clone();
    if last.1.abs() <= first.1.abs() {
        ordered.reverse();
    }
    // A frequency that is too slow to be measured contributes nothing.
    ordered.retain(|(_, step)| step.abs() > 1e-12);
    let sign = ordered.first()?.1.signum();
    let mut points: Vec<(f64, f64)> = Vec::new();
    for &(k, step) in &ordered {
        let expected = match points.as_slice() {
            [] => Some(step),
            [_] => Some(step).filter(|step| step.signum() == sign),
            _ => Some(regression(&points)).map(|(intercept, slope, _)| sign * (intercept + slope * k).exp()),
        };
        let Some(expected) = expected else { continue };
        let unwrapped = step + TAU * ((expected - step) / TAU).round();
        if unwrapped.signum() == sign && (unwrapped - expected).abs() <= 0.2 * expected.abs() {
            points.push((k, unwrapped.abs().ln()));
        }
    }
    // If the arrangement is wrong, hardly any point is on the line.
    if points.len() * 2 < known.len() {
        return None;
    }
    let (intercept, slope, error) = regression(&points);
    let range = points.iter().map(|(k, _)| (k - points[0].0).abs()).fold(1.0, f64::max);
    let slope_error = error.max(8.0 * numbers.rounding / range);
    Some(Line { sign, intercept, slope, slope_error })
}

/// Intercept and slope of the line through the points, and the slope's standard error.
fn regression(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    if spread == 0.0 {
        return (y, 0.0, 0.0);
    }
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    let intercept = y - slope * x;
    let rest: f64 = points.iter().map(|point| (point.1 - intercept - slope * point.0).powi(2)).sum();
    (intercept, slope, (rest / (count - 2.0).max(1.0) / spread).sqrt())
}

/// Returns candidates for start and step, from the angles of row 0 in units of a step.
///
/// The slowest frequency gives a rough estimate without full turns, and faster ones refine it.
fn places(line: &Line, angles: &[Option<Angle>]) -> Vec<(i64, i64)> {
    let step = |k: usize| line.sign * (line.intercept + line.slope * k as f64).exp();
    let mut ordered: Vec<_> =
        angles.iter().enumerate().filter_map(|(k, angle)| Some((step(k), angle.as_ref()?.first))).collect();
    ordered.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let mut place: Option<f64> = None;
    for (step, first) in ordered {
        place = match place {
            None => Some(first / step),
            Some(place) => {
                let missed = wrapped(first - place * step);
                if missed.abs() > 1.0 {
                    break;
                }
                Some(place + missed / step)
            }
        };
    }
    let Some(place) = place else { return Vec::new() };
    let way = if line.sign < 0.0 { -1 } else { 1 };
    // Positions are integers, in units of a step or a fraction of it.
    let near = |part: i64| (place * part as f64 - (place * part as f64).round()).abs() <= 0.02;
    // Samplers use every tenth or twentieth timestep, so the step may be large. It then equals the first frequency.
    let whole = integer(line.intercept.exp().round()).filter(|whole| (2..=1000).contains(whole));
    let parts = [1].into_iter().chain((2..=8).find(|&part| !near(1) && near(part)));
    let parts = parts.chain(whole.filter(|&whole| whole > 8 || near(1)));
    let placed = parts.filter_map(|part| Some((integer((place * (way * part) as f64).round())?, way * part)));
    placed.collect()
}
