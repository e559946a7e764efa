//! Finding presets and other choices by their names.

use posenc::reflection::{ModelPositions, Named, Names, Unknown};
use posenc::{AxialPreset, GridPreset, Preset, RopePreset, Suggestion};

use crate::checkpoints::Checkpoint;
use crate::spelling::respelled;

/// A preset of any kind of table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyPreset {
    /// A preset of 1-D tables.
    Table(Preset),
    /// A preset of rotary caches.
    Rotary(RopePreset),
    /// A preset of grids.
    Grid(GridPreset),
    /// A preset of rotary tables of several axes.
    Axial(AxialPreset),
}

/// The names of presets, of one kind of table after the other.
pub const PRESETS: [&Names; 4] = [Preset::NAMES, RopePreset::NAMES, GridPreset::NAMES, AxialPreset::NAMES];

/// The names of rotary presets.
pub const ROTARY: [&Names; 2] = [RopePreset::NAMES, AxialPreset::NAMES];

/// Finds a preset of any kind by its name.
///
/// # Errors
///
/// Returns the sentence for an unknown name.
pub fn any_preset(text: &str) -> Result<AnyPreset, String> {
    let unknown = |unknown: Option<Unknown>| {
        unknown.map_or_else(
            || format!("unknown preset `{text}`; `posenc presets` lists all"),
            |nearest| nearest.to_string(),
        )
    };
    among(&PRESETS, text).map_err(unknown)
}

/// Finds a preset of a rotary cache, or of a rotary table with axes, by its name.
///
/// # Errors
///
/// Returns the sentence for an unknown name.
pub fn rotary_preset(text: &str) -> Result<AnyPreset, String> {
    among(&ROTARY, text).map_err(|unknown| match unknown {
        Some(unknown) => told(&unknown, RopePreset::NAMES),
        None => choice(RopePreset::NAMES, text).expect_err("it is none of these"),
    })
}

/// Finds a preset among the presets of some kinds, or returns the first suggestion.
fn among<'w>(kinds: &[&'static Names], text: &'w str) -> Result<AnyPreset, Option<Unknown<'w>>> {
    let mut nearest = None;
    for &names in kinds {
        let is = |other: &'static Names| std::ptr::eq(names, other);
        match find(names, text) {
            Ok(i) if is(Preset::NAMES) => return Ok(AnyPreset::Table(Preset::CHOICES[i])),
            Ok(i) if is(RopePreset::NAMES) => return Ok(AnyPreset::Rotary(RopePreset::CHOICES[i])),
            Ok(i) if is(GridPreset::NAMES) => return Ok(AnyPreset::Grid(GridPreset::CHOICES[i])),
            Ok(i) => return Ok(AnyPreset::Axial(AxialPreset::CHOICES[i])),
            Err(unknown) => nearest = nearest.or(Some(unknown).filter(|unknown| unknown.suggestion.is_some())),
        }
    }
    Err(nearest)
}

/// Returns the index of the name. Case, dashes and underscores do not matter.
///
/// # Errors
///
/// Returns the sentence for an unknown name.
pub fn choice(names: &'static Names, text: &str) -> Result<usize, String> {
    find(names, text).map_err(|unknown| told(&unknown, names))
}

/// Returns the error of a name that may be one of another command's presets.
fn told(unknown: &Unknown, names: &Names) -> String {
    let text = unknown.written;
    match (unknown.suggestion, command_of(names, text)) {
        (None | Some(Suggestion::Nearest(_)), Some(command)) => {
            format!("unknown preset `{text}`; it is one of `{command}`")
        }
        _ => unknown.to_string(),
    }
}

/// Returns the command with a preset of this name, if the presets among the names are those of others.
fn command_of(names: &Names, text: &str) -> Option<&'static str> {
    let commands = [
        ("posenc table", Preset::NAMES),
        ("posenc rope", RopePreset::NAMES),
        ("posenc grid", GridPreset::NAMES),
        ("posenc rope --shape", AxialPreset::NAMES),
    ];
    let is_other = |other: &'static Names| other.of == names.of && !std::ptr::eq(other, names);
    let has = |(_, other): &(_, &'static Names)| is_other(other) && find(other, text).is_ok();
    commands.into_iter().find(has).map(|(command, _)| command)
}

