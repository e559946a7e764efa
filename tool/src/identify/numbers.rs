//! Numbers that people are likely to choose, near measured ones.

use std::f64::consts::PI;

/// Returns numbers within a relative `error` of `measured` that somebody may have chosen.
///
/// Numbers with few digits come first, and the measured number itself comes last.
pub(super) fn written_near(measured: f64, error: f64) -> Vec<f64> {
    let mut numbers = Vec::new();
    let mut add = |number: f64| {
        if number.is_finite() && (number - measured).abs() <= error * measured.abs() && !numbers.contains(&number) {
            numbers.push(number);
        }
    };
    add(1.0);
    add(10_000.0);
    for digits in 0..=2 {
        add(rounded(measured, digits));
    }
    // Numbers such as 1/8, 1/64, 2 pi and pi.
    add(1.0 / (1.0 / measured).round());
    add(2.0 * PI);
    add(PI);
    for digits in 3..=12 {
        add(rounded(measured, digits));
    }
    add(measured);
    numbers
}

/// Rounds a number to `digits` digits after the first.
fn rounded(number: f64, digits: usize) -> f64 {
    format!("{number:.digits$e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits_come_first() {
        assert_eq!(written_near(9_999.8, 1e-3)[0], 10_000.0);
        assert_eq!(written_near(0.015_625_1, 1e-4)[0], 0.015_625);
        assert_eq!(written_near(499_990.0, 1e-3)[0], 500_000.0);
        assert_eq!(written_near(9_646.6, 1e-6)[0], 9_646.6);
    }
}
