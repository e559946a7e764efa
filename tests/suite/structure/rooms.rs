//! Checks the dependencies between the files of each package by reading its sources.
//!
//! The files of a package use each other in no circle. Some packages list their rooms, which are folders or single files
//! of `src`, in an order: a room may use itself and the rooms above it. Unit tests may use anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::MAIN_SEPARATOR;

use proc_macro2::{Ident, Punct, Spacing, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprLit, Item, ItemExternCrate, ItemMod, ItemUse, Lit, LitStr, Macro, Meta, UseTree,
    VisRestricted, Visibility,
};

use super::documents::{root, rows, sources};

/// The documents that list the rooms of a package: its folder, the document, and the first line of the table.
const ROOMS: [(&str, &str, &str); 6] = [
    ("pe-runtime/src", "DESIGN.md", "| room | holds |"),
    ("pe-macros/core/src", "pe-macros/core/src/lib.rs", "| module | content |"),
    ("pe-text/src", "pe-text/src/lib.rs", "| module | content |"),
    ("pe-files/src", "pe-files/src/lib.rs", "| module | content |"),
    ("tool/src", "tool/src/lib.rs", "| room | holds |"),
    ("python/src", "python/src/lib.rs", "| room | holds |"),
];

/// The limit on lines of code and docs, beyond which a file probably holds several ideas. Blank lines and unit tests do
/// not count.
const MOST_LINES: usize = 400;

#[test]
fn the_files_of_a_package_use_each_other_in_one_direction() {
    let packages = packages();
    assert!(packages.len() > 10, "where are the packages? {:?}", packages.keys());
    let complaints: Vec<_> = packages.iter().flat_map(|(folder, texts)| complaints_about(folder, texts)).collect();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// The paths and texts of files.
type Texts = Vec<(String, String)>;

/// Reads the files of all packages, with their paths from `src`, separated by `/`.
fn packages() -> BTreeMap<String, Texts> {
    let mut packages = BTreeMap::<_, Texts>::new();
    for file in sources("") {
        let path = file.strip_prefix(root()).unwrap().to_str().unwrap().replace(MAIN_SEPARATOR, "/");
        if let Some((before, after)) = path.split_once("src/") {
            let text = fs::read_to_string(&file).unwrap();
            packages.entry(format!("{before}src")).or_default().push((after.to_owned(), text));
        }
    }
    packages
}

fn complaints_about(folder: &str, texts: &Texts) -> Vec<String> {
    let listed = ROOMS.iter().find(|(of, ..)| *of == folder);
    let rooms = listed.map_or(vec![], |(_, document, table)| {
        rows(document, table)[2..].iter().map(|row| row[0].trim_matches(['`', '/']).to_owned()).collect()
    });
    House::new(folder, rooms, texts).complaints()
}

// --- the rules ---

/// A package.
struct House<'a> {
    folder: &'a str,
    /// Each uses only itself and those before it. If there are none, any order will do.
    rooms: Vec<String>,
    /// The files by their modules.
    files: BTreeMap<Vec<String>, File>,
}

/// Files and others that they use.
type Uses<'a> = BTreeSet<(&'a str, &'a str)>;

impl<'a> House<'a> {
    fn new(folder: &'a str, rooms: Vec<String>, texts: &Texts) -> Self {
        let has_library = texts.iter().any(|(path, _)| path == "lib.rs");
        let root = if has_library { "lib.rs" } else { "main.rs" };
        let files = texts.iter().map(|(path, text)| File::new(path, text, root));
        let mut files: BTreeMap<_, _> = files.map(|file| (file.module.clone(), file)).collect();
        let of_tests: Vec<_> = files.values().flat_map(|file| file.tests.clone()).collect();
        files.retain(|module, _| !of_tests.iter().any(|tests| module.starts_with(tests)));
        Self { folder, rooms, files }
    }

