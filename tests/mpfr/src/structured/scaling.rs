//! The scaling rules of models, and the edges of the rules.

use posenc::scaling::{Llama3, Proportional, Yarn};
use posenc::{Amplitude, Layout, MAX_POSITION, Order, Scaling};
use std::sync::LazyLock;

use super::checks::position_entry_points;
use crate::case::Case;
use crate::entries::TYPES;
use crate::params::Params;
use crate::rng::Rng;
use crate::rows::{Rows, TABLE_ENTRY_POINTS};
use crate::scaling::{Pairs, Rule};
use crate::tally::Tally;

/// The base, the number of rotary columns and the rule of each table.
static TABLES: LazyLock<Vec<(f64, usize, Rule)>> =
    LazyLock::new(|| models().into_iter().chain(edges()).chain(steps_at_pairs()).collect());

/// Llama 3.1 to Llama 4 Scout, `DeepSeek`, gpt-oss, Qwen2.5, Phi-3.5, Gemma 3 and 4, `HunYuan`, and models that are
/// stretched as they run.
fn models() -> Vec<(f64, usize, Rule)> {
    let scout = Llama3 { low_freq_factor: 1.0, high_freq_factor: 1.0, ..Llama3::new(16.0, 8192) };
    let deepseek = |mscale| Yarn { mscale, mscale_all_dim: mscale, ..Yarn::new(40.0, 4096) };
    let gpt_oss = Yarn { truncate: false, ..Yarn::new(32.0, 4096) };
    let phi = (0..48).map(|pair| 1.0 + f64::from(pair * pair) / 36.3).collect();
    let plain = [
        (500_000.0, 128, Scaling::llama3(8.0, 8192)),
        (500_000.0, 64, Scaling::llama3(32.0, 8192)),
        (500_000.0, 128, Scaling::Llama3(scout)),
        (10_000.0, 64, Scaling::Yarn(deepseek(0.707))),
        (10_000.0, 64, Scaling::Yarn(deepseek(1.0))),
        (150_000.0, 64, Scaling::Yarn(gpt_oss)),
        (1e6, 128, Scaling::yarn(4.0, 32_768)),
        (1e6, 256, Scaling::linear(8.0)),
        (1e6, 512, Scaling::proportional(0.25)),
        (10_000.0, 128, Scaling::ntk(1000.0)),
        (10_000.0, 128, Scaling::dynamic(2.0, 2048, 1024)),
        (10_000.0, 128, Scaling::dynamic(2.0, 2048, 2048)),
        (10_000.0, 128, Scaling::dynamic(2.0, 2048, 2049)),
        (10_000.0, 128, Scaling::dynamic(4.0, 2048, 100_000)),
    ];
    let plain = plain.map(|(base, columns, scaling)| (base, columns, scaling.into()));
    let listed = (10_000.0, 96, Rule::longrope(phi, 32.0, 4096));
    plain.into_iter().chain([listed]).collect()
}

/// Attention factors that are dyadic or close to it, factors of 1, steps, and the ends of the ranges.
fn edges() -> Vec<(f64, usize, Rule)> {
    let listed = |factor, length| Rule::longrope((1..=8).map(|i| f64::from(i) * 0.75).collect(), factor, length);
    let most = 1 << 40;
    let mscales = |mscale, mscale_all_dim| Yarn { mscale, mscale_all_dim, ..Yarn::new(40.0, 4096) };
    let step = |truncate| Yarn { truncate, beta_fast: 4.0, beta_slow: 4.0, ..Yarn::new(8.0, 4096) };
    let wide =
        Llama3 { low_freq_factor: 2f64.powi(-20), high_freq_factor: 2f64.powi(20), ..Llama3::new(65_536.0, most) };
    let plain = [
        Scaling::linear(1.0),
        Scaling::linear(65_536.0),
        Scaling::ntk(1.0),
        Scaling::ntk(65_536.0),
        Scaling::dynamic(1.0, 8, 80),
        Scaling::dynamic(65_536.0, 1, most),
        Scaling::yarn(1.0, 4096),
        Scaling::yarn(1f64.next_up(), 4096),
        Scaling::Yarn(step(true)),
        Scaling::Yarn(step(false)),
        Scaling::Yarn(mscales(0.707, 1.0)),
        Scaling::Yarn(mscales(1024.0, 1024f64.next_down())),
        Scaling::Yarn(mscales(1.0, 0.0)),
        Scaling::Yarn(mscales(0.0, 1.0)),
        Scaling::llama3(1.0, 8192),
        Scaling::llama3(65_536.0, 1),
        Scaling::Llama3(wide),
        Scaling::proportional(1.0),
        Scaling::Proportional(Proportional { factor: 3.0, ..Proportional::new(0.3) }),
    ];
    let roots = [(512.0, 65_536), (8.0, 2), (1.0, 4096), (0.0, 2), (1f64.next_up(), most), (65_536.0, 2)];
    let rules = plain.map(Rule::from).into_iter().chain(roots.map(|(factor, length)| listed(factor, length)));
    // Both bounds are clamped to one pair, beyond the last.
    let clamped = (10.0, 2, Scaling::yarn(8.0, 4096).into());
    rules.map(|rule| (10_000.0, 16, rule)).chain([clamped]).collect()
}

