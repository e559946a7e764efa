//! Checks whether the libraries are ready for a registry.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::failure::{Failure, Outcome, Skipped, ensure};
use crate::root::root;
use crate::{install, workspace};

const LIBRARIES: [&str; 5] = ["posenc-runtime", "posenc-macros-core", "posenc-macros", "posenc", "posenc-identify"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The revision of the last release, with which the public API is compared
    last: Option<String>,
}

/// A part of CI: everything except the comparison with another revision.
pub(crate) fn without_comparison() -> Outcome {
    run(&Arguments { last: None })
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let release = Release::begin()?;
    let mut skipped = Skipped::default();
    release.package()?;
    release.docs()?;
    release.user(&mut skipped)?;
    match &arguments.last {
        Some(revision) => release.compare(revision)?,
        None => println!("release: no revision given to compare the public API with"),
    }
    skipped.finish()
}

/// A clean clone of the last commit, and the files built from it.
struct Release {
    work: PathBuf,
    version: String,
}

impl Release {
    fn begin() -> Outcome<Self> {
        let revision = Run::new("git").args(["rev-parse", "HEAD"]).stdout()?;
        let all = root().join("target/release-check");
        if all.exists() {
            fs::remove_dir_all(&all)?;
        }
        // Each revision has its own folder: cargo unpacks a package of a given version once per folder, and then reuses
        // it.
        let work = all.join(revision.trim());
        fs::create_dir_all(work.join("user/src"))?;
        Run::new("git").args(["clone", "--quiet", "."]).arg(work.join("clone")).run()?;
        Ok(Self { work, version: workspace::manifest_value("version")? })
    }

    fn target_dir(&self) -> PathBuf {
        self.work.join("target")
    }

    fn cargo(&self, subcommand: &str, directory: &str) -> Run {
        Run::cargo(subcommand).dir(&self.work.join(directory)).env("CARGO_TARGET_DIR", self.target_dir())
    }

    /// Returns the path of an unpacked package.
    fn unpacked(&self, library: &str) -> PathBuf {
        self.target_dir().join(format!("package/{library}-{}", self.version))
    }

    /// Packages the libraries, and builds each from its package alone, with all features.
    fn package(&self) -> Outcome {
        self.cargo("package", "clone").args(["--quiet", "--all-features"]).args(packages()).run()?;
        for library in LIBRARIES {
            let file = self.target_dir().join(format!("package/{library}-{}.crate", self.version));
            let bytes = fs::metadata(file)?.len();
            println!("release: {library}: {bytes} bytes, builds from what it contains");
        }
        Ok(())
    }

    fn docs(&self) -> Outcome {
        let doc = self.cargo("doc", "clone").args(["--quiet", "--no-deps", "--all-features"]).args(packages());
        doc.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", "--cfg docsrs -D warnings").run()?;
        println!("release: docs as docs.rs builds them, without a warning");
        Ok(())
    }

    /// Builds a program that uses only the packages, with the oldest allowed dependencies and the oldest compiler.
    fn user(&self, skipped: &mut Skipped) -> Outcome {
        let user = self.work.join("user");
        fs::copy(self.unpacked("posenc").join("examples/quickstart.rs"), user.join("src/main.rs"))?;
        fs::write(user.join("Cargo.toml"), self.user_manifest()?)?;
        let lock = self.cargo("-Zminimal-versions", "user").args(["generate-lockfile", "--quiet"]);
        lock.env("RUSTC_BOOTSTRAP", "1").run()?;
        let rustc = match install::oldest_rustc() {
            Err(Failure::Unavailable(reason)) => {
                skipped.add("release", format_args!("{reason}; by the usual compiler:"));
                PathBuf::from("rustc")
            }
            found => found?,
        };
        let printed = self.cargo("run", "user").arg("--quiet").env("RUSTC", &rustc).stdout()?;
        ensure(printed.contains(" 2097152 of 2097152 entries are bit-identical"), || {
            format!("{printed}\nrelease: not what the program should print")
        })?;
        let compiler = workspace::rustc_at(&rustc)?;
        println!("release: a program with the packages alone and the oldest dependencies runs, built by {compiler}:");
        self.cargo("tree", "user").args(["--prefix", "none", "--edges", "normal"]).run()
    }

    fn user_manifest(&self) -> Outcome<String> {
        let path = |library: &str| toml_string(&self.unpacked(library));
        let patches = LIBRARIES.iter().filter(|library| **library != "posenc");
        let patches: Vec<_> = patches.map(|library| format!("{library} = {{ path = {} }}", path(library))).collect();
        Ok(format!(
            r#"[package]
name = "user"
edition = "2024"
rust-version = "{}"

[workspace]

[dependencies]
posenc = {{ path = {}, features = ["bytemuck", "half", "ndarray", "rayon", "serde"] }}

[patch.crates-io]
{}
"#,
            workspace::manifest_value("rust-version")?,
            path("posenc"),
            patches.join("\n"),
        ))
    }

    /// Compares the public API with that of another revision.
    fn compare(&self, revision: &str) -> Outcome {
        install::cargo_subcommand("semver-checks")?;
        for library in ["posenc-runtime", "posenc"] {
            let check = self.cargo("semver-checks", "clone").args(["--package", library, "--all-features"]);
            check.args(["--baseline-rev", revision]).run()?;
        }
        Ok(())
    }
}

fn packages() -> impl Iterator<Item = String> {
    LIBRARIES.iter().map(|library| format!("--package={library}"))
}

/// Formats a path as a literal TOML string, in which backslashes are not escapes.
fn toml_string(path: &Path) -> String {
    format!("'{}'", path.display())
}
