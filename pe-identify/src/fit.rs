//! Guesses base, shift, scale, start, step and amplitude from the angles of all frequencies.
//!
//! A real model is fitted to the entries. Then the parameters are chosen one after the other: the position of row 0,
//! which is an integer, the scale, the amplitude, and base with shift. After each choice the others are fitted again.

use std::ops::RangeInclusive;

use posenc::{Amplitude, Columns, Spec};

use crate::angles::Angles;
use crate::ascending::sort_by_number;
use crate::line;
use crate::model::{Estimate, Free, Model, Points};
use crate::numbers::{between, cost, rsqrt, written};
use crate::rank;
use crate::rounding::Precision;
use crate::sample::Numbers;
use crate::structure::Structure;

/// The range of bases and scales of models. Far beyond it, the library needs milliseconds per entry.
const PLAUSIBLE: RangeInclusive<f64> = 1e-12..=1e18;

/// The relative error of a number that is estimated from a table computed in `f32`.
const SINGLE: f64 = 1e-6;

/// The relative error of an amplitude that is estimated from entries with large angles.
const COMMON: f64 = 1e-3;

/// The least [cost](rank::scale) of a scale that is not 1.
const LEAST_SCALE: f64 = 7.0;

/// Returns the specs in this arrangement that may have made the table.
///
/// There are none if the angles do not form a geometric progression.
pub(crate) fn specs(numbers: &Numbers, structure: &Structure) -> Vec<Spec<'static>> {
    let angles = Angles::all(numbers, structure);
    let models: Vec<_> = angles.iter().flat_map(|angles| line::models(angles, structure)).collect();
    if models.is_empty() {
        return Vec::new();
    }
    let search = ModelSearch { structure, points: Points::new(numbers, structure), rounding: numbers.rounding };
    let mut specs = Vec::new();
    for model in models {
        let free = search.without_decay(&[Free::Amplitude, Free::Rate, Free::Place]);
        if let Some(estimate) = search.points.fitted(model, &free) {
            specs.extend(search.placed(&estimate));
        }
    }
    specs
}

/// What the entries are compared with, and in which arrangement.
struct ModelSearch<'a> {
    structure: &'a Structure,
    points: Points,
    /// The relative rounding error of the element type.
    rounding: f64,
}

/// Keeps the most likely choices, by their costs.
fn likeliest<T: Copy>(mut choices: Vec<(f64, T)>, count: usize) -> impl Iterator<Item = T> {
    sort_by_number(&mut choices, |choice| choice.0);
    choices.truncate(count);
    choices.into_iter().map(|(_, choice)| choice)
}

