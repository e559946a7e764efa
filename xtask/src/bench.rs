//! Measures run time, and writes BENCHMARKS.md.

use std::ffi::OsString;
use std::{env, fs};

use crate::run::{Context, Outcome, Run, Skipped, read, root};
use crate::small_tasks;

const MANIFEST: &str = "--manifest-path benches/Cargo.toml";

/// The folder of the picture in BENCHMARKS.md.
const PICTURES: &str = "benches/pictures";

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags of a command line")]
pub(crate) struct Arguments {
    /// Leave out the other libraries, which take minutes to build
    #[arg(long)]
    alone: bool,
    /// Print criterion's statistics instead
    #[arg(long)]
    criterion: bool,
    /// Compare posenc with Python libraries instead
    #[arg(long, conflicts_with_all = ["alone", "criterion"])]
    peers: bool,
    /// Compare the Python package with Python libraries instead
    #[arg(long, conflicts_with_all = ["alone", "criterion", "peers"])]
    python: bool,
    /// Measure tables of many sizes, draw `benches/pictures/cost_by_size.svg`, and print Markdown that embeds it
    #[arg(long, conflicts_with_all = ["alone", "criterion", "peers", "python", "rest"])]
    picture: bool,
    /// Number of rounds, or `worst` for the most expensive entries; with `--criterion`, arguments for criterion
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let rest = &arguments.rest;
    match arguments {
        Arguments { peers: true, .. } => return Run::line("python3 scripts/peers.py").args(rest).run(),
        Arguments { python: true, .. } => return Run::line("python3 python/benches/bench.py").args(rest).run(),
        Arguments { picture: true, .. } => return picture(),
        _ => {}
    }
    let run = Run::line(if arguments.criterion { "cargo bench" } else { "cargo run --release" }).words(MANIFEST);
    run.args(arguments.alone.then_some("--no-default-features")).arg("--").args(rest).run()
}

fn picture() -> Outcome {
    let sizes = Run::line("cargo run --release --no-default-features").words(MANIFEST).words("-- sizes").stdout()?;
    let measured = root().join("target/sizes.tsv");
    fs::create_dir_all(root().join("target"))?;
    fs::write(&measured, sizes)?;
    small_tasks::drawing(&["--sizes".into(), measured.into(), PICTURES.into()])?.stdout()?;
    println!("![Time per entry by the number of entries]({PICTURES}/cost_by_size.svg)");
    Ok(())
}

/// The file with the output of tasks, of this one and others.
const FILE: &str = "BENCHMARKS.md";

/// The two parts of the mark before the figures of a task. The task's name is between them.
const BEGIN: (&str, &str) = ("<!-- cargo xtask ", " -->\n");
const END: &str = "<!-- end -->\n";

/// Runs each task that the file names, and replaces its figures by its output.
pub(crate) fn write_benchmarks() -> Outcome {
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
    let mut new = String::new();
    for block in text.split_inclusive(END) {
        let Some((before, marked)) = block.split_once(BEGIN.0) else {
            new += block;
            continue;
        };
        let parts = marked.split_once(BEGIN.1).filter(|_| marked.ends_with(END));
        let (task, former) = parts.with_context(|| format!("{FILE}: the figures of `{marked}` have no end"))?;
        let figures = figures(task)?.map(|figures| format!("\n{}\n\n{END}", figures.trim()));
        new += &[before, BEGIN.0, task, BEGIN.1, figures.as_deref().unwrap_or(former)].concat();
    }
    Ok(new)
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
