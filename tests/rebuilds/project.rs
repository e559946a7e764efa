//! The workspace that the tests build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{env, fs};

use posenc::Spec;

/// Two programs with the same table of 256 KiB, each of which prints a hash of its bits.
const CRATES: [&str; 2] = ["first", "second"];

/// A library that some tests write.
const LIBRARY: &str = "library";

const PROGRAM: &str = "\
//! A program with a large table.
/// The table.
pub const PE: [[f32; 256]; 256] = posenc::sinusoidal_table!(256, 256);
posenc::sinusoidal_table! { static ITEM = (256, 256, start = 1); }
fn main() {
    let bits = |table: &'static [[f32; 256]; 256]| table.as_flattened().iter().map(|entry| entry.to_bits());
    let hash = bits(&PE).chain(bits(&ITEM)).fold(0, |hash, bits| (hash ^ u64::from(bits)).wrapping_mul(0x100_0000_01b3));
    println!(\"{hash}\");
}
";

/// The workspace with its target folder, which all tests use, one after the other, so that the dependencies are
/// compiled only once.
pub(crate) struct Project {
    pub(crate) target: PathBuf,
    with_literals: bool,
    _alone: Option<MutexGuard<'static, ()>>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebuilds")
}

/// Gives the sources of the programs a new modification time.
pub(crate) fn edit() {
    for name in CRATES {
        fs::write(root().join(name).join("src/main.rs"), PROGRAM).unwrap();
    }
}

impl Project {
    pub(crate) fn begin() -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        let manifest = |name| {
            format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                 [dependencies]\nposenc = {{ path = '{}' }}\n",
                repository.display()
            )
        };
        for name in CRATES.into_iter().chain([LIBRARY]) {
            let folder = root().join(name);
            fs::create_dir_all(folder.join("src")).unwrap();
            fs::write(folder.join("Cargo.toml"), manifest(name)).unwrap();
        }
        fs::write(root().join(LIBRARY).join("src/lib.rs"), "").unwrap();
        let members = format!("[workspace]\nmembers = {:?}\nresolver = \"3\"\n", [CRATES[0], CRATES[1], LIBRARY]);
        fs::write(root().join("Cargo.toml"), members).unwrap();
        // The dependencies are those of the tests, so cargo has them.
        fs::copy(repository.join("Cargo.lock"), root().join("Cargo.lock")).unwrap();
        let project = Self { target: root().join("target"), with_literals: false, _alone: Some(alone) };
        if root().join("moved").exists() && !project.target.exists() {
            fs::rename(root().join("moved"), &project.target).unwrap();
        }
        edit();
        project.build_is_right();
        project
    }

    /// Returns the same project, built with `POSENC_LITERAL`.
    pub(crate) fn with_literals(&self) -> Self {
        Self { target: self.target.clone(), with_literals: true, _alone: None }
    }

    /// Moves the target folder.
    pub(crate) fn moved(&self) -> Self {
        let target = root().join("moved");
        let _ = fs::remove_dir_all(&target);
        fs::rename(&self.target, &target).unwrap();
        Self { target, with_literals: false, _alone: None }
    }

    /// Runs cargo, and returns what it reports. There must be no warning.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> String {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(arguments).arg("--offline").current_dir(root()).env("CARGO_TARGET_DIR", &self.target);
        cargo.env_remove("CARGO_BUILD_TARGET").env_remove("POSENC_LITERAL");
        if self.with_literals {
            cargo.env("POSENC_LITERAL", "1");
        }
        let output = cargo.output().unwrap();
        let reported = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "cargo {arguments:?}:\n{reported}");
        assert!(!reported.contains("warning"), "cargo {arguments:?}:\n{reported}");
        reported
    }

    /// Builds, runs the programs, and builds again, which must compile nothing.
    pub(crate) fn build_is_right(&self) {
        self.cargo(&["build"]);
        let mut expected = 0;
        for start in [0, 1] {
            let table = Spec::new(256).start(start).table::<f32>(256).unwrap();
            for entry in table.as_slice() {
                expected = (expected ^ u64::from(entry.to_bits())).wrapping_mul(0x100_0000_01b3);
            }
        }
        for program in self.programs() {
            let output = Command::new(program).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), expected.to_string());
        }
        let again = self.cargo(&["build"]);
        assert!(!again.contains("Compiling"), "the second build compiles again:\n{again}");
    }

    pub(crate) fn programs(&self) -> [PathBuf; 2] {
        CRATES.map(|name| self.target.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
    }

    /// Returns the files that the first program depends on.
    pub(crate) fn included_files(&self) -> String {
        fs::read_to_string(self.target.join("debug/first.d")).unwrap()
    }

    /// Returns the file of the table that begins with position 0, which is the one that begins with a zero.
    pub(crate) fn table(&self) -> PathBuf {
        let files = self.included_files();
        let mut tables = files.split_whitespace().filter(|path| path.ends_with(".posenc")).map(PathBuf::from);
        tables.find(|path| fs::read(path).unwrap().starts_with(&[0; 4])).expect("a file of a table")
    }

    /// Builds a library of this source, beside a file `bytes` with a table, and returns the size of what the compiler makes of it.
    pub(crate) fn size_of_library(&self, source: &str, bytes: &[u8]) -> u64 {
        let folder = root().join(LIBRARY).join("src");
        fs::write(folder.join("bytes"), bytes).unwrap();
        fs::write(folder.join("lib.rs"), source).unwrap();
        self.cargo(&["clean", "--package", LIBRARY]);
        self.cargo(&["build", "--package", LIBRARY]);
        let made = fs::read_dir(self.target.join("debug/deps")).unwrap().map(Result::unwrap);
        let of_library =
            made.filter(|file| file.file_name().to_str().is_some_and(|name| name.starts_with("liblibrary-")));
        of_library.map(|file| file.metadata().unwrap().len()).sum()
    }

    pub(crate) fn delete_table(&self) {
        fs::remove_file(self.table()).unwrap();
    }
}
