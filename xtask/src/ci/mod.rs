//! Everything that must hold, each part as a process of its own with a time limit.

mod environment;
mod parts;
mod report;
mod supervise;
mod tree;

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::ci::parts::{PARTS, Part};
use crate::ci::report::{Summary, Verdict, Watched, judge};
use crate::ci::supervise::{GRACE, supervise};
use crate::ci::tree::Tree;
use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::{install, workspace};

/// No part begins after this time.
const LIMIT: Duration = Duration::from_secs(4200);

#[derive(clap::Args)]
#[command(after_long_help = "\
Installs what it needs. The last lines list the seconds that each part took, beside its budget, which a slow machine of \
two threads keeps. A part is ended, and fails, after three times its budget and a minute. No part begins after 70 \
minutes; the run then fails.

If a tool or the network is missing for a part, the part is skipped, which the summary repeats. In strict mode it fails, \
except for the advisories. A run is strict if CI is set on x86-64 Linux, or if POSENC_CI_STRICT is 1; \
POSENC_CI_STRICT=0 prevents it.")]
pub(crate) struct Arguments {
    /// Which parts, all unless given
    #[arg(value_parser = parts::parser())]
    parts: Vec<Part>,
}

#[derive(clap::Args)]
pub(crate) struct PartArguments {
    #[arg(value_parser = parts::parser())]
    part: Part,
}

/// Runs a part in this process.
pub(crate) fn run_part_here(arguments: &PartArguments) -> Outcome {
    (arguments.part.run)()
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    workspace::check_readme()?;
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !Run::cargo(subcommand).arg("--version").succeeds() {
            install::component(component)?;
        }
    }
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;
    let run = FullRun {
        // Before a part can build the program anew.
        program: env::current_exe()?,
        tree: workspace::root().to_owned(),
        strict: environment::is_strict(),
        limit: LIMIT,
        interrupted: &INTERRUPTED,
    };
    let wanted = |part: &&Part| arguments.parts.is_empty() || arguments.parts.iter().any(|of| of.name == part.name);
    let parts: Vec<Part> = PARTS.iter().filter(wanted).copied().collect();
    let summary = run.parts(&parts, time_limit)?;
    println!("{summary}");
    if summary.has_failed() { Err(Failure::failed(summary.counts())) } else { Ok(()) }
}

/// How long a part may take before it is ended.
fn time_limit(part: &Part) -> Duration {
    Duration::from_secs(3 * part.budget + 60)
}

struct FullRun<'a> {
    /// The program that runs a part if it is given `part` and the name.
    program: PathBuf,
    /// A directory of the repository whose files may not change.
    tree: PathBuf,
    strict: bool,
    limit: Duration,
    interrupted: &'a AtomicBool,
}

impl FullRun<'_> {
    fn parts(&self, parts: &[Part], time_limit: impl Fn(&Part) -> Duration) -> Outcome<Summary> {
        let start = Instant::now();
        let mut summary = Summary::default();
        let mut tree = Tree::of(&self.tree)?;
        for part in parts {
            if start.elapsed() >= self.limit {
                let reason = format!("not begun, because the limit of {} s is reached", self.limit.as_secs());
                summary.add(part, Duration::ZERO, Verdict::Failed(reason));
                continue;
            }
            println!("\n== {}", part.name);
            let (took, mut verdict) = self.part(part, time_limit(part))?;
            let now = Tree::of(&self.tree)?;
            if now != tree {
                verdict = Verdict::Failed(format!("it has changed files of the tree: {}", now.changed_files()));
                tree = now;
            }
            summary.add(part, took, verdict);
            if self.interrupted.load(Ordering::Relaxed) {
                summary.interrupted = true;
                break;
            }
        }
        Ok(summary)
    }

    fn part(&self, part: &Part, limit: Duration) -> Outcome<(Duration, Verdict)> {
        let mut watched = Watched::default();
        let mut command = Command::new(&self.program);
        environment::clean(command.args(["part", part.name]).current_dir(&self.tree));
        let ended = supervise(&mut command, limit, GRACE, self.interrupted, |bytes| {
            watched.feed(bytes);
            // The result does not depend on whether somebody reads the output.
            let _ = io::stdout().write_all(bytes);
        })?;
        let _ = io::stdout().flush();
        Ok((ended.took, judge(part, &ended, &watched, self.strict)))
    }
}
