//! Calls every public function and every key of the macro with invalid and extreme input, and records the answers.
//!
//! The result is `docs/bad_input.md`. The answers come from calls made here, so the document always matches the code.

// The extreme values include 64-bit sizes and positions, and the messages contain them.
#![cfg(target_pointer_width = "64")]

#[macro_use]
mod call;
mod axial;
mod chain;
mod document;
mod embeddings;
mod grids;
mod listing;
mod parameters;
mod questions;
mod reflection;
mod rotary;
mod rows;
mod rustdoc;
mod tables;
mod the_macro;

use document::Document;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bad_input.md");

/// The command that regenerates the document. It uses insta's variable, like the other snapshots of the repository.
const RENEW: &str = "INSTA_UPDATE=always cargo test --package bad-input";

#[test]
fn the_answers_to_bad_input_are_those_of_the_document() {
    let mut document = Document::new();
    parameters::write(&mut document);
    rows::write(&mut document);
    questions::write(&mut document);
    tables::write(&mut document);
    embeddings::write(&mut document);
    rotary::write(&mut document);
    grids::write(&mut document);
    axial::write(&mut document);
    reflection::write(&mut document);
    the_macro::write(&mut document);
    listing::write_the_rest(&mut document);
    let generated = document.text();

    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(COMMITTED, &generated).expect("the document can be written");
        return;
    }
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    if let Some((number, committed, generated)) = first_difference(&committed, &generated) {
        panic!(
            "docs/bad_input.md is out of date. Line {number} is\n    {committed}\nbut should be\n    {generated}\n\
             If the new answers are right, run `{RENEW}` and review the diff"
        );
    }
}

/// Returns the number of the first line in which two texts differ, and that line of each text.
fn first_difference<'t>(committed: &'t str, generated: &'t str) -> Option<(usize, &'t str, &'t str)> {
    let end = "(the end)";
    let lines = |text: &'t str| text.lines().chain([end]);
    let longest = committed.lines().count().max(generated.lines().count()) + 1;
    let pad = |text| lines(text).chain(std::iter::repeat(end)).take(longest);
    let mut pairs = pad(committed).zip(pad(generated)).enumerate();
    pairs.find(|(_, (one, other))| one != other).map(|(i, (one, other))| (i + 1, one, other))
}
