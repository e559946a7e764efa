//! Checks the pages of the guide: their pictures, their links, and the compile errors that they explain.
//!
//! A page ends with definitions of its links and pictures, for readers of the file. The docs have others, which come
//! first: `src/guide/links.md`, and for the pictures of a page a file in `src/guide/pictures`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::documents::{read, root};

const DRAWN: &str = "../../examples/gallery/pictures/";

#[test]
fn pages_show_pictures_that_are_drawn_and_embedded() {
    let mut shown_anywhere = BTreeSet::new();
    for (page, text) in texts("src/guide", "md") {
        let shown: BTreeSet<_> = text.lines().filter_map(shown).collect();
        let embedded = fs::read_to_string(root().join("src/guide/pictures").join(&page)).unwrap_or_default();
        assert_eq!(shown, names(&text, DRAWN), "{page}");
        assert_eq!(shown, names(&embedded, "data:image/"), "{page}");
        shown_anywhere.extend(shown.into_iter().map(|name| format!("{name}.png")));
    }
    let drawn: BTreeSet<_> = texts("examples/gallery/pictures", "png").map(|(name, _)| name).collect();
    assert_eq!(shown_anywhere, drawn);
}

#[test]
fn links_of_pages_lead_to_files_and_in_the_docs_to_docs() {
    let links = read("src/guide/links.md");
    for (page, text) in texts("src/guide", "md").filter(|(page, _)| page != "links.md") {
        for (name, target) in text.lines().filter_map(definition).filter(|(_, target)| !target.starts_with(DRAWN)) {
            let file = root().join("src/guide").join(target.split('#').next().unwrap());
            assert!(file.is_file(), "{page}: {target}");
            assert!(names(&links, "").contains(name), "links.md has no {name} of {page}");
        }
    }
}

/// Returns the name of the picture that a line shows, which must have a text for those who do not see it.
fn shown(line: &str) -> Option<&str> {
    let (text, name) = line.strip_prefix("![")?.strip_suffix(']')?.split_once("][")?;
    assert!(text.len() > 20, "the picture {name} has no text");
    Some(name)
}

/// Returns the names that a page defines with a target that begins like this.
fn names<'t>(text: &'t str, target: &str) -> BTreeSet<&'t str> {
    text.lines().filter_map(definition).filter(|(_, it)| it.starts_with(target)).map(|(name, _)| name).collect()
}

/// Returns the name and the target of a Markdown link definition.
fn definition(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once("]: ")
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
        (name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned())
    })
}
