//! The names that the facade hides are those that the expansions of the macros use, and no other program does.

use std::collections::BTreeSet;
use std::fs;

use super::documents::{read, sources};

/// The names of `posenc::__private`, without the element types: the values of the key `dtype`.
const HIDDEN: [&str; 21] = [
    // The user may have shadowed it.
    "core",
    // The procedural macros.
    "grid_table",
    "rotary_table",
    "sinusoidal_table",
    // Of a table that is in the program.
    "decode",
    // Of the file of a build script.
    "entries_of_axial_file",
    "entries_of_file",
    "entries_of_grid_file",
    // Of a table that the compiler evaluates.
    "AxialTable",
    "blame",
    "accepted",
    "check_axial_evaluated",
    "check_evaluated",
    "check_grid_evaluated",
    "check_rotary_evaluated",
    "const_axial",
    "const_grid",
    "const_table",
    "convert",
    "no_table",
    "spec_of_rope",
];

/// The line by which the element types are in the module.
const ELEMENT_TYPES: &str = "posenc_runtime::for_each_element!(types);";

#[test]
fn the_hidden_module_has_these_names_alone() {
    let facade = read("src/lib.rs");
    let module = facade.split_once("pub mod __private {").and_then(|(_, rest)| rest.split_once("\n}\n"));
    let (module, _) = module.expect("the hidden module");
    let reexported: BTreeSet<_> = module.split("pub use ").skip(1).flat_map(names).collect();
    assert_eq!(reexported, BTreeSet::from(HIDDEN));
    assert!(module.contains(ELEMENT_TYPES));
    let other = ["pub fn ", "pub const ", "pub static ", "pub struct ", "pub enum ", "pub trait ", "pub mod "];
    assert!(!other.iter().any(|item| module.contains(item)), "{module}");
}

/// Returns the names in what follows `pub use`.
fn names(rest: &str) -> Vec<&str> {
    let (path, _) = rest.split_once(';').expect("an end");
    let list = path.split_once('{').map_or(path, |(_, list)| list.trim_end_matches('}'));
    list.split(',').filter_map(|name| name.trim().rsplit("::").next()).filter(|name| !name.is_empty()).collect()
}

#[test]
fn each_hidden_name_is_one_of_the_expansions() {
    let own = read("src/lib.rs");
    let macros: String = sources("pe-macros").iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    // The path of the module is often in a variable, and the description of a macro names its functions.
    let paths = ["__private", "#private", "#path"];
    let functions = ["check", "entries_of_file", "evaluate"];
    let is_used = |name: &str| {
        own.contains(&format!("$crate::__private::{name}! {{"))
            || paths.iter().any(|path| has_word(&macros, &format!("{path}::{name}")))
            || functions.iter().any(|function| macros.contains(&format!("{function}: \"{name}\",")))
    };
    let unused: Vec<_> = HIDDEN.iter().filter(|name| !is_used(name)).collect();
    assert!(unused.is_empty(), "no expansion has {unused:?}");
}

/// Returns whether a text has these words, and not only as the beginning of longer ones.
fn has_word(text: &str, words: &str) -> bool {
    text.split(words).skip(1).any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// A program that needs more than the public items shows that one is missing.
#[test]
fn the_command_has_no_hidden_name() {
    let hidden: Vec<_> =
        sources("tool").into_iter().filter(|path| fs::read_to_string(path).unwrap().contains("__private")).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}
