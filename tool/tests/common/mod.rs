//! Helpers for the tests: running the command, and creating files for it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use npyz::WriterBuilder;
use safetensors::SafeTensors;

/// A folder that is removed after the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    /// Returns the names of all files in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Runs the command in this folder with the words of `line`.
    pub(crate) fn posenc(&self, line: &str) -> Ran {
        Ran(self.command(line).output().unwrap(), line.to_owned())
    }

    /// As [`posenc`](Self::posenc), with an environment of these variables alone.
    pub(crate) fn posenc_with(&self, line: &str, variables: &[(&str, &str)]) -> Ran {
        Ran(self.command(line).env_clear().envs(variables.iter().copied()).output().unwrap(), line.to_owned())
    }

    /// As [`posenc`](Self::posenc), with these bytes on stdin.
    pub(crate) fn posenc_reading(&self, line: &str, bytes: &[u8]) -> Ran {
        let mut command = self.command(line);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that refuses its options does not read.
        let _ = child.stdin.take().unwrap().write_all(bytes);
        Ran(child.wait_with_output().unwrap(), line.to_owned())
    }

    /// Asserts that two commands write the same bytes.
    #[track_caller]
    pub(crate) fn check_same(&self, line: &str, other: &str) {
        let [found, expected] = [line, other].map(|line| {
            self.posenc(&format!("{line} -o same.bin")).done();
            fs::read(self.path("same.bin")).unwrap()
        });
        assert!(found == expected, "posenc {line}\nposenc {other}");
    }

    /// Asserts that the command of an answer makes the entries of the file that was identified.
    #[track_caller]
    pub(crate) fn check_command(&self, answer: &Ran, file: &str) {
        let (_, ending) = file.split_once('.').unwrap();
        let exact = format!("exact.{ending}");
        let command = answer.command().replace("exact.safetensors", &exact);
        self.posenc(&command).done();
        assert!(self.entries(&exact) == self.entries(file), "{command}");
    }

    /// Returns the bytes of a file, of the tensor `pe` alone if it is a .safetensors file.
    pub(crate) fn entries(&self, name: &str) -> Vec<u8> {
        let file = fs::read(self.path(name)).unwrap();
        if !name.ends_with(".safetensors") {
            return file;
        }
        SafeTensors::deserialize(&file).unwrap().tensor("pe").unwrap().data().to_vec()
    }

    /// Returns the command in this folder with the words of `line`, where text between single quotes is one word.
    pub(crate) fn command(&self, line: &str) -> Command {
        let parts = line.split('\'').enumerate();
        let words = parts.flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_posenc"));
        command.current_dir(self.0.path()).args(words);
        command
    }
}

/// The output and arguments of a run.
pub(crate) struct Ran(Output, String);

impl Ran {
    #[track_caller]
    pub(crate) fn status(self, expected: i32) -> Self {
        let (out, err) = (self.out(), self.err());
        assert_eq!(self.0.status.code(), Some(expected), "posenc {}\n{out}\n{err}", self.1);
        assert!(!err.contains("panicked"), "posenc {}\n{err}", self.1);
        self
    }

    /// Returns the exit status.
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    /// Asserts that the run succeeded.
    #[track_caller]
    pub(crate) fn done(self) -> Self {
        self.status(0)
    }

    /// Asserts that the run failed with a single message that contains `words`.
    #[track_caller]
    pub(crate) fn refused(self, words: &str) {
        let ran = self.status(2);
        assert!(ran.err().starts_with("error: "), "posenc {}\n{}", ran.1, ran.err());
        assert!(ran.err().contains(words), "posenc {}\n{}\nhas no: {words}", ran.1, ran.err());
        assert_eq!(ran.out(), "");
    }

    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        let out = self.out();
        assert!(out.contains(words), "posenc {}\n{out}\nhas no: {words}", self.1);
        self
    }

    /// Returns the first command in an answer, without the name of the program.
    #[track_caller]
    pub(crate) fn command(&self) -> String {
        let out = self.out();
        let command = out.lines().find_map(|line| line.trim().strip_prefix("command  posenc "));
        command.unwrap_or_else(|| panic!("posenc {}\n{out}\nhas no command", self.1)).to_owned()
    }

    pub(crate) fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0.stdout
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }
}

/// Writes a .npy file.
pub(crate) fn write_npy<T: npyz::AutoSerialize + Copy>(path: &Path, shape: &[u64], entries: &[T]) {
    let file = fs::File::create(path).unwrap();
    let options = npyz::WriteOptions::new().default_dtype().shape(shape).writer(std::io::BufWriter::new(file));
    let mut writer = options.begin_nd().unwrap();
    writer.extend(entries.iter().copied()).unwrap();
    writer.finish().unwrap();
}
