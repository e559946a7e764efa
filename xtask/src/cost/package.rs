//! The small crates that are built.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::command::Run;
use crate::cost::measure::{Cost, median};
use crate::cost::sources::{self, Size};
use crate::failure::{Failure, Outcome};

/// The number of rounds, except for builds that take seconds.
pub(super) const ROUNDS: usize = 5;

/// A package whose program is replaced for each measurement.
pub(super) struct Package {
    folder: PathBuf,
}

/// How a program is measured.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Measured {
    Build,
    /// A build without the macro's files, so that the macro computes the table.
    FirstBuild,
    /// A run that prints its seconds, unoptimised as macros are.
    Run,
}

/// A program that is measured.
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) source: String,
    /// Whether macros are optimised.
    pub(super) optimised: bool,
    /// Whether the macro expands to a literal instead of a file of its own.
    pub(super) literal: bool,
    pub(super) measured: Measured,
}

impl Contender {
    pub(super) fn new(name: impl Into<String>, source: impl Into<String>) -> Self {
        Self { name: name.into(), source: source.into(), optimised: false, literal: false, measured: Measured::Build }
    }

    pub(super) fn literal(self) -> Self {
        Self { literal: true, ..self }
    }

    pub(super) fn measured(self, measured: Measured) -> Self {
        Self { measured, ..self }
    }

    fn variables(&self) -> Vec<Variable<'static>> {
        let optimised = self.optimised.then_some(OPTIMISED_MACROS);
        // A change of the variable recompiles the macro, so these builds have their own folder.
        let literal = self.literal.then_some([("POSENC_LITERAL", "1"), ("CARGO_TARGET_DIR", "target-literal")]);
        optimised.into_iter().chain(literal.into_iter().flatten()).collect()
    }
}

type Variable<'a> = (&'static str, &'a str);

const OPTIMISED_MACROS: Variable = ("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", "3");

pub(super) fn opt_level(level: &str) -> Variable<'_> {
    ("CARGO_PROFILE_DEV_OPT_LEVEL", level)
}

