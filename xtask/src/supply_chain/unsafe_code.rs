//! Where there is unsafe code, and whether all other code forbids it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use crate::failure::{Outcome, ensure};
use crate::supply_chain::packages::{Package, Target};
use crate::workspace;

/// A function with unsafe code.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    file: String,
    function: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.function)
    }
}

/// Returns all functions of the repository with unsafe code, and how often the keyword occurs in each.
pub(super) fn find() -> Outcome<BTreeMap<Place, usize>> {
    let mut found = BTreeMap::new();
    for file in workspace::files("*.rs")? {
        for (function, count) in functions(&workspace::read(&file)?) {
            found.insert(Place { file: file.clone(), function }, count);
        }
    }
    Ok(found)
}

/// Returns the functions of a source with unsafe code. A function ends where the signature of the next one begins.
fn functions(source: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let mut function = "no function".to_owned();
    for code in source.lines().map(code) {
        if let Some(name) = declared(&code) {
            function = String::from(name);
        }
        let count = code.split(|c| !is_of_word(c)).filter(|word| *word == "unsafe").count();
        if count > 0 {
            *found.entry(function.clone()).or_default() += count;
        }
    }
    found
}

/// Returns a line without comments and the contents of strings that end in it.
fn code(line: &str) -> String {
    let mut rest = line.split("//").next().unwrap_or(line);
    let mut code = String::new();
    while let Some((before, inside)) = rest.split_once('"')
        && let Some((_, after)) = inside.split_once('"')
    {
        code = code + before + "\"\"";
        rest = after;
    }
    code + rest
}

/// Returns the name of the first function whose signature begins in a line.
fn declared(code: &str) -> Option<&str> {
    code.match_indices("fn ").find_map(|(at, keyword)| {
        let name = code[at + keyword.len()..].split(|c| !is_of_word(c)).next()?;
        (!name.is_empty() && !code[..at].ends_with(is_of_word)).then_some(name)
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the number of crates that forbid unsafe code. All except tests, benchmarks, and libraries that have some must.
pub(super) fn forbidding(packages: &[Package], found: &BTreeMap<Place, usize>) -> Outcome<usize> {
    let with_some =
        |folder: &Path| found.keys().any(|place| Some(folder) == place.file.split("/src/").next().map(Path::new));
    let mut roots = BTreeSet::new();
    for package in packages {
        let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
        let manifest = fs::read_to_string(&package.manifest_path)?;
        let has_some = folder.strip_prefix(workspace::root()).is_ok_and(with_some);
        for target in package.targets.iter().filter(|target| must_forbid(target, has_some)) {
            let source = fs::read_to_string(&target.src_path)?;
            ensure(forbids(&source, &manifest), || {
                let root = target.src_path.strip_prefix(workspace::root()).unwrap_or(&target.src_path);
                format!("{}: neither #![forbid(unsafe_code)] nor that in the manifest", root.display())
            })?;
            roots.insert(&target.src_path);
        }
    }
    Ok(roots.len())
}

fn must_forbid(target: &Target, package_has_some: bool) -> bool {
    let is = |kind: &str| target.kind.iter().any(|of| of == kind);
    !(is("test") || is("bench") || (is("lib") && package_has_some))
}

fn forbids(source: &str, manifest: &str) -> bool {
    source.contains("#![forbid(unsafe_code)]") || manifest.contains("unsafe_code = \"forbid\"")
}

#[cfg(test)]
mod tests {
    use super::{declared, forbids, functions, must_forbid};
    use crate::supply_chain::packages::Target;

    #[test]
    fn a_piece_of_unsafe_code_belongs_to_the_function_before_it() {
        // The keyword is replaced so that this test itself has none.
        let source = r#"KEYWORD extern {}
            #![allow(KEYWORD_code)] // KEYWORD
            fn safe() { text("KEYWORD", KEYWORD_code); }
            pub KEYWORD fn f<T>(with: fn (T)) {
                let c = '"'; KEYWORD { g() }
                KEYWORD { KEYWORD { h() } } // fn other(
            }"#;
        let found: Vec<_> = functions(&source.replace("KEYWORD", "unsafe")).into_iter().collect();
        assert_eq!(found, [("f".to_owned(), 4), ("no function".to_owned(), 1)]);
    }

    #[test]
    fn a_signature_names_its_function() {
        assert_eq!(declared("    pub const fn from_bits(bits: u32) -> Self {"), Some("from_bits"));
        assert_eq!(declared("fn outer() { fn inner() {} }"), Some("outer"));
        assert_eq!(declared("type F = fn (usize);"), None);
        assert_eq!(declared("let my_fn = 1; let r#fn  = 2;"), None);
    }

    #[test]
    fn all_but_tests_and_libraries_with_unsafe_code_must_forbid_it() {
        let must = |kind: &str, package_has_some| {
            must_forbid(&Target { kind: vec![kind.into()], src_path: "lib.rs".into() }, package_has_some)
        };
        assert!(must("lib", false) && !must("lib", true));
        assert!(must("proc-macro", true) && must("bin", true) && must("custom-build", true) && must("example", true));
        assert!(!must("test", false) && !must("bench", false));
        assert!(
            forbids("//! Docs.\n#![forbid(unsafe_code)]\n", "")
                && forbids("", "[lints.rust]\nunsafe_code = \"forbid\"\n")
        );
        assert!(!forbids("#![deny(unsafe_code)]", "[lints.rust]\nunsafe_code = \"deny\"\n"));
    }
}
