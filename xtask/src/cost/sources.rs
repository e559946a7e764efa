//! The files of the crates that are built.

use crate::root::root;

/// The numbers of rows and columns of a table.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) n: u32,
    pub(super) d: u32,
}

/// The largest table, in MiB, that is compiled as float literals; they take rustc about 1 s and 150 MB per MiB.
const MOST_MIB_OF_TOKENS: u32 = 4;

/// The largest table, in MiB, that is compiled as a literal; it takes rustc several times the cost of a file.
const MOST_MIB_OF_LITERAL: u32 = 128;

/// Returns a manifest with the library as a dependency.
pub(super) fn manifest() -> String {
    format!(
        r#"[package]
name = "cost"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
posenc = {{ path = '{}' }}
"#,
        root().display()
    )
}

/// Returns a manifest that also has the macro that times itself, and a build script.
pub(super) fn manifest_with_probe() -> String {
    let posenc = format!("posenc = {{ path = '{}' }}\n", root().display());
    manifest() + "probe = { path = 'probe' }\n\n[build-dependencies]\n" + &posenc
}

pub(super) const PROBE_MANIFEST: &str = r#"[package]
name = "probe"
version = "0.0.0"
edition = "2024"

[lib]
proc-macro = true
"#;

/// A macro that does what `sinusoidal_table!` does with finished bytes, and times it. Reading them is not counted.
pub(super) const PROBE: &str = r#"use proc_macro::{Literal, TokenStream, TokenTree};

#[proc_macro]
pub fn literal(_: TokenStream) -> TokenStream {
    let bytes = std::fs::read("src/table.bin").unwrap();
    let begin = std::time::Instant::now();
    let literal = Literal::byte_string(&bytes);
    let seconds = begin.elapsed().as_secs_f64();
    std::fs::write("probed-seconds", seconds.to_string()).unwrap();
    TokenTree::Literal(literal).into()
}
"#;

/// The file that the macro writes.
pub(super) const PROBED_SECONDS: &str = "probed-seconds";

pub(super) const EMPTY: &str = "fn main() {}\n";

const MAIN: &str = r#"fn main() { println!("{:?}", PE[std::env::args().count()][3]); }
"#;

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

const EVALUATE: &str = r#"fn main() {
    let begin = std::time::Instant::now();
    let mut entries = vec![0.0f32; N * D];
    posenc::Spec::new(D).fill(0.., &mut entries).unwrap();
    println!("{}", begin.elapsed().as_secs_f64());
}
"#;

/// Does what a build script does, also unoptimised. An existing file would not be written again.
const WRITE_FILE: &str = r#"fn main() {
    let file = std::path::Path::new(&std::env::var_os("OUT_DIR").unwrap()).join("cost.posenc");
    let _ = std::fs::remove_file(&file);
    let begin = std::time::Instant::now();
    posenc::build_script::write_table::<f32>("cost", &posenc::Spec::new(D), N).unwrap();
    println!("{}", begin.elapsed().as_secs_f64());
    std::fs::remove_file(&file).unwrap();
}
"#;

/// Prints the row of a table: the nanoseconds per pair of entries by three functions, each a median of 9 runs.
pub(super) const PER_ENTRY: &str = r#"use posenc::Spec;

fn median(fill: impl Fn(usize, &mut [f32])) -> f64 {
    let mut rows = vec![0.0; 512 * 512];
    let mut nanoseconds: Vec<f64> = (0..9).map(|run| {
        let begin = std::time::Instant::now();
        fill(512 * run, &mut rows);
        begin.elapsed().as_nanos() as f64 / (rows.len() / 2) as f64
    }).collect();
    nanoseconds.sort_by(f64::total_cmp);
    nanoseconds[4]
}

fn main() {
    let spec = Spec::new(512);
    let fill = median(|first, rows| spec.fill(first.., rows).unwrap());
    let const_fill = median(|first, rows| spec.const_fill(first.., rows).unwrap());
    let encode = median(|first, rows| {
        for (row, entries) in (first as i64..).zip(rows.chunks_exact_mut(512)) {
            spec.encode(row, entries).unwrap();
        }
    });
    println!("{fill:.0} | {const_fill:.0} | {encode:.0}");
}
"#;

