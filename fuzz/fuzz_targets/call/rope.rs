//! Tables of `rotary_table!` as those of a `Rope`.

use posenc::{Amplitude, Columns, Frequencies, Layout, Order, Packing, Parameters, Repeat, Rope, Spec};
use posenc_macros_core::{Outcome, TableKind, foresee};

/// Checks that a `Rope` makes the spec, and that the call as which it is displayed bakes its two tables.
pub(crate) fn check(spec: &Spec, seq_len: usize) {
    let (rope, packing) = rope(spec);
    assert_eq!(rope.packed(packing), Ok(*spec), "{rope}, {packing}");
    // The call of a cache of integers lacks their type.
    if spec.parameters().quantiser.is_some() {
        return;
    }

    let call = rope.to_string().replacen("seq_len", &seq_len.to_string(), 1);
    let input = call.strip_prefix("rotary_table!(").and_then(|call| call.strip_suffix(')')).expect("a call");
    // The time of both tables counts, but one of them may have been called for.
    let input = format!("{input}, max_bytes = {}", usize::MAX);
    let mut tables = [Columns::Cos, Columns::Sin].into_iter();
    foresee(TableKind::Rotary, input.parse().expect("these are tokens"), |outcome| {
        let Outcome::Baked { spec, .. } = outcome else { panic!("nothing is baked: {call}") };
        assert_eq!(tables.next().map(|columns| rope.spec(columns)), Some(Ok(*spec)), "{call}");
    });
    assert!(tables.next().is_none(), "{call}");
}

/// Returns the cache of a table, and how the table is packed.
fn rope<'a>(spec: &Spec<'a>) -> (Rope<'a>, Packing) {
    let Parameters { d_model, layout, order, columns, repeat, .. } = spec.parameters();
    let packing = match (columns, layout, order) {
        (Columns::Cos, ..) => Packing::Cos,
        (Columns::Sin, ..) => Packing::Sin,
        (Columns::Both, Layout::Interleaved, _) => Packing::Complex,
        (Columns::Both, Layout::Halves, Order::CosSin) => Packing::CosSin,
        (Columns::Both, Layout::Halves, Order::SinCos) => Packing::SinCos,
    };
    let rotary_dim = match (columns, repeat) {
        (Columns::Both, Repeat::None) => d_model,
        (Columns::Both, _) => d_model / 2,
        (_, Repeat::None) => 2 * d_model,
        _ => d_model,
    };

    let Parameters { frequencies, scaling, start, step, scale, unit, amplitude, quantiser, .. } = spec.parameters();
    let rope = Rope::new(rotary_dim).scaling(scaling).repeat(repeat);
    let rope = rope.start(start.expect("no preset of a cache lacks it")).step(step).scale(scale).unit(unit.0, unit.1);
    let rope = quantiser.into_iter().fold(rope, Rope::quantiser);
    let rope = match frequencies {
        Frequencies::Geometric { base, .. } => rope.base(base),
        Frequencies::Given(list) => rope.frequencies(list),
        _ => unreachable!("there are no others"),
    };
    let rope = match amplitude {
        Amplitude::AttentionFactor => rope,
        Amplitude::Value(factor) => rope.attention_factor(factor),
        _ => panic!("an attention factor is a number: {spec}"),
    };
    (rope, packing)
}
