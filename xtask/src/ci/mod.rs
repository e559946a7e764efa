//! Runs all checks, each part as a process of its own with a time limit.

mod parts;
mod report;

use std::env::{self, consts};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::ci::parts::{LANES, Part};
use crate::ci::report::{Summary, Verdict, Watched, judge};
use crate::install;
use crate::run::{Outcome, Run, bail, ensure, root, say, supervise};

/// The help of `cargo xtask ci`.
pub(crate) const HELP: &str = "\
Use `.ci/run`, which does this in a clean environment. Installs what it needs. The parts are in two lanes, which run side \
by side. Each line of output begins with the name of its part.

The last lines list the seconds that each part took, beside its budget, which a slow machine of two threads keeps. A \
part is killed, and fails, after three times its budget and a minute.

If a tool or the network is missing for a part, the part is skipped, which the summary repeats. In strict mode it fails, \
except for the advisories and Miri. A run is strict if CI is set on x86-64 Linux, or if POSENC_CI_STRICT is 1; \
POSENC_CI_STRICT=0 prevents it.";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run everything instead of samples of the long parts, as before a release
    #[arg(long)]
    full: bool,
    /// The parts to run, by default all
    #[arg(value_parser = parts::names())]
    parts: Vec<String>,
}

/// Runs parts in this process.
pub(crate) fn run_here(arguments: &Arguments) -> Outcome {
    for part in parts::wanted(&arguments.parts, arguments.full) {
        if let Some(sample) = part.sample {
            println!("{}: a sample: {sample}; with --full everything", part.name);
        }
        (part.run)()?;
    }
    Ok(())
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !Run::line("cargo").args([subcommand, "--version"]).succeeds()
            && let Err(failure) = install::rustup("component", component)
        {
            // Every part needs the components, so they are no reason to skip the run.
            bail!("{}", failure.root_cause());
        }
    }
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed))?;
    let value = |name| env::var(name).unwrap_or_default();
    let run = FullRun {
        // Read now, before a part can rebuild the program.
        program: env::current_exe()?,
        tree: root().to_owned(),
        strict: is_strict(&value("CI"), &value("POSENC_CI_STRICT"), consts::OS, consts::ARCH),
        full: arguments.full,
        interrupted: &INTERRUPTED,
    };
    let time_limit = |part: &Part| Duration::from_secs(3 * part.budget + 60);
    let summary = run.parts(&parts::wanted(&arguments.parts, arguments.full), time_limit)?;
    say(&summary.to_string());
    ensure!(!summary.has_failed(), "not everything has passed");
    Ok(())
}

/// Returns whether a part fails if something it needs is missing.
fn is_strict(ci: &str, setting: &str, os: &str, arch: &str) -> bool {
    match setting {
        "" => !ci.is_empty() && os == "linux" && arch == "x86_64",
        "0" => false,
        _ => true,
    }
}

struct FullRun<'a> {
    /// The program that runs a part if its arguments are `part` and the name.
    program: PathBuf,
    /// A directory of the repository, whose files must not change.
    tree: PathBuf,
    strict: bool,
    full: bool,
    interrupted: &'a AtomicBool,
}

impl FullRun<'_> {
    /// Runs the lanes side by side, and the parts of each one after another.
    fn parts(&self, parts: &[Part], time_limit: impl Fn(&Part) -> Duration + Sync) -> Outcome<Summary> {
        let start = Instant::now();
        let files = Mutex::new(changed_files(&self.tree)?);
        let summary = Mutex::new(Summary::default());
        let lane = |lane| {
            for part in parts.iter().filter(|part| part.lane == lane) {
                let began = Instant::now();
                let verdict = self.part(part, time_limit(part), &files);
                let verdict = verdict.unwrap_or_else(|failure| Verdict::Failed(format!("{failure:#}")));
                let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
                summary.add(part, began.elapsed(), verdict);
                if self.interrupted.load(Ordering::Relaxed) {
                    summary.interrupted = true;
                    break;
                }
            }
        };
        thread::scope(|scope| LANES.into_iter().for_each(|number| drop(scope.spawn(move || lane(number)))));
        let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
        summary.total = start.elapsed();
        Ok(summary)
    }

    /// Runs a part, and fails if files have changed since the last part ended.
    fn part(&self, part: &Part, limit: Duration, files: &Mutex<String>) -> Outcome<Verdict> {
        let show = |line: &str| say(&format!("{:15} | {line}", part.name));
        show("begins");
        let mut watched = Watched::default();
        let mut command = Command::new(&self.program);
        command.args(["part", part.name]).args(self.full.then_some("--full")).current_dir(&self.tree);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let ended = supervise(&mut command, limit, self.interrupted, |line| {
            show(line);
            watched.read(line);
        })?;
        let verdict = judge(part, &ended, watched, self.strict);
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *files, changed_files(&self.tree)?);
        if matches!(verdict, Verdict::Failed(_)) || *files == before {
            return Ok(verdict);
        }
        let first: Vec<_> = files.lines().take(3).collect();
        Ok(Verdict::Failed(format!("files of the tree have changed while it ran: {}", first.join(", "))))
    }
}

