//! Runs other programs.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome, UNAVAILABLE};
use crate::root::root;

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

    /// Runs `cargo` with a subcommand.
    pub(crate) fn cargo(subcommand: &str) -> Self {
        Self::new("cargo").arg(subcommand)
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
        self.check(status)
    }

    /// Runs it, shows the output, and returns it, stdout and stderr merged.
    pub(crate) fn tee(mut self) -> Outcome<String> {
        self.echo();
        let (status, output) = self.merged(true)?;
        self.check(status)?;
        Ok(output)
    }

    /// Runs it, shows the output, and returns the exit status (of any kind) and the output.
    pub(crate) fn show(mut self) -> Outcome<(ExitStatus, String)> {
        self.echo();
        self.merged(true)
    }

    /// Runs it without showing the output, and returns the exit status and the output, stdout and stderr merged.
    pub(crate) fn capture(mut self) -> Outcome<(ExitStatus, String)> {
        self.echo();
        self.merged(false)
    }

    /// Runs it, shows stderr, and returns stdout.
    pub(crate) fn stdout(mut self) -> Outcome<String> {
        let output = self.command.stderr(Stdio::inherit()).output().map_err(|error| self.not_started(&error))?;
        self.check(output.status)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs it without showing the output, and returns the output. On failure, the error contains stderr.
    pub(crate) fn output(mut self) -> Outcome<Output> {
        self.echo();
        let output = self.command.output().map_err(|error| self.not_started(&error))?;
        let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        match self.check(output.status) {
            Ok(()) => Ok(Output { stdout, stderr }),
            Err(Failure::Failed(sentence)) => Err(Failure::Failed(format!("{stderr}{sentence}"))),
            Err(unavailable) => Err(unavailable),
        }
    }

    /// Returns whether it can be started and succeeds, and discards the output.
    pub(crate) fn succeeds(mut self) -> bool {
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.command.status().is_ok_and(|status| status.success())
    }

    /// Returns whether it succeeds within a time, and shows its output on stderr.
    pub(crate) fn succeeds_within(mut self, limit: Duration) -> bool {
        self.echo();
        self.command.stdin(Stdio::null()).stdout(io::stderr());
        let Ok(mut child) = self.command.spawn() else { return false };
        let start = Instant::now();
        while start.elapsed() < limit {
            match child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(100)),
                Ok(Some(status)) => return status.success(),
                Err(_) => break,
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        false
    }

    fn merged(&mut self, show: bool) -> Outcome<(ExitStatus, String)> {
        let mut output = String::new();
        let (reader, mut child) = spawn_merged(&mut self.command).map_err(|error| self.not_started(&error))?;
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            if show {
                io::stdout().write_all(&line)?;
            }
            output += &String::from_utf8_lossy(&line);
            line.clear();
        }
        Ok((child.wait()?, output))
    }

    fn echo(&self) {
        eprintln!("$ {self}");
    }

    fn not_started(&self, error: &io::Error) -> Failure {
        let program = self.command.get_program().display();
        match error.kind() {
            io::ErrorKind::NotFound => Failure::unavailable(format_args!("there is no program `{program}`")),
            _ => Failure::failed(format_args!("`{program}` cannot be started: {error}")),
        }
    }

    fn check(&self, status: ExitStatus) -> Outcome {
        match status.code() {
            Some(0) => Ok(()),
            Some(code) if code == i32::from(UNAVAILABLE) => {
                Err(Failure::unavailable(format_args!("something is missing for `{self}`")))
            }
            _ => Err(Failure::failed(format_args!("`{self}` failed: {status}"))),
        }
    }
}

/// The output of a program.
pub(crate) struct Output {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Starts a program whose stdout and stderr go to one pipe.
pub(crate) fn spawn_merged(command: &mut Command) -> io::Result<(io::PipeReader, Child)> {
    let (reader, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn();
    // The command still holds the write ends of the pipe. If they stayed open, the reader would never reach the end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((reader, child?))
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
    use crate::failure::Failure;

    #[test]
    fn a_command_line_is_shown_as_a_shell_takes_it() {
        let run = Run::cargo("run").arg("it's").env("RUSTFLAGS", "--cfg x=\"y\"").without_env("RUSTC");
        assert_eq!(run.to_string(), r#"RUSTFLAGS='--cfg x="y"' cargo run 'it'\''s'"#);
    }

    #[test]
    fn a_program_that_is_not_there_is_unavailable() {
        let missing = Run::new("no-program-has-this-name").run();
        assert!(matches!(missing, Err(Failure::Unavailable(ref sentence)) if sentence.contains("no-program")));
    }
}
