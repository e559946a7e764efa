//! Runs all checks, each part as a process of its own with a time limit.

mod environment;
mod parts;
mod report;
mod supervise;
mod tree;

use std::env;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::ci::parts::{LANES, PARTS, Part};
use crate::ci::report::{Summary, Verdict, Watched, judge};
use crate::ci::supervise::{GRACE, supervise};
use crate::ci::tree::Tree;
use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::{install, workspace};

/// No part starts after this time.
const LIMIT: Duration = Duration::from_secs(4600);

#[derive(clap::Args)]
#[command(after_long_help = "\
Installs what it needs. The parts are in two lanes, which run side by side. Each line of output begins with the name of \
its part.

The last lines list the seconds that each part took, beside its budget, which a slow machine of two threads keeps. A \
part is ended, and fails, after three times its budget and a minute. No part begins after 76 minutes; the run then fails.

If a tool or the network is missing for a part, the part is skipped, which the summary repeats. In strict mode it fails, \
except for the advisories. A run is strict if CI is set on x86-64 Linux, or if POSENC_CI_STRICT is 1; \
POSENC_CI_STRICT=0 prevents it.")]
pub(crate) struct Arguments {
    /// The parts to run, by default all
    #[arg(value_parser = parts::parser())]
    parts: Vec<Part>,
}

#[derive(clap::Args)]
pub(crate) struct PartArguments {
    #[arg(value_parser = parts::parser())]
    part: Part,
}

/// Runs one part in this process.
pub(crate) fn run_part_here(arguments: &PartArguments) -> Outcome {
    (arguments.part.run)()
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    workspace::check_readme()?;
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !Run::cargo(subcommand).arg("--version").succeeds() {
            // Every part needs the components, so they are no reason to skip the run.
            install::component(component).map_err(|failure| Failure::failed(failure.sentence()))?;
        }
    }
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;
    let run = FullRun {
        // Read now, before a part can rebuild the program.
        program: env::current_exe()?,
        tree: workspace::root().to_owned(),
        strict: environment::is_strict(),
        limit: LIMIT,
        interrupted: &INTERRUPTED,
    };
    let wanted = |part: &&Part| arguments.parts.is_empty() || arguments.parts.iter().any(|of| of.name == part.name);
    let parts: Vec<Part> = PARTS.iter().filter(wanted).copied().collect();
    let summary = run.parts(&parts, time_limit)?;
    say(&summary);
    if summary.has_failed() { Err(Failure::failed(summary.counts())) } else { Ok(()) }
}

/// Prints a line. A closed output does not change the result.
fn say(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Returns how long a part may run before it is ended.
fn time_limit(part: &Part) -> Duration {
    Duration::from_secs(3 * part.budget + 60)
}

struct FullRun<'a> {
    /// The program that runs a part if its arguments are `part` and the name.
    program: PathBuf,
    /// A directory of the repository, whose files must not change.
    tree: PathBuf,
    strict: bool,
    limit: Duration,
    interrupted: &'a AtomicBool,
}