impl ModelSearch<'_> {
    /// Adds the decay to the free parameters, if there are several frequencies.
    fn without_decay(&self, free: &[Free]) -> Vec<Free> {
        let several = self.structure.slots.len() > 1;
        free.iter().copied().chain(several.then_some(Free::Decay)).collect()
    }

    /// Chooses start and step. Positions are integers, in units of a step or a fraction of it.
    fn placed(&self, estimate: &Estimate) -> Vec<Spec<'static>> {
        let model = estimate.model;
        let error = 6.0 * estimate.error(Free::Place) + SINGLE * model.place.abs() + 1e-9;
        let way = if model.rate < 0.0 { -1 } else { 1 };
        // So far from 0 no model begins, and more candidates would fit by chance.
        if model.place.abs() > line::FURTHEST {
            return Vec::new();
        }
        let mut choices: Vec<(f64, (i64, i64))> = Vec::new();
        for step in (1..=1000_i64).map(|step| step * way) {
            let place = model.place * step as f64;
            let Some(start) = integer(place.round()) else { continue };
            // Cosines alone are the same in both directions, and sines alone have the opposite amplitude.
            if start == 0 && step < 0 && self.structure.spec.parameters().columns != Columns::Both {
                continue;
            }
            if (place - place.round()).abs() > (error * step.unsigned_abs() as f64).min(0.4) {
                continue;
            }
            // All steps from 0 make the same table, and larger ones only cost more, unless the scale is 1.
            let scale = model.rate.abs() / step.unsigned_abs() as f64;
            let is_worse = |other: &(f64, (i64, i64))| other.1.0 == 0 && other.0 <= LEAST_SCALE + rank::step(step);
            if start == 0
                && scales_near(scale, estimate).all(|(low, high)| low > 1.0 || high < 1.0)
                && choices.iter().any(is_worse)
            {
                continue;
            }
            let least = scales(scale, estimate).map(rank::scale).fold(f64::INFINITY, f64::min);
            choices.push((least + rank::integer(start) + rank::step(step), (start, step)));
        }
        // Start and step in the same ratio, and their scales, make the same table.
        let mut different: Vec<(i64, i64)> = Vec::new();
        for (start, step) in likeliest(choices, usize::MAX) {
            let is_same =
                |other: &(i64, i64)| i128::from(other.0) * i128::from(step) == i128::from(other.1) * i128::from(start);
            if different.len() < 3 && !different.iter().any(is_same) {
                different.push((start, step));
            }
        }
        let all = different.into_iter().flat_map(|(start, step)| {
            let model = Model { place: start as f64 / step as f64, ..model };
            let free = self.without_decay(&[Free::Amplitude, Free::Rate]);
            let estimate = self.points.fitted(model, &free);
            estimate.map(|estimate| self.scaled(&estimate, start, step)).unwrap_or_default()
        });
        all.collect()
    }

    /// Chooses the scale.
    fn scaled(&self, estimate: &Estimate, start: i64, step: i64) -> Vec<Spec<'static>> {
        let scale = estimate.model.rate.abs() / step.unsigned_abs() as f64;
        if !PLAUSIBLE.contains(&scale) {
            return Vec::new();
        }
        let mut different: Vec<f64> = Vec::new();
        scales(scale, estimate).for_each(|scale| {
            if !different.contains(&scale) {
                different.push(scale);
            }
        });
        let choices = different.into_iter().map(|scale| (rank::scale(scale), scale)).collect();
        let all = likeliest(choices, 4).flat_map(|scale| {
            let spec = self.structure.spec.start(start).step(step).scale(scale);
            let model = Model { rate: scale * step as f64, ..estimate.model };
            let estimate = self.points.fitted(model, &self.without_decay(&[Free::Amplitude]));
            estimate.map(|estimate| self.amplified(&estimate, spec)).unwrap_or_default()
        });
        all.collect()
    }

    /// Chooses the amplitude.
    fn amplified(&self, estimate: &Estimate, spec: Spec<'static>) -> Vec<Spec<'static>> {
        let mut specs = Vec::new();
        let measured = estimate.model.amplitude;
        // Slow cosines are all rounded alike, so their errors do not average out.
        let error = 6.0 * estimate.error(Free::Amplitude) / measured.abs() + self.rounding;
        let mut choices = amplitudes(spec.d_model(), measured, error);
        if let Some((low, high)) = self.points.range(&estimate.model, Free::Amplitude, Precision::Single) {
            let (measured, error) = (low.midpoint(high), (high - low) / (low + high).abs());
            let others = amplitudes(spec.d_model(), measured, error).into_iter();
            let others = others.filter(|other| !choices.contains(other)).collect::<Vec<_>>();
            choices.extend(others.into_iter().take(1));
        }
        // The errors of large angles are alike in all rows, and do not average out either.
        let near = amplitudes(spec.d_model(), measured, COMMON).into_iter().take(1);
        choices.extend(near.filter(|other| !choices.contains(other)).collect::<Vec<_>>());
        for (value, amplitude) in choices {
            let spec = spec.amplitude(amplitude);
            let model = Model { amplitude: value, ..estimate.model };
            match self.structure.slots.len() {
                1 => specs.push(spec),
                _ => specs.extend(self.based(&model, spec)),
            }
        }
        specs
    }

    /// Chooses shift and base. The table determines only `base^(1/denominator)`.
    fn based(&self, model: &Model, spec: Spec<'static>) -> Vec<Spec<'static>> {
        let mut specs = Vec::new();
        let Some(estimate) = self.points.fitted(*model, &[Free::Decay]) else { return specs };
        for precision in [Precision::Exact, Precision::Double, Precision::Single] {
            let Some((low, high)) = self.points.range(&estimate.model, Free::Decay, precision) else { continue };
            for shift in [0.0, 1.0] {
                let denominator = self.structure.denominator(shift);
                let base = |decay: f64| (decay * denominator).exp();
                let (low, high) = (base(low), base(high));
                if denominator <= 0.0 || !PLAUSIBLE.contains(&low) || !PLAUSIBLE.contains(&high) {
                    continue;
                }
                // The interval is as wide as the rounding errors of this computation, and no narrower.
                let ends = (low * (1.0 - 1e-14), high * (1.0 + 1e-14));
                let choices = written(ends.0, ends.1).into_iter().map(|base| (cost(base), base)).collect();
                let explains = |base: &f64| self.points.explains(&Model { decay: base.ln() / denominator, ..*model });
                specs.extend(likeliest(choices, 6).filter(explains).map(|base| spec.freq_shift(shift).base(base)));
            }
        }
        specs
    }
}

/// Returns likely scales near a measured one.
fn scales(scale: f64, estimate: &Estimate) -> impl Iterator<Item = f64> + use<> {
    scales_near(scale, estimate).flat_map(|(low, high)| between(low, high))
}

fn scales_near(scale: f64, estimate: &Estimate) -> impl Iterator<Item = (f64, f64)> + use<> {
    ranges(scale, 6.0 * estimate.error(Free::Rate))
}

/// Returns the ranges of a number with this relative error, as measured and as computed in `f32`.
fn ranges(number: f64, error: f64) -> impl Iterator<Item = (f64, f64)> {
    [error + 1e-14, error + SINGLE].into_iter().map(move |error| (number * (1.0 - error), number * (1.0 + error)))
}

/// Returns the number as an integer, if it is one.
fn integer(number: f64) -> Option<i64> {
    format!("{number}").parse().ok()
}

/// Returns the amplitudes that are likely, given a measured one with a relative error, and their values.
fn amplitudes(d_model: usize, measured: f64, error: f64) -> Vec<(f64, Amplitude)> {
    let named = [
        (1.0, Amplitude::Value(1.0)),
        (-1.0, Amplitude::Value(-1.0)),
        (rsqrt(d_model), Amplitude::RsqrtD),
        (rsqrt(d_model) * 2_f64.sqrt(), Amplitude::Sqrt2OverD),
    ];
    let is_near = |value: f64| (value - measured).abs() <= (error + SINGLE) * measured.abs();
    let mut amplitudes: Vec<_> = named.into_iter().filter(|(value, _)| is_near(*value)).collect();
    let written = ranges(measured.abs(), error).flat_map(|(low, high)| between(low, high));
    let choices = written.map(|value| (cost(value), value * measured.signum())).collect();
    for value in likeliest(choices, 3) {
        if amplitudes.iter().all(|(other, _)| *other != value) {
            amplitudes.push((value, Amplitude::Value(value)));
        }
    }
    amplitudes.truncate(3);
    amplitudes
}

/// Returns the spec with candidates for the amplitude, of which a few entries are known.
pub(crate) fn with_amplitudes(spec: Spec<'static>, measured: f64, numbers: &Numbers) -> Vec<Spec<'static>> {
    let error = (2.0 * numbers.rounding).max(1e-5);
    let all = amplitudes(spec.d_model(), measured, error);
    all.into_iter().map(|(_, amplitude)| spec.amplitude(amplitude)).collect()
}
