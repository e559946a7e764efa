//! The small crates that are built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::cost::measure::Cost;
use crate::cost::sources::{self, Size};
use crate::failure::{Outcome, ensure};

/// A package whose program is replaced for each measurement.
pub(super) struct Package {
    folder: PathBuf,
}

/// A program whose build is measured.
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) source: String,
    /// Whether the macro expands to a literal instead of a file of its own.
    pub(super) is_literal: bool,
    /// Whether the macro's files are removed, so that it computes the table.
    pub(super) is_first: bool,
}

impl Contender {
    pub(super) fn new(name: impl Into<String>, source: impl Into<String>) -> Self {
        Self { name: name.into(), source: source.into(), is_literal: false, is_first: false }
    }

    /// A change of the variable recompiles the macro, so builds with literals have their own folder.
    fn variables(&self) -> &'static [Variable] {
        if self.is_literal { &[("POSENC_LITERAL", "1"), ("CARGO_TARGET_DIR", "target-literal")] } else { &[] }
    }
}

type Variable = (&'static str, &'static str);

impl Package {
    pub(super) fn new(folder: &Path, manifest: &str, program: &str) -> Outcome<Self> {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), program)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Writes a package with a build script, so that no round has to compile it.
    pub(super) fn with_build_script(folder: &Path) -> Outcome<Self> {
        let size = Size { n: 1, d: 1 };
        let package = Self::new(folder, &sources::manifest_with_build_script(), &size.baked())?;
        package.write_build_script(size)?;
        Ok(package)
    }

    pub(super) fn write_build_script(&self, size: Size) -> Outcome {
        Ok(fs::write(self.folder.join("build.rs"), size.build_script())?)
    }

    /// Prepares a run in the folder. Incremental compilation would reuse constants from the previous run.
    fn prepared(&self, run: Run, variables: &[Variable]) -> Run {
        let run = run.dir(&self.folder).without_env("CARGO_TARGET_DIR").env("CARGO_INCREMENTAL", "0");
        variables.iter().fold(run, |run, (name, value)| run.env(name, value)).arg("--quiet")
    }

    /// Returns the cost of a run of cargo.
    pub(super) fn cost(&self, arguments: &[&str], variables: &[Variable]) -> Outcome<Cost> {
        Cost::of_cargo(arguments, |run| self.prepared(run, variables))
    }

    fn cost_of(&self, subcommand: &str, source: &str, variables: &[Variable]) -> Outcome<Cost> {
        fs::write(self.folder.join("src/main.rs"), source)?;
        self.cost(&[subcommand], variables)
    }

    /// Returns the seconds of a build of a program.
    pub(super) fn seconds(&self, source: &str) -> Outcome<f64> {
        Ok(self.cost_of("build", source, &[])?.wall)
    }

    pub(super) fn run(&self, source: &str) -> Outcome {
        fs::write(self.folder.join("src/main.rs"), source)?;
        self.prepared(Run::cargo("run"), &[]).run()
    }

    /// Removes the tables that the macro wrote, but not their folder, and returns how many there were.
    fn remove_macro_files(&self) -> Outcome<usize> {
        let find = Run::new("find").dir(&self.folder).args([".", "-path", "*/debug/build/posenc-macros-*/out/*/*"]);
        Ok(find.args(["-type", "f", "-print", "-delete"]).stdout()?.lines().count())
    }

    /// Returns, for each program, the cost of a subcommand of cargo in each round.
    ///
    /// Each round runs it once with all of them, in rotated order, so that a temporary slowdown affects all of them. A
    /// round that does not count builds the dependencies first.
    pub(super) fn rounds(&self, rounds: usize, subcommand: &str, contenders: &[Contender]) -> Outcome<Vec<Vec<Cost>>> {
        let mut costs = vec![Vec::new(); contenders.len()];
        for round in 0..=rounds {
            for index in (0..contenders.len()).map(|index| (index + round) % contenders.len()) {
                let contender = &contenders[index];
                if contender.is_first {
                    let removed = self.remove_macro_files()?;
                    ensure(removed > 0 || round == 0, || "the macro wrote no file, so this was no first build".into())?;
                }
                let source = format!("{}// {round}\n", contender.source);
                let cost = self.cost_of(subcommand, &source, contender.variables())?;
                if round > 0 {
                    costs[index].push(cost);
                }
            }
        }
        Ok(costs)
    }
}