impl FullRun<'_> {
    /// Runs the lanes side by side, and the parts of each one after another.
    fn parts(&self, parts: &[Part], time_limit: impl Fn(&Part) -> Duration + Sync) -> Outcome<Summary> {
        let start = Instant::now();
        let tree = Mutex::new(Tree::of(&self.tree)?);
        let summary = Mutex::new(Summary::default());
        let lane = |lane| {
            for part in parts.iter().filter(|part| part.lane == lane) {
                let began = Instant::now();
                let verdict = if start.elapsed() >= self.limit {
                    Verdict::Failed(format!("not begun, because the limit of {} s is reached", self.limit.as_secs()))
                } else {
                    let verdict = self.part(part, time_limit(part));
                    let verdict = verdict.unwrap_or_else(|failure| Verdict::failed(failure.sentence()));
                    self.check_tree(&tree, verdict)
                };
                let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
                summary.add(part, began.elapsed(), verdict);
                if self.interrupted.load(Ordering::Relaxed) {
                    summary.interrupted = true;
                    break;
                }
            }
        };
        thread::scope(|scope| {
            for number in LANES {
                scope.spawn(move || lane(number));
            }
        });
        let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
        summary.total = start.elapsed();
        Ok(summary)
    }

    /// Lets the part fail if files have changed since the last part ended.
    fn check_tree(&self, tree: &Mutex<Tree>, verdict: Verdict) -> Verdict {
        let mut tree = tree.lock().unwrap_or_else(PoisonError::into_inner);
        match Tree::of(&self.tree) {
            Ok(now) if now == *tree => verdict,
            Ok(now) => {
                let changed = format!("files of the tree have changed while it ran: {}", now.changed_files());
                *tree = now;
                verdict.and_failed(&changed)
            }
            Err(failure) => verdict.and_failed(failure.sentence()),
        }
    }

    fn part(&self, part: &Part, limit: Duration) -> Outcome<Verdict> {
        let show = |line: &str| say(format_args!("{:15} | {line}", part.name));
        show("begins");
        let mut watched = Watched::new(show);
        let mut command = Command::new(&self.program);
        environment::clean(command.args(["part", part.name]).current_dir(&self.tree));
        let ended = supervise(&mut command, limit, GRACE, self.interrupted, |bytes| watched.feed(bytes))?;
        watched.end();
        Ok(judge(part, &ended, &watched, self.strict))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::{FullRun, time_limit};
    use crate::ci::parts::Part;
    use crate::ci::tree::repository;

    /// This is run as `sh part NAME`.
    const PROGRAM: &str = "\
case $1 in
    passes) ;;
    sleeps) sleep 600 & sleep 600 ;;
    changes) echo two >file ;;
    skips) echo no compiler; exit 69 ;;
    shows) echo \"$INSTA_UPDATE\"; [ \"$INSTA_UPDATE\" = no ] ;;
esac
";

    fn part(name: &'static str) -> Part {
        Part { name, lane: usize::from(name == "skips"), budget: 1, run: || Ok(()), may_be_skipped: false }
    }

    fn summary(test: &str, names: &[&'static str], limit: Duration, interrupted: &AtomicBool) -> String {
        let tree = repository(test, &[("part", PROGRAM), ("file", "one")]);
        let run = FullRun { program: PathBuf::from("sh"), tree, strict: false, limit, interrupted };
        let parts: Vec<Part> = names.iter().map(|name| part(name)).collect();
        let limit = |part: &Part| Duration::from_millis(if part.name == "sleeps" { 300 } else { 60_000 });
        let summary = run.parts(&parts, limit).unwrap();
        assert_eq!(summary.has_failed(), summary.to_string().contains("FAILED") || interrupted.load(Ordering::Relaxed));
        summary.to_string()
    }

    #[test]
    fn a_part_that_sleeps_or_changes_a_file_fails_alone() {
        let names = ["sleeps", "changes", "passes", "skips", "shows"];
        let summary = summary("full-run", &names, Duration::from_secs(600), &AtomicBool::new(false));
        let expected = [
            "sleeps           FAILED: ended after ",
            "changes          FAILED: files of the tree have changed while it ran:  M file",
            "passes           passed",
            "skips            SKIPPED, all of it or some: no compiler",
            "shows            passed",
        ];
        for expected in expected {
            let mut lines = summary.lines().filter_map(|line| line.get(17..));
            assert!(lines.any(|line| line.starts_with(expected)), "{summary}");
        }
        assert!(summary.ends_with("parts: 2 passed, 2 failed, 1 skipped"), "{summary}");
    }

    #[test]
    fn no_part_begins_after_the_limit() {
        let summary = summary("limit", &["passes", "skips"], Duration::ZERO, &AtomicBool::new(false));
        assert!(
            summary.contains("passes           FAILED: not begun, because the limit of 0 s is reached"),
            "{summary}"
        );
        assert!(summary.ends_with("parts: 0 passed, 2 failed, 0 skipped"), "{summary}");
    }

    #[test]
    fn an_interruption_ends_the_run() {
        let summary = summary("interrupted", &["sleeps", "passes"], Duration::from_secs(600), &AtomicBool::new(true));
        assert!(summary.contains("the run was ended"), "{summary}");
        assert!(!summary.contains("passes "), "{summary}");
    }

    #[test]
    fn a_part_is_ended_after_three_times_its_budget_and_a_minute() {
        assert_eq!(time_limit(&Part { budget: 20, ..part("passes") }), Duration::from_secs(120));
    }
}
