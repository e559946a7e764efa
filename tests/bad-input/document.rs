//! Writes the Markdown of the document.

use std::fmt::Write as _;

use crate::call::Row;

const INTRODUCTION: &str = "\
# Bad input

How each function handles invalid and extreme input: 0, the largest value and the one after it, negative numbers, NaN and \
infinities, and buffers of the wrong length.

A test generates these tables by making every call in them. It also checks that no public function and no key of the macro is \
missing. An answer that is a sentence is the `Display` text of the error, or the compile error of the macro. Other answers are \
return values. `usize` has 64 bits here.

On error a buffer is left unchanged. An invalid parameter has the same message in every function and in the macro, which the \
test checks too.
";

pub(crate) struct Document {
    text: String,
    pub(crate) headings: Vec<Heading>,
}

/// The functions and calls of one section.
pub(crate) struct Heading {
    /// The functions that the heading names.
    pub(crate) functions: Vec<&'static str>,
    pub(crate) calls: Vec<String>,
}

impl Document {
    pub(crate) fn new() -> Self {
        Self { text: INTRODUCTION.to_owned(), headings: Vec::new() }
    }

    pub(crate) fn text(self) -> String {
        self.text
    }

    pub(crate) fn part(&mut self, title: &str, about: &str) {
        write!(self.text, "\n## {title}\n").expect("a string grows");
        self.paragraph(about);
    }

    /// Writes a heading that names functions by their paths in the crate, and a paragraph about their rows.
    pub(crate) fn functions(&mut self, functions: &[&'static str], about: &str) {
        let names: Vec<_> = functions.iter().map(|name| code(name)).collect();
        self.heading(&names.join(", "), functions, about);
    }

    /// Writes a heading that names no function.
    pub(crate) fn section(&mut self, title: &str, about: &str) {
        self.heading(title, &[], about);
    }

    fn heading(&mut self, title: &str, functions: &[&'static str], about: &str) {
        self.headings.push(Heading { functions: functions.to_vec(), calls: Vec::new() });
        write!(self.text, "\n### {title}\n").expect("a string grows");
        self.paragraph(about);
    }

    fn paragraph(&mut self, text: &str) {
        if !text.is_empty() {
            write!(self.text, "\n{text}\n").expect("a string grows");
        }
    }

    /// Writes a table of calls and answers.
    pub(crate) fn calls(&mut self, rows: Vec<Row>) {
        self.table(["call", "answer"], rows.iter().map(|Row { call, answer }| [code(call), answer.clone()]));
        self.remember(rows.into_iter().map(|row| row.call));
    }

    /// Records that these calls belong to the last heading.
    pub(crate) fn remember(&mut self, calls: impl Iterator<Item = String>) {
        self.headings.last_mut().expect("calls stand under a heading").calls.extend(calls);
    }

    /// Writes a table with these columns.
    pub(crate) fn table<const N: usize>(&mut self, head: [&str; N], rows: impl Iterator<Item = [String; N]>) {
        self.text += "\n";
        self.line(&head.map(str::to_owned));
        self.line(&head.map(|_| "---".to_owned()));
        for row in rows {
            self.line(&row);
        }
    }

    fn line(&mut self, cells: &[String]) {
        // A bar would end the cell, even within code.
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        writeln!(self.text, "| {} |", cells.join(" | ")).expect("a string grows");
    }

    pub(crate) fn item(&mut self, text: &str) {
        writeln!(self.text, "* {text}").expect("a string grows");
    }
}

/// Formats the text as code; an empty text stays empty.
pub(crate) fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        // The text contains a backtick.
        _ if text.contains('`') => format!("`` {text} ``"),
        _ => format!("`{text}`"),
    }
}
