//! The number of digits of an answer that the entries determine.
//!
//! A number is determined if the table with any other number nearby that is as common differs by more than the errors
//! of the arithmetic. Each number is changed alone. Other numbers that make exactly the same frequencies, as many
//! lengths of `YaRN` do, make the same table: a note says so, but the table is certain.

use posenc::reflection::{Argument, rule, rule_arguments};
use posenc::{Amplitude, Frequencies, Parameters, Scaling, Spec};

use crate::distance::distance;
use crate::factors::precision;
use crate::numbers::{Number, Range};
use crate::rank;
use crate::rotary::cache;
use crate::rotary::lists;
use crate::rounding::Precision;
use crate::sample::{Numbers, PART};
use crate::undetermined::Undetermined;

/// A number of a spec, with the spec that has another one instead.
struct Parameter<'s> {
    key: &'static str,
    value: f64,
    /// An integer that it multiplies.
    multiple: u64,
    set: Box<dyn Fn(f64) -> Option<Spec<'s>> + 's>,
}

impl Parameter<'_> {
    /// Returns whether models have this number, although it is no short one: the `mscale` of `deepseek_v2`.
    fn is_of_models(&self) -> bool {
        const OF_DEEPSEEK: f64 = 0.707;
        self.key.starts_with("mscale") && self.value == OF_DEEPSEEK
    }
}

/// Returns the numbers of which the entries determine only some digits. Tables of presets are known.
pub(crate) fn undetermined(spec: &Spec, numbers: &Numbers, found: Precision) -> Vec<Undetermined> {
    if rank::is_preset(spec) {
        return Vec::new();
    }
    let most = precision(numbers, found);
    let rows = numbers.parts(PART);
    let explains = |spec: Option<Spec>| {
        let distance = spec.and_then(|spec| distance(&spec, numbers, rows.iter().cloned()));
        distance.is_some_and(|distance| distance.precision.is_some_and(|precision| precision <= most))
    };
    let of = |parameter: Parameter| {
        let range = Range::of(parameter.value, |value| explains((parameter.set)(value)));
        let same = Range::of(parameter.value, |value| {
            (parameter.set)(value).is_some_and(|other| cache::is_same(spec, &other))
        });
        let is_proved = || range.proves(Number::Plain(parameter.value), parameter.multiple) || parameter.is_of_models();
        let digits = range.digits().filter(|_| !is_proved())?;
        if range == same {
            return Some(Undetermined::without_effect(parameter.key, digits));
        }
        let number = Undetermined::one_of_several(parameter.key, digits);
        let is_list = matches!(spec.parameters().frequencies, Frequencies::Given(_));
        Some(if is_list { number.beside_list() } else { number })
    };
    parameters(spec).into_iter().filter_map(of).chain(lists::undetermined(spec, numbers)).collect()
}

/// Returns the base, the scale, the amplitude and the parameters of the rule, apart from defaults.
fn parameters<'s>(spec: &'s Spec<'s>) -> Vec<Parameter<'s>> {
    let Parameters { frequencies, amplitude, scale, scaling, .. } = spec.parameters();
    let mut all: Vec<Parameter<'s>> = Vec::new();
    if let Frequencies::Geometric { base: value, .. } = frequencies {
        all.push(Parameter { key: "base", value, multiple: 1, set: Box::new(|base| Some(spec.base(base))) });
    }
    if let Amplitude::Value(value) = amplitude {
        let key = if cache::is_cache(spec) { "attention_factor" } else { "amplitude" };
        let set = |factor| Some(spec.amplitude(Amplitude::Value(factor)));
        all.push(Parameter { key, value, multiple: 1, set: Box::new(set) });
    }
    let multiple = spec.parameters().step.unsigned_abs();
    all.push(Parameter { key: "scale", value: scale, multiple, set: Box::new(|scale| Some(spec.scale(scale))) });
    all.retain(|Parameter { key, value, .. }| *value != if *key == "base" { 10_000.0 } else { 1.0 });
    for (i, (parameter, argument)) in rule_arguments(&scaling).enumerate() {
        let value = match argument {
            // Those of `longrope` are only in its attention factor.
            _ if parameter.default == Some(argument) || matches!(scaling, Scaling::LongRope(_)) => continue,
            Argument::Number(value) => value,
            Argument::Length(length) => length as f64,
            _ => continue,
        };
        let set = move |value: f64| Some(spec.scaling(with_argument(&scaling, i, value)?));
        all.push(Parameter { key: parameter.key, value, multiple: 1, set: Box::new(set) });
    }
    all
}

/// Returns the rule with another number as its argument `i`.
fn with_argument<'a>(scaling: &Scaling<'a>, i: usize, value: f64) -> Option<Scaling<'a>> {
    let mut arguments: Vec<_> = rule_arguments(scaling).map(|(_, argument)| argument).collect();
    arguments[i] = match arguments[i] {
        Argument::Length(_) => Argument::Length(format!("{value:.0}").parse().ok()?),
        _ => Argument::Number(value),
    };
    rule(scaling.name(), &arguments)
}
