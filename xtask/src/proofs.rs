//! Proves error bounds: Sollya bounds the errors of the polynomials, and Gappa those of rounding.
//!
//! The scripts in `proofs` name the constants of the code, which are read from its source and put in their place. Each
//! script is run for fused and for unfused operations.

use std::collections::BTreeMap;
use std::fs;

use crate::run::{Context, Outcome, Run, ensure, read as read_file, root};
use crate::{install, workspace};

/// Numbers by the names that the scripts have for them.
type Numbers = BTreeMap<String, f64>;

/// Largest error of `product_error` if it is not fused, relative to the product; see `product_error.gappa`.
const UNFUSED_PRODUCT_ERROR: f64 = 1.0 / (1u128 << 104) as f64;

pub(crate) fn run() -> Outcome {
    install::programs(&["sollya", "gappa"], &["sollya", "gappa"])?;
    let made = polynomials(&Run::line("sollya scripts/sine.sollya").stdout()?)?;
    let mut numbers = coefficients(&read_file("pe-runtime/src/engine/polynomials.rs")?)?;
    for (name, number) in &numbers {
        let made = made.get(name);
        let is_made = made == Some(number);
        ensure!(is_made, "proofs: {name} is {number:e} in the code, and scripts/sine.sollya makes {made:?}");
    }
    println!("proofs: {} coefficients are those that scripts/sine.sollya makes", numbers.len());
    numbers.extend(made);
    numbers.insert("UNFUSED_PRODUCT_ERROR".to_owned(), UNFUSED_PRODUCT_ERROR);
    numbers.extend(bounds(&read_file("pe-runtime/src/error_bounds.rs")?)?);
    let scripts = workspace::files("proofs/*.gappa")?;
    ensure!(!scripts.is_empty(), "proofs: there are no scripts");
    for file in scripts {
        let name = file.trim_start_matches("proofs/").trim_end_matches(".gappa");
        let script = read_file(&file)?;
        let [unfused, fused] = [false, true].map(|fused| filled(&script, &numbers, fused));
        prove(&format!("{name}.unfused"), &unfused)?;
        prove(&format!("{name}.fused"), &fused)?;
        refute(&format!("{name}.false"), &unfused)?;
    }
    Ok(())
}

fn prove(name: &str, script: &str) -> Outcome {
    let (proved, output) = gappa(name, script)?;
    // A warning says that a name has no value, or that Gappa only assumes what a hint says.
    ensure!(proved && !output.contains("Warning"), "{output}proofs: {name}: not proved");
    println!("proofs: {name}: proved");
    for figure in output.lines().filter(|line| line.contains(" in [")) {
        println!("    {}", figure.trim());
    }
    Ok(())
}

/// Fails if Gappa also proves something false, because then the hypotheses contradict each other.
fn refute(name: &str, script: &str) -> Outcome {
    let parts = script.split_once("\n->").and_then(|(before, goal)| Some((before, goal.split_once('}')?.1)));
    let (before, after) = parts.with_context(|| format!("proofs: {name}: there is no goal"))?;
    let (proved, output) = gappa(name, &format!("{before}\n-> 1 - 1 >= 1 }}{after}"))?;
    let refuted = !proved && output.contains("no contradiction was found");
    ensure!(refuted, "{output}proofs: {name}: the hypotheses contradict each other");
    Ok(())
}

/// Returns whether Gappa proves a script, and its output.
fn gappa(name: &str, script: &str) -> Outcome<(bool, String)> {
    let folder = root().join("target/proofs");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{name}.gappa"));
    fs::write(&file, script)?;
    Run::new("gappa").arg(&file).capture()
}

/// Returns a script with numbers in the place of their names, and with the operations that it expects.
///
/// A fused operation does not round its product, which has at most 106 bits.
fn filled(script: &str, numbers: &Numbers, fused: bool) -> String {
    let product = if fused { "float<106, -5000, ne>" } else { "float<ieee_64, ne>" };
    let error = if fused { 0.0 } else { UNFUSED_PRODUCT_ERROR };
    let number = |name: &str| if name == "PRODUCT_ERROR" { Some(error) } else { numbers.get(name).copied() };
    let words = script.split_inclusive(|c: char| !is_part_of_a_name(c)).map(|word| {
        let (name, after) = word.split_at(word.trim_end_matches(|c| !is_part_of_a_name(c)).len());
        number(name).map_or(name.to_owned(), dyadic) + after
    });
    format!("@f64 = float<ieee_64, ne>;\n@product = {product};\n\n") + &words.collect::<String>()
}

fn is_part_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns a number as Gappa reads it, an integer and an exponent of 2.
fn dyadic(number: f64) -> String {
    let (mut integer, mut exponent) = (number, 0);
    while integer.fract() != 0.0 {
        (integer, exponent) = (integer * 2.0, exponent - 1);
    }
    format!("{integer}b{exponent}")
}

