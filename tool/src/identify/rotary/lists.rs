//! Lists of frequencies, of tables that no rule explains.

use posenc::PairColumns;
use posenc::{Amplitude, Frequencies, Packing, Parameters, Repeat, Rope, Scaling, Spec};

use super::interval::Interval;
use super::measured::Measured;
use super::{PRECISIONS, arranged, attention_factor, factors, with_attention};
use crate::identify::noise::{Precision, UNIT_SINGLE};
use crate::identify::numbers::{Range, cost};
use crate::identify::sample::Numbers;
use crate::identify::structure::Structure;
use crate::identify::undetermined::Undetermined;

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
    let found =
        caches.into_iter().map(|(rope, packing)| of_cache(numbers, rope, packing)).find(|specs| !specs.is_empty());
    found.unwrap_or_else(|| {
        let structures = Structure::all(numbers.d_model).into_iter().filter(Structure::is_paired);
        structures.flat_map(|structure| of_table(numbers, &structure.spec)).collect()
    })
}

/// Returns the caches of an arrangement.
fn of_cache(numbers: &Numbers, rope: Rope<'static>, packing: Packing) -> Vec<Spec<'static>> {
    let Ok(spec) = rope.packed(packing) else { return Vec::new() };
    specs_of(numbers, &spec, |columns| {
        let listed = columns.listed().map(|(list, amplitude)| with_attention(rope.frequencies(list), amplitude));
        let ropes = listed.into_iter().chain(factors::longrope(columns, rope));
        ropes.filter_map(|rope| rope.packed(packing).ok()).collect()
    })
}

/// Returns the tables of an arrangement that is no cache's.
fn of_table(numbers: &Numbers, spec: &Spec<'static>) -> Vec<Spec<'static>> {
    specs_of(numbers, spec, |columns| {
        let listed = columns.listed().into_iter();
        listed.map(|(list, amplitude)| spec.frequencies(list).amplitude(Amplitude::Value(amplitude.low))).collect()
    })
}

/// Returns the specs that a function makes of the measured columns, for the precisions that explain these.
fn specs_of(
    numbers: &Numbers,
    spec: &Spec<'static>,
    of: impl Fn(&MeasuredColumns) -> Vec<Spec<'static>>,
) -> Vec<Spec<'static>> {
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
pub(in crate::identify) fn undetermined(spec: &Spec<'static>, numbers: &Numbers) -> Option<Undetermined> {
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

/// The columns in an arrangement, and what they determine if they were computed with this precision.
pub(super) struct MeasuredColumns<'a> {
    numbers: &'a Numbers,
    columns: Vec<PairColumns>,
    pub(super) precision: Precision,
    pub(super) measured: Measured,
}

impl<'a> MeasuredColumns<'a> {
    /// Returns the columns as all precisions that explain them measure them.
    fn all(numbers: &'a Numbers, spec: &Spec) -> Vec<Self> {
        let columns: Vec<_> = spec.sin_cos_columns().collect();
        let of = |precision| {
            let measured = Measured::new(numbers, &columns, precision)?;
            Some(Self { numbers, columns: columns.clone(), precision, measured })
        };
        PRECISIONS.into_iter().filter_map(of).collect()
    }

    /// Returns the frequencies for one of the amplitudes that fit.
    pub(super) fn with_amplitude(&self, amplitude: f64) -> Option<Vec<Interval>> {
        let Self { numbers, ref columns, precision, .. } = *self;
        Some(Measured::with_amplitude(numbers, columns, precision, Interval::of(amplitude))?.frequencies)
    }

    /// Returns a list of frequencies, and the amplitude. The list lasts as long as the program, as all specs here do.
    fn listed(&self) -> Option<(&'static [f64], Interval)> {
        let range = self.measured.amplitude;
        let amplitudes = range.likeliest().into_iter().chain([range.low.midpoint(range.high)]);
        let of = |amplitude| Some((amplitude, self.with_amplitude(amplitude)?));
        let (amplitude, frequencies) = amplitudes.into_iter().find_map(of)?;
        let list: Vec<f64> = frequencies.into_iter().map(simplest).collect();
        Some((list.leak(), Interval::of(amplitude)))
    }
}

/// Returns the simplest number in an interval. Columns that hardly turn may as well rest.
pub(super) fn simplest(range: Interval) -> f64 {
    /// A number near an end must be simpler than one near the middle by two digits, unless it costs little.
    const DIGITS: f64 = 7.0;
    const SIMPLE: f64 = 20.0;
    if range.low <= 0.0 {
        return 0.0;
    }
    let middle = range.low.midpoint(range.high);
    let single = Some(f64::from(single(middle))).filter(|single| range.contains(*single));
    let inner = Interval::new(range.low.midpoint(middle), middle.midpoint(range.high)).likeliest();
    let near_an_end = range.likeliest().map(|number| (number, if cost(number) <= SIMPLE { 0.0 } else { DIGITS }));
    let all =
        [near_an_end, inner.map(|number| (number, 0.0)), single.map(|number| (number, 0.0))].into_iter().flatten();
    let cost = |(number, further): &(f64, f64)| cost_in_single(*number) + further;
    all.min_by(|a, b| cost(a).total_cmp(&cost(b))).map_or(middle, |(number, _)| number)
}

/// Returns the cost of a number, which may have the digits of `f32`.
pub(super) fn cost_in_single(number: f64) -> f64 {
    let single = single(number);
    let written = if f64::from(single) == number { single.to_string().parse().unwrap_or(number) } else { number };
    cost(written)
}

#[allow(clippy::cast_possible_truncation, reason = "rounds")]
fn single(number: f64) -> f32 {
    number as f32
}
