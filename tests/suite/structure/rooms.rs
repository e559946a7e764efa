//! Checks the dependencies between the modules of the runtime crate by reading its sources.
//!
//! The crate consists of rooms, which are folders or single files, in the order of `ROOMS`. A room may use itself and
//! the rooms before it. The files of a room form no dependency cycle, and no file is long. Unit tests may use anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::documents::rows;

/// Each room uses only itself and those before it.
const ROOMS: [&str; 15] = [
    "limits",
    "float_bits",
    "error_bounds",
    "exact",
    "text",
    "element",
    "spec",
    "plan",
    "engine",
    "table",
    "rope",
    "grid",
    "bake",
    "reflection",
    "inspect",
];

/// The limit on lines of code and docs; blank lines and unit tests do not count.
const MOST_LINES: usize = 350;

/// Files that are allowed to be longer for now.
const LONG: [&str; 0] = [];

#[test]
fn every_room_uses_those_before_it_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pe-runtime/src");
    let mut sources = Vec::new();
    read(&root, "", &mut sources);
    let complaints = complaints(&sources, &ROOMS, &LONG);
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// The design has a row for each room, in this order.
#[test]
fn the_design_lists_the_rooms() {
    let rows = rows("DESIGN.md", "| room | holds |");
    let listed: Vec<_> = rows[2..].iter().map(|row| row[0].trim_matches(['`', '/'])).collect();
    assert_eq!(listed, ROOMS);
}

/// Reads the files of a folder and its subfolders, with their paths from the root, separated by `/`.
fn read(folder: &Path, prefix: &str, sources: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{path}/"), sources);
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            sources.push((path, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

// --- the rules ---

/// Returns all violations, one sentence each.
fn complaints(sources: &[(String, String)], rooms: &[&str], long: &[&str]) -> Vec<String> {
    let files: Vec<File> = sources.iter().map(|(path, text)| File::new(path, text)).collect();
    let tests: Vec<_> = files.iter().flat_map(|file| &file.tests).collect();
    let files: Vec<_> = files.iter().filter(|file| !tests.iter().any(|test| file.module.starts_with(test))).collect();
    let house = House { rooms, files: files.iter().map(|file| (file.module.clone(), *file)).collect() };
    let mut complaints = house.missing_rooms();
    for file in files {
        for (line, what) in &file.escapes {
            complaints.push(format!("{}:{line} has `{what}`, which hides where things are", file.path));
        }
        complaints.extend(length(file, long));
        // The root declares the rooms and re-exports the public items.
        if file.path != "lib.rs" {
            complaints.extend(house.arrows_back(file));
        }
    }
    complaints.extend(house.circles());
    let unknown = long.iter().filter(|path| !sources.iter().any(|(source, _)| source == *path));
    complaints.extend(unknown.map(|path| format!("{path} is listed as long, but is not there")));
    complaints
}

fn length(file: &File, long: &[&str]) -> Option<String> {
    let File { path, lines, .. } = file;
    match (*lines > MOST_LINES, long.contains(&&**path)) {
        (true, false) => Some(format!("{path} has {lines} lines, more than {MOST_LINES}")),
        (false, true) => Some(format!("{path} is listed as long, but has {lines} lines")),
        _ => None,
    }
}

struct House<'a> {
    rooms: &'a [&'a str],
    /// The files by their modules.
    files: BTreeMap<Vec<&'a str>, &'a File<'a>>,
}

impl House<'_> {
    fn number(&self, room: Option<&&str>) -> Option<usize> {
        self.rooms.iter().position(|known| Some(known) == room)
    }

    fn missing_rooms(&self) -> Vec<String> {
        let is_there = |room: &str| self.files.keys().any(|module| module.first() == Some(&room));
        self.rooms.iter().filter(|room| !is_there(room)).map(|room| format!("there is no room {room}")).collect()
    }

    fn arrows_back(&self, file: &File) -> Vec<String> {
        let Some(own) = self.number(file.module.first()) else {
            return vec![format!("{} is in no room", file.path)];
        };
        let complaint = |arrow: &Arrow| {
            let what = match (arrow.leaves, self.number(arrow.to.first())) {
                (true, _) => "leaves its room by `super`".to_owned(),
                // A macro that other crates use can only name public items.
                (false, None) if arrow.is_of_macro => return None,
                (false, None) => format!("uses crate::{}, which is in no room", arrow.to.join("::")),
                (false, Some(room)) if room > own => {
                    format!("uses {}, which comes after {}", self.rooms[room], self.rooms[own])
                }
                _ => return None,
            };
            Some(format!("{}:{} {what}", file.path, arrow.line))
        };
        let mut complaints: Vec<_> = file.arrows.iter().filter_map(complaint).collect();
        complaints.dedup();
        complaints
    }

    /// Returns the file of the longest module in the path of an item, or that from which it re-exports the item.
    fn file_of(&self, path: &[&str]) -> Option<&File<'_>> {
        let (module, file) = (1..=path.len()).rev().find_map(|end| self.files.get_key_value(&path[..end]))?;
        let shown = file.shown.iter().find(|(name, _)| path.get(module.len()) == Some(name));
        shown.map_or(Some(file), |(_, from)| self.file_of(from))
    }

    /// Returns the dependency cycles between files of a room, direct or indirect.
    fn circles(&self) -> Vec<String> {
        let mut reached = BTreeMap::new();
        for file in self.files.values() {
            let mut from_here = Vec::new();
            self.reach(file, &mut from_here);
            reached.insert(file.path, from_here);
        }
        let mut circles: Vec<Vec<&str>> = Vec::new();
        for (path, from_here) in &reached {
            if from_here.contains(path) && !circles.iter().any(|circle| circle.contains(path)) {
                circles.push(from_here.iter().filter(|to| reached[**to].contains(path)).copied().collect());
            }
        }
        for circle in &mut circles {
            circle.sort_unstable();
        }
        circles.iter().map(|circle| format!("{} use each other in a circle", circle.join(", "))).collect()
    }

    fn reach<'s>(&'s self, file: &File, reached: &mut Vec<&'s str>) {
        for arrow in &file.arrows {
            let in_room = arrow.to.first() == file.module.first();
            let is_new = |to: &&File| in_room && to.path != file.path && !reached.contains(&to.path);
            if let Some(to) = self.file_of(&arrow.to).filter(is_new) {
                reached.push(to.path);
                self.reach(to, reached);
            }
        }
    }
}

