//! The public functions of the library, as the compiler knows them.
//!
//! Each must be called under a heading of the document that names it, unless it takes no input that could be invalid.
//! `functions.txt` lists them, so that the document does not depend on the version of the compiler. An ignored test
//! compares the list with what rustdoc knows; a quick one finds methods in the sources that the list does not have.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, ImplItem, ImplItemFn, Item, ItemImpl, Meta, Type, Visibility};

use crate::chain::chain;
use crate::document::{Document, Heading};

pub(crate) const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/functions.txt");
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The command that writes the list again.
pub(crate) const RENEW: &str = "INSTA_UPDATE=always cargo test --package bad-input -- --ignored";

/// A public function or method.
pub(crate) struct Function {
    /// Its path in the facade.
    pub(crate) path: String,
    /// Whether it belongs to a trait.
    pub(crate) of_trait: bool,
    /// The name of the type that it returns, alone or in a `Result`, without generic arguments.
    pub(crate) output: String,
    /// Whether it has an argument other than `self`, or returns a `Result`.
    pub(crate) has_input: bool,
}

/// The line of the list, such as `Spec::new(..) -> Spec`.
impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { path, of_trait, output, has_input } = self;
        f.write_str(if *of_trait { "trait " } else { "" })?;
        f.write_str(path)?;
        f.write_str(if *has_input { "(..)" } else { "()" })?;
        if output.is_empty() { Ok(()) } else { write!(f, " -> {output}") }
    }
}

/// Returns the listed functions.
pub(crate) fn functions() -> Vec<Function> {
    let list = fs::read_to_string(LIST).unwrap_or_default();
    let function = |line: &str| {
        let (of_trait, line) = line.strip_prefix("trait ").map_or((false, line), |line| (true, line));
        let (path, rest) = line.split_once('(').expect("a function has parentheses");
        let output = rest.split_once("-> ").map_or("", |(_, output)| output);
        Function { path: path.to_owned(), of_trait, output: output.to_owned(), has_input: rest.starts_with("..") }
    };
    list.lines().map(function).collect()
}

/// Writes the list of the functions that have no rows.
///
/// # Panics
///
/// If one of them should have rows.
pub(crate) fn write_the_rest(document: &mut Document) {
    let functions = functions();
    let named = || document.headings.iter().flat_map(|heading| heading.functions.iter().copied());
    let missing = |path: &&str| !functions.iter().any(|function| function.path == **path);
    let unknown: Vec<_> = named().filter(missing).collect();
    assert!(unknown.is_empty(), "`tests/bad-input` has headings of what is no public function: {unknown:?}");
    let uncalled: Vec<_> = document.headings.iter().flat_map(|heading| uncalled(heading, &functions)).collect();
    assert!(
        uncalled.is_empty(),
        "headings of `tests/bad-input` name functions that no call under them is of: {uncalled:?}; give them rows there"
    );

    let without: Vec<_> = functions.iter().filter(|function| !named().any(|name| name == function.path)).collect();
    let forgotten: Vec<_> =
        without.iter().filter(|function| function.has_input).map(|function| &function.path).collect();
    assert!(
        forgotten.is_empty(),
        "public functions that `tests/bad-input` does not call: {forgotten:?}; give them rows, under a heading that names them"
    );

    document.part("No invalid input", "These methods take no argument except `self`, and accept any value of it.\n");
    let mut by_type: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for Function { path, .. } in without {
        let (of, name) = path.rsplit_once("::").unwrap_or(("posenc", path));
        by_type.entry(of).or_default().push(format!("`{name}`"));
    }
    for (of, names) in by_type {
        document.item(&format!("`{of}`: {}", names.join(", ")));
    }
}

/// Returns the functions that a heading names but that no call under it covers.
fn uncalled(heading: &Heading, functions: &[Function]) -> Vec<&'static str> {
    let called: Vec<_> = heading.calls.iter().flat_map(|call| chain(call, functions)).collect();
    heading.functions.iter().copied().filter(|path| !called.contains(path)).collect()
}

#[test]
fn the_list_has_the_methods_in_the_sources() {
    let functions = functions();
    let is_listed = |of: &str| functions.iter().any(|function| function.path.rsplit("::").nth(1) == Some(of));
    let is_missing = |(of, name): &(String, String)| {
        is_listed(of) && !functions.iter().any(|function| is_method(function, of, name))
    };
    let files = sources(&Path::new(ROOT).join("pe-runtime/src"));
    let missing: Vec<_> = files.iter().flat_map(|file| methods(file)).filter(is_missing).collect();
    assert!(missing.is_empty(), "`tests/bad-input/functions.txt` is without {missing:?}; run `{RENEW}`");

    let facade = items(&Path::new(ROOT).join("src/lib.rs"));
    let has_code = |item: &Item| matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Trait(_));
    assert!(!facade.iter().any(has_code), "the facade has code, which the list does not know");
}

/// Returns whether a function is the method of a type, or the function of a module.
pub(crate) fn is_method(function: &Function, of: &str, name: &str) -> bool {
    let mut path = function.path.rsplit("::");
    path.next() == Some(name) && path.next() == Some(of)
}

/// Returns all Rust files in a folder and its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

fn items(file: &Path) -> Vec<Item> {
    syn::parse_file(&fs::read_to_string(file).expect("a source")).expect("Rust").items
}

/// Returns the public methods of types, except those that macros make.
fn methods(file: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for item in items(file) {
        let Item::Impl(ItemImpl { trait_: None, self_ty, items, .. }) = item else { continue };
        let Type::Path(of) = *self_ty else { continue };
        let of = of.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let is_hidden =
            |attribute: &Attribute| matches!(&attribute.meta, Meta::List(list) if list.tokens.to_string() == "hidden");
        found.extend(items.into_iter().filter_map(|item| match item {
            ImplItem::Fn(ImplItemFn { vis: Visibility::Public(_), attrs, sig, .. }) if !attrs.iter().any(is_hidden) => {
                Some((of.clone(), sig.ident.to_string()))
            }
            _ => None,
        }));
    }
    found
}
