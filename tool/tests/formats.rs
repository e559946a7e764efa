//! `posenc table` and `posenc rope` as source code and as text: compilers and parsers read the same bits.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::process::{Command, Output};

use posenc::half::{bf16, f16};
use posenc::{Bf16Bits, Element, F16Bits, Layout, Packing, Q7, Q15, Q31, Quantiser, Rope, Spec};
use testkit::Bits;

use crate::common::Folder;

/// A table with the entries that are hardest to write, and the options that make it.
struct Case {
    dtype: &'static str,
    options: String,
    size: usize,
    bits: Vec<u64>,
}

const ROWS: usize = 7;
const COLUMNS: usize = 6;

impl Case {
    /// Makes a case with subnormal numbers, a negative zero and a 1.
    fn new<T: Bits>(dtype: &'static str, fraction_bits: u32, frequencies: [f64; 3]) -> Self {
        let spec = Spec::new(COLUMNS).frequencies(&frequencies).scale(0.25).start(-3).layout(Layout::Halves);
        let bits: Vec<_> = spec.table::<T>(ROWS).unwrap().into_vec().into_iter().map(T::bits).collect();
        let sign = 1 << (8 * size_of::<T>() - 1);
        let smallest_normal = 1 << fraction_bits;
        let one = (sign >> 1) - smallest_normal;
        assert!(bits.contains(&sign) && bits.contains(&one), "{dtype}");
        assert!(bits.iter().any(|bits| (1..smallest_normal).contains(&(bits & !sign))), "{dtype}");
        let [a, b, c] = frequencies;
        let sizes = format!("--seq-len {ROWS} --d-model {COLUMNS} --dtype {dtype}");
        let options = format!("{sizes} --frequencies {a:e},{b:e},{c:e} --scale 0.25 --start -3 --layout halves");
        Self { dtype, options, size: size_of::<T>(), bits }
    }

    fn all() -> [Self; 4] {
        [
            Self::new::<f32>("f32", 23, [4.0, 1e-40, 1e-45]),
            Self::new::<f64>("f64", 52, [4.0, 1e-310, 5e-324]),
            Self::new::<F16Bits>("f16", 10, [4.0, 4e-6, 4e-8]),
            Self::new::<Bf16Bits>("bf16", 7, [4.0, 4e-39, 1e-45]),
        ]
    }

    /// Makes a case of integers, with a 1, which is clamped in the fixed-point types.
    fn of_integers<T: Element>(dtype: &'static str, quantiser: Option<Quantiser>, bits: fn(T) -> u64) -> Self {
        let spec = quantiser.into_iter().fold(Spec::new(COLUMNS).start(-3), Spec::quantiser);
        let bits = spec.table::<T>(ROWS).unwrap().into_vec().into_iter().map(bits).collect();
        let options = format!("--seq-len {ROWS} --d-model {COLUMNS} --dtype {dtype} --start -3");
        Self { dtype, options, size: size_of::<T>(), bits }
    }

    fn integers() -> [Self; 6] {
        let affine = Some(Quantiser::quotient(1, 125).zero_point(-2));
        let unsigned = Some(Quantiser::quotient(1, 127).zero_point(128));
        [
            Self::of_integers("q7", None, |entry: Q7| entry.to_bits().cast_unsigned().into()),
            Self::of_integers("q15", None, |entry: Q15| entry.to_bits().cast_unsigned().into()),
            Self::of_integers("q31", None, |entry: Q31| entry.to_bits().cast_unsigned().into()),
            Self::of_integers("i8(1/125,-2)", affine, |entry: i8| entry.cast_unsigned().into()),
            Self::of_integers("u8(1/127,128)", unsigned, |entry: u8| entry.into()),
            Self::of_integers("i16(1/32767)", Some(Quantiser::quotient(1, 32_767)), |entry: i16| {
                entry.cast_unsigned().into()
            }),
        ]
    }

    /// Writes a file for each case, `pe0` and so on with this extension, and returns the names of the arrays.
    fn write_all(cases: &[Self], folder: &Folder, extension: &str) -> Vec<String> {
        let write = |(i, case): (usize, &Self)| {
            folder.posenc(&format!("table {} -o pe{i}.{extension}", case.options)).done();
            format!("PE{i}")
        };
        cases.iter().enumerate().map(write).collect()
    }

