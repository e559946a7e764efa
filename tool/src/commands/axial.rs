//! `posenc rope --shape`: writes a rotary table of several axes to a file.

use std::sync::Arc;

use posenc::{AxialConfig, AxialPreset};
use posenc_text::request::{AxialOrigin, Request, Wanted};
use posenc_text::with_stored;

use crate::cli::RopeArgs;
use crate::commands::write::{format, write};
use crate::files::config::{self, ConfigFile};
use crate::keys::parameters::Axial;
use crate::keys::values::List;
use crate::text::failure::{Failure, Outcome};

/// What rotary tables of several axes are called in errors.
pub(super) const KIND: &str = "a rotary table with axes";

/// What the options start from.
pub(super) struct Begun {
    pub(super) origin: AxialOrigin,
    /// The number of columns of a head.
    head_dim: usize,
    /// The element type of the model's weights, if a config says it.
    dtype: Option<String>,
}

/// Returns what the options start from. Only a config says how wide the heads are.
pub(super) fn begun(
    preset: Option<AxialPreset>,
    config: Option<ConfigFile>,
    shape: &[usize],
    head_dim: Option<usize>,
) -> Result<Begun, Failure> {
    if let Some(file) = config {
        return of_config(file, shape, head_dim);
    }
    let head_dim = head_dim.ok_or_else(|| {
        let example = preset.map(|preset| format!(", such as {}", preset.head_dim())).unwrap_or_default();
        Failure::new(format_args!("--head-dim is missing; set it to the columns of a head{example}"))
    })?;
    let origin = preset.map_or(AxialOrigin::HeadDim(head_dim), |preset| AxialOrigin::Preset(preset, head_dim));
    Ok(Begun { origin, head_dim, dtype: None })
}

fn of_config(file: ConfigFile, shape: &[usize], head_dim: Option<usize>) -> Result<Begun, Failure> {
    let json = file.read()?;
    let dtype = config::dtype(&json);
    let config: AxialConfig = serde_json::from_value(json).map_err(|error| file.wrong(error))?;
    let config = file.ignored.iter().fold(config, AxialConfig::ignore_key);
    let config = head_dim.into_iter().fold(config, AxialConfig::with_head_dim);
    let head_dim = match *shape {
        [a] => config.rope([a]).map(|rope| rope.head_dim()),
        [a, b] => config.rope([a, b]).map(|rope| rope.head_dim()),
        [a, b, c] => config.rope([a, b, c]).map(|rope| rope.head_dim()),
        [a, b, c, d, ..] => config.rope([a, b, c, d]).map(|rope| rope.head_dim()),
        [] => unreachable!("a shape has an axis"),
    };
    let head_dim = head_dim.map_err(|error| file.wrong(error))?;
    Ok(Begun { origin: AxialOrigin::Config(Arc::new(config), None), head_dim, dtype })
}

pub(super) fn run(args: &RopeArgs, preset: Option<AxialPreset>) -> Outcome {
    for (is_given, option) in [
        (args.seq_len.is_some(), "seq-len"),
        (args.layers.is_some(), "layers"),
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
    let Begun { origin, head_dim: own, dtype } = begun(preset, args.config.file(), shape, args.head_dim)?;
    if let Some(head_dim) = args.head_dim.filter(|head_dim| *head_dim != own) {
        return Err(Failure::new(format_args!(
            "--head-dim is {head_dim}, but the heads of the config have {own} columns; leave it out"
        )));
    }
    let packing = parameters.packing().unwrap_or_default();
    let wanted = Wanted::Axial { origin, shape: shape.clone(), packing };
    let request = Request { wanted, given: parameters.beside([]), quantiser: args.file.dtype.quantiser() };
    with_stored!(args.file.dtype, T => {
        write(&request.rows::<T>().map_err(Failure::new)?, format(&args.file)?, &args.file, dtype.as_deref())
    })
}

/// Returns the failure of a table without a shape.
pub(super) fn no_shape() -> Failure {
    Failure::new("--shape is missing; set it to the number of points along each axis, such as 24x36")
}
