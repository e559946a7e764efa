//! Runs other programs.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use wait4::{ResourceUsage, Wait4};

use crate::run::failure::{Outcome, UNAVAILABLE, bail, unavailable};
use crate::run::files::root;
use crate::run::supervise::supervise;

/// A program to run in the root of the workspace.
pub(crate) struct Run {
    command: Command,
}

impl Run {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(root());
        Self { command }
    }

    /// Returns a run of a command line whose words have no spaces.
    pub(crate) fn line(line: &str) -> Self {
        let mut words = line.split_whitespace();
        Self::new(words.next().unwrap_or_default()).args(words)
    }

    /// Adds arguments that have no spaces.
    pub(crate) fn words(self, words: &str) -> Self {
        self.args(words.split_whitespace())
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn envs(mut self, variables: impl IntoIterator<Item = (String, OsString)>) -> Self {
        self.command.envs(variables);
        self
    }

    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Removes the variables that can change the flags of the compiler.
    pub(crate) fn without_compiler_flags(self) -> Self {
        let changes_flags =
            |name: &String| ["CARGO_BUILD", "CARGO_ENCODED", "RUSTFLAGS"].iter().any(|prefix| name.starts_with(prefix));
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        names.filter(changes_flags).fold(self, |run, name| run.without_env(&name))
    }

    pub(crate) fn dir(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Runs it and shows the output.
    pub(crate) fn run(mut self) -> Outcome {
        self.echo();
        let status = self.command.status().map_err(|error| self.not_started(&error))?;
        self.check(status.code())
    }

    /// Runs it, shows the output, and returns it, stdout and stderr merged.
    pub(crate) fn tee(mut self) -> Outcome<String> {
        self.echo();
        let (code, output) = self.merged(say)?;
        self.check(code)?;
        Ok(output)
    }

    /// Runs it without showing the output, and returns whether it succeeds, and the output, stdout and stderr merged.
    pub(crate) fn capture(mut self) -> Outcome<(bool, String)> {
        self.echo();
        let (code, output) = self.merged(|_| ())?;
        Ok((code == Some(0), output))
    }

    /// Runs it, shows stderr, and returns stdout.
    pub(crate) fn stdout(mut self) -> Outcome<String> {
        self.command.stderr(Stdio::inherit());
        Ok(self.outputs()?.0)
    }

    /// Runs it without showing the output, and returns stdout and stderr.
    pub(crate) fn stdout_and_stderr(self) -> Outcome<(String, String)> {
        self.echo();
        self.outputs()
    }

    fn outputs(mut self) -> Outcome<(String, String)> {
        let output = self.command.output().map_err(|error| self.not_started(&error))?;
        let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        self.check(output.status.code()).inspect_err(|_| eprint!("{stderr}"))?;
        Ok((stdout, stderr))
    }

    /// Runs it, discards stdout, and returns its wall time and the resources that it and its processes used.
    pub(crate) fn measure(mut self) -> Outcome<(Duration, ResourceUsage)> {
        let start = Instant::now();
        let child = self.command.stdout(Stdio::null()).spawn();
        let ended = child.map_err(|error| self.not_started(&error))?.wait4()?;
        self.check(ended.status.code())?;
        Ok((start.elapsed(), ended.rusage))
    }

    /// Returns whether it can be started and succeeds, and discards the output.
    pub(crate) fn succeeds(mut self) -> bool {
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.command.status().is_ok_and(|status| status.success())
    }

    /// Returns whether it succeeds within a time, and shows its output on stderr.
    pub(crate) fn succeeds_within(mut self, limit: Duration) -> bool {
        self.echo();
        supervise(&mut self.command, limit, &NEVER, |line| eprintln!("{line}")).is_ok_and(|ended| ended.code == Some(0))
    }

    fn merged(&mut self, show: impl Fn(&str)) -> Outcome<(Option<i32>, String)> {
        let mut output = String::new();
        let read = |line: &str| {
            show(line);
            output += line;
            output.push('\n');
        };
        let ended = supervise(&mut self.command, Duration::MAX, &NEVER, read);
        Ok((ended.map_err(|error| self.not_started(&error))?.code, output))
    }

    fn echo(&self) {
        eprintln!("$ {self}");
    }

    fn not_started(&self, error: &io::Error) -> anyhow::Error {
        let program = self.command.get_program().display();
        match error.kind() {
            io::ErrorKind::NotFound => unavailable(format_args!("there is no program `{program}`")),
            _ => anyhow::anyhow!("`{program}` cannot be started: {error}"),
        }
    }

    fn check(&self, code: Option<i32>) -> Outcome {
        match code {
            Some(0) => Ok(()),
            Some(code) if code == i32::from(UNAVAILABLE) => {
                Err(unavailable(format_args!("something is missing for `{self}`")))
            }
            Some(code) => bail!("`{self}` failed with exit status {code}"),
            None => bail!("`{self}` was ended by a signal"),
        }
    }
}

/// It is never set: Ctrl-C ends this program with all that it runs.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Prints a line. A closed output does not change the result.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Formats the command line for a shell, with the variables that are set.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.command.get_envs() {
            if let Some(value) = value {
                write!(f, "{}={} ", name.display(), quoted(value))?;
            }
        }
        write!(f, "{}", quoted(self.command.get_program()))?;
        self.command.get_args().try_for_each(|argument| write!(f, " {}", quoted(argument)))
    }
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:+,@%\\".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Returns whether there is a program of this name.
pub(crate) fn has_program(name: &str) -> bool {
    find_program(name).is_some()
}

/// Returns the path of the program of this name.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(&file)).find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::Run;

    #[test]
    fn a_command_line_is_shown_as_a_shell_takes_it() {
        let run = Run::line("cargo run").arg("it's").env("RUSTFLAGS", "--cfg x=\"y\"").without_env("RUSTC");
        assert_eq!(run.to_string(), r#"RUSTFLAGS='--cfg x="y"' cargo run 'it'\''s'"#);
    }

    #[test]
    fn a_program_that_is_not_there_is_unavailable() {
        let missing = Run::line("no-program-has-this-name").run();
        let expected = "unavailable: there is no program `no-program-has-this-name`";
        assert_eq!(format!("{:#}", missing.unwrap_err()), expected);
    }
}
