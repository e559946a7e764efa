//! Lists the public functions of the crate by reading its sources.
//!
//! Each must be called under a heading of the document that names it, unless it takes no input that could be invalid.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::chain::chain;
use crate::document::{Document, Heading};

/// A public function or method.
pub(crate) struct Function {
    /// Its path in the facade.
    pub(crate) path: String,
    /// Whether it belongs to a trait.
    pub(crate) of_trait: bool,
    /// The name of the type that it returns, alone or in a `Result`, without generic arguments.
    pub(crate) output: String,
    /// Whether it has an argument other than `self`, or returns a `Result`.
    has_input: bool,
}

/// A public function as declared in a source file.
struct Source {
    /// The type or trait that it belongs to, or an empty string.
    of: String,
    of_trait: bool,
    name: String,
    signature: String,
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

    let has_rows = |path: &str| named().any(|name| name == path);
    let (with_rows, without): (Vec<_>, Vec<_>) = functions.iter().partition(|function| has_rows(&function.path));
    let forgotten: Vec<_> =
        without.iter().filter(|function| function.has_input).map(|function| &function.path).collect();
    assert!(
        forgotten.is_empty(),
        "public functions that `tests/bad-input` does not call: {forgotten:?}; give them rows, under a heading that names them"
    );
    assert!(with_rows.len() > 40, "where are the public functions?");

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

pub(crate) fn functions() -> Vec<Function> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let facade = fs::read_to_string(root.join("src/lib.rs")).expect("the facade");
    let mut exported = exported(&facade, "\npub use posenc_runtime::");
    let files: Vec<_> = sources(&root.join("pe-runtime/src")).into_iter().map(|path| read(&path)).collect();
    let choices: Vec<_> = files.iter().flat_map(|(_, text)| choices(text)).collect();
    let public_modules: Vec<_> = files.iter().flat_map(|(_, text)| public_modules(text)).collect();
    let in_public = files.iter().filter(|(module, _)| public_modules.contains(&&**module));
    exported
        .extend(in_public.flat_map(|(_, text)| self::exported(text, "\npub use ").into_iter().chain(structs(text))));
    let mut functions = Vec::new();
    for (module, text) in &files {
        // The root re-exports items of private modules by name, so their module is not part of the path.
        let module = if public_modules.contains(&&**module) { format!("{module}::") } else { String::new() };
        for source in public(text) {
            let owners = if source.of == "$choice" { choices.clone() } else { vec![source.of.clone()] };
            functions.extend(owners.iter().map(|of| function(&module, of, &source)));
        }
    }
    functions.retain(|function| exported.iter().any(|name| function.path.split("::").next() == Some(name)));
    // The functions that the facade itself defines.
    let own = public(&facade).into_iter().filter(|source| source.of.is_empty());
    functions.extend(own.map(|source| function("", "", &source)));
    functions.sort_by(|one, other| one.path.cmp(&other.path));
    functions
}

fn function(module: &str, of: &str, source: &Source) -> Function {
    let Source { of_trait, name, signature, .. } = source;
    let path = if of.is_empty() { format!("{module}{name}") } else { format!("{of}::{name}") };
    Function { path, of_trait: *of_trait, output: output(signature, of), has_input: has_input(signature) }
}

/// Returns all Rust files in a folder and its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Returns the name of a module (for `mod.rs`, the name of the folder) and the text of its file.
fn read(path: &Path) -> (String, String) {
    let file = if path.ends_with("mod.rs") { path.parent().expect("a folder") } else { path };
    let module = file.file_stem().expect("a name").to_string_lossy().into_owned();
    (module, fs::read_to_string(path).expect("a source"))
}

/// Returns the modules that a file declares as public.
fn public_modules(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
}