impl Size {
    /// Returns whether the table is also written as an array of float literals.
    pub(super) fn has_tokens(self) -> bool {
        self.is_at_most(MOST_MIB_OF_TOKENS)
    }

    /// Returns whether the macro also makes a literal of the table.
    pub(super) fn has_literal(self) -> bool {
        self.is_at_most(MOST_MIB_OF_LITERAL)
    }

    fn is_at_most(self, mebibytes: u32) -> bool {
        u64::from(self.n) * u64::from(self.d) * 4 <= u64::from(mebibytes) << 20
    }

    pub(super) fn build_script(self) -> String {
        self.with_constants(BUILD_SCRIPT)
    }

    /// Returns a program that writes the entries for the programs that include them.
    pub(super) fn writes_entries(self) -> String {
        self.with_constants(WRITE_ENTRIES) + &format!("const HAS_TOKENS: bool = {};\n", self.has_tokens())
    }

    /// Returns a program that prints how long computing all entries takes.
    pub(super) fn evaluates(self) -> String {
        self.with_constants(EVALUATE)
    }

    /// Returns a program that prints how long writing the file of a build script takes.
    pub(super) fn writes_file(self) -> String {
        self.with_constants(WRITE_FILE)
    }

    pub(super) fn included(self) -> String {
        self.with_table("posenc::__private::decode(include_bytes!(\"table.bin\"))")
    }

    pub(super) fn probed(self) -> String {
        self.with_table("posenc::__private::decode(probe::literal!())")
    }

    pub(super) fn tokens(self) -> String {
        self.with_table("include!(\"tokens.rs\")")
    }

    pub(super) fn baked(self) -> String {
        self.with_table(&format!("posenc::sinusoidal_table!({}, {})", self.n, self.d))
    }

    /// Returns a program with the table in the file of its build script.
    pub(super) fn read(self) -> String {
        self.with_table(&format!("posenc::sinusoidal_table!({}, {}, file = \"table\")", self.n, self.d))
    }

    /// Returns a program with a table whose sizes are named constants, so that the compiler evaluates it.
    pub(super) fn named(self, dtype: &str) -> String {
        let entry = if dtype == "bf16_bits" { "posenc::Bf16Bits" } else { dtype };
        let table = format!("static PE: [[{entry}; D]; N] = posenc::sinusoidal_table!(N, D, dtype = {dtype});\n");
        self.with_constants(&(table + MAIN))
    }

    fn with_table(self, table: &str) -> String {
        format!("static PE: [[f32; {}]; {}] = {table};\n{MAIN}", self.d, self.n)
    }

    fn with_constants(self, program: &str) -> String {
        format!("{program}const N: usize = {};\nconst D: usize = {};\n", self.n, self.d)
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn only_small_tables_are_literals() {
        assert!(Size { n: 1 << 15, d: 1024 }.has_literal());
        assert!(!Size { n: 1 << 16, d: 1024 }.has_literal());
        assert!(Size { n: 1024, d: 1024 }.has_tokens());
        assert!(!Size { n: 1025, d: 1024 }.has_tokens());
        assert!(!Size { n: 1 << 18, d: 1024 }.has_tokens());
    }

    #[test]
    fn a_program_names_the_sizes_or_has_them_as_literals() {
        let size = Size { n: 3, d: 4 };
        assert!(size.baked().starts_with("static PE: [[f32; 4]; 3] = posenc::sinusoidal_table!(3, 4);\nfn main"));
        let named = size.named("bf16_bits");
        assert!(named.starts_with(
            "static PE: [[posenc::Bf16Bits; D]; N] = posenc::sinusoidal_table!(N, D, dtype = bf16_bits);"
        ));
        assert!(named.ends_with("const N: usize = 3;\nconst D: usize = 4;\n"));
    }
}