    /// Asserts that these are the bytes of the entries of all cases.
    #[track_caller]
    fn check_all(cases: &[Self], mut bytes: &[u8], reader: &str) {
        for case in cases {
            let own = bytes.split_off(..ROWS * COLUMNS * case.size).unwrap();
            case.check(own, reader);
        }
        assert!(bytes.is_empty(), "{reader}");
    }

    /// Asserts that these are the bytes of the entries.
    #[track_caller]
    fn check(&self, bytes: &[u8], reader: &str) {
        let bits = bytes.chunks(self.size).map(|entry| match self.size {
            1 => entry[0].into(),
            2 => u16::from_ne_bytes(entry.try_into().unwrap()).into(),
            4 => u32::from_ne_bytes(entry.try_into().unwrap()).into(),
            _ => u64::from_ne_bytes(entry.try_into().unwrap()),
        });
        assert_eq!(bits.collect::<Vec<_>>(), self.bits, "{}, {reader}", self.dtype);
    }
}

/// A language, by the compiler and its options.
#[derive(Clone, Copy)]
struct Language {
    compiler: &'static str,
    options: &'static [&'static str],
}

/// `cc` links Rust programs, so it is always there. `c++` need not be.
const C: [Language; 2] = [
    Language { compiler: "cc", options: &["-x", "c", "-std=c99"] },
    Language { compiler: "cc", options: &["-x", "c", "-std=c11"] },
];
const CPP: Language = Language { compiler: "c++", options: &["-x", "c++", "-std=c++17"] };

impl Language {
    /// Compiles files without warnings, and returns what the program prints.
    #[track_caller]
    fn printed(&self, folder: &Folder, files: &[&str]) -> Vec<u8> {
        let warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-o", "program"];
        let arguments = [self.options, &warnings, files].concat().into_iter().map(OsString::from);
        run(folder, self.compiler.as_ref(), arguments);
        run(folder, folder.path("program").as_ref(), []).stdout
    }
}

#[track_caller]
fn run(folder: &Folder, program: &OsStr, arguments: impl IntoIterator<Item = OsString>) -> Output {
    let output = Command::new(program).args(arguments).current_dir(folder.path("")).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{}: {errors}", program.display());
    output
}

/// A program that prints the bytes of tables.
fn c_program(declarations: &str, tables: &[String]) -> String {
    let print = |table: &String| format!("if (fwrite({table}, sizeof {table}, 1, stdout) != 1) return 1; ");
    let prints: String = tables.iter().map(print).collect();
    format!("{declarations}\n#include <stdint.h>\n#include <stdio.h>\nint main(void) {{ {prints}return 0; }}\n")
}

#[test]
fn c_reads_the_same_bits() {
    for language in C {
        language.reads_the_same_bits();
    }
}

#[test]
#[ignore = "needs a C++ compiler"]
fn cpp_reads_the_same_bits() {
    CPP.reads_the_same_bits();
}

impl Language {
    fn reads_the_same_bits(self) {
        self.reads_headers();
        self.reads_a_source_file_from_others();
        self.reads_a_table_with_attributes();
    }

    fn reads_headers(self) {
        let (folder, cases) = (Folder::new(), Case::all().into_iter().chain(Case::integers()).collect::<Vec<_>>());
        let tables = Case::write_all(&cases, &folder, "h");
        let declaration = |(i, table): (usize, &String)| {
            let include = format!("#include \"pe{i}.h\"\n");
            let sizes = format!("{table}_ROWS == {ROWS} && {table}_COLUMNS == {COLUMNS} ? 1 : -1");
            format!("{include}{include}typedef char is_shape{i}[{sizes}];\n")
        };
        let declarations: String = tables.iter().enumerate().map(declaration).collect();
        folder.write("main.c", c_program(&declarations, &tables));
        Case::check_all(&cases, &self.printed(&folder, &["main.c"]), self.options[2]);
    }

