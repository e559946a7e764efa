//! Checks whether the libraries are ready for a registry.

use std::fs;
use std::path::PathBuf;

use crate::built::write_package;
use crate::run::{Outcome, Run, Skipped, ensure, remove, root};
use crate::{install, python, workspace};

/// All libraries. A program with the macros uses the first four.
const LIBRARIES: [&str; 7] = [
    "posenc",
    "posenc-macros",
    "posenc-macros-core",
    "posenc-runtime",
    "posenc-identify",
    "posenc-text",
    "posenc-files",
];

#[derive(clap::Args, Default)]
pub(crate) struct Arguments {
    /// The revision of the last release, with which the public API is compared
    last: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let release = Release::begin()?;
    let mut skipped = Skipped::default();
    // First, because the others write a `Cargo.lock`, which would be packed.
    skipped.check("release", python::release(&release.work.join("clone"), &release.work.join("python")))?;
    // Each library is built from its package alone.
    release.cargo_for_all("package").run()?;
    for library in LIBRARIES {
        let bytes = fs::metadata(format!("{}.crate", release.unpacked(library)?.display()))?.len();
        println!("release: {library}: {bytes} bytes, builds from what it contains");
    }
    // docs.rs builds the docs like this.
    let docs = release.cargo_for_all("doc --no-deps").env("RUSTC_BOOTSTRAP", "1");
    docs.env("RUSTDOCFLAGS", "--cfg docsrs -D warnings").run()?;
    release.user()?;
    arguments.last.iter().try_for_each(|revision| release.compare(revision))?;
    skipped.finish()
}

/// A clean clone of the last commit, and the files built from it.
struct Release {
    work: PathBuf,
}

impl Release {
    fn begin() -> Outcome<Self> {
        let revision = Run::line("git rev-parse HEAD").stdout()?;
        let all = root().join("target/release-check");
        remove(&all)?;
        // Each revision has its own folder: cargo unpacks a package of a given version once per folder, and then reuses
        // it.
        let work = all.join(revision.trim());
        fs::create_dir_all(&work)?;
        Run::line("git clone --quiet .").arg(work.join("clone")).run()?;
        Ok(Self { work })
    }

    fn cargo(&self, subcommand: &str, directory: &str) -> Run {
        let run = Run::line("cargo").words(subcommand).dir(&self.work.join(directory));
        run.env("CARGO_TARGET_DIR", self.work.join("target"))
    }

    /// Returns a run of cargo in the clone for all libraries.
    fn cargo_for_all(&self, subcommand: &str) -> Run {
        let packages = LIBRARIES.map(|library| format!("--package={library}"));
        self.cargo(subcommand, "clone").words("--quiet --all-features").args(packages)
    }

    /// Returns the path of an unpacked package.
    fn unpacked(&self, library: &str) -> Outcome<PathBuf> {
        Ok(self.work.join(format!("target/package/{library}-{}", workspace::manifest_value("version")?)))
    }

    /// Builds a program that uses only the packages, with the oldest allowed dependencies and the oldest compiler.
    fn user(&self) -> Outcome {
        let program = fs::read_to_string(self.unpacked("posenc")?.join("examples/quickstart.rs"))?;
        write_package(&self.work.join("user"), &self.user_manifest()?, &[("main.rs", &program)])?;
        let lock = self.cargo("generate-lockfile --quiet -Zminimal-versions", "user");
        lock.env("RUSTC_BOOTSTRAP", "1").run()?;
        let rustc = install::oldest_rustc()?;
        let printed = self.cargo("run --quiet", "user").env("RUSTC", &rustc).stdout()?;
        let is_right = printed.contains(" 2097152 of 2097152 entries are bit-identical");
        ensure!(is_right, "{printed}\nrelease: not what the program should print");
        let compiler = workspace::rustc(&rustc)?;
        println!("release: a program with the packages alone and the oldest dependencies runs, built by {compiler}:");
        self.cargo("tree --prefix none --edges normal", "user").run()
    }

    /// Returns what is in the manifest of the program beside its name.
    fn user_manifest(&self) -> Outcome<String> {
        let [rust, version] = ["rust-version", "version"].map(workspace::manifest_value);
        let features = r#"["bytemuck", "half", "ndarray", "rayon", "serde"]"#;
        let posenc = format!(r#"posenc = {{ version = "={}", features = {features} }}"#, version?);
        // Backslashes are no escapes in a literal string of TOML.
        let path = |library: &&str| Ok(format!("{library} = {{ path = '{}' }}", self.unpacked(library)?.display()));
        let patches: Vec<_> = LIBRARIES[..4].iter().map(path).collect::<Outcome<_>>()?;
        let patches = patches.join("\n");
        Ok(format!("rust-version = \"{}\"\n\n[dependencies]\n{posenc}\n\n[patch.crates-io]\n{patches}\n", rust?))
    }

    /// Compares the public API with that of another revision.
    fn compare(&self, revision: &str) -> Outcome {
        install::cargo_subcommand("semver-checks")?;
        for library in ["posenc-runtime", "posenc"] {
            let check = self.cargo("semver-checks --all-features --package", "clone").arg(library);
            check.args(["--baseline-rev", revision]).run()?;
        }
        Ok(())
    }
}