/// Reads what the script for Sollya prints: lines such as `SINE_0 = -3b-5 ;`.
fn polynomials(printed: &str) -> Outcome<Numbers> {
    let number = |line: &str| {
        let (name, value) = line.strip_suffix(';')?.split_once('=')?;
        let (integer, exponent) = value.trim().split_once('b')?;
        Some((name.trim().to_owned(), integer.parse::<f64>().ok()? * exponent.parse::<f64>().ok()?.exp2()))
    };
    let read = |line: &str| number(line).with_context(|| format!("proofs: Sollya says: {line}"));
    printed.lines().map(read).collect()
}

/// Reads the coefficients of the polynomials from the source.
fn coefficients(source: &str) -> Outcome<Numbers> {
    let mut numbers = Numbers::new();
    let mut add = |name: &str, values: &[f64]| {
        numbers.extend(values.iter().enumerate().map(|(i, &value)| (format!("{name}_{i}"), value)));
    };
    add("SINE", &read(source, "const SINE: [f64; 8] = [?];")?);
    let pairs = read(source, "const PRECISE_SINE: [(f64, f64); 7] = [?];")?;
    let (firsts, rests): (Vec<_>, Vec<_>) = pairs.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    add("PRECISE_SINE", &firsts);
    add("PRECISE_SINE_REST", &rests);
    add("PRECISE_SINE_TAIL", &read(source, "const PRECISE_SINE_TAIL: [f64; 5] = [?];")?);
    Ok(numbers)
}

/// Reads the error bounds from the source.
fn bounds(source: &str) -> Outcome<Numbers> {
    let read = |pattern: &str| read(source, pattern);
    let scaled = |numbers: &[f64]| numbers[0] * numbers[1].exp2();
    let of_sums = |name| read(&format!("fn {name}(tier: Tier) -> f64 {{ ? * power_of_two(faulty(tier, ?)) }}"));
    let one = read("const DIRECT_ONE_FLOAT: f64 = ? * power_of_two(faulty(Tier::Direct, ?));")?;
    let two = read("const DIRECT_TWO_FLOATS: f64 = power_of_two(faulty(Tier::Direct, ?));")?;
    let phase = read("const DIRECT_PHASE: f64 = ? * power_of_two(faulty(Tier::Direct, ?));")?;
    let share = read("const ANGLE_SHARE: f64 = ? / ?;")?;
    Ok([
        // Adding the error bound and subtracting it rounds once more.
        ("DIRECT_ONE_FLOAT_UNROUNDED", scaled(&[one[0] - 1.0, one[1]])),
        ("DIRECT_TWO_FLOATS", two[0].exp2()),
        ("DIRECT_PHASE", scaled(&phase)),
        ("ANGLE_SHARE", share[0] / share[1]),
        ("ONE_FLOAT", scaled(&of_sums("one_float")?)),
        ("TWO_FLOATS", scaled(&of_sums("two_floats")?)),
    ]
    .map(|(name, number)| (name.to_owned(), number))
    .into())
}

/// Returns the numbers at the question marks of a pattern, which the source must contain. Spaces do not matter.
fn read(source: &str, pattern: &str) -> Outcome<Vec<f64>> {
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let (source, pattern_packed) = (packed(source), packed(pattern));
    let numbers = || {
        let mut parts = pattern_packed.split('?');
        let (_, mut rest) = source.split_once(parts.next()?)?;
        let mut numbers = Vec::new();
        for part in parts {
            let (list, after) = rest.split_once(part)?;
            for number in list.split(['(', ')', ',']).filter(|number| !number.is_empty()) {
                numbers.push(number.parse().ok()?);
            }
            rest = after;
        }
        Some(numbers)
    };
    numbers().with_context(|| format!("proofs: the code has no `{pattern}` with numbers"))
}

#[cfg(test)]
mod tests {
    use super::{Numbers, dyadic, filled, polynomials, read};

    #[test]
    fn numbers_are_read_where_the_pattern_has_them() {
        let source = "const A: [(f64, f64); 2] =\n    [(1.5, -2e-3), (3.0,\n4.0)];\nconst B: f64 = 2.0 * two(-3);";
        assert_eq!(read(source, "const A: [(f64, f64); 2] = [?];").unwrap(), [1.5, -2e-3, 3.0, 4.0]);
        assert_eq!(read(source, "const B: f64 = ? * two(?);").unwrap(), [2.0, -3.0]);
        assert!(read(source, "const B: f64 = two(?);").is_err());
        assert!(read(source, "const C: f64 = ?;").is_err());
    }

    #[test]
    fn names_become_numbers() {
        let numbers = Numbers::from([("A".to_owned(), -0.75), ("A_B".to_owned(), 12.0 * (-53f64).exp2())]);
        let script = filled("A_B + aA -> 2 * A / x;", &numbers, true);
        assert!(script.ends_with("\n\n3b-51 + aA -> 2 * -3b-2 / x;"), "{script}");
    }

    #[test]
    fn sollya_and_gappa_have_the_same_numbers() {
        for number in [0.1, -41.341_702_240_397_82, 7.0, 0.0, (-900f64).exp2()] {
            let read = polynomials(&format!("A = {} ;\n", dyadic(number))).unwrap();
            assert_eq!(read["A"], number);
        }
        assert!(polynomials("A = error ;").is_err());
    }
}