    /// A source file has the one definition, also in C++, where constants are local unless they are declared.
    fn reads_a_source_file_from_others(self) {
        let (folder, cases) = (Folder::new(), Case::all());
        let tables = Case::write_all(&cases, &folder, "c");
        let declaration = |(case, table): (&Case, &String)| {
            let c = ["uint16_t", "float", "double"][case.size.ilog2() as usize - 1];
            format!("extern const {c} {table}[{ROWS}][{COLUMNS}];\n")
        };
        let declarations: String = cases.iter().zip(&tables).map(declaration).collect();
        folder.write("main.c", c_program(&format!("#include <stdint.h>\n{declarations}"), &tables));
        let files = ["main.c", "pe0.c", "pe1.c", "pe2.c", "pe3.c"];
        Case::check_all(&cases, &self.printed(&folder, &files), self.options[2]);
    }

    fn reads_a_table_with_attributes(self) {
        let folder = Folder::new();
        let case = &Case::all()[0];
        for (file, files) in [("pe.h", &["main.c"][..]), ("pe.c", &["main.c", "pe.c"])] {
            folder.posenc(&format!("table {} -o {file}", case.options)).done();
            let declaration = if file == "pe.h" { "#include \"pe.h\"" } else { "extern const float PE[7][6];" };
            let aligned = "(void) { if ((uintptr_t)PE % 256) return 2;";
            let aligned = c_program(declaration, &["PE".to_owned()]).replace("(void) {", aligned);
            folder.write("main.c", aligned);
            let alignas = if self.compiler == "cc" { "_Alignas(256)" } else { "alignas(256)" };
            let attributes = ["__attribute__((aligned(256)))", alignas];
            let has_alignas = self.options[2] != "-std=c99";
            for attribute in &attributes[..=usize::from(has_alignas)] {
                let define = format!("-DPE_ATTRIBUTE={attribute}");
                let files = [&[define.as_str()], files].concat();
                case.check(&self.printed(&folder, &files), attribute);
            }
        }
    }
}

#[test]
fn rust_reads_the_same_bits() {
    let (folder, cases) = (Folder::new(), Case::all().into_iter().chain(Case::integers()).collect::<Vec<_>>());
    let tables = Case::write_all(&cases, &folder, "rs");
    let module = |i: usize| format!("mod pe{i};\n");
    let modules: String = (0..tables.len()).map(module).collect();
    let print = |(i, table): (usize, &String)| {
        format!("for entry in pe{i}::{table}.as_flattened() {{ out.write_all(&entry.to_ne_bytes()).unwrap(); }}\n")
    };
    let prints: String = tables.iter().enumerate().map(print).collect();
    let main = format!("use std::io::Write;\nfn main() {{\nlet mut out = std::io::stdout();\n{prints}}}\n");
    folder.write("main.rs", modules + &main);
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    run(&folder, &rustc, ["--edition", "2024", "-D", "warnings", "main.rs"].map(OsString::from));
    Case::check_all(&cases, &run(&folder, folder.path("main").as_ref(), []).stdout, "Rust");
}

#[test]
fn csv_is_read_back_as_the_same_bits() {
    let folder = Folder::new();
    for case in Case::all() {
        folder.posenc(&format!("table {} -o pe.csv", case.options)).done();
        let text = fs::read_to_string(folder.path("pe.csv")).unwrap();
        let lines: Vec<Vec<_>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert!(lines.len() == ROWS && lines.iter().all(|line| line.len() == COLUMNS), "{text}");
        let bits = lines.concat().into_iter().map(|number| match case.dtype {
            "f64" => number.parse::<f64>().unwrap().bits(),
            "f32" => number.parse::<f32>().unwrap().bits(),
            "f16" => exact(number, f16::from_f32).to_bits().into(),
            _ => exact(number, bf16::from_f32).to_bits().into(),
        });
        assert_eq!(bits.collect::<Vec<_>>(), case.bits, "{}", case.dtype);
    }
}

/// Returns the number of 16 bits that is written as an `f32` of the same value.
#[track_caller]
fn exact<T: Copy + Into<f32>>(number: &str, narrowed: fn(f32) -> T) -> T {
    let wide: f32 = number.parse().unwrap();
    let narrow = narrowed(wide);
    assert_eq!(narrow.into().to_bits(), wide.to_bits(), "{number}");
    narrow
}