// --- reading a file ---

/// A source file without its unit tests.
struct File<'a> {
    path: &'a str,
    /// Its path in the crate, such as `["exact", "fixed"]`; empty for the root.
    module: Vec<&'a str>,
    arrows: Vec<Arrow<'a>>,
    /// The items that it re-exports from its submodules, by name. These do not count as uses.
    shown: Vec<(&'a str, Vec<&'a str>)>,
    /// The modules that it declares only for tests.
    tests: Vec<Vec<&'a str>>,
    /// Code that hides uses from this checker.
    escapes: Vec<(usize, String)>,
    lines: usize,
}

/// A path in the crate that a file names.
struct Arrow<'a> {
    line: usize,
    to: Vec<&'a str>,
    /// Whether it leaves the room by `super`.
    leaves: bool,
    /// Whether it begins with `$crate`.
    is_of_macro: bool,
}

impl<'a> File<'a> {
    fn new(path: &'a str, text: &'a str) -> Self {
        let mut module: Vec<_> = path.trim_end_matches(".rs").split('/').collect();
        if path == "lib.rs" || path.ends_with("/mod.rs") {
            module.pop();
        }
        let all = tokens(text);
        let (code, tests, test_lines) = without_tests(&all);
        let is_counted = |(number, line): (usize, &str)| !test_lines.contains(&(number + 1)) && !line.trim().is_empty();
        let lines = text.lines().enumerate().filter(|&(number, line)| is_counted((number, line))).count();
        let within = |name| [&*module, &[name]].concat();
        let tests = tests.into_iter().map(within).collect();
        let mut file = Self { path, module, arrows: vec![], shown: vec![], tests, escapes: escapes(&code), lines };
        file.read(&code);
        file
    }

