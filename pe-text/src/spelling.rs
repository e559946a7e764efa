//! Names in any spelling.

use posenc::reflection::Names;

/// Returns the name from elsewhere with these letters.
#[must_use]
pub fn elsewhere(names: &'static Names, text: &str) -> Option<&'static str> {
    names.elsewhere.iter().map(|&(name, _)| name).find(|name| letters(name) == letters(text))
}

/// Returns the name, of those here or elsewhere, that has the same letters and digits.
pub(crate) fn respelled(names: &'static Names, text: &str) -> Option<&'static str> {
    let written = letters(text);
    names.all.iter().copied().find(|name| letters(name) == written).or_else(|| elsewhere(names, text))
}

/// Returns the letters and digits of a name, which do not depend on the spelling.
pub(crate) fn letters(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}
