//! The presets of `posenc rope`.

use posenc::reflection::Named;
use posenc::{Rope, RopePreset};

use super::{Described, Kind, named_elsewhere};

pub(super) fn described(preset: RopePreset) -> Described {
    let (name, rope) = (preset.name(), Rope::preset(preset));
    Described {
        kind: Kind::Rope,
        name,
        table: format!("{} columns, {} positions", rope.head_dim(), preset.max_position_embeddings()),
        models: preset.models().to_owned(),
        parameters: rope.to_string(),
        same: RopePreset::ALL
            .iter()
            .filter(|&&other| other != preset && Rope::preset(other) == rope)
            .map(|other| other.name())
            .collect(),
        see_also: named_elsewhere(RopePreset::NAMES, name),
        source: Some(preset.source()),
        command: format!("posenc rope --preset {name} --seq-len 4096 -o rope.npy"),
    }
}
