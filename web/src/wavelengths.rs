//! The wavelengths of a rotary cache before and after its scaling rule.

use posenc::{Columns, Scaling};
use posenc_text::request::{Request, Wanted};
use serde::Serialize;

use posenc_web_shared::request::Wish;

/// The wavelengths of all pairs, in positions.
#[derive(Serialize)]
pub(crate) struct Wavelengths {
    /// Without the rule. An infinite one is `null`.
    before: Vec<Option<f64>>,
    after: Vec<Option<f64>>,
    /// The rule with its arguments.
    rule: Option<String>,
    /// The number of positions of the original model, if the rule has one.
    context: Option<usize>,
}

pub(crate) fn wavelengths(wish: &Wish) -> Result<Wavelengths, String> {
    let request = Request { quantiser: None, ..wish.request()? };
    let finite = |wavelength: f64| wavelength.is_finite().then_some(wavelength);
    let (spec, scaling) = match &request.wanted {
        Wanted::Sinusoidal { .. } => {
            let spec = request.spec()?;
            (spec, spec.parameters().scaling)
        }
        Wanted::Rotary { .. } => {
            let rope = request.rope()?;
            (rope.spec(Columns::Cos).map_err(|error| error.to_string())?, rope.parameters().scaling)
        }
        Wanted::Grid { .. } | Wanted::Axial { .. } => {
            return Err("wavelengths are shown for tables of one axis".to_owned());
        }
    };
    let all = |spec: posenc::Spec| {
        Ok::<_, String>(spec.wavelengths().map_err(|error| error.to_string())?.map(finite).collect())
    };
    Ok(Wavelengths {
        before: all(spec.scaling(Scaling::None))?,
        after: all(spec)?,
        rule: (scaling != Scaling::None).then(|| scaling.to_string()),
        context: match scaling {
            Scaling::Yarn(rule) => Some(rule.original_max_position_embeddings),
            Scaling::Llama3(rule) => Some(rule.original_max_position_embeddings),
            Scaling::LongRope(rule) => Some(rule.original_max_position_embeddings),
            _ => None,
        },
    })
}