/// Returns the names in the statements that begin with `begin`, such as `pub use posenc_runtime::...;` in the facade.
///
/// Indented statements do not count: in the facade they are those of its private module.
fn exported(text: &str, begin: &str) -> Vec<String> {
    let lists = text.split(begin).skip(1);
    let lists = lists.map(|rest| rest.split(';').next().unwrap_or_default());
    let words = lists.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the names of the public structs in a file.
fn structs(text: &str) -> impl Iterator<Item = String> {
    let names = text.split("\npub struct ").skip(1);
    names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect())
}

/// Returns the names of the types defined by `choice!`, or by `presets!`, which uses it.
fn choices(text: &str) -> Vec<String> {
    let bodies = ["\nchoice! {", "\npresets! {"].into_iter().flat_map(|begin| text.split(begin).skip(1));
    let name =
        |body: &str| body.lines().find_map(|line| line.strip_prefix("    ")?.strip_suffix(" {").map(str::to_owned));
    bodies.filter_map(name).collect()
}

fn public(text: &str) -> Vec<Source> {
    let mut functions = Vec::new();
    // The type or trait, and whether it is a trait: the functions of a public trait are public without `pub`.
    let mut block = (String::new(), false);
    for (at, line) in lines(text) {
        let code = line.trim_start();
        if code.starts_with("impl") || code.starts_with("pub trait ") {
            block = (owner(code), code.starts_with("pub trait "));
        } else if line.starts_with('}') {
            block = (String::new(), false);
        }
        let is_item = line.starts_with("pub ");
        let function = code.strip_prefix("pub ").map(|rest| rest.trim_start_matches("const "));
        let function = function.or_else(|| block.1.then_some(code)).and_then(|rest| rest.strip_prefix("fn "));
        if let Some(function) = function {
            let name = function.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            // A `;` within a line belongs to the type of an array.
            let signature = text[at..].split('{').next().and_then(|head| head.split(";\n").next()).unwrap_or_default();
            let (of, of_trait) = if is_item { Default::default() } else { block.clone() };
            functions.push(Source { of, of_trait, name: name.to_owned(), signature: signature.to_owned() });
        }
        // A line of `per_axis!`, such as `start(value: i64) spec => spec.start(value);`.
        if let Some((name, _)) = code.split_once("(value: ").filter(|_| code.contains(") spec => ")) {
            let signature = format!("fn {name}(mut self, values: [V; A]) -> Self");
            functions.push(Source { of: block.0.clone(), of_trait: false, name: name.to_owned(), signature });
        }
    }
    functions
}

/// Returns the lines, each with its offset in the text.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        let at = *end;
        *end += line.len();
        Some((at, line))
    })
}

/// Returns the type of `impl<'a, T> Type<'a, T> {`, or the trait of `pub trait Type<T> {`.
///
/// Returns an empty string for the `impl` of a trait: its functions are listed with the trait.
fn owner(code: &str) -> String {
    let head = code.trim_start_matches("pub trait ").trim_start_matches("impl");
    if head.contains(" for ") {
        return String::new();
    }
    let head = if head.starts_with('<') { head.split_once("> ").map_or(head, |(_, rest)| rest) } else { head };
    head.trim().chars().take_while(|c| c.is_alphanumeric() || "_$".contains(*c)).collect()
}

/// Returns whether there is an argument other than `self`, or a `Result`.
fn has_input(signature: &str) -> bool {
    let arguments = signature.split_once('(').map_or("", |(_, rest)| rest).split(')').next().unwrap_or_default();
    let arguments = arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty());
    signature.contains("Result<") || arguments.into_iter().any(|argument| !argument.ends_with("self"))
}

/// Returns the name of the type that a function returns, alone or in a `Result`, with `Self` replaced by `of`.
fn output(signature: &str, of: &str) -> String {
    let output = signature.rsplit_once("-> ").map_or("", |(_, output)| output);
    let output = output.strip_prefix("Result<").unwrap_or(output);
    let name = output.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    if name == "Self" { of.to_owned() } else { name.to_owned() }
}
