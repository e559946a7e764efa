//! The state of the files according to git, which no part may change.

use std::path::Path;

use crate::command::Run;
use crate::failure::Outcome;

#[derive(Clone, PartialEq)]
pub(crate) struct Tree {
    status: String,
    difference: String,
}

impl Tree {
    /// Reads the state of the files in a directory of a repository.
    pub(crate) fn of(directory: &Path) -> Outcome<Self> {
        let git = |arguments: &[&str]| git(directory).args(arguments).stdout();
        Ok(Self {
            status: git(&["status", "--porcelain", "--untracked-files=all"])?,
            difference: git(&["diff", "--binary", "HEAD"])?,
        })
    }

    /// Lists the first few changed files.
    pub(crate) fn changed_files(&self) -> String {
        self.status.lines().take(3).collect::<Vec<_>>().join(", ")
    }
}

/// Runs git in a directory, even if a hook of another repository runs this program.
fn git(directory: &Path) -> Run {
    let git = Run::new("git").dir(directory);
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].into_iter().fold(git, Run::without_env)
}

/// Creates a repository with these files for tests.
#[cfg(test)]
pub(crate) fn repository(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let directory = crate::workspace::root().join("target/xtask-tests").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    for (file, content) in files {
        std::fs::write(directory.join(file), content).unwrap();
    }
    let commit = ["commit", "--quiet", "--no-verify", "--message", "first"];
    for arguments in [["init", "--quiet"].as_slice(), &["add", "."], &commit] {
        let identity =
            ["-c", "user.name=t", "-c", "user.email=t", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"];
        let (status, output) = git(&directory).args(identity).args(arguments).capture().unwrap();
        assert!(status.success(), "{output}");
    }
    directory
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Tree, repository};

    #[test]
    fn every_change_of_a_file_is_seen() {
        let directory = repository("tree", &[(".gitignore", "ignored\n"), ("file", "one")]);
        let tree = || Tree::of(&directory).unwrap();

        let clean = tree();
        assert_eq!(clean.changed_files(), "");
        fs::write(directory.join("ignored"), "").unwrap();
        assert!(tree() == clean);
        fs::write(directory.join("file"), "two").unwrap();
        let changed = tree();
        assert!(changed != clean);
        assert_eq!(changed.changed_files(), " M file");
        // The status alone does not show a second change.
        fs::write(directory.join("file"), "three").unwrap();
        assert!(tree() != changed);
        fs::write(directory.join("file"), "one").unwrap();
        assert!(tree() == clean);
        fs::write(directory.join("new"), "").unwrap();
        assert_eq!(tree().changed_files(), "?? new");
    }
}
