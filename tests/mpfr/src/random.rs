//! Random tables: all parameters, all entry points, positions of all magnitudes.

use posenc::{Amplitude, Columns, FrequencyDtype, Layout, MAX_POSITION, Odd, Order, Pairing, Preset, SpecError};

use crate::case::Case;
use crate::entries::TYPES;
use crate::params::Params;
use crate::quantisers::quantisers;
use crate::rng::Rng;
use crate::rounding::FORMATS;
use crate::rows::{EntryPoint, POSITION_ENTRY_POINTS, Rows, TABLE_ENTRY_POINTS};
use crate::rules;
use crate::scaling::Rule;
use crate::tally::Tally;

/// The minimum number of entries in a block, so that the length of a run in blocks is known beforehand.
pub const BLOCK_ENTRIES: u64 = 16_384;

/// The maximum number of entries of a table, and of rows that take the exact tier.
const TABLE_SIZE: usize = 1 << 17;
const EXACT_SIZE: usize = 1 << 14;

/// Checks random tables until the block is full.
pub fn block(seed: u64, number: u64, tally: &mut Tally) {
    let mut rng = Rng::of_block(seed, number);
    while tally.total() < BLOCK_ENTRIES {
        check_one(&mut rng, tally);
    }
}

fn check_one(rng: &mut Rng, tally: &mut Tally) {
    let mut params = parameters(rng);
    let slow = is_slow(&params);
    if slow && params.d_model > 64 {
        return;
    }
    let (rows, entry_points) = if rng.percent(70) {
        (table_rows(rng, &mut params, slow), [(); TYPES].map(|()| table_entry_point(rng)))
    } else {
        let most = (EXACT_SIZE / params.d_model).clamp(1, if slow { 4 } else { 48 });
        (Rows::Positions(positions(rng, most)), [(); TYPES].map(|()| rng.pick(&POSITION_ENTRY_POINTS)))
    };
    let case = Case { params, rows };
    let rows = sample(rng, case.count(), 48);
    let waves = sample(rng, case.params.frequency_count(), if slow { 8 } else { 24 });
    case.check(entry_points, &rows, &waves, tally);
}

/// Picks an entry point, mostly the fast one.
fn table_entry_point(rng: &mut Rng) -> EntryPoint {
    if rng.percent(40) { rng.pick(&TABLE_ENTRY_POINTS) } else { EntryPoint::Fill }
}