/// Steps and bands whose turns are the two floats next to those of a pair.
fn steps_at_pairs() -> Vec<(f64, usize, Rule)> {
    let (length, count) = (8192, 16);
    let pairs = Pairs { base: 10_000.0, count };
    let beside = [3, 7, 9].map(|pair| pairs.turns(pair, length, 128).to_f64());
    let turns = beside.into_iter().flat_map(|turns| [turns.next_down(), turns, turns.next_up()]);
    let rules = turns.flat_map(|turns| {
        let llama3 = |high_freq_factor| {
            Scaling::Llama3(Llama3 { low_freq_factor: turns, high_freq_factor, ..Llama3::new(8.0, length) })
        };
        let yarn = |truncate, beta_slow| {
            Scaling::Yarn(Yarn { truncate, beta_fast: turns, beta_slow, ..Yarn::new(8.0, length) })
        };
        [llama3(turns), llama3(turns * 4.0), yarn(true, turns), yarn(true, turns / 3.0), yarn(false, turns)]
            .into_iter()
            .chain([yarn(false, turns / 4.0)])
    });
    rules.map(|scaling| (pairs.base, 2 * count, scaling.into())).collect()
}

/// The blocks of each table: one for each kind of position, in turn.
const KINDS: u64 = 5;
const ROUNDS: u64 = 8;
/// The number of rows of a block. Tables of fewer than 24 rows are evaluated row by row.
const ROWS: usize = 48;
const ROWS_OF_LLAMA_4: i64 = 10_485_760;

pub fn blocks() -> u64 {
    KINDS * ROUNDS * u64::try_from(TABLES.len()).expect("small")
}

pub fn run(block: u64, tally: &mut Tally) {
    let mut rng = Rng::of_block(10, block);
    // All tables first, so that few blocks cover them.
    let count = u64::try_from(TABLES.len()).expect("small");
    let (base, columns, rule) = &TABLES[usize::try_from(block % count).expect("small")];
    let round = block / count;
    let mut params = Params { base: *base, rule: rule.clone(), ..Params::paper(*columns) };
    params.layout = rng.pick(Layout::ALL);
    params.order = rng.pick(Order::ALL);
    if round % 4 != 3 {
        params.amplitude = Amplitude::AttentionFactor;
    }
    if rng.percent(30) {
        params.scale = rng.pick(&[0.25, -1.0, 1.0 / 3.0, 1000.0]);
    }
    let anywhere = rng.integer_of_any_size(53) * rng.pick(&[1, -1]);
    let (rows, entry_points) = match round % KINDS {
        0 => (table(&mut params, rng.integer(0, 131_072)), None),
        1 => (table(&mut params, rng.integer(-ROWS_OF_LLAMA_4, ROWS_OF_LLAMA_4)), None),
        2 => (table(&mut params, anywhere), None),
        3 => (Rows::Positions((0..ROWS).map(|_| integer(&mut rng)).collect()), Some(position_entry_points(&mut rng))),
        _ => (Rows::Positions((0..ROWS).map(|_| any(&mut rng)).collect()), Some(position_entry_points(&mut rng))),
    };
    let entry_points = entry_points.unwrap_or_else(|| [(); TYPES].map(|()| rng.pick(&TABLE_ENTRY_POINTS)));
    let case = Case { params, rows };
    let waves: Vec<_> = (0..columns / 2).collect();
    case.check(entry_points, &(0..ROWS).collect::<Vec<_>>(), &waves, tally);
}

/// Returns the rows from a position on.
fn table(params: &mut Params, start: i64) -> Rows {
    params.start = start.min(MAX_POSITION - i64::try_from(ROWS).expect("small"));
    Rows::Table { first: 0, count: ROWS }
}

fn integer(rng: &mut Rng) -> f64 {
    let position = if rng.percent(50) { rng.integer(0, ROWS_OF_LLAMA_4) } else { rng.integer_of_any_size(53) };
    rng.sign(position as f64)
}

fn any(rng: &mut Rng) -> f64 {
    let position = rng.of_any_size(-40, 60);
    rng.sign(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rules_are_allowed() {
        for (base, columns, rule) in TABLES.iter() {
            let params = Params { base: *base, rule: rule.clone(), ..Params::paper(*columns) };
            assert!(params.rule.is_allowed(params.pairs()), "{params:?}");
            assert!(params.spec().check_parameters::<f64>().is_ok(), "{params:?}");
        }
    }
}