    /// Finds the paths that begin with the crate, a parent module or a submodule.
    fn read(&mut self, code: &[Token<'a>]) {
        let children: Vec<_> = code.windows(2).filter(|pair| pair[0].text == "mod").map(|pair| pair[1].text).collect();
        let (mut here, mut ends) = (self.module.clone(), Vec::new());
        let (mut at, mut is_shown) = (0, false);
        while at < code.len() {
            match code[at].text {
                "use" => is_shown = matches!(before(code, at), "pub" | ")"),
                ";" => is_shown = false,
                "mod" if text(code, at + 2) == "{" => {
                    here.push(code[at + 1].text);
                    ends.push(closing(code, at + 2));
                }
                "}" if ends.last() == Some(&at) => {
                    ends.pop();
                    here.pop();
                }
                first if begins_path(code, at) && (is_start(first) || children.contains(&first)) => {
                    at = self.paths(code, at, &here, is_shown);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads the paths that begin at a token, and returns the index after them.
    fn paths(&mut self, code: &[Token<'a>], mut at: usize, here: &[&'a str], is_shown: bool) -> usize {
        let is_of_crate = code[at].text == "crate";
        let is_of_macro = is_of_crate && before(code, at) == "$";
        let (mut base, mut leaves) = if is_of_crate { (vec![], false) } else { (here.to_vec(), false) };
        at += if matches!(code[at].text, "crate" | "self") { 2 } else { 0 };
        while text(code, at) == "super" && text(code, at + 1) == "::" {
            leaves |= base.len() < 2;
            base.pop();
            at += 2;
        }
        let mut found = Vec::new();
        at = tree(code, at, &base, &mut found);
        for (line, name, to) in found {
            let is_macro = is_of_crate && to.len() == 1 && text(code, at) == "!" && text(code, at + 1) != "=";
            let is_within = to.starts_with(&self.module) && to.len() > self.module.len() && name != "*";
            match is_shown && is_within && here == self.module {
                true => self.shown.push((name, to)),
                false if is_macro => {}
                false => self.arrows.push(Arrow { line, to, leaves, is_of_macro }),
            }
        }
        at
    }
}

fn is_start(word: &str) -> bool {
    matches!(word, "crate" | "super" | "self")
}

/// Returns whether a token begins a path. Paths in visibilities, such as `pub(in crate::exact)`, do not count.
fn begins_path(code: &[Token], at: usize) -> bool {
    let is_visibility = before(code, at) == "in" && before(code, at - 1) == "(";
    text(code, at + 1) == "::" && before(code, at) != "::" && !is_visibility
}

/// Reads the paths of a tree such as `a::{b, c::{self, d as e}}`, with the names they get.
///
/// Returns the index after the tree.
fn tree<'a>(
    code: &[Token<'a>],
    mut at: usize,
    prefix: &[&'a str],
    found: &mut Vec<(usize, &'a str, Vec<&'a str>)>,
) -> usize {
    let mut path = prefix.to_vec();
    let line = code[at].line;
    loop {
        match text(code, at) {
            "{" => {
                let end = closing(code, at);
                at += 1;
                while at < end {
                    at = tree(code, at, &path, found);
                    at += usize::from(text(code, at) == ",");
                }
                return end + 1;
            }
            "self" => {}
            segment => path.push(segment),
        }
        at += 1;
        let goes_on = |next: &str| next == "{" || next == "*" || next.starts_with(is_word);
        if text(code, at) != "::" || !goes_on(text(code, at + 1)) {
            break;
        }
        at += 1;
    }
    let mut name = path.last().copied().unwrap_or("crate");
    if text(code, at) == "as" {
        name = text(code, at + 1);
        at += 2;
    }
    found.push((line, name, path));
    at
}

/// Finds code that renames the crate, or that includes code or modules from elsewhere.
fn escapes(code: &[Token]) -> Vec<(usize, String)> {
    let ways: [&[&str]; 4] = [&["crate", "as"], &["extern", "crate", "self"], &["#", "[", "path"], &["include", "!"]];
    let starts = |at: usize, way: &[&str]| way.iter().enumerate().all(|(i, word)| text(code, at + i) == *word);
    let at = |at: usize| ways.iter().find(|way| starts(at, way)).map(|way| (code[at].line, way.join(" ")));
    (0..code.len()).filter_map(at).collect()
}

/// Removes test modules from the code.
///
/// Returns the rest, the names of test modules in other files, and the lines of those in this file.
fn without_tests<'a>(all: &[Token<'a>]) -> (Vec<Token<'a>>, Vec<&'a str>, Vec<usize>) {
    let (mut code, mut names, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    while at < all.len() {
        let (mut item, mut is_test) = (at, false);
        while text(all, item) == "#" && text(all, item + 1) == "[" {
            let end = closing(all, item + 1);
            let has = |word| all[item..end].iter().any(|token| token.text == word);
            is_test |= has("cfg") && has("test") && !has("not");
            item = end + 1;
        }
        if text(all, item) == "pub" {
            item = if text(all, item + 1) == "(" { closing(all, item + 1) } else { item } + 1;
        }
        let is_module = is_test && text(all, item) == "mod";
        let end = match text(all, item + 2) {
            "{" if is_module => {
                let end = closing(all, item + 2);
                lines.extend(all[at].line..=all[end].line);
                end + 1
            }
            _ if is_module => {
                names.push(all[item + 1].text);
                item + 3
            }
            _ => {
                code.extend_from_slice(&all[at..item.max(at + 1)]);
                item.max(at + 1)
            }
        };
        at = end;
    }
    (code, names, lines)
}

#[derive(Clone, Copy)]
struct Token<'a> {
    line: usize,
    text: &'a str,
}

/// Returns the token at an index, or an empty string beyond the end.
fn text<'a>(code: &[Token<'a>], at: usize) -> &'a str {
    code.get(at).map_or("", |token| token.text)
}

fn before<'a>(code: &[Token<'a>], at: usize) -> &'a str {
    at.checked_sub(1).map_or("", |before| text(code, before))
}