    /// Returns all violations, one sentence each.
    fn complaints(&self) -> Vec<String> {
        let is_there = |room: &&String| self.files.keys().any(|module| module.first() == Some(room));
        let missing = self.rooms.iter().filter(|room| !is_there(room));
        let mut complaints: Vec<_> = missing.map(|room| format!("{}: there is no room {room}", self.folder)).collect();
        for file in self.files.values() {
            let hides = |(line, what): &_| (*line, format!("has `{what}`, which hides where things are"));
            let mut wrong: Vec<_> = file.escapes.iter().map(hides).collect();
            if file.lines > MOST_LINES {
                wrong.push((1, format!("has {} lines, more than {MOST_LINES}", file.lines)));
            }
            if !self.rooms.is_empty() && !file.module.is_empty() && self.room(&file.path).is_none() {
                wrong.push((1, "is in no room".to_owned()));
            }
            let misplaced = |arrow: &Arrow| self.misplaced(file, arrow).map(|what| (arrow.line, what));
            wrong.extend(file.arrows.iter().filter_map(misplaced));
            wrong.dedup();
            complaints.extend(wrong.iter().map(|(line, what)| format!("{}/{}:{line} {what}", self.folder, file.path)));
        }
        let circles = in_circles(self.uses());
        if !circles.is_empty() {
            let lines =
                |uses: &Uses| uses.iter().map(|(from, to)| self.row(from, to)).collect::<Vec<_>>().join("\n    ");
            let (uses, few) = (lines(&circles), lines(&closing(circles.clone())));
            complaints.push(format!("these uses make circles:\n    {uses}\nwithout these there are none:\n    {few}"));
        }
        complaints
    }

    /// Returns what is wrong with a use of another room.
    fn misplaced(&self, file: &File, arrow: &Arrow) -> Option<String> {
        let used = self.file_of(&arrow.to).map_or("", |used| &used.path);
        let room = arrow.to.first().and_then(|room| self.room(room));
        // The root declares the rooms and re-exports the public items.
        if self.rooms.is_empty() || file.module.is_empty() {
            None
        } else if arrow.leaves {
            Some("leaves its room by `super`".to_owned())
        } else if room > self.room(&file.path) {
            Some(format!("uses {}, which comes after its room: {}", arrow.to[0], self.row(&file.path, used)))
        } else {
            // A macro that other crates use can only name public items.
            let is_unknown = room.is_none() && !arrow.is_of_macro;
            is_unknown.then(|| format!("uses crate::{}, which is in no room", arrow.to.join("::")))
        }
    }

    /// Returns the number of the room of a file or a room.
    fn room(&self, path: &str) -> Option<usize> {
        let name = path.trim_end_matches(".rs").split('/').next();
        self.rooms.iter().position(|room| Some(room.as_str()) == name)
    }

    /// Returns a use in words.
    fn row(&self, from: &str, to: &str) -> String {
        format!("{}/{from} -> {to}", self.folder)
    }

    fn uses(&self) -> Uses<'_> {
        let mut uses = Uses::new();
        for from in self.files.values() {
            let files = from.arrows.iter().filter_map(|arrow| self.file_of(&arrow.to));
            uses.extend(files.map(|to| (&*from.path, &*to.path)).filter(|(from, to)| from != to));
        }
        uses
    }

    /// Returns the file of the longest module in the path of an item, or that from which it re-exports the item. It may
    /// be one of another package.
    fn file_of(&self, path: &[String]) -> Option<&File> {
        let (module, file) = (0..=path.len()).rev().find_map(|end| self.files.get_key_value(&path[..end]))?;
        let next = path.get(module.len());
        let shown = file.shown.iter().find(|(name, _)| next == Some(name));
        let file = shown.map_or(Some(file), |(_, from)| self.file_of(from));
        file.filter(|file| !next.is_some_and(|next| file.elsewhere.contains(next)))
    }
}

/// Returns the uses in circles, and those from one circle to another.
fn in_circles(mut uses: Uses) -> Uses {
    loop {
        let (from, to): (BTreeSet<_>, BTreeSet<_>) = uses.iter().copied().unzip();
        let before = uses.len();
        uses.retain(|(one, other)| to.contains(one) && from.contains(other));
        if uses.len() == before {
            return uses;
        }
    }
}

/// Returns few uses without which there are no circles.
fn closing(mut uses: Uses) -> Uses {
    let mut few = Uses::new();
    let left = |uses: &Uses, one| in_circles(uses - &Uses::from([one])).len();
    while let Some(one) = uses.iter().copied().min_by_key(|one| left(&uses, *one)) {
        few.insert(one);
        uses = in_circles(&uses - &Uses::from([one]));
    }
    few
}

