//! Lists of frequencies, and of the factors by which those of a base are divided.

use posenc::__private::pair_columns;
use posenc::scaling::LongRope;
use posenc::{Repeat, Rope, Scaling, Spec};

use super::interval::Interval;
use super::measured::Measured;
use super::rules::{FEW, lengths, told_of_length};
use super::{PRECISIONS, UNITS, arranged, bases, with_attention};
use crate::identify::noise::{Precision, UNIT_SINGLE, units};
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
        let ropes = measured(numbers, &spec).into_iter().map(|(measured, precision)| cache(rope, &measured, precision));
        let specs: Vec<_> = ropes.filter_map(|rope| rope.packed(packing).ok()).collect();
        if !specs.is_empty() {
            return specs;
        }
    }
    let structures = Structure::all(numbers.d_model).into_iter().filter(Structure::is_paired);
    structures.flat_map(|structure| table(numbers, &structure)).collect()
}

/// Returns the frequencies for the precisions that explain them.
fn measured(numbers: &Numbers, spec: &Spec) -> Vec<(Measured, Precision)> {
    let columns: Vec<_> = pair_columns(spec).collect();
    let of = |precision| Some((Measured::new(numbers, &columns, precision)?, precision));
    let mut all: Vec<_> = PRECISIONS.into_iter().filter_map(of).collect();
    // Entries in `f64` that `f64` explains were not computed in `f32`.
    all.truncate(if numbers.rounding < UNIT_SINGLE { 1 } else { PRECISIONS.len() });
    all
}

/// Returns a cache with these frequencies, or with factors if these are simpler.
fn cache(rope: Rope<'static>, measured: &Measured, precision: Precision) -> Rope<'static> {
    let list: Vec<f64> = measured.frequencies.iter().map(|frequency| simplest(*frequency)).collect();
    let told = |list: &[f64]| list.iter().map(|number| told(*number)).sum::<f64>();
    let factors = bases().into_iter().filter_map(|base| Some((base, factors(measured, base, precision)?)));
    let simpler = factors.min_by(|a, b| told(&a.1).total_cmp(&told(&b.1)));
    match simpler.filter(|(_, factors)| told(factors) + MUCH < told(&list)) {
        Some((base, factors)) => with_attention(with_factors(rope.base(base), factors, measured), measured.amplitude),
        None => with_attention(rope.frequencies(list.leak()), measured.amplitude),
    }
}

/// Factors are an explanation if they take so many bits less than frequencies.
const MUCH: f64 = 20.0;

/// Returns the bits of a number, which may have the digits of `f32`.
fn told(number: f64) -> f64 {
    let single = single(number);
    let written = if f64::from(single) == number { single.to_string().parse().unwrap_or(number) } else { number };
    bits(written)
}

#[allow(clippy::cast_possible_truncation, reason = "rounds")]
fn single(number: f64) -> f32 {
    number as f32
}

/// Returns the simplest number in an interval. Columns that hardly turn may as well rest.
fn simplest(range: Interval) -> f64 {
    if range.low <= 0.0 {
        return 0.0;
    }
    let nearest = f64::from(single(range.low.midpoint(range.high)));
    let likely = range.likeliest().into_iter().chain(range.contains(nearest).then_some(nearest));
    likely.min_by(|a, b| told(*a).total_cmp(&told(*b))).unwrap_or(range.low)
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
        factors.push(last.or_else(|| Some(simplest(range.meet(Interval::new(1e-6, 1e6))?)))?);
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
    let told = |(factor, length): &(f64, usize)| bits(*factor) + told_of_length(*length);
    let likely = lengths().filter_map(of).min_by(|a, b| told(a).total_cmp(&told(b)));
    let (factor, length) = likely.filter(|context| bits(context.0) <= FEW).unwrap_or((1.0, 4096));
    rope.scaling(Scaling::LongRope(LongRope::new(factors.leak(), factor, length)))
}

/// Returns the specs of an arrangement that is no cache's.
fn table(numbers: &Numbers, structure: &Structure) -> Vec<Spec<'static>> {
    let of = |(measured, _): (Measured, Precision)| {
        let list: Vec<f64> = measured.frequencies.iter().map(|frequency| simplest(*frequency)).collect();
        let amplitude = measured.amplitude.likeliest()?;
        Some(structure.spec.frequencies(list.leak()).amplitude(amplitude.into()))
    };
    measured(numbers, &structure.spec).into_iter().filter_map(of).collect()
}
