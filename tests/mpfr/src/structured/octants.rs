//! Both sides of every octant: angles as close as possible to each multiple of pi/4.
//!
//! If `p / q` is a convergent of `4 w / pi`, the angle at `q` is close to `p` octants. Sums of two consecutive
//! convergents reach every `p` modulo 8, because their numerators are coprime. They lie on both sides of the multiple,
//! because consecutive convergents do.

use rug::float::{Constant, Round};
use rug::{Float, Integer};
use std::collections::BTreeMap;

use super::checks::{check_positions, check_rows_around};
use super::progressions::{frequency, in_parts_of_pi, of_block, position};
use crate::fractions::{Fraction, convergents};
use crate::rng::Rng;
use crate::tally::Tally;

/// Returns the closest position for each octant, each side and each pair of consecutive convergents.
fn closest(octants: &Float) -> Vec<i64> {
    let fractions: Vec<Fraction> = convergents(octants).into_iter().map(|(_, fraction)| fraction).collect();
    let mut found = Vec::new();
    for pair in fractions.windows(2) {
        let mut best: BTreeMap<(Option<u32>, bool), (Float, i64)> = BTreeMap::new();
        for (a, b) in (0..8u32).flat_map(|a| (0..8u32).map(move |b| (a, b))) {
            let none = Fraction { numerator: Integer::new(), denominator: Integer::new() };
            let sum = none.plus(&pair[0], &a.into()).plus(&pair[1], &b.into());
            let Some(q) = position(&sum.denominator) else { continue };
            let distance = Float::with_val(400, octants * q) - &sum.numerator;
            let octant = Integer::from(sum.numerator.modulo_ref(&8.into())).to_u32();
            let key = (octant, distance.is_sign_negative());
            let size = distance.abs();
            if q > 0 && best.get(&key).is_none_or(|(other, _)| size < *other) {
                best.insert(key, (size, q));
            }
        }
        found.extend(best.into_values().map(|(_, q)| q));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the two `f64` next to each of many multiples of `pi/4`, small and huge, as positions.
fn fractional(block: u64, frequency: &Float) -> Vec<f64> {
    let mut rng = Rng::of_block(4, block);
    let octant = Float::with_val(400, Constant::Pi) / 4 / frequency;
    let small = (1..=40).map(f64::from);
    let multiples = small.chain((0..120).map(|_| rng.of_any_size(0, 70).floor()));
    let positions = multiples.flat_map(|multiple| {
        let position = Float::with_val(400, &octant * multiple);
        [position.to_f64_round(Round::Down), position.to_f64_round(Round::Up)]
    });
    positions.flat_map(|position| [position, -position]).collect()
}

pub fn run(block: u64, tally: &mut Tally) {
    let (params, wave) = of_block(block);
    let closest = closest(&in_parts_of_pi(&params, wave, 4));
    for &q in &closest {
        check_rows_around(&params, q, &[wave], tally);
        check_rows_around(&params, -q, &[wave], tally);
    }
    let integers = closest.into_iter().flat_map(|q| [q as f64, -q as f64]);
    let positions: Vec<_> = integers.chain(fractional(block, &frequency(&params, wave))).collect();
    for positions in positions.chunks(16) {
        check_positions(&params, positions.to_vec(), &[wave], tally);
    }
}
