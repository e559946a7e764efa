//! `posenc rope --shape`: writes a rotary table of several axes to a file.

use std::path::{Path, PathBuf};

use posenc::reflection::axial_axis_names;
use posenc::{AxialConfig, AxialPreset, AxialRope};
use posenc_text::calls::axial_call;
use posenc_text::rows::Rows;
use posenc_text::with_stored;

use crate::cli::RopeArgs;
use crate::commands::grid::of_axes;
use crate::commands::write::{format, write};
use crate::files::config::{self, read_json};
use crate::keys::parameters::{Axial, Options};
use crate::keys::values::List;
use crate::text::failure::{Failure, Outcome};

/// What rotary tables of several axes are called in errors.
pub(super) const KIND: &str = "a rotary table with axes";

/// What the options start from.
pub(super) enum Origin {
    /// The defaults.
    Defaults,
    Preset(AxialPreset),
    /// The config of a model, with its file.
    Config {
        config: AxialConfig,
        path: PathBuf,
        dtype: Option<String>,
    },
}

impl Origin {
    /// Reads a config.
    fn read(path: &Path) -> Result<Self, Failure> {
        let json = read_json(path)?;
        let dtype = config::dtype(&json);
        let config = serde_json::from_value(json)
            .map_err(|error| Failure::new(format_args!("`{}`: {error}", path.display())))?;
        Ok(Self::Config { config, path: path.to_owned(), dtype })
    }

    /// Returns the origin of the options `--preset` and `--config`.
    pub(super) fn of(preset: Option<AxialPreset>, config: Option<&Path>) -> Result<Self, Failure> {
        match (preset, config) {
            (_, Some(path)) => Self::read(path),
            (Some(preset), None) => Ok(Self::Preset(preset)),
            (None, None) => Ok(Self::Defaults),
        }
    }

    /// Returns the preset, which a config may determine.
    pub(super) fn preset(&self) -> Option<AxialPreset> {
        match self {
            Self::Defaults => None,
            Self::Preset(preset) => Some(*preset),
            Self::Config { config, .. } => config.preset().ok(),
        }
    }

    /// Returns the element type of the model's weights, if the config says it.
    fn dtype(&self) -> Option<&str> {
        if let Self::Config { dtype, .. } = self { dtype.as_deref() } else { None }
    }

    /// Returns the table before the other options.
    pub(super) fn begun<const A: usize>(
        &self,
        shape: &[usize],
        head_dim: Option<usize>,
    ) -> Result<AxialRope<'static, A>, Failure> {
        let shape = of_axes("shape", shape)?;
        let needed = || {
            let example = self.preset().map(|preset| format!(", such as {}", preset.head_dim())).unwrap_or_default();
            let sentence = format_args!("--head-dim is missing; set it to the columns of a head{example}");
            head_dim.ok_or_else(|| Failure::new(sentence))
        };
        match self {
            Self::Defaults => Ok(AxialRope::new(shape, needed()?)),
            Self::Preset(preset) => Ok(AxialRope::preset(*preset, shape, needed()?)),
            Self::Config { config, path, .. } => {
                let config = head_dim.into_iter().fold(config.clone(), AxialConfig::with_head_dim);
                config.rope(shape).map_err(|error| Failure::new(format_args!("`{}`: {error}", path.display())))
            }
        }
    }
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
    let origin = Origin::of(preset, args.config.as_deref())?;
    match shape.len() {
        1 => make::<1>(args, &parameters, &origin, shape),
        2 => make::<2>(args, &parameters, &origin, shape),
        3 => make::<3>(args, &parameters, &origin, shape),
        _ => make::<4>(args, &parameters, &origin, shape),
    }
}

fn make<const A: usize>(args: &RopeArgs, parameters: &Options<Axial>, origin: &Origin, shape: &[usize]) -> Outcome {
    let begun = origin.begun::<A>(shape, args.head_dim)?;
    if let Some(head_dim) = args.head_dim.filter(|head_dim| *head_dim != begun.head_dim()) {
        return Err(Failure::new(format_args!(
            "--head-dim is {head_dim}, but the heads of the config have {} columns; leave it out",
            begun.head_dim()
        )));
    }
    let rope = parameters.axial(begun, axial_axis_names(origin.preset(), A)).map_err(Failure::new)?;
    let rope = args.file.dtype.quantiser().into_iter().fold(rope, AxialRope::quantiser);
    let (packing, format) = (parameters.packing().unwrap_or_default(), format(&args.file)?);
    with_stored!(args.file.dtype, T => {
        rope.check::<T>()?;
        let call = axial_call::<T, A>(&rope, packing).to_string();
        write(&Rows::<T>::of_called_grid(rope.packed(packing)?, call)?, format, &args.file, origin.dtype())
    })
}

/// Returns the failure of a table without a shape.
pub(super) fn no_shape() -> Failure {
    Failure::new("--shape is missing; set it to the number of points along each axis, such as 24x36")
}
