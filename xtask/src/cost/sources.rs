//! The programs that are built.

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