// --- reading a file ---

/// A source file without its unit tests.
#[derive(Default)]
struct File {
    path: String,
    /// Its path in the crate, such as `["exact", "fixed"]`; empty for the root.
    module: Vec<String>,
    /// The module that is being read, of the file or in it.
    here: Vec<String>,
    children: Vec<String>,
    /// Those whose files are in another package.
    elsewhere: Vec<String>,
    arrows: Vec<Arrow>,
    /// The items that it re-exports from its submodules, by name. These do not count as uses.
    shown: Vec<(String, Vec<String>)>,
    /// The modules that it declares only for tests.
    tests: Vec<Vec<String>>,
    test_lines: Vec<RangeInclusive<usize>>,
    /// Code that hides uses from this checker.
    escapes: Vec<(usize, &'static str)>,
    lines: usize,
}

/// A path in the crate that a file names.
struct Arrow {
    line: usize,
    to: Vec<String>,
    /// Whether it leaves the room by `super`.
    leaves: bool,
    /// Whether it begins with `$crate`.
    is_of_macro: bool,
}

impl File {
    fn new(path: &str, text: &str, root: &str) -> Self {
        let mut module: Vec<_> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if path == root || path.ends_with("/mod.rs") {
            module.pop();
        }
        let mut file = Self { path: path.to_owned(), here: module.clone(), module, ..Self::default() };
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        file.children.extend(syntax.items.iter().filter_map(|item| match item {
            Item::Mod(child) => Some(child.ident.to_string()),
            _ => None,
        }));
        file.visit_file(&syntax);
        let is_code = |number: &usize| !file.test_lines.iter().any(|lines| lines.contains(number));
        let lines = text.lines().zip(1..).filter(|(line, number)| !line.trim().is_empty() && is_code(number));
        file.lines = lines.count();
        file
    }

    /// Returns the arrow of a path, if it begins with the crate, a parent module or a submodule.
    fn arrow(&self, path: &[Ident], name: &str) -> Option<Arrow> {
        let first = path.first()?;
        let is_of_crate = first == "crate";
        let supers = path.iter().skip(usize::from(first == "self")).take_while(|name| *name == "super").count();
        if !is_of_crate && first != "self" && supers == 0 && !self.children.iter().any(|child| first == child) {
            return None;
        }
        let kept = if is_of_crate { 0 } else { self.here.len().saturating_sub(supers) };
        let names = path.iter().filter(|name| !["crate", "self", "super"].iter().any(|word| name == word));
        let to = self.here[..kept].iter().cloned().chain(names.map(ToString::to_string));
        let to = to.chain((name == "*").then(|| name.to_owned())).collect();
        let leaves = !is_of_crate && supers > 0 && kept == 0;
        Some(Arrow { line: first.span().start().line, to, leaves, is_of_macro: false })
    }

    /// Reads the paths in the tokens of a macro, or in those of a tree after `prefix`.
    fn tokens(&mut self, tokens: TokenStream, prefix: &[Ident]) {
        let (mut path, mut colons, mut is_of_macro) = (prefix.to_vec(), 2, false);
        for token in tokens.into_iter().chain([Punct::new(';', Spacing::Alone).into()]) {
            let is_within = colons == 2;
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(name) if is_within => {
                    path.push(name);
                    colons = 0;
                }
                TokenTree::Group(group) if is_within && !path.is_empty() => {
                    self.tokens(group.stream(), &path);
                    path.clear();
                }
                token => {
                    let arrow = self.arrow(&path, "").filter(|_| path.len() > 1);
                    self.arrows.extend(arrow.map(|arrow| Arrow { is_of_macro, ..arrow }));
                    (path, colons, is_of_macro) = (vec![], 0, false);
                    match token {
                        TokenTree::Ident(name) => path.push(name),
                        TokenTree::Group(group) => self.tokens(group.stream(), &[]),
                        TokenTree::Punct(punct) if punct.as_char() == ',' => (path, colons) = (prefix.to_vec(), 2),
                        TokenTree::Punct(punct) if punct.as_char() == '$' => (colons, is_of_macro) = (2, true),
                        _ => {}
                    }
                }
            }
        }
    }
}