/// Returns the index of the bracket that closes the one at `open`.
fn closing(code: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in code.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("the bracket in line {} is not closed", code[open].line)
}

/// Splits code into words, `::` and single other characters, without comments and literals.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(first) = rest.chars().next() {
        let literal = comment(rest).or_else(|| quoted(rest));
        let len = literal.unwrap_or_else(|| match first {
            ':' if rest.starts_with("::") => 2,
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        });
        let (token, after) = rest.split_at(len);
        if literal.is_none() && !first.is_whitespace() {
            tokens.push(Token { line, text: token });
        }
        line += token.matches('\n').count();
        rest = after;
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of a comment that begins here, if any. Block comments may be nested.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let (mut depth, mut at) = (0, 0);
    loop {
        match text.as_bytes().get(at..at + 2) {
            Some(b"/*") => depth += 1,
            Some(b"*/") => depth -= 1,
            Some(_) if depth > 0 => {
                at += 1;
                continue;
            }
            _ => return None,
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Returns the length of a string or character literal that begins here, if any. (The quote of a lifetime is a
/// character like any other.)
fn quoted(text: &str) -> Option<usize> {
    let prefix = text.find(|c| !"bcr".contains(c))?;
    let hashes = text[prefix..].find(|c| c != '#')?;
    let start = prefix + hashes + 1;
    let quote = text[start - 1..].chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    if text[..prefix].contains('r') && quote == '"' {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(start + text[start..].find(&end)? + end.len());
    }
    let inside = &text[start..];
    let is_character = inside.starts_with('\\') || inside.chars().nth(1) == Some('\'');
    if hashes > 0 || prefix > 1 || quote == '\'' && !is_character {
        return None;
    }
    let mut is_escaped = false;
    let end = inside.find(|c| {
        let is_end = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })?;
    Some(start + end + 1)
}

// --- tests of the checker ---

/// Returns the violations of three rooms that contain these files.
fn wrong(sources: &[(&str, &str)]) -> Vec<String> {
    let rooms = ["low", "middle", "high"];
    let mut all: Vec<_> = sources.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let others = rooms.iter().filter(|room| !sources.iter().any(|(path, _)| path.starts_with(*room)));
    all.extend(others.map(|room| (format!("{room}.rs"), String::new())));
    complaints(&all, &rooms, &["high/long.rs"])
        .into_iter()
        .filter(|complaint| complaint != "high/long.rs is listed as long, but is not there")
        .collect()
}

#[test]
fn rooms_may_use_those_before_them() {
    let high = "
        use crate::low::{self, One};
        use crate::middle::part::{Two, deep::{Three as Four}};
        fn f() -> low::X { super::other::g() }
    ";
    let part = "use crate::{low::One};\npub(in crate::middle) struct Two;\nfn f() { crate::low::g::<u8>(); }";
    let files =
        [("high/user.rs", high), ("high/other.rs", ""), ("middle/part.rs", part), ("middle/mod.rs", "mod part;")];
    assert_eq!(wrong(&files), [""; 0]);
}

#[test]
fn an_arrow_back_is_found_wherever_it_is() {
    let cases = [
        ("use crate::high::X;", 1),
        ("use std::fmt;\nuse crate::{low::One, high::{X, y::Z}};", 2),
        ("use crate::{\n    low::One,\n    high,\n};", 3),
        ("fn f() {\n    let x = 1 + crate::high::f();\n}", 2),
        ("fn f() {\n    for x in crate::high::ALL {}\n}", 2),
        ("pub use crate::high::X;", 1),
        ("macro_rules! m { () => { $crate::high::f() } }", 1),
        ("#[cfg(not(test))]\nmod inside {\n    use crate::high::X;\n}", 3),
        ("const QUOTE: char = '\"'; // '\nconst X: u8 = crate::high::X;", 2),
        ("const S: &str = \"\\\"\\\\\"; /* \n/* */ */ const X: &'static u8 = crate::high::X;", 2),
    ];
    for (text, line) in cases {
        let found = wrong(&[("middle/user.rs", text)]);
        let expected = format!("middle/user.rs:{line} uses high, which comes after middle");
        assert!(!found.is_empty() && found.iter().all(|found| *found == expected), "{text}\n{found:?}");
    }
}

#[test]
fn what_is_no_code_uses_nothing() {
    for text in [
        "//! [`X`](crate::high::X)\n/* crate::high /* crate::high */ crate::high::X */",
        "const S: &str = \"crate::high::X\"; const R: &[u8] = br#\"crate::high::\"X\"#;",
        "#[cfg(all(test, feature = \"alloc\"))]\n#[allow(unused)]\npub(crate) mod tests {\n    use crate::high::X;\n}",
        "#[cfg(test)]\nmod tests;",
        "fn f() { crate::choice!(1); }",
        "macro_rules! m { () => { $crate::Public } }",
    ] {
        let tests = ("middle/part/tests.rs", "use crate::high::X;\nuse crate::Spec;");
        let declares = text.contains("mod tests;");
        let files = [("middle/part.rs", text), if declares { tests } else { ("low.rs", "") }];
        assert_eq!(wrong(&files), [""; 0], "{text}");
    }
}

#[test]
fn paths_that_hide_where_things_are_are_refused() {
    let cases = [
        ("use crate::Spec;", "low/user.rs:1 uses crate::Spec, which is in no room"),
        ("use crate::*;", "low/user.rs:1 uses crate::*, which is in no room"),
        ("fn f(spec: crate::Spec) {}", "low/user.rs:1 uses crate::Spec, which is in no room"),
        ("use super::super::low::X;", "low/user.rs:1 leaves its room by `super`"),
        ("use {super::super::high::X};", "low/user.rs:1 leaves its room by `super`"),
        ("use crate as posenc;", "low/user.rs:1 has `crate as`, which hides where things are"),
        ("#[path = \"../high.rs\"]\nmod x;", "low/user.rs:1 has `# [ path`, which hides where things are"),
        ("include!(\"../high.rs\");", "low/user.rs:1 has `include !`, which hides where things are"),
    ];
    for (text, expected) in cases {
        assert_eq!(wrong(&[("low/user.rs", text)]), [expected]);
    }
    assert_eq!(wrong(&[("cellar/user.rs", "")]), ["cellar/user.rs is in no room"]);
    assert_eq!(complaints(&[], &["low"], &[]), ["there is no room low"]);
}

#[test]
fn a_circle_of_files_is_found() {
    let circle = |files| wrong(files).join("; ");
    assert_eq!(
        circle(&[
            ("low/a.rs", "use super::b::B;"),
            ("low/b.rs", "use crate::low::a::{A};"),
            ("low/c.rs", "use super::a::A;")
        ]),
        "low/a.rs, low/b.rs use each other in a circle"
    );
    // The cycle goes through a third file, and through a re-export of the room's root.
    assert_eq!(
        circle(&[
            ("low/mod.rs", "mod a;\nmod b;\nmod c;\npub(crate) use b::{B};\npub(crate) use c::C as D;"),
            ("low/a.rs", "use super::B;"),
            ("low/b.rs", "fn f() { crate::low::D::new() }"),
            ("low/c.rs", "use crate::low::a::A;"),
        ]),
        "low/a.rs, low/b.rs, low/c.rs use each other in a circle"
    );
    assert_eq!(
        circle(&[("low/mod.rs", "mod a;\nfn f() { a::g(super::low::X) }"), ("low/a.rs", "use super::f;")]),
        "low/mod.rs:2 leaves its room by `super`; low/a.rs, low/mod.rs use each other in a circle"
    );
    // Declaring and re-exporting a module does not count as using it.
    assert_eq!(circle(&[("low/mod.rs", "mod a;\npub use a::A;\nstruct B;"), ("low/a.rs", "use super::B;")]), "");
}

#[test]
fn a_long_file_is_found() {
    let of = |count: usize| "/// A line.\n\n".repeat(count) + "#[cfg(test)]\nmod tests {\n    // One.\n}\n";
    let (fits, long) = (of(MOST_LINES), of(MOST_LINES + 1));
    assert_eq!(wrong(&[("low/a.rs", &fits), ("high/long.rs", &long)]), [""; 0]);
    assert_eq!(wrong(&[("low/a.rs", &long)]), ["low/a.rs has 351 lines, more than 350"]);
    assert_eq!(wrong(&[("high/long.rs", &fits)]), ["high/long.rs is listed as long, but has 350 lines"]);
    let missing = complaints(&[("low.rs".to_owned(), String::new())], &["low"], &["high/long.rs"]);
    assert_eq!(missing, ["high/long.rs is listed as long, but is not there"]);
}
