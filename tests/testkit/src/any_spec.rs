//! Random specs, for property tests.

use posenc::scaling::LongRope;
use posenc::{Amplitude, Columns, Layout, MAX_D_MODEL, Odd, Order, Pairing, Scaling, Spec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::any_scaling;

/// A random spec, together with the lists that it borrows.
#[derive(Clone, Debug)]
pub struct Drawn {
    rest: Spec<'static>,
    frequencies: Option<Vec<f64>>,
    /// A rule, where the list of `longrope` is left out, and that list.
    scaling: Option<(Scaling<'static>, Vec<f64>)>,
}

impl Drawn {
    /// Returns the spec, which borrows the lists.
    pub fn spec(&self) -> Spec<'_> {
        let spec = match &self.frequencies {
            Some(frequencies) => self.rest.frequencies(frequencies),
            None => self.rest,
        };
        match &self.scaling {
            Some((Scaling::LongRope(rule), factors)) => spec.scaling(Scaling::LongRope(LongRope { factors, ..*rule })),
            Some((rule, _)) => spec.scaling(*rule),
            None => spec,
        }
    }
}

prop_compose! {
    /// Arbitrary parameters, which are more often invalid than valid, alone and in combination.
    pub fn wild()(
        d_model in prop_oneof![0usize..20, MAX_D_MODEL + 1..=usize::MAX],
        base in number(), freq_shift in number(), scale in number(), amplitude in amplitude(),
        layout in select(Layout::ALL), order in select(Order::ALL), columns in select(Columns::ALL),
        pairing in select(Pairing::ALL), odd in select(Odd::ALL),
        (start, step, zero_row) in (integer(), integer(), prop::option::of(0usize..9)),
        unit in default_or((1, 1), (integer(), integer())),
        frequencies in prop::option::weighted(0.2, prop::collection::vec(number(), 0..20)),
        scaling in prop::option::weighted(0.4, (wild_rule(), prop::collection::vec(number(), 0..20))),
    ) -> Drawn {
        let rest = Spec::new(d_model).base(base).freq_shift(freq_shift).scale(scale).amplitude(amplitude).layout(layout);
        let rest = rest.order(order).columns(columns).pairing(pairing).odd(odd).start(start).step(step).unit(unit.0, unit.1);
        Drawn { rest: zero_row.map_or(rest, |row| rest.zero_row(row)), frequencies, scaling }
    }
}

prop_compose! {
    /// Parameters that are valid for all element types, for up to `rows` rows.
    ///
    /// Half of the parameters are the default. Angles of thousands of bits take the compiler too long; the golden
    /// entries cover them.
    pub fn valid(rows: i64)(
        d_model in 1usize..20, other: bool, list: bool, zero_row in prop::option::weighted(0.3, 0usize..4),
        base in default_or(10_000.0, prop_oneof![Just(2.0), Just(500_000.0), 0.1..1e9, 1e-9..1.0]),
        freq_shift in default_or(0.0, prop_oneof![Just(1.0), -3.0..1.0, -1e6..0.0]),
        scale in default_or(1.0, prop_oneof![Just(0.0), Just(-0.25), Just(1000.0), -1e12..1e12, prop::num::f64::SUBNORMAL]),
        amplitude in default_or(Amplitude::Value(1.0), prop_oneof![
            Just(Amplitude::RsqrtD), Just(Amplitude::Sqrt2OverD), Just(Amplitude::AttentionFactor), prop_oneof![Just(0.0), -65504.0..65504.0, -1e-7..1e-7].prop_map(Amplitude::Value),
        ]),
        layout in select(Layout::ALL), order in select(Order::ALL), pairing in select(Pairing::ALL),
        (columns, odd) in (default_or(Columns::Both, select(Columns::ALL)), select(Odd::ALL)),
        (start, step) in default_or((0, 1), (-(1i64 << 52)..1 << 52, -20i64..20).prop_map(move |(start, step)| (start - rows * step, step))),
        unit in default_or((1, 1), prop_oneof![(1i64..100, 1i64..100), (1i64..=1 << 53, 1i64..=1 << 53)]),
        frequencies in prop::collection::vec(prop_oneof![Just(0.0), -4.0..4.0, -1e-300..1e9], 40),
        (rule, factors) in (prop::option::weighted(0.6, any_scaling::plausible()), prop::collection::vec(any_scaling::divisor(), 20)),
    ) -> Drawn {
        // Rules are for pairs of columns, and for the frequencies of a base without a shift.
        let rule = rule.filter(|_| !list);
        let (d_model, pairing, freq_shift) = match (rule, columns) {
            (Some(_), Columns::Both) => (d_model.next_multiple_of(2), Pairing::Paired, 0.0),
            (Some(_), _) => (d_model, pairing, 0.0),
            (None, _) => (d_model, pairing, freq_shift),
        };
        let odd_width = d_model % 2 == 1;
        let odd = match odd {
            Odd::Reject if odd_width => Odd::Zero,
            Odd::LastSin if odd_width && order == Order::CosSin => Odd::Zero,
            odd => odd,
        };
        let rest = Spec::new(d_model).scale(scale).amplitude(amplitude).start(start).step(step).unit(unit.0, unit.1);
        let rest = zero_row.map_or(rest, |row| rest.zero_row(row));
        let rest = match columns {
            Columns::Both => rest.layout(layout).order(order).pairing(pairing).odd(odd),
            one_kind => rest.columns(one_kind),
        };
        let width = if odd_width && odd == Odd::Zero && columns == Columns::Both { d_model - 1 } else { d_model };
        let paired = columns == Columns::Both && pairing == Pairing::Paired;
        let count = if paired { width.div_ceil(2) } else { width };
        if list {
            return Drawn { rest, frequencies: Some(frequencies[..count].to_vec()), scaling: None };
        }
        let rest = rest.base(if other { base } else { 10_000.0 });
        let scaling = rule.map(|rule| (rule, factors[..count].to_vec()));
        let drawn = Drawn { rest: rest.freq_shift(freq_shift), frequencies: None, scaling };
        // Narrow tables do not allow a shift of 1, or every rule. Some rules are not for all bases.
        if drawn.spec().check_parameters::<f32>().is_ok() { drawn } else { Drawn { rest, frequencies: None, scaling: None } }
    }
}

fn default_or<T: Clone + std::fmt::Debug + 'static>(
    default: T,
    other: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<T> {
    prop_oneof![Just(default), other].boxed()
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        select(vec![0.0, -0.0, 1.0, -1.0, 0.5, 10_000.0, f64::NAN, f64::INFINITY, 1e-300]),
        any::<f64>(),
        prop::num::f64::ANY,
        -4.0..4.0
    ]
}

fn integer() -> impl Strategy<Value = i64> {
    prop_oneof![-50i64..50, any::<i64>(), (1i64 << 53) - 9..(1 << 53) + 9]
}

/// Returns rules of which all parameters are plausible, or none need be.
fn wild_rule() -> impl Strategy<Value = Scaling<'static>> {
    let length = prop_oneof![
        0usize..10_000,
        any::<usize>(),
        any_scaling::LONGEST - 9..=any_scaling::LONGEST,
        Just(any_scaling::LONGEST.saturating_add(1))
    ];
    prop_oneof![any_scaling::plausible(), any_scaling::wild(number().boxed(), length.boxed())]
}

fn amplitude() -> impl Strategy<Value = Amplitude> {
    let words = select(vec![Amplitude::RsqrtD, Amplitude::Sqrt2OverD, Amplitude::AttentionFactor]);
    prop_oneof![number().prop_map(Amplitude::Value), words]
}
