//! Replaces the figures in `BENCHMARKS.md` by the output of tasks.

use std::{env, fs};

use crate::command::Run;
use crate::failure::{Failure, Outcome, Skipped};
use crate::root::root;

const FILE: &str = "BENCHMARKS.md";

/// The two parts of the mark before the figures of a task. The task's name is between them.
const BEGIN: (&str, &str) = ("<!-- cargo xtask ", " -->\n");
const END: &str = "<!-- end -->\n";

/// Runs each task that the file names, and replaces its figures by its output.
pub(crate) fn run() -> Outcome {
    let path = root().join(FILE);
    let mut skipped = Skipped::default();
    let text = rewritten(&fs::read_to_string(&path)?, |task| {
        let run = Run::new(env::current_exe()?).args(task.split(' '));
        match run.stdout() {
            Ok(figures) => Ok(Some(figures)),
            Err(Failure::Unavailable(reason)) => {
                skipped.add("benchmarks", format!("{task}: {reason}; its figures are unchanged"));
                Ok(None)
            }
            Err(failed) => Err(failed),
        }
    })?;
    fs::write(&path, text)?;
    skipped.finish()
}

/// Returns the text with the figures between the marks replaced, except those for which `figures` returns `None`.
fn rewritten(text: &str, mut figures: impl FnMut(&str) -> Outcome<Option<String>>) -> Outcome<String> {
    let (mut new, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGIN.0) {
        let (task, after) = after.split_once(BEGIN.1).ok_or_else(|| unfinished(BEGIN.1))?;
        let (former, after) = after.split_once(END).ok_or_else(|| unfinished(END))?;
        let figures = figures(task)?.map_or_else(|| former.to_owned(), |figures| format!("\n{}\n\n", figures.trim()));
        new += &[before, BEGIN.0, task, BEGIN.1, &figures, END].concat();
        rest = after;
    }
    Ok(new + rest)
}

fn unfinished(mark: &str) -> Failure {
    Failure::failed(format!("{FILE}: a block of figures has no `{}`", mark.trim()))
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
