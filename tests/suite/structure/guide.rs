//! Checks the pages of the guide: that each picture which a page shows is drawn and embedded, and that the compile errors
//! which it explains are those of the compiler.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::documents::{read, root};

/// The name of a picture follows `][` where a page shows it, and begins a line where it is defined: as a file for readers
/// of the page, and as an embedded picture for the docs.
#[test]
fn pages_show_pictures_that_are_drawn_and_embedded() {
    let pages: Vec<_> = texts("src/guide", "md").collect();
    let mut shown_anywhere = BTreeSet::new();
    for (page, text) in &pages {
        let shown: BTreeSet<_> = text.lines().filter_map(shown).collect();
        let drawn: BTreeSet<_> =
            text.lines().filter_map(|line| defined(line, "../../examples/gallery/pictures/")).collect();
        let embedded = root().join("src/guide/pictures").join(page);
        let embedded = fs::read_to_string(embedded).unwrap_or_default();
        let embedded: BTreeSet<_> = embedded.lines().filter_map(|line| defined(line, "data:image/")).collect();
        assert_eq!(shown, drawn, "{page}");
        assert_eq!(shown, embedded, "{page}");
        shown_anywhere.extend(shown.into_iter().map(|name| format!("{name}.png")));
    }
    let files = fs::read_dir(root().join("examples/gallery/pictures")).unwrap();
    let files: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(shown_anywhere, files);
}

/// Returns the name of the picture that a line shows, which must have a text for those who do not see it.
fn shown(line: &str) -> Option<&str> {
    let (text, name) = line.strip_prefix("![")?.strip_suffix(']')?.split_once("][")?;
    assert!(text.len() > 20, "the picture {name} has no text");
    Some(name)
}

fn defined<'l>(line: &'l str, to: &str) -> Option<&'l str> {
    let (name, target) = line.strip_prefix('[')?.split_once("]: ")?;
    target.starts_with(to).then_some(name)
}

/// Errors about items that need an allocator, which the tests of the compiler lack.
const WITHOUT_ANSWER: [&str; 3] = ["E0283", "E0432", "E0608"];

/// The test package `ui` compares its answers with the compiler's.
#[test]
fn compile_errors_are_those_of_the_compiler() {
    let answers: Vec<_> = texts("tests/compiler/tests/ui", "stderr")
        .chain(texts("tests/compiler/tests/ui/without-half", "stderr"))
        .collect();
    let page = read("src/guide/compile_errors.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")).filter(|row| !row.starts_with("error |"));
    let errors: Vec<_> = rows.map(|row| row.split(" | ").next().unwrap()).collect();
    assert!(errors.len() > 10);
    let is_answered = |error: &&str| {
        let (code, message) =
            error.split_once(", ").filter(|(code, _)| code.starts_with('E')).unwrap_or(("error", error));
        let is_message = |text: &str| text.contains(code) && text.contains(message.trim_matches(['`', ' ']));
        WITHOUT_ANSWER.contains(&code) || answers.iter().any(|(_, text)| is_message(text))
    };
    let missing: Vec<_> = errors.into_iter().filter(|error| !is_answered(error)).collect();
    assert!(missing.is_empty(), "no answer in tests/compiler has these errors:\n{}", missing.join("\n"));
}

/// Returns the names and the texts of the files in a folder with this extension.
fn texts(folder: &str, extension: &'static str) -> impl Iterator<Item = (String, String)> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let has_extension = move |path: &PathBuf| path.extension().is_some_and(|it| it == extension);
    entries.filter(has_extension).map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(&path).unwrap())
    })
}
