//! Writes the tests: random specs, the same in every run, each as a macro call and as calls of the builder.
//!
//! Using a build script instead of a test that runs the compiler has two advantages: unchanged specs are not
//! recompiled, and the tests run wherever other tests run.
#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use posenc::{Scaling, Spec};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use testkit::{any_spec, cases};

/// Each spec costs about a second, because the compiler evaluates its table.
const SPECS: u32 = 8;
const ROWS: usize = 4;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=POSENC_TEST_EFFORT");
    let mut runner = TestRunner::deterministic();
    let mut program = String::new();
    for i in 0..cases(SPECS) {
        let drawn = any_spec::valid(4).new_tree(&mut runner).unwrap().current();
        let dtypes = [("f32", "f32"), ("f64", "f64"), ("f16_bits", "F16Bits"), ("bf16_bits", "Bf16Bits")];
        let (dtype, kind) = dtypes[i as usize % dtypes.len()];
        let (width, keys, builder) = as_source(drawn.spec());
        let _ = writeln!(
            program,
            "#[test]
fn spec_{i}() {{
    static BAKED: [[{kind}; {width}]; {ROWS}] = sinusoidal_table!({ROWS}, {width}, dtype = {dtype}{keys});
    const WIDTH: usize = {width};
    static NAMED: [[{kind}; WIDTH]; {ROWS}] = sinusoidal_table!({ROWS}, WIDTH, dtype = {dtype}{keys});
    const SPEC: Spec = Spec::new({width}){builder};
    check(&SPEC, &BAKED, &NAMED);
}}
"
        );
    }
    let file = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("random_specs.rs");
    fs::write(file, program).expect("a folder to write to");
}

/// Returns the width, the remaining macro keys, and the builder calls of a spec, derived from its `Display` output.
fn as_source(spec: Spec) -> (usize, String, String) {
    let shown = spec.to_string();
    let start = format!("sinusoidal_table!(seq_len, {}", spec.d_model());
    let keys = |shown: &str| -> String {
        shown.strip_prefix(&start).and_then(|rest| rest.strip_suffix(')')).expect("a macro call").to_owned()
    };
    let call = |setting: &str| {
        let (key, value) = setting.split_once(" = ").expect("a setting");
        format!(".{key}({})", argument(key, value))
    };
    // The text after a comma is a setting if it contains an equals sign, and otherwise continues a list.
    let mut settings: Vec<String> = Vec::new();
    for part in keys(&spec.scaling(Scaling::None).to_string()).split(", ").filter(|part| !part.is_empty()) {
        match settings.last_mut() {
            Some(list) if !part.contains('=') => list.extend([", ", part]),
            _ => settings.push(part.to_owned()),
        }
    }
    let mut builder: String = settings.iter().map(|setting| call(setting)).collect();
    // The `Debug` output of a rule is an expression, except that its list is borrowed.
    let scaling = format!("{:?}", spec.parameters().scaling).replace('[', "&[");
    let _ = write!(builder, ".scaling(Scaling::{scaling})");
    (spec.d_model(), keys(&shown), builder)
}

/// Converts the value of a macro key to an argument of the builder.
fn argument(key: &str, value: &str) -> String {
    let variant: String = value.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    match (key, value) {
        ("layout", _) => format!("Layout::{variant}"),
        ("order", _) => format!("Order::{variant}"),
        ("columns", _) => format!("Columns::{variant}"),
        ("pairing", _) => format!("Pairing::{variant}"),
        ("frequency_dtype", _) => format!("FrequencyDtype::{variant}"),
        ("odd", _) => format!("Odd::{variant}"),
        ("amplitude", "rsqrt_d") => "Amplitude::RsqrtD".into(),
        ("amplitude", "sqrt_2_over_d") => "Amplitude::Sqrt2OverD".into(),
        ("amplitude", "attention_factor") => "Amplitude::AttentionFactor".into(),
        ("amplitude", number) => format!("Amplitude::Value({number})"),
        ("frequencies", list) => format!("&{list}"),
        ("unit" | "freq_offset", quotient) => {
            let (numerator, denominator) = quotient.split_once('/').unwrap_or((quotient, "1"));
            format!("{numerator}, {denominator}")
        }
        (_, number) => number.to_owned(),
    }
}