/// As [`choice`], with an error that says what may have been meant. The name of a model, such as `openai/whisper-tiny`,
/// suggests the name that it begins with, and is another version if the rest is not that of a known checkpoint.
///
/// # Errors
///
/// Returns an error, with what may have been meant, for an unknown name.
pub fn find<'w>(names: &'static Names, text: &'w str) -> Result<usize, Unknown<'w>> {
    if let Some(found) = names.all.iter().position(|name| *name == text) {
        return Ok(found);
    }
    if let Some(name) = respelled(names, text) {
        return names.find(name).map_err(|unknown| Unknown { written: text, ..unknown });
    }
    let plain = text.to_lowercase().replace('-', "_");
    names.find(&plain).map_err(|unknown| {
        let suggestion = match Checkpoint::of(names, text) {
            Some(Checkpoint::Covered(name)) => match names.find(name) {
                Ok(_) => Some(Suggestion::Nearest(name)),
                Err(elsewhere) => elsewhere.suggestion,
            },
            Some(Checkpoint::Begins(_)) if has_learned_positions(names, text) => Some(Suggestion::Learned),
            Some(Checkpoint::Begins(name)) => Some(Suggestion::Begins(name)),
            None => unknown.suggestion,
        };
        Unknown { written: text, suggestion, ..unknown }
    })
}

/// Returns whether the name of a checkpoint begins with a model type that has learned positions, and no table.
fn has_learned_positions(names: &Names, text: &str) -> bool {
    let model = text.rsplit('/').next().unwrap_or(text).to_lowercase();
    let mut ends = model.match_indices(['-', '_', ' ']).map(|(end, _)| end).chain([model.len()]);
    let is_learned = |end| ModelPositions::of_model(&model[..end]) == Some(ModelPositions::Learned);
    names == Preset::NAMES && ends.any(is_learned)
}

#[cfg(test)]
mod tests {
    use posenc::Layout;

    use super::*;
    use crate::spelling::letters;

    #[test]
    fn no_two_names_have_the_same_letters() {
        for names in PRESETS {
            let mut known: Vec<_> = names.all.iter().map(|name| letters(name)).collect();
            known.sort_unstable();
            assert!(known.windows(2).all(|two| two[0] != two[1]), "{known:?}");
        }
    }

    fn named<C: Named>(text: &str) -> Result<C, String> {
        choice(C::NAMES, text).map(|i| C::CHOICES[i])
    }

    #[test]
    fn spelling_does_not_matter() {
        assert_eq!(named("HF-Marian"), Ok(Preset::HfMarian));
        assert_eq!(named("transformerXL"), Ok(Preset::TransformerXl));
        assert_eq!(named("Llama-3.1"), Ok(RopePreset::Llama3_1));
        assert_eq!(named("HALVES"), Ok(Layout::Halves));
        assert!(named::<Preset>("Stable-Diffusion").unwrap_err().contains("use `adm`"));
    }

    #[test]
    fn models_suggest_the_names_they_begin_with() {
        let suggestion = |names, text| find(names, text).unwrap_err().suggestion;
        assert_eq!(suggestion(Preset::NAMES, "openai/whisper-tiny"), Some(Suggestion::Nearest("whisper")));
        assert_eq!(suggestion(RopePreset::NAMES, "meta-llama/Llama-3.1-8B"), Some(Suggestion::Nearest("llama3_1")));
        assert!(matches!(suggestion(RopePreset::NAMES, "Llama-3.3-70B-Instruct"), Some(Suggestion::Here(_))));
        assert_eq!(suggestion(RopePreset::NAMES, "Phi-4-mini"), Some(Suggestion::Begins("phi4")));
        assert_eq!(suggestion(Preset::NAMES, "FacebookAI/xlm-roberta-base"), Some(Suggestion::Learned));
        assert_eq!(suggestion(Preset::NAMES, "resnet/50"), None);
    }
}