/// Returns the names of the files that differ from the last commit, and then the differences.
fn changed_files(tree: &Path) -> Outcome<String> {
    let names = git(tree, "status --porcelain --untracked-files=all").stdout()?;
    Ok(names + &git(tree, "diff --binary HEAD").stdout()?)
}

/// Runs git in a directory, even if a hook of another repository runs this program.
fn git(tree: &Path, words: &str) -> Run {
    let run = Run::line("git").words(words).dir(tree);
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].into_iter().fold(run, Run::without_env)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::{FullRun, git, is_strict};
    use crate::ci::parts::{Part, part};
    use crate::run::{remove, root};

    /// This is run as `sh part NAME`.
    const PROGRAM: &str = "\
case $1 in
    passes) ;;
    sleeps) sleep 600 & sleep 600 ;;
    changes) echo two >file ;;
    changes-again) echo three >file ;;
    ignores) echo four >ignored ;;
    skips) echo no compiler; exit 69 ;;
esac
";

    /// Runs parts in a new repository, and returns the summary.
    fn summary(test: &str, names: &[&'static str], interrupted: bool) -> String {
        let tree = root().join("target/xtask-tests").join(test);
        remove(&tree).unwrap();
        fs::create_dir_all(&tree).unwrap();
        for (file, content) in [("part", PROGRAM), ("file", "one"), (".gitignore", "ignored\n")] {
            fs::write(tree.join(file), content).unwrap();
        }
        let commit =
            "-c user.name=t -c user.email=t -c commit.gpgsign=false commit --quiet --no-verify --message first";
        for words in ["init --quiet", "add .", commit] {
            git(&tree, words).run().unwrap();
        }
        let interrupted = AtomicBool::new(interrupted);
        let run = FullRun { program: PathBuf::from("sh"), tree, strict: false, full: false, interrupted: &interrupted };
        let parts: Vec<Part> =
            names.iter().map(|name| part(usize::from(*name == "skips"), name, 1, || Ok(()))).collect();
        let limit = |part: &Part| Duration::from_millis(if part.name == "sleeps" { 300 } else { 60_000 });
        let summary = run.parts(&parts, limit).unwrap();
        assert_eq!(summary.has_failed(), summary.to_string().contains("FAILED") || interrupted.load(Ordering::Relaxed));
        summary.to_string()
    }

    #[test]
    fn a_part_that_sleeps_or_changes_a_file_fails_alone() {
        let names = ["sleeps", "changes", "passes", "changes-again", "ignores", "skips"];
        let summary = summary("full-run", &names, false);
        let expected = [
            "sleeps           FAILED: killed, because it took too long",
            "changes          FAILED: files of the tree have changed while it ran:  M file",
            "passes           passed",
            "changes-again    FAILED: files of the tree have changed while it ran:  M file",
            "ignores          passed",
            "skips            SKIPPED, all of it or some: no compiler",
        ];
        for expected in expected {
            let mut lines = summary.lines().filter_map(|line| line.get(17..));
            assert!(lines.any(|line| line.starts_with(expected)), "{summary}");
        }
        assert!(summary.ends_with("parts: 2 passed, 3 failed, 1 skipped"), "{summary}");
    }

    #[test]
    fn an_interruption_ends_the_run() {
        let summary = summary("interrupted", &["sleeps", "passes"], true);
        assert!(summary.contains("the run was interrupted"), "{summary}");
        assert!(!summary.contains("passes "), "{summary}");
    }

    #[test]
    fn strict_is_ci_on_x86_64_linux_unless_set_otherwise() {
        assert!(is_strict("true", "", "linux", "x86_64"));
        assert!(!is_strict("", "", "linux", "x86_64"));
        assert!(!is_strict("true", "", "linux", "aarch64"));
        assert!(!is_strict("true", "0", "linux", "x86_64"));
        assert!(is_strict("", "1", "macos", "aarch64"));
    }
}
