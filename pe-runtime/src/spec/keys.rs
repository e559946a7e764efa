//! The keys that are set, those whose values are not the default, and the keys that exclude each other.

use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::spec::parameter_list::PARAMETERS;
use crate::spec::parameters::{Access, Parameter, TableKind, Value};
use crate::spec::values::Parameters;

/// Returns the parameters of a kind of table that a spec keeps and whose values differ from `default`, with the values.
pub(crate) fn changed<'a>(
    table: TableKind,
    (parameters, default): (Parameters<'a>, Parameters<'static>),
) -> impl Iterator<Item = (&'static Parameter, Value<'a>)> {
    PARAMETERS.iter().filter(move |parameter| parameter.is_of(table)).filter_map(move |parameter| {
        let Access::Spec { get, .. } = parameter.access else { return None };
        let value = get(&parameters)?;
        // NaN is not equal to the default either.
        (get(&default) != Some(value)).then_some((parameter, value))
    })
}

impl<'a> Spec<'a> {
    /// Returns the keys whose values are not the default, with these values, in the order of the macro call.
    ///
    /// A preset appears as its parameters. The [`quantiser`](Self::quantiser) has no key: it is written with the type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Preset, Spec};
    /// let keys = Spec::preset(Preset::Whisper, 384).keys();
    /// let keys: Vec<_> = keys.map(|(key, value)| format!("{key}={value}")).collect();
    /// assert_eq!(keys, ["freq_shift=1.0", "layout=halves", "odd=reject"]);
    /// ```
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, Value<'a>)> + use<'a> {
        let parameters = (self.parameters(), Spec::new(self.d_model()).parameters());
        changed(TableKind::Sinusoidal, parameters).map(|(parameter, value)| (parameter.key, value))
    }
}

/// The pairs of keys that exclude each other, each with the value of the first and the reason.
///
/// With the methods of the builders the later call wins, but the keys of the macros and of programs have no order.
const EXCLUSIVE: [([&str; 2], &str, &str); 3] = [
    (["frequencies", "base"], "[...]", "the frequencies are given, so they are not computed"),
    (["frequencies", "freq_shift"], "[...]", "the frequencies are given, so they are not computed"),
    (["extent", "unit"], "...", "an extent sets the unit of each axis"),
];

