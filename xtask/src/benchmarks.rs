//! Replaces the figures in `BENCHMARKS.md` by the output of tasks.

use std::{env, fs};

use crate::command::Run;
use crate::failure::{Context, Outcome, Skipped};
use crate::root::{read, root};

const FILE: &str = "BENCHMARKS.md";

/// The two parts of the mark before the figures of a task. The task's name is between them.
const BEGIN: (&str, &str) = ("<!-- cargo xtask ", " -->\n");
const END: &str = "<!-- end -->\n";

/// Runs each task that the file names, and replaces its figures by its output.
pub(crate) fn run() -> Outcome {
    let mut skipped = Skipped::default();
    let text = rewritten(&read(FILE)?, |task| {
        let mut figures = None;
        let measured = Run::new(env::current_exe()?).words(task).stdout().map(|printed| figures = Some(printed));
        skipped.check(&format!("benchmarks: {task}, whose figures stay"), measured)?;
        Ok(figures)
    })?;
    fs::write(root().join(FILE), text)?;
    skipped.finish()
}

/// Returns the text with the figures between the marks replaced, except those for which `figures` returns `None`.
fn rewritten(text: &str, mut figures: impl FnMut(&str) -> Outcome<Option<String>>) -> Outcome<String> {
    let (mut new, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGIN.0) {
        let (task, after) = after.split_once(BEGIN.1).with_context(|| unfinished(BEGIN.1))?;
        let (former, after) = after.split_once(END).with_context(|| unfinished(END))?;
        let figures = figures(task)?.map_or_else(|| former.to_owned(), |figures| format!("\n{}\n\n", figures.trim()));
        new += &[before, BEGIN.0, task, BEGIN.1, &figures, END].concat();
        rest = after;
    }
    Ok(new + rest)
}

fn unfinished(mark: &str) -> String {
    format!("{FILE}: a block of figures has no `{}`", mark.trim())
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    #[test]
    fn figures_are_replaced_and_words_stay() {
        let text = "# Speed\n<!-- cargo xtask bench -->\n\n| old |\n\n<!-- end -->\nWords.\n<!-- cargo xtask cost 1 -->\n2\n<!-- end -->\n";
        let expected = "# Speed\n<!-- cargo xtask bench -->\n\n| bench |\n\n<!-- end -->\nWords.\n\
            <!-- cargo xtask cost 1 -->\n\n| cost 1 |\n\n<!-- end -->\n";
        let figures = |task: &str| Ok(Some(format!("| {task} |\n")));
        assert_eq!(rewritten(text, figures).unwrap(), expected);
        assert_eq!(rewritten(expected, figures).unwrap(), expected);
        assert_eq!(rewritten(text, |_| Ok(None)).unwrap(), text);
        assert!(rewritten(&text.replace("<!-- end -->", ""), |_| Ok(None)).is_err());
        assert!(rewritten("<!-- cargo xtask bench", |_| Ok(None)).is_err());
    }
}
