//! The progression of the frequencies, and the position of row 0, from the angles of the frequencies.

use std::f64::consts::{PI, TAU};

use posenc::PairColumns;

use crate::angles::{Angle, Angles, wrapped};
use crate::ascending::sort_by_number;
use crate::model::{MOST_MISFIT, Model};
use crate::sample::WINDOW;
use crate::structure::Structure;

/// The steps of the angles as `sign * exp(intercept + slope * k)`.
#[derive(Clone, Copy, Debug)]
struct Progression {
    sign: f64,
    intercept: f64,
    slope: f64,
    /// The relative error of a step.
    error: f64,
    /// The mean distance of the steps, in units of their errors.
    misfit: f64,
}

/// The relative error of an angle in `f32` and in `f64`.
const SINGLE: f64 = 4e-7;
const DOUBLE: f64 = 4e-14;

/// A line with a larger error is no progression, but fits because the steps of fast frequencies are known modulo full turns.
const CERTAIN: f64 = 1e-3;

/// The largest angle per row for which turns are tried: the angle of every 20th timestep scaled by 1000.
const FASTEST: f64 = 2e4;

/// The least ratio of the fastest frequency and the slowest one of which turns are tried. With any ratio, all frequencies of a
/// table of other ones may differ by full turns from a progression.
const LEAST_RATIO: f64 = 10.0;

/// The number of frequencies after which a line whose turns were tried does not fit by chance.
const CHECKED: usize = 6;

/// The furthest position of row 0, in rows, and the most turns of the slowest frequency up to there.
pub(crate) const FURTHEST: f64 = 4e6;
const MOST_TURNS: f64 = 4000.0;

/// Returns models with these angles. There are none if the steps do not form a geometric progression.
pub(crate) fn models(angles: &Angles, structure: &Structure) -> Vec<Model> {
    let mut models = Vec::new();
    for fastest_first in [true, false] {
        let Some(line) = Progression::new(angles, fastest_first) else { continue };
        // The two orders differ only if fast frequencies make more than half a turn per row.
        if (line.slope > 0.0) == fastest_first {
            continue;
        }
        let signs: &[f64] = if angles.reflected.is_some() { &[1.0, -1.0] } else { &[1.0] };
        for &sign in signs {
            let line = Progression { sign: sign * line.sign, ..line };
            for shift in [0.0, PI] {
                let firsts = line.firsts(angles, structure, shift);
                let amplitude = if shift == 0.0 { angles.amplitude } else { -angles.amplitude };
                let model = |place| Model { amplitude, rate: line.step(0.0), place, decay: -line.slope };
                models.extend(line.places(&firsts).into_iter().map(model));
            }
        }
        // One frequency has no direction.
        if angles.of.len() == 1 {
            break;
        }
    }
    models
}

impl Progression {
    /// Fits a line to the logarithms of the steps.
    ///
    /// An angle is known only modulo full turns. So the fit begins at the slowest frequency and predicts each following
    /// step from the ones before it.
    fn new(angles: &Angles, fastest_first: bool) -> Option<Self> {
        // If the table was computed in `f64`, the fast frequencies are known more precisely.
        Self::with_error(angles, fastest_first, DOUBLE)
            .filter(|line| line.misfit < MOST_MISFIT)
            .or_else(|| Self::with_error(angles, fastest_first, SINGLE).filter(|line| line.error < CERTAIN))
            .or_else(|| if fastest_first { Self::aliased(angles) } else { None })
    }

    /// Fits a line to steps of which also the slowest may be more than half a turn.
    ///
    /// All turns of the two slowest frequencies are tried, and the following ones must be where these predict them.
    fn aliased(angles: &Angles) -> Option<Self> {
        let mut known: Vec<_> =
            angles.of.iter().enumerate().filter_map(|(k, angle)| Some((k as f64, (*angle)?))).collect();
        known.reverse();
        // Rows that are all equal have any number of full turns.
        if known.len() < CHECKED || known.iter().all(|(_, angle)| !is_measured(angle)) {
            return None;
        }
        let [(k, slowest), (next, second), ..] = *known.as_slice() else { return None };
        let mut best: Option<Self> = None;
        for sign in [1.0, -1.0] {
            for first in angles.turned(sign * slowest.step, 0.0, FASTEST / LEAST_RATIO) {
                let point_of_first = point(k, first, slowest.error, SINGLE);
                // The least and the largest ratio of the fastest frequency and this one limit the next.
                let then = |ratio: f64| first * ratio.powf((k - next) / k);
                for then in angles.turned(sign * second.step, then(LEAST_RATIO), then(FASTEST / first)) {
                    let points = [point_of_first, point(next, then, second.error, SINGLE)];
                    let line = Self::following(angles, &known[2..], sign, points);
                    let is_better = |line: &Self| best.is_none_or(|best| line.error < best.error);
                    best = line.filter(is_better).or(best);
                }
            }
        }
        best
    }

