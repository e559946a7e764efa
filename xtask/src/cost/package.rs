//! The small crates that are built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::built::{posenc, write_package};
use crate::cost::measure::{Cost, medians};
use crate::cost::sources::Size;
use crate::run::{Outcome, Run, ensure};

/// A package whose program is replaced for each measurement.
pub(super) struct Package {
    folder: PathBuf,
}

/// A program whose build is measured.
pub(super) struct Contender {
    pub(super) name: String,
    source: String,
    build: Build,
}

#[derive(PartialEq)]
pub(super) enum Build {
    /// The macro's files are removed, so that it computes the table.
    First,
    Later,
    /// The macro expands to a literal instead of a file of its own.
    Literal,
}

impl Contender {
    pub(super) fn new(name: impl Into<String>, source: impl Into<String>, build: Build) -> Self {
        Self { name: name.into(), source: source.into(), build }
    }
}

impl Package {
    pub(super) fn new(folder: &Path, dependencies: &str, program: &str) -> Outcome<Self> {
        write_package(folder, &format!("\n[dependencies]\n{dependencies}"), &[("main.rs", program)])?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Writes a package with a build script, so that no round has to compile it.
    pub(super) fn with_build_script(folder: &Path) -> Outcome<Self> {
        let (size, posenc) = (Size { n: 1, d: 1 }, posenc(""));
        let package = Self::new(folder, &format!("{posenc}\n[build-dependencies]\n{posenc}"), &size.baked())?;
        package.write_build_script(size)?;
        Ok(package)
    }

    pub(super) fn write_build_script(&self, size: Size) -> Outcome {
        Ok(fs::write(self.folder.join("build.rs"), size.build_script())?)
    }

    fn write_program(&self, source: &str) -> Outcome {
        Ok(fs::write(self.folder.join("src/main.rs"), source)?)
    }

    /// Returns a run of cargo in the folder. Incremental compilation would reuse constants from the previous run.
    pub(super) fn cargo(&self, words: &str) -> Run {
        let run = Run::line("cargo --quiet").words(words).dir(&self.folder);
        run.without_env("CARGO_TARGET_DIR").env("CARGO_INCREMENTAL", "0")
    }

    pub(super) fn run(&self, source: &str) -> Outcome {
        self.write_program(source)?;
        self.cargo("run").run()
    }

    /// Returns the seconds of a build of a program.
    pub(super) fn seconds(&self, source: &str) -> Outcome<f64> {
        self.write_program(source)?;
        Ok(Cost::of(self.cargo("build"))?.wall)
    }

    /// Removes the tables that the macro wrote, but not their folder, and returns how many there were.
    fn remove_macro_files(&self) -> Outcome<usize> {
        let find = Run::line("find . -path */debug/build/posenc-macros-*/out/*/* -type f -print -delete");
        Ok(find.dir(&self.folder).stdout()?.lines().count())
    }

    /// Returns the median cost of a subcommand of cargo for each program.
    pub(super) fn medians(&self, contenders: &[Contender], rounds: usize, subcommand: &str) -> Outcome<Vec<Cost>> {
        let cost = |contender: &Contender, mark: &str| {
            self.write_program(&format!("{}// {mark}\n", contender.source))?;
            let run = self.cargo(subcommand);
            // A change of the variable recompiles the macro, so builds with literals have their own folder.
            let of_literal = |run: Run| run.env("POSENC_LITERAL", "1").env("CARGO_TARGET_DIR", "target-literal");
            Cost::of(if contender.build == Build::Literal { of_literal(run) } else { run })
        };
        // The dependencies are built first.
        contenders.iter().try_for_each(|contender| cost(contender, "first").map(drop))?;
        medians(contenders, rounds, |contender, round| {
            if contender.build == Build::First {
                ensure!(self.remove_macro_files()? > 0, "the macro wrote no file, so this was no first build");
            }
            cost(contender, &round.to_string())
        })
    }
}
