//! Checks whether the libraries are ready for a registry.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::failure::{Outcome, Skipped, ensure};
use crate::root::root;
use crate::{install, python, workspace};

const LIBRARIES: [&str; 7] = [
    "posenc-runtime",
    "posenc-macros-core",
    "posenc-macros",
    "posenc",
    "posenc-identify",
    "posenc-text",
    "posenc-files",
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The revision of the last release, with which the public API is compared
    last: Option<String>,
}

/// A part of CI: everything except the comparison with another revision.
pub(crate) fn without_comparison() -> Outcome {
    check(&Release::begin()?)
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let release = Release::begin()?;
    check(&release)?;
    arguments.last.iter().try_for_each(|revision| release.compare(revision))
}

fn check(release: &Release) -> Outcome {
    let mut skipped = Skipped::default();
    // First, because the others write a `Cargo.lock`, which would be packed.
    skipped.check("release", python::release(&release.work.join("clone"), &release.work.join("python")))?;
    release.package()?;
    release.docs()?;
    release.user()?;
    skipped.finish()
}

/// A clean clone of the last commit, and the files built from it.
struct Release {
    work: PathBuf,
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
        Ok(Self { work })
    }

    fn cargo(&self, subcommand: &str, directory: &str) -> Run {
        let run = Run::cargo(subcommand).arg("--quiet").dir(&self.work.join(directory));
        run.env("CARGO_TARGET_DIR", self.work.join("target"))
    }

    /// Returns a run of cargo in the clone for all libraries.
    fn cargo_for_all(&self, subcommand: &str) -> Run {
        let packages = LIBRARIES.map(|library| format!("--package={library}"));
        self.cargo(subcommand, "clone").arg("--all-features").args(packages)
    }

    /// Returns the path of an unpacked package.
    fn unpacked(&self, library: &str) -> Outcome<PathBuf> {
        Ok(self.work.join(format!("target/package/{library}-{}", workspace::manifest_value("version")?)))
    }

    /// Packages the libraries, and builds each from its package alone, with all features.
    fn package(&self) -> Outcome {
        self.cargo_for_all("package").run()?;
        for library in LIBRARIES {
            let bytes = fs::metadata(format!("{}.crate", self.unpacked(library)?.display()))?.len();
            println!("release: {library}: {bytes} bytes, builds from what it contains");
        }
        Ok(())
    }

    /// Builds the docs as docs.rs does.
    fn docs(&self) -> Outcome {
        let doc = self.cargo_for_all("doc").arg("--no-deps");
        doc.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", "--cfg docsrs -D warnings").run()
    }

    /// Builds a program that uses only the packages, with the oldest allowed dependencies and the oldest compiler.
    fn user(&self) -> Outcome {
        let user = self.work.join("user");
        fs::copy(self.unpacked("posenc")?.join("examples/quickstart.rs"), user.join("src/main.rs"))?;
        fs::write(user.join("Cargo.toml"), self.user_manifest()?)?;
        let lock = self.cargo("generate-lockfile", "user").arg("-Zminimal-versions");
        lock.env("RUSTC_BOOTSTRAP", "1").run()?;
        let rustc = install::oldest_rustc()?;
        let printed = self.cargo("run", "user").env("RUSTC", &rustc).stdout()?;
        ensure(printed.contains(" 2097152 of 2097152 entries are bit-identical"), || {
            format!("{printed}\nrelease: not what the program should print")
        })?;
        let compiler = workspace::rustc_at(&rustc)?;
        println!("release: a program with the packages alone and the oldest dependencies runs, built by {compiler}:");
        self.cargo("tree", "user").args(["--prefix", "none", "--edges", "normal"]).run()
    }

    fn user_manifest(&self) -> Outcome<String> {
        // Backslashes are no escapes in a literal string of TOML.
        let path = |path: &Path| format!("path = '{}'", path.display());
        // What the program uses, beside the facade.
        let patches = LIBRARIES
            .iter()
            .filter(|library| ["posenc-runtime", "posenc-macros-core", "posenc-macros"].contains(library));
        let row = |library: &&str| Ok(format!("{library} = {{ {} }}", path(&self.unpacked(library)?)));
        let patches: Vec<_> = patches.map(row).collect::<Outcome<_>>()?;
        Ok(format!(
            r#"[package]
name = "user"
edition = "2024"
rust-version = "{}"

[workspace]

[dependencies]
posenc = {{ {}, features = ["bytemuck", "half", "ndarray", "rayon", "serde"] }}

[patch.crates-io]
{}
"#,
            workspace::manifest_value("rust-version")?,
            path(&self.unpacked("posenc")?),
            patches.join("\n"),
        ))
    }

    /// Compares the public API with that of another revision.
    fn compare(&self, revision: &str) -> Outcome {
        install::cargo_subcommand("semver-checks")?;
        for library in ["posenc-runtime", "posenc"] {
            let check = Run::cargo("semver-checks").dir(&self.work.join("clone"));
            let check = check.args(["--package", library, "--all-features", "--baseline-rev", revision]);
            check.env("CARGO_TARGET_DIR", self.work.join("target")).run()?;
        }
        Ok(())
    }
}
