//! Random scaling rules: parameters as models have them, any others in range, and turns next to those of a pair.

use posenc::Scaling;
use posenc::scaling::{Llama3, Proportional, Yarn};
use rug::float::Round;

use crate::rng::Rng;
use crate::scaling::{Pairs, Rule};

/// The ranges of turns and lengths.
const TURNS: (f64, f64) = (1.0 / 1_048_576.0, 1_048_576.0);
const LENGTH_BITS: i64 = 40;
const MOST: f64 = 65_536.0;

/// Returns a rule whose numbers are in range. It may be one that is not allowed for the base.
pub fn rule(rng: &mut Rng, pairs: Pairs) -> Rule {
    let scaling = match rng.integer(0, 99) {
        0..10 => Scaling::linear(factor(rng)),
        10..20 => Scaling::ntk(factor(rng)),
        20..30 => dynamic(rng),
        30..60 => Scaling::Yarn(yarn(rng, pairs)),
        60..80 => Scaling::Llama3(llama3(rng, pairs)),
        80..92 => return longrope(rng, pairs),
        _ => Scaling::Proportional(proportional(rng, pairs)),
    };
    scaling.into()
}

fn factor(rng: &mut Rng) -> f64 {
    match rng.integer(0, 9) {
        0..4 => rng.pick(&[2.0, 3.0, 4.0, 8.0, 10.0, 16.0, 32.0, 40.0, 1.5, 2.5]),
        4 => rng.pick(&[1.0, MOST, MOST.next_down()]),
        5 => 1.0 + rng.of_any_size(-52, -2),
        6 => rng.integer_of_any_size(16) as f64,
        _ => rng.of_any_size(0, 15),
    }
}

fn length(rng: &mut Rng) -> usize {
    if rng.percent(50) {
        return rng.pick(&[2048, 4096, 8192, 32_768, 131_072, 262_144]);
    }
    usize::try_from(rng.integer_of_any_size(LENGTH_BITS)).expect("positive")
}

fn dynamic(rng: &mut Rng) -> Scaling<'static> {
    let original = length(rng);
    let seq_len = match rng.integer(0, 3) {
        0 => rng.pick(&[original, original + 1, original.saturating_sub(1).max(1)]),
        1 => rng.size(original, original * 8),
        _ => length(rng),
    };
    Scaling::dynamic(factor(rng), original, seq_len.min(1 << LENGTH_BITS))
}

/// Returns turns: those of a pair rounded down or up, or any.
fn turns(rng: &mut Rng, pairs: Pairs, length: usize) -> f64 {
    let turns = if rng.percent(80) {
        let pair = rng.size(0, pairs.count - 1);
        let turns = pairs.turns(pair, length, 128);
        match rng.integer(0, 2) {
            0 => turns.to_f64_round(Round::Down),
            1 => turns.to_f64_round(Round::Up),
            _ => turns.to_f64() * (0.5 + rng.fraction()),
        }
    } else {
        rng.of_any_size(-20, 19)
    };
    turns.clamp(TURNS.0, TURNS.1)
}

fn yarn(rng: &mut Rng, pairs: Pairs) -> Yarn {
    let length = length(rng);
    let mut rule = Yarn { truncate: rng.percent(50), ..Yarn::new(factor(rng), length) };
    if rng.percent(60) {
        let [one, other] = [turns(rng, pairs, length), turns(rng, pairs, length)];
        rule.beta_fast = one.max(other);
        rule.beta_slow = if rng.percent(15) { rule.beta_fast } else { one.min(other) };
    }
    if rng.percent(60) {
        [rule.mscale, rule.mscale_all_dim] = scales(rng);
    }
    rule
}

/// Returns the two scales of the attention factor of `YaRN`.
fn scales(rng: &mut Rng) -> [f64; 2] {
    let any = |rng: &mut Rng| match rng.integer(0, 5) {
        0 => rng.pick(&[0.0, 0.0, 1024.0, 5e-324, f64::MIN_POSITIVE]),
        1 => rng.of_any_size(-1000, 9),
        2 => rng.fraction(),
        _ => rng.pick(&[1.0, 0.707, 0.5]),
    };
    let one = any(rng);
    match rng.integer(0, 4) {
        0 => [one, one],
        1 => [one, one.next_up().min(1024.0)],
        _ => [one, any(rng)],
    }
}

fn llama3(rng: &mut Rng, pairs: Pairs) -> Llama3 {
    let length = length(rng);
    let mut rule = Llama3::new(factor(rng), length);
    if rng.percent(70) {
        rule.low_freq_factor = turns(rng, pairs, length);
        let low = rule.low_freq_factor;
        let high = match rng.integer(0, 3) {
            0 => low,
            // Next to the smallest band, which may be too small.
            1 => rng.pick(&[f64::next_down, f64::next_up])(low + low / 256.0),
            2 => low * (1.0 + rng.of_any_size(-8, 20)),
            _ => turns(rng, pairs, length).max(low),
        };
        rule.high_freq_factor = high.min(TURNS.1);
    }
    rule
}

fn longrope(rng: &mut Rng, pairs: Pairs) -> Rule {
    let small = rng.percent(70);
    let divisors = (0..pairs.count).map(|_| match rng.integer(0, 9) {
        0 => rng.pick(&[1.0, 2.0, 2f64.powi(-32), 2f64.powi(32)]),
        1..8 if small => 1.0 + rng.fraction() * 64.0,
        _ => rng.of_any_size(-32, 31),
    });
    let divisors = divisors.collect();
    if rng.percent(20) {
        // Powers of one number, so that the attention factor is a root of a fraction.
        let root = rng.size(2, 5);
        let [one, other] = [rng.integer(1, 16), rng.integer(1, 6)].map(|i| u32::try_from(i).expect("small"));
        return Rule::longrope(divisors, root.pow(other) as f64, root.pow(one));
    }
    let factor = match rng.integer(0, 4) {
        0 => rng.pick(&[0.0, 1.0, 1f64.next_down(), 1f64.next_up()]),
        1 => rng.of_any_size(-1060, 15),
        _ => factor(rng),
    };
    Rule::longrope(divisors, factor, length(rng).max(2))
}

fn proportional(rng: &mut Rng, pairs: Pairs) -> Proportional {
    let share = match rng.integer(0, 3) {
        0 => rng.pick(&[0.25, 0.3, 0.5, 0.7, 1.0]),
        1 => rng.fraction(),
        // Close to a number of pairs.
        _ => {
            let share = rng.size(1, pairs.count) as f64 / pairs.count as f64;
            rng.pick(&[share.next_down(), share, share.next_up().min(1.0)])
        }
    };
    let share = if pairs.turning(share) == 0 { 1.0 } else { share };
    Proportional { factor: if rng.percent(50) { 1.0 } else { factor(rng) }, ..Proportional::new(share) }
}