    /// Fits a line to two points, and to the steps that they predict.
    fn following(angles: &Angles, known: &[(f64, Angle)], sign: f64, two: [[f64; 3]; 2]) -> Option<Self> {
        let uncertain = two[0][2] + two[1][2];
        let mut regression = Regression::of(&two);
        // The first point that is far from the line is mostly the next one, so nothing is allocated before.
        let mut others = Vec::new();
        for &(k, angle) in known {
            let (intercept, slope) = regression.line();
            let expected = (intercept + slope * k).exp();
            let step = angles.nearest(sign * angle.step, expected);
            if (step - expected).abs() <= 6.0 * (uncertain + error_of_point(step, angle.error, SINGLE)) * expected {
                let new = point(k, step, angle.error, SINGLE);
                others.push(new);
                regression.add(new);
            } else if 2 + others.len() < CHECKED {
                return None;
            }
        }
        let points = [&two, others.as_slice()].concat();
        (points.len() >= CHECKED && 2 * points.len() > 2 + known.len()).then(|| Self::through(&points, sign, SINGLE))
    }

    fn with_error(angles: &Angles, fastest_first: bool, least: f64) -> Option<Self> {
        let known = angles.of.iter().enumerate().filter_map(|(k, angle)| Some((k as f64, (*angle)?)));
        // A frequency that is too slow to be measured contributes nothing.
        let mut known: Vec<_> = known.filter(|(_, angle)| is_measured(angle)).collect();
        if fastest_first {
            known.reverse();
        }
        let sign = known.first()?.1.step.signum();
        let mut points: Vec<[f64; 3]> = Vec::new();
        let mut regression = Regression::default();
        for &(k, angle) in &known {
            let expected = match points.as_slice() {
                [] => angle.step,
                [_] if angle.step.signum() == sign => angle.step,
                [_] => continue,
                _ => {
                    let (intercept, slope) = regression.line();
                    sign * (intercept + slope * k).exp()
                }
            };
            let step = angles.nearest(angle.step, expected);
            if step.signum() == sign && (step - expected).abs() <= 0.2 * expected.abs() {
                let new = point(k, step.abs(), angle.error, least);
                points.push(new);
                regression.add(new);
            }
        }
        // If the arrangement is wrong, hardly any point is on the line.
        if points.len() * 2 < known.len() {
            return None;
        }
        Some(Self::through(&points, sign, least))
    }

    fn through(points: &[[f64; 3]], sign: f64, least: f64) -> Self {
        let (intercept, slope) = Regression::of(points).line();
        let weights: f64 = points.iter().map(|[_, _, error]| error.powi(-2)).sum();
        let misses = points.iter().map(|[k, log, error]| ((log - intercept - slope * k) / error).powi(2)).sum::<f64>();
        let (error, misfit) = (least + 3.0 * (misses / weights).sqrt(), (misses / points.len() as f64).sqrt());
        Self { sign, intercept, slope, error, misfit }
    }

    fn step(&self, k: f64) -> f64 {
        self.sign * (self.intercept + self.slope * k).exp()
    }

    /// Returns the steps of the frequencies with their angles in row 0, the slowest first.
    fn firsts(&self, angles: &Angles, structure: &Structure, shift: f64) -> Vec<(f64, Angle)> {
        let known = angles.of.iter().zip(&structure.slots).enumerate();
        let first = |(k, (angle, slot)): (usize, (&Option<Angle>, &PairColumns))| {
            let (mut angle, step) = ((*angle)?, self.step(k as f64));
            if let Some(reflected) = angles.reflected {
                let misses = |angle: Angle| wrapped(step - angle.step).abs();
                let other = reflected(angle, *slot);
                angle = if misses(other) < misses(angle) { other } else { angle };
            }
            angle.first = wrapped(angle.first + shift);
            Some((step, angle))
        };
        let mut firsts: Vec<_> = known.filter_map(first).collect();
        sort_by_number(&mut firsts, |first| first.0.abs());
        firsts
    }