impl<'s> Visit<'s> for File {
    fn visit_item_mod(&mut self, item: &'s ItemMod) {
        let has_path = item.attrs.iter().any(|attribute| attribute.path().is_ident("path"));
        self.elsewhere.extend(has_path.then(|| item.ident.to_string()));
        self.here.push(item.ident.to_string());
        if item.attrs.iter().any(is_of_tests) {
            let end = item.content.as_ref().map_or(item.ident.span(), |(braces, _)| braces.span.close());
            self.test_lines.push(item.mod_token.span.start().line..=end.end().line);
            self.tests.push(self.here.clone());
        } else {
            visit::visit_item_mod(self, item);
        }
        self.here.pop();
    }

    fn visit_item_use(&mut self, item: &'s ItemUse) {
        let is_shown = !matches!(item.vis, Visibility::Inherited) && self.here == self.module;
        let mut paths = Vec::new();
        tree(&item.tree, &[], &mut paths);
        for (path, name) in paths {
            if path.len() == 1 && path[0] == "crate" && name != "*" {
                self.escapes.push((path[0].span().start().line, "crate as"));
                continue;
            }
            let Some(arrow) = self.arrow(&path, &name) else { continue };
            let is_within = arrow.to.starts_with(&self.module) && arrow.to.len() > self.module.len() && name != "*";
            if is_shown && is_within {
                self.shown.push((name, arrow.to));
            } else {
                self.arrows.push(arrow);
            }
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'s ItemExternCrate) {
        self.escapes.extend((item.ident == "self").then_some((item.ident.span().start().line, "extern crate self")));
    }

    fn visit_path(&mut self, path: &'s syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.clone()).collect();
        self.arrows.extend(self.arrow(&names, "").filter(|_| names.len() > 1));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'s Macro) {
        if call.path.is_ident("include") {
            self.escapes.push((call.bang_token.span.start().line, "include!"));
        }
        // A macro of the crate has its path, wherever it is.
        if call.path.segments.len() > 2 {
            self.visit_path(&call.path);
        }
        self.tokens(call.tokens.clone(), &[]);
    }

    fn visit_attribute(&mut self, attribute: &'s Attribute) {
        match &attribute.meta {
            Meta::List(list) => self.tokens(list.tokens.clone(), &[]),
            Meta::NameValue(pair) => {
                // A file of another package is in no room.
                let leaves = |path: &LitStr| path.value().matches("../").count() > self.path.matches('/').count();
                let is_here =
                    |value: &Expr| !matches!(value, Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) if leaves(path));
                if pair.path.is_ident("path") && is_here(&pair.value) {
                    self.escapes.push((attribute.pound_token.span.start().line, "#[path]"));
                }
            }
            Meta::Path(_) => {}
        }
    }