/// Returns all numbers below `count`, or `most` random ones including both ends.
fn sample(rng: &mut Rng, count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    let mut numbers: Vec<_> = (2..most).map(|_| rng.size(0, count - 1)).chain([0, count - 1]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Returns whether entries are slow: angles with thousands of digits, or tiny angles, whose cosines may be that close
/// to a tie.
fn is_slow(params: &Params) -> bool {
    let huge = 2f64.powi(100);
    let given = params.frequencies.iter().flatten().any(|frequency| frequency.abs() > huge);
    given || params.base < 1.0 / huge || params.scale.abs() > huge || params.scale.abs() < 1.0 / huge
}

fn width(rng: &mut Rng) -> usize {
    match rng.integer(0, 9) {
        0..4 => rng.size(1, 24),
        4..7 => rng.size(1, 160),
        7 => rng.pick(&[32, 64, 128, 256, 320, 384, 512, 768, 1024]),
        8 => rng.size(1, 26).pow(2) * rng.size(1, 2),
        _ => rng.size(160, 4096),
    }
}

fn parameters(rng: &mut Rng) -> Params {
    let mut params = if rng.percent(40) { of_preset(rng) } else { free(rng) };
    if rng.percent(50) {
        params.scale = scale(rng);
    }
    if rng.percent(20) {
        params.unit = unit(rng);
    }
    if rng.percent(40) {
        params.amplitude = amplitude(rng);
    }
    if params.takes_a_rule() && rng.percent(50) {
        set_rule(rng, &mut params);
    }
    params.quantisers = quantisers(rng, &params.factor());
    // The shift is rejected if and only if it is too large for these columns.
    let allowed = params.freq_shift_is_allowed();
    match params.spec().check_parameters::<f64>() {
        Ok(()) if allowed => {}
        Err(SpecError::FreqShift { .. }) if !allowed => params.freq_shift = 0.0,
        other => panic!("found {other:?}, the shift is allowed: {allowed}, {params:?}"),
    }
    if params.freq_shift == 0.0 && params.frequencies.is_none() && params.rule.is_none() && rng.percent(10) {
        params.freq_offset = rng.pick(&[(1, 2), (1, 3), (2, 3), (3, 4), (1023, 1024)]);
    }
    if rng.percent(15) {
        set_frequency_dtype(rng, &mut params);
    }
    params
}

/// Sets a type of frequencies, unless it is one that has to be refused.
fn set_frequency_dtype(rng: &mut Rng, params: &mut Params) {
    params.frequency_dtype = rng.pick(&FrequencyDtype::ALL[1..]);
    match params.spec().check_parameters::<f64>() {
        Ok(()) => {}
        Err(SpecError::FrequencyDtype { index, .. }) if params.is_infinite(index) => {
            params.frequency_dtype = FrequencyDtype::Exact;
        }
        other => panic!("found {other:?}, {params:?}"),
    }
}

/// Sets a scaling rule, unless it is one that has to be refused.
fn set_rule(rng: &mut Rng, params: &mut Params) {
    params.rule = rules::rule(rng, params.pairs());
    let allowed = params.rule.is_allowed(params.pairs());
    match params.spec().check_parameters::<f64>() {
        Ok(()) if allowed => {}
        Err(SpecError::Scaling { .. }) if !allowed => params.rule = Rule::default(),
        other => panic!("found {other:?}, the rule is allowed: {allowed}, {params:?}"),
    }
    if rng.percent(50) {
        params.amplitude = Amplitude::AttentionFactor;
    }
}

fn of_preset(rng: &mut Rng) -> Params {
    let preset = rng.pick(Preset::ALL);
    let mut params = Params::of_preset(preset, width(rng));
    if params.odd == Odd::Reject {
        params.d_model += params.d_model % 2;
    }
    if rng.percent(50) {
        params.base = base(rng);
    }
    params
}

fn free(rng: &mut Rng) -> Params {
    let mut params = Params::paper(width(rng));
    let odd_width = params.d_model % 2 == 1;
    if rng.percent(25) {
        params.columns = rng.pick(&[Columns::Sin, Columns::Cos]);
    } else {
        params.layout = rng.pick(Layout::ALL);
        params.pairing = if rng.percent(25) { Pairing::Unpaired } else { Pairing::Paired };
        params.odd = rng.pick(&[Odd::LastSin, Odd::Zero]);
        // The last column of an odd width would be a cosine.
        if !(odd_width && params.odd == Odd::LastSin) {
            params.order = rng.pick(Order::ALL);
        }
    }
    if rng.percent(20) {
        let count = params.frequency_count();
        params.frequencies = Some((0..count).map(|_| frequency(rng)).collect());
    } else {
        params.base = base(rng);
        params.freq_shift = freq_shift(rng, params.frequency_count());
    }
    params
}

fn base(rng: &mut Rng) -> f64 {
    const KNOWN: [f64; 13] =
        [10_000.0, 500_000.0, 1e6, 1e9, 65_536.0, 2.0, 16.0, 10.0, 1.5, 0.5, 0.1, 1.0, 1_048_576.0];
    match rng.integer(0, 99) {
        0..55 => rng.pick(&KNOWN),
        55..80 => rng.of_any_size(-8, 40),
        80..90 => {
            let small = rng.of_any_size(-52, -2);
            1.0 + rng.sign(small)
        }
        90..97 => rng.of_any_size(-180, 400),
        _ => rng.of_any_size(-1060, 1022),
    }
}

fn freq_shift(rng: &mut Rng, frequencies: usize) -> f64 {
    match rng.integer(0, 9) {
        0..4 => 0.0,
        4..6 => 1.0,
        6 => rng.pick(&[0.5, 0.25, -0.5, -1.0, -3.5, 2.0, 1e-9]),
        7 => rng.fraction() * frequencies as f64 / 2.0 + 1e-9,
        8 => -rng.of_any_size(-41, 20),
        _ => rng.of_any_size(-41, 3),
    }
}

fn frequency(rng: &mut Rng) -> f64 {
    let size = match rng.integer(0, 99) {
        0..60 => rng.of_any_size(-30, 3),
        60..80 => 2f64.powi(i32::try_from(rng.integer(-40, 8)).expect("small")),
        80..95 => rng.fraction(),
        95..97 => rng.of_any_size(-1060, 90),
        97 => 0.0,
        _ => rng.pick(&[1.0, std::f64::consts::PI, std::f64::consts::TAU, std::f64::consts::FRAC_PI_4]),
    };
    rng.sign(size)
}

/// Returns the quotient of a grid or any other.
fn unit(rng: &mut Rng) -> (i64, i64) {
    let most = rng.pick(&[20, 1000, 1 << 30, 1 << 53]);
    match rng.integer(0, 3) {
        0 => rng.pick(&[(8, 15), (64, 192), (1, 2), (1_000_000, 28_000_001), (500_000, 14_000_001)]),
        _ => (rng.integer(1, most), rng.integer(1, most)),
    }
}

fn scale(rng: &mut Rng) -> f64 {
    match rng.integer(0, 99) {
        0..50 => rng.pick(&[0.125, 0.5, 1000.0, 1.0 / 3.0, 0.015_625, 2.0, -1.0, std::f64::consts::TAU]),
        50..95 => {
            let size = rng.of_any_size(-40, 20);
            rng.sign(size)
        }
        95..98 => rng.of_any_size(-1060, 90),
        98 => rng.of_any_size(90, 1022),
        _ => 0.0,
    }
}

fn amplitude(rng: &mut Rng) -> Amplitude {
    let size = match rng.integer(0, 99) {
        0..18 => return Amplitude::RsqrtD,
        18..20 => return Amplitude::AttentionFactor,
        20..40 => return Amplitude::Sqrt2OverD,
        40..60 => rng.of_any_size(-6, 14),
        60..70 => 2f64.powi(i32::try_from(rng.integer(-30, 15)).expect("small")),
        70..80 => f64::from(rng.pick(&[0.1f32, 65_504.0, 3.0, 0.7, 1.000_1])),
        // A tie of some type.
        80..85 => {
            let format = &FORMATS[rng.pick(&[0, 2, 3])];
            format.midpoint(format.one() + rng.bits() % (1 << format.precision)).to_f64()
        }
        // A tie of a type with a fixed scale, or next to one. The last is 1 and half a step more.
        85..90 => {
            let places = rng.pick(&[7, 15, 31]);
            let below = if rng.percent(20) { 1 << places } else { rng.integer(0, 1 << places) };
            let tie = (below as f64 + 0.5) * 2f64.powi(-places);
            rng.pick(&[tie, tie, tie.next_down(), tie.next_up()])
        }
        90..94 => rng.of_any_size(-60, 60),
        94..99 => rng.of_any_size(-1060, 1022),
        _ => 0.0,
    };
    Amplitude::Value(rng.sign(size))
}

/// Draws rows whose positions are within `±2^53`.
fn table_rows(rng: &mut Rng, params: &mut Params, slow: bool) -> Rows {
    let most = (TABLE_SIZE / params.d_model).clamp(1, if slow { 8 } else { 3000 });
    let count = match rng.integer(0, 9) {
        0 => rng.size(1, 3),
        1..5 => rng.size(4, 64),
        _ => rng.size(4, 3000),
    }
    .min(most);
    let first = if rng.percent(40) { 0 } else { usize::try_from(rng.integer_of_any_size(52)).expect("positive") };
    let rows = i64::try_from(first + count).expect("a row within 2^54");
    let widest = MAX_POSITION / rows;
    if rng.percent(35) && widest > 0 {
        let step = rng.integer_of_any_size(52).min(widest);
        params.step = if rng.percent(50) { -step } else { step };
    }
    // All positions from row 0 on are in range. Starts are near 0, anywhere, or at the ends of the range.
    let reach = params.step.abs() * rows;
    let (low, high) =
        if params.step > 0 { (-MAX_POSITION, MAX_POSITION - reach) } else { (reach - MAX_POSITION, MAX_POSITION) };
    let start = match rng.integer(0, 9) {
        0..3 => params.start,
        3..6 => rng.integer(-10_000, 10_000),
        6..8 => rng.integer_of_any_size(53) * rng.pick(&[1, -1]),
        8 => rng.integer(low, high),
        _ => rng.pick(&[low, high]),
    };
    params.start = start.clamp(low, high);
    if rng.percent(if params.preset == Preset::Fairseq { 80 } else { 10 }) {
        params.zero_row = Some(first + rng.size(0, count));
    }
    Rows::Table { first, count }
}

fn positions(rng: &mut Rng, most: usize) -> Vec<f64> {
    let count = rng.size(1, most);
    if rng.percent(20) {
        // Equally spaced integers.
        let step = rng.integer_of_any_size(40) * rng.pick(&[1, -1]);
        let start = rng.integer_of_any_size(52) * rng.pick(&[1, -1]);
        return (0..)
            .take(count)
            .map(|i| (start + i * step) as f64)
            .filter(|p| p.abs() <= MAX_POSITION as f64)
            .collect();
    }
    let kind = rng.integer(0, 6);
    (0..count).map(|_| position(rng, kind)).collect()
}

fn position(rng: &mut Rng, kind: i64) -> f64 {
    let size = match kind {
        0 => rng.integer_of_any_size(53) as f64,
        1 => rng.fraction() * 1000.0,
        2 => rng.of_any_size(-30, 60),
        #[expect(clippy::cast_possible_truncation, reason = "an `f32` is wanted")]
        3 => f64::from((rng.fraction() * 1000.0) as f32),
        4 => rng.fraction(),
        5 => rng.integer(0, 70_000) as f64 / 8.0,
        _ => match rng.integer(0, 20) {
            0 => 0.0,
            1 => rng.of_any_size(-1070, 1022),
            _ => rng.of_any_size(-100, 80),
        },
    };
    rng.sign(size)
}