    /// Returns the positions of row 0, in rows, that have these angles.
    ///
    /// The slowest frequency gives rough ones, which faster frequencies refine or rule out.
    fn places(&self, firsts: &[(f64, Angle)]) -> Vec<f64> {
        let Some(&(slowest, angle)) = firsts.first() else { return Vec::new() };
        let turns = (FURTHEST * slowest.abs() / TAU).min(MOST_TURNS).floor();
        let mut places = Vec::new();
        let mut turn = -turns;
        while turn <= turns {
            let begin = (angle.first + TAU * turn) / slowest;
            if self.may_be_near(begin, firsts) {
                places.extend(self.refined(begin, firsts));
            }
            turn += 1.0;
        }
        sort_by_number(&mut places, |place| place.0.abs());
        sort_by_number(&mut places, |place| place.1);
        // So many positions do not determine one.
        places.truncate(if places.len() > 20 { 1 } else { 4 });
        places.into_iter().map(|(place, _)| place).collect()
    }

    /// Returns `false` if the second frequency rules out a position at which the slowest one has its angle.
    ///
    /// This is quick and rough, so it allows for more than [`refined`](Self::refined).
    fn may_be_near(&self, place: f64, firsts: &[(f64, Angle)]) -> bool {
        let &[(slowest, one), (step, other), ..] = firsts else { return true };
        let (ratio, reach) = ((step / slowest).abs(), self.error * (place.abs() + WINDOW as f64));
        let error = |step: f64, angle: Angle| WINDOW as f64 * angle.error + reach * step.abs();
        let (uncertain, error) = (error(slowest, one), error(step, other));
        let allowed = 1.01 * (6.0 * (error + uncertain * ratio) + 1e-3) + 1e-9 * (1.0 + ratio);
        uncertain.max(error) > 0.99 || from_whole((other.first - place * step) / TAU) * TAU <= allowed
    }

    /// Returns the position nearest to the angles, and the sum of how far they are from it.
    fn refined(&self, mut place: f64, firsts: &[(f64, Angle)]) -> Option<(f64, f64)> {
        let mut missed_in_all = 0.0;
        let mut uncertain = f64::INFINITY;
        let mut used = 0;
        for (i, &(step, angle)) in firsts.iter().enumerate() {
            let missed = wrapped(angle.first - place * step);
            // An angle is extrapolated from the first rows, which have the errors of their own angles.
            let rows = WINDOW as f64;
            let error = rows * angle.error + self.error * (place.abs() + rows) * step.abs();
            // Any position would fit.
            if error > 1.0 {
                continue;
            }
            used += 1;
            if i > 0 {
                let allowed = 6.0 * (error + uncertain * step.abs()) + 1e-3;
                if missed.abs() > allowed.min(1.5) {
                    return None;
                }
                missed_in_all += missed.abs().min(0.1);
            }
            if error < uncertain * step.abs() {
                place += missed / step;
                uncertain = error / step.abs();
            }
        }
        (2 * used > firsts.len()).then_some((place, missed_in_all))
    }
}

/// Returns the distance from the nearest integer, nearly, and much faster than by `round`.
#[expect(clippy::cast_possible_truncation, reason = "the number is far smaller than 2^63")]
fn from_whole(number: f64) -> f64 {
    let part = (number - number as i64 as f64).abs();
    part.min(1.0 - part)
}

/// Returns whether a step is far from zero.
fn is_measured(angle: &Angle) -> bool {
    angle.step.abs() > 20.0 * angle.error
}

/// Returns a frequency with the logarithm of its step and the error of that.
fn point(k: f64, step: f64, error: f64, least: f64) -> [f64; 3] {
    [k, step.ln(), error_of_point(step, error, least)]
}

fn error_of_point(step: f64, error: f64, least: f64) -> f64 {
    least + error / step
}

/// The line through some points, which are weighted by their errors.
#[derive(Clone, Copy, Debug, Default)]
struct Regression {
    weight: f64,
    /// The mean of the points.
    x: f64,
    y: f64,
    /// The sums of the weighted products of distances from the mean.
    xx: f64,
    xy: f64,
}

impl Regression {
    fn of(points: &[[f64; 3]]) -> Self {
        let mut regression = Self::default();
        for point in points {
            regression.add(*point);
        }
        regression
    }

    /// Adds a point. The sums are of distances from the mean, because a difference of large sums would have few digits.
    fn add(&mut self, [x, y, error]: [f64; 3]) {
        let weight = error.powi(-2);
        self.weight += weight;
        let (from_x, from_y) = (x - self.x, y - self.y);
        self.x += from_x * weight / self.weight;
        self.y += from_y * weight / self.weight;
        self.xx += weight * from_x * (x - self.x);
        self.xy += weight * from_x * (y - self.y);
    }

    /// Returns the intercept and the slope.
    fn line(&self) -> (f64, f64) {
        let slope = if self.xx == 0.0 { 0.0 } else { self.xy / self.xx };
        (self.y - slope * self.x, slope)
    }
}
