//! Lists of frequencies, for tables that no rule explains.

use posenc::{Amplitude, Frequencies, Packing, Parameters, Repeat, Rope, Scaling, Spec};

use super::cache::attention_factor;
use super::columns::MeasuredColumns;
use super::{arranged, factors, with_attention};
use crate::interval::Interval;
use crate::lists::Lists;
use crate::numbers::Range;
use crate::rounding::UNIT_SINGLE;
use crate::sample::Numbers;
use crate::structure::Structure;
use crate::undetermined::Undetermined;

/// Returns the specs with lists that may have made a table whose row 0 has position 0.
pub(crate) fn specs<'a>(numbers: &Numbers, lists: &'a Lists) -> Vec<Spec<'a>> {
    if numbers.zero_row.is_some() || numbers.is_small() || numbers.is_constant() {
        return Vec::new();
    }
    let mut caches: Vec<_> = arranged(numbers).collect();
    // Repeated columns are those of each frequency twice, and no list with each frequency twice.
    caches.sort_by_key(|(rope, packing)| {
        rope.packed(*packing).is_ok_and(|spec| spec.parameters().repeat == Repeat::None)
    });
    let found = caches
        .into_iter()
        .map(|(rope, packing)| of_cache(numbers, rope, packing, lists))
        .find(|specs| !specs.is_empty());
    found.unwrap_or_else(|| {
        let structures = Structure::all(numbers.d_model).into_iter().filter(Structure::is_paired);
        structures.flat_map(|structure| of_table(numbers, &structure.spec, lists)).collect()
    })
}

/// Returns the caches of an arrangement.
fn of_cache<'a>(numbers: &Numbers, rope: Rope<'a>, packing: Packing, lists: &'a Lists) -> Vec<Spec<'a>> {
    let Ok(spec) = rope.packed(packing) else { return Vec::new() };
    specs_of(numbers, &spec, |columns| {
        let listed =
            columns.listed().map(|(list, amplitude)| with_attention(rope.frequencies(lists.keep(list)), amplitude));
        let ropes = listed.into_iter().chain(factors::longrope(columns, rope, lists));
        ropes.filter_map(|rope| rope.packed(packing).ok()).collect()
    })
}

/// Returns the tables of an arrangement that is no cache's.
fn of_table<'a>(numbers: &Numbers, spec: &Spec<'a>, lists: &'a Lists) -> Vec<Spec<'a>> {
    specs_of(numbers, spec, |columns| {
        let listed = columns.listed().into_iter();
        let spec_of = |(list, amplitude): (_, Interval)| {
            spec.frequencies(lists.keep(list)).amplitude(Amplitude::Value(amplitude.low))
        };
        listed.map(spec_of).collect()
    })
}

/// Returns the specs that a function makes of the measured columns, for the precisions that explain these.
fn specs_of<'a>(numbers: &Numbers, spec: &Spec, of: impl Fn(&MeasuredColumns) -> Vec<Spec<'a>>) -> Vec<Spec<'a>> {
    let mut specs = Vec::new();
    for columns in MeasuredColumns::all(numbers, spec) {
        // What `f64` explains was not computed in `f32`, unless the entries hardly tell.
        if specs.is_empty() || numbers.rounding > UNIT_SINGLE {
            specs.extend(of(&columns));
        }
    }
    specs
}

/// Returns how many digits of the frequencies in a list, or of the factors of `longrope`, are determined, unless all are.
pub(crate) fn undetermined(spec: &Spec, numbers: &Numbers) -> Option<Undetermined> {
    let Parameters { frequencies, scaling, amplitude, .. } = spec.parameters();
    let (key, base) = match (frequencies, scaling) {
        (Frequencies::Given(_), _) => ("frequencies", None),
        (Frequencies::Geometric { base, .. }, Scaling::LongRope(_)) => ("factors", Some(base)),
        _ => return None,
    };
    let amplitude = match amplitude {
        Amplitude::Value(value) => value,
        _ => attention_factor(spec)?,
    };
    let mut all = MeasuredColumns::all(numbers, spec).into_iter();
    let mut ranges = all.find_map(|columns| columns.with_amplitude(amplitude))?;
    let h = ranges.len() as f64;
    for (k, range) in ranges.iter_mut().enumerate() {
        *range = base.map_or(*range, |base| factors::divisor(*range, base, k as f64 / h));
    }
    let digits = |range: &Interval| {
        let near = range.low.midpoint(range.high);
        let end = |end: f64| (end - near) / near;
        Range { near, low: end(range.low), high: end(range.high) }.digits()
    };
    // If it is `None`, all digits are determined.
    let fewest = ranges.iter().filter_map(digits).min()?;
    Some(Undetermined::list(key, fewest))
}