    /// Paths in visibilities, such as `pub(in crate::exact)`, do not count.
    fn visit_vis_restricted(&mut self, _: &'s VisRestricted) {}
}

fn is_of_tests(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let condition = list.tokens.to_string();
    let has = |word| condition.split(|c: char| !c.is_alphanumeric()).any(|part| part == word);
    list.path.is_ident("cfg") && has("test") && !has("not")
}

/// Lists the paths in a tree such as `a::{b, c::{self, d as e}}`, with the names they get.
fn tree(tree: &UseTree, prefix: &[Ident], found: &mut Vec<(Vec<Ident>, String)>) {
    let with = |name: &Ident| [prefix, std::slice::from_ref(name)].concat();
    match tree {
        UseTree::Path(path) => self::tree(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| self::tree(tree, prefix, found)),
        UseTree::Glob(_) => found.push((prefix.to_vec(), "*".to_owned())),
        UseTree::Rename(rename) => found.push((with(&rename.ident), rename.rename.to_string())),
        UseTree::Name(name) => {
            let last = if name.ident == "self" { prefix.last().unwrap_or(&name.ident) } else { &name.ident };
            found.push((with(&name.ident), last.to_string()));
        }
    }
}

// --- tests of the checker ---

/// Returns the violations of a package with the rooms `low` and `high` that contains these files.
fn wrong(files: &[(&str, &str)]) -> Vec<String> {
    let mut files: Vec<_> = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    files.extend(["lib", "low/mod", "high/mod"].map(|path| (format!("{path}.rs"), String::new())));
    let rooms = vec!["low".to_owned(), "high".to_owned()];
    House::new("src", rooms, &files).complaints()
}

#[test]
fn an_arrow_back_is_found_wherever_it_is() {
    for (text, line) in [
        ("use crate::high::X;", 1),
        ("use std::fmt;\nuse crate::{low::One, high::{X, y::Z}};", 2),
        ("fn f() {\n    for x in crate::high::ALL {}\n}", 2),
        ("/// Docs.\n#[arg(value_parser = crate::high::parse)]\nstruct X;", 2),
        ("macro_rules! m { () => { $crate::high::f() } }", 1),
        ("#[cfg(not(test))]\nmod inside {\n    use super::super::super::high::X;\n}", 3),
        ("fn f() { let x: crate::high::X = assert!(true);\n }", 1),
    ] {
        let found = wrong(&[("low/user.rs", text)]);
        let is_it = |found: &String| found.starts_with(&format!("src/low/user.rs:{line} "));
        assert!(!found.is_empty() && found.iter().all(is_it), "{text}\n{found:?}");
    }
}

#[test]
fn what_may_be_used_is_no_arrow_back() {
    for text in [
        "use crate::low::{self, One};\nfn f() -> crate::high::X { super::other::g::<u8>() }",
        "//! [`X`](crate::top::X)\nconst S: &str = \"crate::top::X\";",
        "#[cfg(all(test, feature = \"alloc\"))]\n#[allow(unused)]\npub(crate) mod tests {\n    use crate::top::X;\n}",
        "#[cfg(test)]\nmod tests;",
        "pub(in crate::top) fn f() { crate::choice!(1); }",
        "macro_rules! m { () => { $crate::Public } }",
    ] {
        assert_eq!(wrong(&[("high/user.rs", text), ("high/user/tests.rs", "")]), [""; 0], "{text}");
    }
}

#[test]
fn paths_that_hide_where_things_are_are_refused() {
    for (text, what) in [
        ("use crate::Spec;", "uses crate::Spec, which is in no room"),
        ("use crate::*;", "uses crate::*, which is in no room"),
        ("use {super::super::low::X};", "leaves its room by `super`"),
        ("use crate as posenc;", "has `crate as`, which hides where things are"),
        ("#[path = \"../high.rs\"]\nmod x;", "has `#[path]`, which hides where things are"),
        ("include!(\"../high.rs\");", "has `include!`, which hides where things are"),
        (&"fn f() {}\n\n".repeat(401), "has 401 lines, more than 400"),
    ] {
        assert_eq!(wrong(&[("low/user.rs", text)]), [format!("src/low/user.rs:1 {what}")]);
    }
    assert_eq!(wrong(&[("low/user.rs", "#[path = \"../../a.rs\"]\nmod a;")]), [""; 0]);
    assert_eq!(wrong(&[("cellar.rs", "")]), ["src/cellar.rs:1 is in no room"]);
    assert_eq!(House::new("src", vec!["low".to_owned()], &vec![]).complaints(), ["src: there is no room low"]);
}

#[test]
fn a_circle_is_found() {
    // It goes through a third file, and through a re-export of the room's root.
    let files = [
        ("low/shown.rs", "mod b;\nmod c;\npub(crate) use b::{B};\npub(crate) use c::C as D;"),
        ("low/a.rs", "use super::shown::B;"),
        ("low/shown/b.rs", "fn f() { crate::low::shown::D::new() }"),
        ("low/shown/c.rs", "use crate::low::a::A;"),
        ("low/user.rs", "use super::a::A;"),
    ];
    let rows = ["low/a.rs -> low/shown/b.rs", "low/shown/b.rs -> low/shown/c.rs", "low/shown/c.rs -> low/a.rs"];
    let rows = rows.map(|row| format!("src/{row}"));
    let few = "\nwithout these there are none:\n    src/low/a.rs -> low/shown/b.rs";
    assert_eq!(wrong(&files), [format!("these uses make circles:\n    {}{few}", rows.join("\n    "))]);
}
