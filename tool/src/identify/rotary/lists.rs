//! Lists of frequencies, and of the factors by which those of a base are divided.

use posenc::__private::pair_columns;
use posenc::scaling::LongRope;
use posenc::{Repeat, Rope, Scaling, Spec};

use super::interval::Interval;
use super::measured::Measured;
use super::rules::{FEW, lengths};
use super::{PRECISIONS, UNITS, arranged, bases, with_attention};
use crate::identify::fit::with_amplitudes;
use crate::identify::noise::{Precision, units};
use crate::identify::numbers::bits;
use crate::identify::sample::Numbers;
use crate::identify::structure::Structure;

/// Returns the specs with lists that may have made a table whose row 0 has position 0.
pub(in crate::identify) fn specs(numbers: &Numbers) -> Vec<Spec<'static>> {
    if numbers.zero_row.is_some() || numbers.is_small() || numbers.is_constant() {
        return Vec::new();
    }
    let mut caches: Vec<_> = arranged(numbers).collect();
    // Repeated columns are those of each frequency twice, and no list with each frequency twice.
    caches.sort_by_key(|(rope, packing)| {
        rope.packed(*packing).is_ok_and(|spec| spec.parameters().repeat == Repeat::None)
    });
    for (rope, packing) in caches {
        let Ok(spec) = rope.packed(packing) else { continue };
        let Some((measured, precision)) = measured(numbers, &spec) else { continue };
        return cache(rope, &measured, precision).packed(packing).into_iter().collect();
    }
    let structures = Structure::all(numbers.d_model).into_iter().filter(Structure::is_paired);
    structures.flat_map(|structure| table(numbers, &structure)).collect()
}

/// Returns the frequencies in the precision that explains them.
fn measured(numbers: &Numbers, spec: &Spec) -> Option<(Measured, Precision)> {
    let columns: Vec<_> = pair_columns(spec).collect();
    PRECISIONS.into_iter().find_map(|precision| Some((Measured::new(numbers, &columns, precision)?, precision)))
}

/// Returns a cache with these frequencies, or with factors if these are simpler.
fn cache(rope: Rope<'static>, measured: &Measured, precision: Precision) -> Rope<'static> {
    let list: Vec<f64> = measured.frequencies.iter().map(|frequency| simplest(*frequency)).collect();
    let told = |list: &[f64]| list.iter().map(|number| bits(*number)).sum::<f64>();
    let factors = bases().into_iter().filter_map(|base| Some((base, factors(measured, base, precision)?)));
    let simpler = factors.min_by(|a, b| told(&a.1).total_cmp(&told(&b.1)));
    match simpler.filter(|(_, factors)| told(factors) + MUCH < told(&list)) {
        Some((base, factors)) => with_attention(with_factors(rope.base(base), factors, measured), measured.amplitude),
        None => with_attention(rope.frequencies(list.leak()), measured.amplitude),
    }
}

/// Factors are an explanation if they take so many bits less than frequencies.
const MUCH: f64 = 20.0;

/// Returns the simplest number in an interval. Columns that hardly turn may as well rest.
fn simplest(range: Interval) -> f64 {
    if range.low <= 0.0 { 0.0 } else { range.likeliest().unwrap_or(range.low) }
}

/// Returns the factors by which the frequencies of a base were divided.
fn factors(measured: &Measured, base: f64, precision: Precision) -> Option<Vec<f64>> {
    let h = measured.frequencies.len() as f64;
    let mut factors: Vec<f64> = Vec::new();
    for (k, frequency) in measured.frequencies.iter().enumerate() {
        // The frequencies have the error of the power.
        let range = frequency.widened(UNITS * units(precision)).under(base.powf(-(k as f64) / h));
        // Columns that hardly turn may as well have the factor before.
        let last = factors.last().copied().filter(|last| frequency.low <= 0.0 && range.contains(*last));
        factors.push(last.or_else(|| range.meet(Interval::new(1e-6, 1e6))?.likeliest())?);
    }
    Some(factors)
}

/// Returns the cache with these factors, and the context that makes the attention factor.
fn with_factors(rope: Rope<'static>, factors: Vec<f64>, measured: &Measured) -> Rope<'static> {
    let amplitude = measured.amplitude.widened(1e-9);
    let of = |length: usize| {
        let factor = amplitude.map(|amplitude| (length as f64).powf(amplitude * amplitude - 1.0)).likeliest()?;
        (1.0..=65_536.0).contains(&factor).then_some((factor, length))
    };
    let told = |(factor, length): &(f64, usize)| bits(*factor) + bits(*length as f64);
    let likely = lengths().filter_map(of).min_by(|a, b| told(a).total_cmp(&told(b)));
    let (factor, length) = likely.filter(|context| bits(context.0) <= FEW).unwrap_or((1.0, 4096));
    rope.scaling(Scaling::LongRope(LongRope::new(factors.leak(), factor, length)))
}

/// Returns the specs of an arrangement that is no cache's.
fn table(numbers: &Numbers, structure: &Structure) -> Vec<Spec<'static>> {
    let Some((measured, _)) = measured(numbers, &structure.spec) else { return Vec::new() };
    let list: Vec<f64> = measured.frequencies.iter().map(|frequency| simplest(*frequency)).collect();
    let Interval { low, high } = measured.amplitude;
    with_amplitudes(structure.spec.frequencies(list.leak()), low.midpoint(high), numbers)
}
