//! The slowest calls of the macros that are accepted.

use crate::cost::package::Package;
use crate::run::Outcome;

/// Each call with the type and the number of rows and columns of its table: nearly the largest that is accepted.
///
/// The calls with `N` have a name, so the compiler evaluates them, and the macro evaluates the others.
const CALLS: [(&str, &str, usize, usize); 27] = [
    ("sinusoidal_table!(N, 512)", "f32", 4700, 512),
    ("sinusoidal_table!(N, 512, dtype = f64)", "f64", 2000, 512),
    ("sinusoidal_table!(N, 512, dtype = bf16_bits)", "posenc::Bf16Bits", 2000, 512),
    ("sinusoidal_table!(N, 512, dtype = i8(1/127))", "i8", 4700, 512),
    ("sinusoidal_table!(N, 512, dtype = q31)", "posenc::Q31", 2100, 512),
    ("sinusoidal_table!(N, 4800)", "f32", 3, 4800),
    ("sinusoidal_table!(N, 3500, dtype = f64)", "f64", 3, 3500),
    ("sinusoidal_table!(N, 200, scale = 1e-42)", "f32", 64, 200),
    ("sinusoidal_table!(N, 200, dtype = f64, scale = 1e-10)", "f64", 64, 200),
    ("sinusoidal_table!(N, 200, dtype = f64, scale = 1e80)", "f64", 4, 200),
    ("sinusoidal_table!(N, 8, dtype = f64, scale = 1e300)", "f64", 4, 8),
    (
        "sinusoidal_table!(N, 4, dtype = bf16_bits, base = 1, scale = 8.271806125530277e-25, start = 257, step = 2)",
        "posenc::Bf16Bits",
        50,
        4,
    ),
    ("rotary_table!(N, 1900, dtype = f64, base = 500000, scaling = llama3(8, 8192), packing = cos)", "f64", 3, 950),
    ("grid_table!((N, 1), 960)", "f32", 2000, 960),
    ("sinusoidal_table!(65536, 1024)", "f32", 65_536, 1024),
    ("sinusoidal_table!(32768, 1024, dtype = f64)", "f64", 32_768, 1024),
    ("sinusoidal_table!(26000, 1024, dtype = f16_bits)", "posenc::F16Bits", 26_000, 1024),
    ("sinusoidal_table!(95000, 1024, dtype = i8(1/127))", "i8", 95_000, 1024),
    ("sinusoidal_table!(26000, 1024, dtype = q31)", "posenc::Q31", 26_000, 1024),
    ("sinusoidal_table!(3, 1050000)", "f32", 3, 1_050_000),
    ("sinusoidal_table!(4400, 1024, amplitude = 1e-30)", "f32", 4400, 1024),
    ("sinusoidal_table!(4400, 1024, scale = 1e-42)", "f32", 4400, 1024),
    ("sinusoidal_table!(63, 88000, scale = 1e60)", "f32", 63, 88_000),
    ("sinusoidal_table!(63, 1500, scale = 1e98)", "f32", 63, 1500),
    ("sinusoidal_table!(16, 1100, dtype = f64, scale = 1e300)", "f64", 16, 1100),
    ("rotary_table!(65536, 1024, base = 500000, scaling = llama3(8, 8192), packing = cos)", "f32", 65_536, 512),
    ("grid_table!((256, 256), 1024)", "f32", 65_536, 1024),
];

/// Builds a crate with each of the calls, and prints the seconds that it takes more than one with a small table.
pub(super) fn print(package: &Package) -> Outcome {
    let small = program("sinusoidal_table!(2, 2)", "f32", 2, 2);
    // The first build compiles the dependencies.
    package.seconds(&small)?;
    let least = package.seconds(&format!("{small}// again\n"))?;
    println!("\n| call | type | rows | s |\n|---|---|---|---|");
    for (call, element, rows, columns) in CALLS {
        let seconds = package.seconds(&program(call, element, rows, columns))? - least;
        println!("| `{call}` | `{element}` | {rows} | {seconds:.1} |");
    }
    Ok(())
}

fn program(call: &str, element: &str, rows: usize, columns: usize) -> String {
    format!(
        "#[allow(dead_code)]\nconst N: usize = {rows};\nstatic PE: [[{element}; {columns}]; {rows}] = posenc::{call};\n\
         fn main() {{ std::hint::black_box(&PE); }}\n"
    )
}
