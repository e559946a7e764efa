//! The formula of a frequency, as text.

use alloc::format;
use alloc::string::String;

use crate::spec::Spec;
use crate::spec::choices::{Columns, FrequencyDtype, Pairing};
use crate::spec::parameters::Value;
use crate::spec::scaling::Scaling;
use crate::spec::values::Frequencies;

/// Returns the formula of frequency `k`, with the parameters filled in.
pub(super) fn formula(spec: &Spec, k: usize) -> String {
    let own = match spec.parameters.frequencies {
        Frequencies::Given(_) => format!("frequencies[{k}]"),
        Frequencies::Geometric { base, .. } if spec.parameters.freq_offset.0 > 0 => {
            let ((over, under), (a, b)) = (spec.parameters.freq_offset, spec.arrangement().exponents());
            format!("{}^(-({k} + {over}/{under}) * {a}/{b})", plain(base))
        }
        Frequencies::Geometric { base, .. } if k == 0 => format!("{}^0", plain(base)),
        Frequencies::Geometric { base, freq_shift } => format!("{}^(-{})", plain(base), exponent(spec, freq_shift, k)),
    };
    let factors = factors(spec);
    let (scaled, factors_follow) = match spec.parameters.scaling {
        Scaling::None => (own, false),
        scaling => (format!("{own} after {}", scaling.name()), !factors.is_empty()),
    };
    match spec.parameters.frequency_dtype {
        FrequencyDtype::Exact if factors_follow => format!("w = ({scaled}){factors}"),
        FrequencyDtype::Exact => format!("w = {scaled}{factors}"),
        FrequencyDtype::Bf16Period => format!("w = 1 / bf16(1 / ({scaled})){factors}"),
        dtype => format!("w = {dtype}({scaled}){factors}"),
    }
}

/// Returns the factors of all frequencies other than 1.
fn factors(spec: &Spec) -> String {
    let (scale, unit) = (spec.parameters.scale, spec.parameters.unit);
    let scale = if scale == 1.0 { String::new() } else { format!(" * {}", plain(scale)) };
    if unit == (1, 1) { scale } else { format!("{scale} * {}", Value::Quotient(unit.0, unit.1)) }
}

/// Returns the numerator and denominator: 2k and d as in the paper, or k and d/2 if a shift is subtracted.
fn exponent(spec: &Spec, freq_shift: f64, k: usize) -> String {
    let width = spec.arrangement().width_of_one();
    let shift = plain(freq_shift.abs());
    let sign = if freq_shift < 0.0 { '+' } else { '-' };
    let shifted = freq_shift != 0.0;
    match (spec.parameters.columns, spec.parameters.pairing) {
        (Columns::Both, Pairing::Paired) if shifted => {
            let half = if width % 2 == 0 { "" } else { ".5" };
            format!("{k}/({}{half} {sign} {shift})", width / 2)
        }
        (Columns::Both, Pairing::Unpaired) if shifted => format!("{k}/({width} {sign} 2 * {shift})"),
        (_, _) if shifted => format!("{k}/({width} {sign} {shift})"),
        (Columns::Both, Pairing::Paired) => format!("{}/{width}", 2 * k),
        (_, _) => format!("{k}/{width}"),
    }
}

/// Returns the shortest digits that identify the number, without a fraction of 0.
pub(super) fn plain(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(String::from).unwrap_or(text)
}
