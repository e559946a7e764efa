//! Reads numbers from the files of the repository, and looks for sentences in its documents.

use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the Rust files in a folder of the repository and its subfolders.
pub(super) fn sources(folder: &str) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (inner, other): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        let is_visible = |path: &PathBuf| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        folders.extend(inner.into_iter().filter(|path| is_visible(path) && !path.ends_with("target")));
        files.extend(other.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")));
    }
    files
}

pub(super) fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Asserts that each document has its sentence, wherever its lines break.
#[track_caller]
pub(super) fn check(rows: &[(&str, String)]) {
    let missing = rows.iter().filter(|(document, sentence)| !on_one_line(&read(document)).contains(sentence.as_str()));
    let missing: Vec<_> = missing.map(|(document, sentence)| format!("{document}: {sentence}")).collect();
    assert!(missing.is_empty(), "these sentences, with the numbers as they are, are missing:\n{}", missing.join("\n"));
}

/// Joins the lines of a document, or of the docs in a source file.
fn on_one_line(text: &str) -> String {
    let words = text.lines().flat_map(|line| line.trim_start().trim_start_matches("//!").split_whitespace());
    words.collect::<Vec<_>>().join(" ")
}

/// Returns what is in a file between the first `before` and the next `after`.
pub(super) fn value(file: &str, before: &str, after: char) -> String {
    let text = read(file);
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{file} has no {before}"));
    rest.split(after).next().unwrap_or_default().trim().to_owned()
}

/// Returns the value of a constant: an integer, a shifted one, or a number of seconds.
pub(super) fn constant(file: &str, name: &str) -> u64 {
    let definition = value(file, &format!("const {name}: "), ';');
    let (_, expression) = definition.split_once("= ").unwrap();
    let expression = expression.trim_start_matches("Duration::from_secs(").trim_end_matches(')');
    let integer =
        |text: &str| text.replace('_', "").parse::<u64>().unwrap_or_else(|_| panic!("{name} is {expression}"));
    match expression.split_once(" << ") {
        Some((integer_part, places)) => integer(integer_part) << integer(places),
        None => integer(expression),
    }
}

/// Returns the cells behind `name` in the table or group of rows that begins with `table`.
pub(super) fn cells(document: &str, table: &str, name: &str) -> Vec<String> {
    let rows = rows(document, table);
    let found =
        rows.into_iter().find_map(|row| row.iter().position(|cell| cell == name).map(|at| row[at + 1..].to_vec()));
    found.unwrap_or_else(|| panic!("{document}: {table}: there is no row {name}"))
}

/// Returns the rows of a table from the line that begins with `table` to its end.
pub(super) fn rows(document: &str, table: &str) -> Vec<Vec<String>> {
    let text = read(document);
    let lines = text.lines().map(|line| line.strip_prefix("//! ").unwrap_or(line));
    let lines = lines.skip_while(|line| !line.starts_with(table)).take_while(|line| line.starts_with('|'));
    let split = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.map(split).collect()
}

/// Returns the digits of a cell as a number: 31400 for `31 400 bytes`.
pub(super) fn digits(cell: &str) -> u64 {
    let digits: String = cell.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("`{cell}` is no number"))
}

/// Returns the word for a small number.
pub(super) fn word(number: &impl ToString) -> &'static str {
    const WORDS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
                         sixteen seventeen eighteen nineteen twenty";
    WORDS.split(' ').nth(number.to_string().parse().unwrap()).unwrap()
}