/// Returns the errors of the keys that are given and exclude each other.
pub fn conflicts(is_given: impl Fn(&str) -> bool) -> impl Iterator<Item = SpecError> {
    let given = EXCLUSIVE.into_iter().filter(move |(parameters, ..)| parameters.iter().all(|key| is_given(key)));
    given.map(|(parameters, value, reason)| SpecError::Conflict { parameters, values: [value, "..."], reason })
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::spec::amplitude::Amplitude;
    use crate::spec::choices::{Columns, FrequencyDtype, Layout, Odd, Order, Pairing, Repeat};
    use crate::spec::parameters::Kind;
    use crate::spec::quantiser::Quantiser;
    use crate::spec::scaling::Scaling;
    use crate::spec::values::Frequencies;

    /// A parameter missing from the list would not be shown and would have no key.
    #[test]
    fn the_list_has_every_parameter() {
        // No `..`, so that a new parameter fails to compile here until it is listed.
        let Parameters {
            d_model: _,
            frequencies: _,
            freq_offset: _,
            scaling: _,
            frequency_dtype: _,
            layout: _,
            order: _,
            columns: _,
            pairing: _,
            repeat: _,
            odd: _,
            start: _,
            step: _,
            scale: _,
            unit: _,
            amplitude: _,
            // It is written with the type, not as a key.
            quantiser: _,
            zero_row: _,
        } = Spec::new(2).parameters();
        let of_spec = PARAMETERS.iter().filter(|parameter| parameter.is_of(TableKind::Sinusoidal));
        let keys = of_spec.map(|parameter| parameter.key).collect::<std::vec::Vec<_>>().join(" ");
        let expected = "base freq_shift freq_offset frequencies scaling frequency_dtype layout order columns pairing repeat odd start step scale unit amplitude zero_row";
        assert_eq!(keys, expected);
    }

    /// What is an error for literals in the macro is an error at run time too.
    #[test]
    fn a_value_that_a_row_refuses_is_refused_by_the_spec() {
        let numbers = [f64::NAN, f64::INFINITY, 0.0, -1.0, 1e-320, 1e308];
        let quotients = [(0, 1), (1, 0), (-1, 2), (1 << 60, 3)];
        let all =
            numbers.map(Value::Number).into_iter().chain(quotients.map(|(over, under)| Value::Quotient(over, under)));
        let mut refused = 0;
        for (value, row) in all.flat_map(|value| PARAMETERS.iter().map(move |row| (value, row))) {
            let is_of_its_kind = matches!(
                (row.kind, value),
                (Kind::Number | Kind::Factor | Kind::Amplitude, Value::Number(_))
                    | (Kind::Quotient, Value::Quotient(..))
            );
            let Access::Spec { check, set, .. } = row.access else { continue };
            if is_of_its_kind && check(value).is_err() {
                let spec = set(Spec::new(6), value);
                assert!(spec.check_parameters::<f32>().is_err(), "{} = {value}", row.key);
                refused += 1;
            }
        }
        assert!(refused >= 10, "{refused}");
    }

    #[test]
    fn what_is_set_is_read() {
        let spec = Spec::new(6)
            .base(2.0)
            .freq_shift(0.5)
            .start(3)
            .step(4)
            .scale(5.0)
            .unit(8, 15)
            .zero_row(7)
            .freq_offset(1, 3);
        let spec = spec.layout(Layout::Halves).order(Order::CosSin).columns(Columns::Cos).pairing(Pairing::Unpaired);
        let spec = spec
            .odd(Odd::Zero)
            .frequency_dtype(FrequencyDtype::F16)
            .amplitude(Amplitude::RsqrtD)
            .scaling(Scaling::linear(8.0))
            .repeat(Repeat::Pairs);
        let spec = spec.quantiser(Quantiser::new(0.5));
        let expected = Parameters {
            d_model: 6,
            frequencies: Frequencies::Geometric { base: 2.0, freq_shift: 0.5 },
            freq_offset: (1, 3),
            scaling: Scaling::linear(8.0),
            frequency_dtype: FrequencyDtype::F16,
            layout: Layout::Halves,
            order: Order::CosSin,
            columns: Columns::Cos,
            pairing: Pairing::Unpaired,
            repeat: Repeat::Pairs,
            odd: Odd::Zero,
            start: Some(3),
            step: 4,
            scale: 5.0,
            unit: (8, 15),
            amplitude: Amplitude::RsqrtD,
            quantiser: Some(Quantiser::new(0.5)),
            zero_row: Some(7),
        };
        assert_eq!(spec.parameters(), expected);
        let list = [1.0, 0.5];
        let given = Parameters { frequencies: Frequencies::Given(&list), ..expected };
        assert_eq!(spec.frequencies(&list).parameters(), given);
    }

    /// The macro blames the value alone, before the table has any rows.
    #[test]
    fn a_start_is_checked_alone() {
        let start = PARAMETERS.iter().find(|parameter| parameter.key == "start").unwrap();
        let Access::Spec { check, .. } = start.access else { unreachable!("in the spec") };
        let check = |start| check(Value::Integer(start));
        assert_eq!((check(1 << 53), check(-1 << 53)), (Ok(()), Ok(())));
        let value = (1 << 53) + 1;
        assert_eq!(check(value), Err(SpecError::RowPosition { value: value.into() }));
        assert_eq!(check(-value), Err(SpecError::RowPosition { value: (-value).into() }));
    }

    #[test]
    fn what_is_set_is_read_and_shown() {
        let plain = Spec::new(2);
        for parameter in PARAMETERS.iter().filter(|parameter| parameter.is_of(TableKind::Sinusoidal)) {
            let Access::Spec { set, .. } = parameter.access else { unreachable!("in the spec") };
            let set = set(plain, another(parameter.kind));
            let (key, value) = set.keys().next().unwrap();
            assert_eq!((set.keys().count(), key), (1, parameter.key));
            assert_eq!(set.to_string(), std::format!("sinusoidal_table!(seq_len, 2, {key} = {value})"));
        }
        assert_eq!(plain.keys().count(), 0);
    }

    /// Returns a value that is not the default of any parameter.
    fn another(kind: Kind) -> Value<'static> {
        match kind {
            Kind::Number | Kind::Factor => Value::Number(0.5),
            Kind::Numbers => Value::Numbers(&[0.5]),
            Kind::Integer => Value::Integer(5),
            Kind::Quotient => Value::Quotient(8, 15),
            Kind::Size | Kind::Axes => Value::Size(5),
            Kind::Choice(names) => Value::Word(names.all[1]),
            Kind::Amplitude => Value::Word("rsqrt_d"),
            Kind::Scaling => Value::Scaling(Scaling::linear(8.0)),
        }
    }
}
