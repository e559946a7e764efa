//! What a preset of `posenc table` computes, in short.

use posenc::{Amplitude, Columns, Frequencies, Layout, Order, Pairing, Parameters, Spec};

/// Returns a description of the frequencies, the order of the columns, and the amplitude.
pub(super) fn formula(spec: &Spec) -> String {
    let Parameters { frequencies, layout, order, columns, pairing, start, step, amplitude, .. } = spec.parameters();
    let shifted = matches!(frequencies, Frequencies::Geometric { freq_shift: 1.0, .. });
    let frequencies = if pairing == Pairing::Unpaired || columns != Columns::Both {
        "10000^(-j/d)"
    } else if shifted {
        "10000^(-k/(h-1))"
    } else {
        "10000^(-k/h)"
    };
    let columns = match (columns, layout, order) {
        (Columns::Sin, ..) => "sines",
        (_, Layout::Halves, Order::SinCos) => "sines, then cosines",
        (_, Layout::Halves, Order::CosSin) => "cosines, then sines",
        (_, Layout::Interleaved, Order::SinCos) => "s0 c0 s1 c1 ...",
        (_, Layout::Interleaved, Order::CosSin) => "c0 s0 c1 s1 ...",
    };
    let further = [
        (amplitude == Amplitude::RsqrtD, ", times d^(-1/2)"),
        (amplitude == Amplitude::Sqrt2OverD, ", times (2/d)^(1/2)"),
        (step == -1, ", positions descending"),
        (start == Some(1), ", from position 1"),
    ];
    let further: String = further.into_iter().filter(|(has, _)| *has).map(|(_, text)| text).collect();
    format!("{frequencies}, {columns}{further}")
}