#[test]
fn rotary_caches_are_written_alike() {
    let folder = Folder::new();
    let rope = Rope::new(COLUMNS).packed(Packing::CosSin).unwrap().table::<f32>(3).unwrap();
    let options = format!("rope --head-dim {COLUMNS} --seq-len 3");
    let text = folder.posenc(&format!("{options} --format csv -o -")).done().out();
    let entries: Vec<f32> = text.split([',', '\n']).filter_map(|number| number.parse().ok()).collect();
    assert_eq!(entries, rope.into_vec());
    folder.posenc(&format!("{options} --format rust -o -")).done().says("pub static PE: [[f32; 6]; 3] = [\n");
    folder.posenc(&format!("{options} --format c -o -")).done().says("float PE[PE_ROWS][PE_COLUMNS] = {\n");
    folder.posenc(&format!("{options} --dtype f16 -o rope.h")).done();
    let header = fs::read_to_string(folder.path("rope.h")).unwrap();
    for line in [
        "/* Positional encodings: 3 x 6 f16, each entry correctly rounded.",
        " * Each entry is the bits of a number in IEEE half precision.",
        "#ifndef ROPE_H",
        "#include <stdint.h>",
        "#define ROPE_ROWS 3",
        "ROPE_ATTRIBUTE static const uint16_t ROPE[ROPE_ROWS][ROPE_COLUMNS] = {",
        "    {0x3c00, 0x3c00, 0x3c00, 0x0000, 0x0000, 0x0000},",
    ] {
        assert!(header.lines().any(|found| found == line), "{line}\n{header}");
    }
    let written = format!(" * Written by posenc {}; the table of rotary_table!(3, 6, ", env!("CARGO_PKG_VERSION"));
    assert!(header.contains(&written), "{header}");
}

/// Long rows are wrapped, and those of several pieces are all there.
#[test]
fn wide_and_long_tables_are_complete() {
    let folder = Folder::new();
    folder.posenc("table --seq-len 2 --d-model 100 -o pe.h").done();
    let header = fs::read_to_string(folder.path("pe.h")).unwrap();
    assert!(header.lines().all(|line| line.len() <= 100), "{header}");
    assert_eq!(header.matches("0x").count(), 200);
    let (rows, columns) = (3, 1 << 19); // a piece has two rows
    let options = format!("--seq-len {rows} --d-model {columns} --columns cos --dtype f64");
    let ran = folder.posenc(&format!("table {options} -o pe.csv")).done();
    let text = fs::read_to_string(folder.path("pe.csv")).unwrap();
    assert!(ran.err().contains(&format!(" {} bytes: ", text.len())), "{}", ran.err());
    assert_eq!(text.lines().map(|line| line.split(',').count()).collect::<Vec<_>>(), [columns; 3]);
}

#[test]
fn names_are_identifiers() {
    let folder = Folder::new();
    let table = "table --seq-len 2 --d-model 2";
    folder.posenc(&format!("{table} -o my_table.rs")).done();
    assert!(fs::read_to_string(folder.path("my_table.rs")).unwrap().contains("pub static MY_TABLE: "));
    folder.posenc(&format!("{table} --name lower --format c -o -")).done().says("float lower[LOWER_ROWS]");
    for (options, words) in [
        ("-o 2d.h", "the name of the table, from the name of the file, is `2D`, but must have only the letters A to Z"),
        ("-o pe-2.rs", "is `PE-2`, but must have only"),
        ("--name 2d -o pe.h", "the name of the table is `2d`, but must have only"),
        ("--name é -o pe.rs", "be no keyword of C, C++ or Rust; use another --name"),
        ("--name template -o pe.rs", "the name of the table is `template`"),
        ("--name x -o pe.npy", "`pe.npy` is a .npy file, which contains a single unnamed table; leave out --name"),
        ("--name x -o pe.bin", "`pe.bin` is a .bin file, which contains a single unnamed table; leave out --name"),
        ("--name x -o pe.csv", "`pe.csv` is a .csv file, which contains a single unnamed table; leave out --name"),
    ] {
        folder.posenc(&format!("{table} {options}")).refused(words);
    }
    folder
        .posenc("table --seq-len 0 --d-model 2 -o pe.h")
        .refused("has 0 rows, but an array in C must have at least 1");
    assert_eq!(folder.names(), ["my_table.rs"]);
    for (file, end) in [("pe.csv", ""), ("pe.rs", "pub static PE: [[f32; 2]; 0] = [\n];\n")] {
        folder.posenc(&format!("table --seq-len 0 --d-model 2 -o {file}")).done();
        assert!(fs::read_to_string(folder.path(file)).unwrap().ends_with(end), "{file}");
    }
}