impl Package {
    /// Writes a package with a table and nothing else.
    pub(super) fn with_table(folder: &Path, size: Size) -> Outcome<Self> {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), sources::manifest())?;
        fs::write(folder.join("src/main.rs"), size.baked())?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Writes a package with a build script and a macro that times itself, so that no round has to compile them.
    pub(super) fn with_probe(folder: &Path) -> Outcome<Self> {
        for source in ["src", "probe/src"] {
            fs::create_dir_all(folder.join(source))?;
        }
        fs::write(folder.join("Cargo.toml"), sources::manifest_with_probe())?;
        fs::write(folder.join("probe/Cargo.toml"), sources::PROBE_MANIFEST)?;
        fs::write(folder.join("probe/src/lib.rs"), sources::PROBE)?;
        let package = Self { folder: folder.to_owned() };
        package.write_build_script(Size { n: 1, d: 1 })?;
        Ok(package)
    }

    pub(super) fn write_build_script(&self, size: Size) -> Outcome {
        Ok(fs::write(self.folder.join("build.rs"), size.build_script())?)
    }

    /// Prepares a run in the folder. Incremental compilation would reuse constants from the previous run.
    fn prepared(&self, run: Run, variables: &[Variable]) -> Run {
        let run = run.dir(&self.folder).without_env("CARGO_TARGET_DIR").env("CARGO_INCREMENTAL", "0");
        variables.iter().fold(run, |run, (name, value)| run.env(name, value))
    }

    fn arguments(&self, subcommand: &str) -> [OsString; 4] {
        let manifest = self.folder.join("Cargo.toml");
        [subcommand.into(), "--quiet".into(), "--manifest-path".into(), manifest.into()]
    }

    /// Returns the cost of a subcommand of cargo.
    pub(super) fn cost(&self, subcommand: &str, variables: &[Variable]) -> Outcome<Cost> {
        Cost::of_cargo(self.arguments(subcommand), |run| self.prepared(run, variables))
    }

    /// Returns the seconds of a build of a program.
    pub(super) fn seconds(&self, source: &str) -> Outcome<f64> {
        fs::write(self.folder.join("src/main.rs"), source)?;
        Ok(self.cost("build", &[])?.wall)
    }

    /// Returns what a program prints.
    pub(super) fn run(&self, source: &str, variables: &[Variable]) -> Outcome<String> {
        fs::write(self.folder.join("src/main.rs"), source)?;
        let printed = self.prepared(Run::new("cargo").args(self.arguments("run")), variables).stdout()?;
        Ok(printed.trim().to_owned())
    }

    /// Returns the median of the seconds that a program prints.
    pub(super) fn median_of_runs(&self, source: &str, variables: &[Variable]) -> Outcome<f64> {
        let seconds = (0..ROUNDS).map(|_| seconds(&self.run(source, variables)?));
        Ok(median(seconds.collect::<Outcome<_>>()?))
    }

    /// Returns the seconds measured by the macro that times itself.
    pub(super) fn probed_seconds(&self) -> Outcome<f64> {
        seconds(&fs::read_to_string(self.folder.join(sources::PROBED_SECONDS))?)
    }

    /// Removes the tables that the macro wrote, but not their folder, and returns how many there were.
    fn remove_macro_files(&self) -> Outcome<usize> {
        let mut removed = 0;
        for build in entries(&self.folder.join("target/debug/build"))? {
            if build.file_name().is_some_and(|name| name.to_string_lossy().starts_with("posenc-macros-")) {
                for folder in entries(&build.join("out"))? {
                    for file in entries(&folder)? {
                        fs::remove_file(file)?;
                        removed += 1;
                    }
                }
            }
        }
        Ok(removed)
    }

    /// Returns, for each program, the cost of a subcommand of cargo in each round.
    ///
    /// Each round runs it once with all of them, in rotated order, so that a temporary slowdown affects all of them. A
    /// round that does not count builds the dependencies first.
    pub(super) fn rounds(&self, rounds: usize, subcommand: &str, contenders: &[Contender]) -> Outcome<Vec<Vec<Cost>>> {
        let mut costs = vec![Vec::new(); contenders.len()];
        for round in 0..=rounds {
            for index in rotated(contenders.len(), round) {
                let contender = &contenders[index];
                let source = format!("{}// {round}\n", contender.source);
                let cost = match contender.measured {
                    Measured::Run => Cost::on_one_thread(seconds(&self.run(&source, &[opt_level("0")])?)?),
                    Measured::FirstBuild if self.remove_macro_files()? == 0 && round > 0 => {
                        return Err(Failure::failed("the macro wrote no file, so this was not a first build"));
                    }
                    Measured::FirstBuild | Measured::Build => {
                        fs::write(self.folder.join("src/main.rs"), source)?;
                        self.cost(subcommand, &contender.variables())?
                    }
                };
                if round > 0 {
                    costs[index].push(cost);
                }
            }
        }
        Ok(costs)
    }
}

/// Returns the paths in a folder, or none if it does not exist.
fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    Ok(fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?)
}

/// Returns all numbers below `number`, beginning with a different one in each round.
fn rotated(number: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..number).map(move |index| (index + round) % number)
}

fn seconds(printed: &str) -> Outcome<f64> {
    printed.parse().map_err(|_| Failure::failed(format_args!("expected a program to print seconds, found {printed:?}")))
}

#[cfg(test)]
mod tests {
    use super::{rotated, seconds};

    #[test]
    fn each_round_begins_with_another_contender() {
        assert_eq!(rotated(3, 0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(rotated(3, 1).collect::<Vec<_>>(), [1, 2, 0]);
        assert_eq!(rotated(3, 5).collect::<Vec<_>>(), [2, 0, 1]);
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        assert_eq!(seconds("0.5").unwrap(), 0.5);
        assert!(seconds("").is_err());
    }
}
