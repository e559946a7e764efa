//! `posenc rope`: writes a table of the cache of a rotary embedding to a file.

use posenc::{Rope, RopePreset, Spec};

use crate::args::RopeArgs;
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome};
use crate::rope_config::{self, Cache};
use crate::scaling::Rule;
use crate::table;

pub(crate) fn run(args: &RopeArgs) -> Outcome {
    let model = args.config.as_deref().map(|path| rope_config::read(path, args.layers.as_deref(), args.seq_len));
    let Cache { head_dim, rotary_dim, base, rule, attention_factor, rows } = model.transpose()?.unwrap_or_default();
    let preset = args.preset.map(Rope::preset);
    let head_dim = args.head_dim.or(head_dim).or(preset.map(|rope| rope.head_dim()));
    let Some(head_dim) = head_dim else {
        return Err(Failure::new(
            "--head-dim is missing; set it, or use --preset, or --config with the config.json of a model",
        ));
    };
    let rows = args.seq_len.or(rows).or(args.preset.map(RopePreset::max_position_embeddings));
    let Some(seq_len) = rows else {
        return Err(Failure::new(
            "--seq-len is missing; set it, or use --preset, or --config with the config.json of a model",
        ));
    };

    let mut rope = preset.unwrap_or(Rope::new(head_dim)).with_head_dim(head_dim);
    rope = base.into_iter().chain(args.base).fold(rope, Rope::base);
    rope = rotary_dim.into_iter().chain(args.rotary_dim).fold(rope, Rope::rotary_dim);
    rope = args.partial_rotary_factor.into_iter().fold(rope, Rope::partial_rotary_factor);
    rope = rule.as_ref().into_iter().chain(&args.scaling).map(Rule::scaling).fold(rope, Rope::scaling);
    rope = attention_factor.into_iter().chain(args.attention_factor).fold(rope, Rope::attention_factor);
    rope = args.start.into_iter().fold(rope, Rope::start);
    rope = args.step.into_iter().fold(rope, Rope::step);
    rope = args.scale.into_iter().fold(rope, Rope::scale);
    let spec: Spec = rope.repeat(args.repeat).packed(args.packing)?;
    let format = table::format(args.file.format, &args.file.output)?;
    with_entry!(args.file.dtype, T => table::make::<T>(&spec, seq_len, format, &args.file))
}
