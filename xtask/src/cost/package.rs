//! The small crates that are built, and their programs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::built::{posenc, write_package};
use crate::cost::measure::{Cost, medians};
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

/// The numbers of rows and columns of a table.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) n: u32,
    pub(super) d: u32,
}

pub(super) const EMPTY: &str = "fn main() {}\n";

/// A program with the rotary table of 64 x 64 patches: 2 MiB, as [`ROTARY_SIZE`].
pub(super) const ROTARY: &str = r#"static PE: posenc::CosSin<[[f32; 64]; 4096]> = posenc::rotary_table!((64, 64), 128);

fn main() { println!("{:?}", PE.cos[std::env::args().count()][3]); }
"#;

/// A table of as many entries as [`ROTARY`].
pub(super) const ROTARY_SIZE: Size = Size { n: 4096, d: 128 };

const BUILD_SCRIPT: &str = r#"fn main() -> Result<(), posenc::build_script::Error> {
    println!("cargo::rerun-if-changed=build.rs");
    posenc::build_script::write_table::<f32>("table", &posenc::Spec::new(D), N)
}
"#;

const WRITE_ENTRIES: &str = r#"use std::fs::write;

fn main() {
    let table = posenc::sinusoidal_table(N, D).unwrap();
    let bytes: Vec<u8> = table.as_slice().iter().flat_map(|entry| entry.to_ne_bytes()).collect();
    write("src/table.bin", bytes).unwrap();
    if HAS_TOKENS {
        write("src/tokens.rs", format!("{:?}", table.rows().collect::<Vec<_>>())).unwrap();
    }
}
"#;

impl Size {
    pub(super) fn build_script(self) -> String {
        BUILD_SCRIPT.to_owned() + &self.constants()
    }

    /// Returns a program that writes the entries for the programs that include them, also as float literals.
    pub(super) fn writes_entries(self, has_tokens: bool) -> String {
        format!("{WRITE_ENTRIES}{}const HAS_TOKENS: bool = {has_tokens};\n", self.constants())
    }

    pub(super) fn included(self) -> String {
        self.with_table("f32", "posenc::__private::decode(include_bytes!(\"table.bin\"))")
    }

    pub(super) fn tokens(self) -> String {
        self.with_table("f32", "include!(\"tokens.rs\")")
    }

    pub(super) fn baked(self) -> String {
        self.with_table("f32", &format!("posenc::sinusoidal_table!({}, {})", self.n, self.d))
    }

    /// Returns a program with the table in the file of its build script.
    pub(super) fn read(self) -> String {
        self.with_table("f32", &format!("posenc::sinusoidal_table!({}, {}, file = \"table\")", self.n, self.d))
    }

    /// Returns a program with a table whose sizes are named constants, so that the compiler evaluates it.
    pub(super) fn named(self, dtype: &str) -> String {
        let entry = if dtype == "bf16_bits" { "posenc::Bf16Bits" } else { dtype };
        self.with_table(entry, &format!("posenc::sinusoidal_table!(N, D, dtype = {dtype})"))
    }

    fn with_table(self, entry: &str, table: &str) -> String {
        let program = format!("static PE: [[{entry}; D]; N] = {table};\n{}", self.constants());
        program + "fn main() { println!(\"{:?}\", PE[std::env::args().count()][3]); }\n"
    }

    fn constants(self) -> String {
        format!("const N: usize = {};\nconst D: usize = {};\n", self.n, self.d)
    }
}
