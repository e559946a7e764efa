//! `posenc rope --shape`: writes a rotary table of several axes to a file.

use posenc::reflection::axial_axis_names;
use posenc::{AxialPreset, AxialRope};

use crate::cli::RopeArgs;
use crate::commands::grid::of_axes;
use crate::commands::write::{Rows, write};
use crate::element::with_stored;
use crate::files::format::Format;
use crate::keys::parameters::{Axial, Options};
use crate::keys::values::List;
use crate::text::axial_call;
use crate::text::failure::{Failure, Outcome};

/// What rotary tables of several axes are called in errors.
pub(super) const KIND: &str = "a rotary table with axes";

pub(super) fn run(args: &RopeArgs, preset: Option<AxialPreset>) -> Outcome {
    if args.config.is_some() {
        return Err(Failure::new("--config and --shape exclude each other; use --preset for the table of a model"));
    }
    for (is_given, option) in [
        (args.seq_len.is_some(), "seq-len"),
        (args.inv_freq, "inv-freq"),
        (args.periods, "periods"),
        (args.factors, "factors"),
    ] {
        if is_given {
            return Err(Failure::new(format_args!("--{option} does not apply to {KIND}; leave it out")));
        }
    }
    let parameters = args.parameters.of::<Axial>(KIND)?;
    let Some(List(shape)) = &args.shape else { return Err(no_shape()) };
    match shape.len() {
        1 => make::<1>(args, &parameters, preset, shape),
        2 => make::<2>(args, &parameters, preset, shape),
        3 => make::<3>(args, &parameters, preset, shape),
        _ => make::<4>(args, &parameters, preset, shape),
    }
}

fn make<const A: usize>(
    args: &RopeArgs,
    parameters: &Options<Axial>,
    preset: Option<AxialPreset>,
    shape: &[usize],
) -> Outcome {
    let head_dim = args.head_dim.ok_or_else(|| {
        let example = preset.map(|preset| format!(", such as {}", preset.head_dim())).unwrap_or_default();
        Failure::new(format_args!("--head-dim is missing; set it to the columns of a head{example}"))
    })?;
    let rope = parameters.axial(begun::<A>(preset, shape, head_dim)?, axial_axis_names(preset, A))?;
    let rope = args.file.dtype.quantiser().into_iter().fold(rope, AxialRope::quantiser);
    let (packing, format) = (parameters.packing(), Format::of(&args.file.output, args.file.format)?);
    with_stored!(args.file.dtype, T => {
        rope.check::<T>()?;
        let call = axial_call::<T, A>(&rope, packing).to_string();
        write(&Rows::<T>::of_called_grid(rope.packed(packing)?, call)?, format, &args.file, None)
    })
}

/// Returns the table of a preset, or with the defaults.
pub(super) fn begun<const A: usize>(
    preset: Option<AxialPreset>,
    shape: &[usize],
    head_dim: usize,
) -> Result<AxialRope<'static, A>, Failure> {
    let shape = of_axes("shape", shape)?;
    Ok(preset.map_or_else(|| AxialRope::new(shape, head_dim), |preset| AxialRope::preset(preset, shape, head_dim)))
}

/// Returns the failure of a table without a shape.
pub(super) fn no_shape() -> Failure {
    Failure::new("--shape is missing; set it to the number of points along each axis, such as 24x36")
}
