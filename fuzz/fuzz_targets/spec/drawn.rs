//! Specs, positions and sizes from bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use posenc::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};
use posenc::{
    Amplitude, Columns, Layout, MAX_D_MODEL, MAX_POSITION, Odd, Order, Pairing, Preset, Scaling, Spec, SpecError,
};

/// A spec, and the lists that it borrows.
pub(crate) struct Drawn {
    rest: Spec<'static>,
    frequencies: Option<Vec<f64>>,
    /// A rule, where the list of `longrope` is left out, and that list.
    scaling: Option<(Scaling<'static>, Vec<f64>)>,
    /// Start and step, unless a preset sets them.
    pub(crate) rows: Option<(i64, i64)>,
    pub(crate) zero_row: Option<usize>,
    pub(crate) amplitude: Option<Amplitude>,
    /// The largest frequency, at least 1.
    fastest: f64,
}

/// The widest spec for which entries are computed.
pub(crate) const WIDEST: usize = 65;

impl Drawn {
    pub(crate) fn spec(&self) -> Spec<'_> {
        let spec = match &self.frequencies {
            Some(frequencies) => self.rest.frequencies(frequencies),
            None => self.rest,
        };
        match &self.scaling {
            Some((Scaling::LongRope(rule), factors)) => spec.scaling(Scaling::LongRope(LongRope { factors, ..*rule })),
            Some((rule, _)) => spec.scaling(*rule),
            None => spec,
        }
    }

    /// Returns whether row `first + i` is the row of zeros.
    pub(crate) fn is_zero_row(&self, first: usize, i: usize) -> bool {
        self.zero_row.is_some_and(|row| first.checked_add(i) == Some(row))
    }

    /// Returns how many entries may be computed at a time, at positions up to `farthest` in magnitude.
    ///
    /// If the angles have hundreds of integer bits, an entry takes microseconds to milliseconds.
    pub(crate) fn budget(&self, farthest: f64) -> usize {
        if self.rest.d_model() > WIDEST {
            return 0;
        }
        match self.fastest.log2() + farthest.abs().max(1.0).log2() {
            ..200.0 => 1024,
            ..600.0 => 64,
            _ => 16,
        }
    }
}

impl<'a> Arbitrary<'a> for Drawn {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let d_model = width(u)?;
        let set: u16 = u.arbitrary()?;
        let has = |parameter: u32| set >> parameter & 1 == 1;
        let is_preset = has(0) && u.ratio(1, 2)?;
        let mut rest = if is_preset { Spec::preset(*u.choose(Preset::ALL)?, d_model) } else { Spec::new(d_model) };
        let mut rows = (!is_preset).then_some((0, 1));
        if has(1) {
            rest = rest.base(number(u, &[2.0, 100.0, 500_000.0, 1e6, 0.5])?);
        }
        if has(2) {
            rest = rest.freq_shift(number(u, &[1.0, 0.5, -1.0, 2.0])?);
        }
        if has(3) {
            rest = rest.scale(number(u, &[0.25, 1000.0, -1.0, 0.0])?);
        }
        let amplitude = if has(4) { Some(amplitude(u)?) } else { (!is_preset).then_some(Amplitude::Value(1.0)) };
        if let Some(amplitude) = amplitude {
            rest = rest.amplitude(amplitude);
        }
        if has(5) {
            rest = rest.layout(*u.choose(Layout::ALL)?);
        }
        if has(6) {
            rest = rest.order(*u.choose(Order::ALL)?);
        }
        if has(7) {
            rest = rest.columns(*u.choose(Columns::ALL)?);
        }
        if has(8) {
            rest = rest.pairing(*u.choose(Pairing::ALL)?);
        }
        if has(9) {
            rest = rest.odd(*u.choose(Odd::ALL)?);
        }
        if has(10) {
            let (start, step) = (integer(u)?, integer(u)?);
            rest = rest.start(start).step(step);
            rows = Some((start, step));
        }
        let zero_row = if has(11) { Some(size(u)?) } else { None };
        if let Some(row) = zero_row {
            rest = rest.zero_row(row);
        }
        let frequencies = if has(12) && d_model <= WIDEST { Some(frequencies(u, &rest)?) } else { None };
        if has(13) && frequencies.is_some() {
            // Only the defaults are valid together with a list.
            rest = rest.base(number(u, &[10_000.0])?);
        }
        let scaling = if has(14) { Some(scaling(u, &rest)?) } else { None };
        if has(15) {
            rest = rest.unit(integer(u)?, integer(u)?);
        }
        let mut drawn = Self { rest, frequencies, scaling, rows, zero_row, amplitude, fastest: 1.0 };
        if d_model <= WIDEST {
            let fastest = drawn.spec().angular_frequencies().map(|all| all.map(f64::abs).fold(1.0, f64::max));
            drawn.fastest = fastest.unwrap_or(1.0);
        }
        Ok(drawn)
    }
}

/// Draws a width: mostly a narrow one, for which tables are made, and sometimes a wide one, only for the checks.
fn width(u: &mut Unstructured) -> Result<usize> {
    match u.arbitrary::<u8>()? {
        byte @ 0..=239 => Ok(usize::from(byte) % 34),
        240..=247 => Ok(*u.choose(&[WIDEST - 1, WIDEST, 48, 50])?),
        248..=253 => Ok(*u.choose(&[1 << 10, MAX_D_MODEL - 1, MAX_D_MODEL, MAX_D_MODEL + 1, usize::MAX])?),
        _ => u.arbitrary(),
    }
}

/// Draws mostly as many frequencies as the spec needs.
fn frequencies(u: &mut Unstructured, rest: &Spec) -> Result<Vec<f64>> {
    let needed = match rest.frequencies(&[]).check_parameters::<f64>() {
        Err(SpecError::FrequencyCount { needed, .. }) => needed,
        _ => 3,
    };
    let count = if u.ratio(1, 8)? { u.int_in_range(0..=WIDEST)? } else { needed };
    (0..count).map(|_| number(u, &[1.0, 0.5, 0.1, -0.01])).collect()
}

/// Draws a rule, and mostly as many divisors as the spec needs.
fn scaling(u: &mut Unstructured, rest: &Spec) -> Result<(Scaling<'static>, Vec<f64>)> {
    let factor = |u: &mut Unstructured| number(u, &[1.0, 2.0, 8.0, 40.0, 65536.0]);
    let turns = |u: &mut Unstructured| number(u, &[1.0, 2.0, 4.0, 32.0]);
    let scale = |u: &mut Unstructured| number(u, &[0.0, 1.0, 0.707]);
    let mut factors = Vec::new();
    let rule = match u.int_in_range(0..=7)? {
        0 => Scaling::Linear(Linear { factor: factor(u)? }),
        1 => Scaling::Ntk(Ntk { alpha: factor(u)? }),
        2 => Scaling::Dynamic(Dynamic { factor: factor(u)?, max_position_embeddings: length(u)?, seq_len: length(u)? }),
        3 => Scaling::Yarn(Yarn {
            factor: factor(u)?,
            original_max_position_embeddings: length(u)?,
            beta_fast: turns(u)?,
            beta_slow: turns(u)?,
            truncate: u.arbitrary()?,
            mscale: scale(u)?,
            mscale_all_dim: scale(u)?,
        }),
        4 => Scaling::Llama3(Llama3 {
            factor: factor(u)?,
            original_max_position_embeddings: length(u)?,
            low_freq_factor: turns(u)?,
            high_freq_factor: turns(u)?,
        }),
        5 => {
            let rule = LongRope { factors: &[], factor: factor(u)?, original_max_position_embeddings: length(u)? };
            let needed = match rest.scaling(Scaling::LongRope(rule)).check_parameters::<f64>() {
                Err(SpecError::FactorCount { needed, .. }) if needed <= WIDEST => needed,
                _ => 3,
            };
            let count = if u.ratio(1, 8)? { u.int_in_range(0..=WIDEST)? } else { needed };
            factors = (0..count).map(|_| number(u, &[1.0, 1.5, 64.0, 0.5])).collect::<Result<_>>()?;
            Scaling::LongRope(rule)
        }
        6 => Scaling::Proportional(Proportional {
            partial_rotary_factor: number(u, &[0.25, 0.3, 0.5, 1.0])?,
            factor: factor(u)?,
        }),
        _ => Scaling::None,
    };
    Ok((rule, factors))
}

/// Draws the length of a context.
fn length(u: &mut Unstructured) -> Result<usize> {
    if u.ratio(1, 2)? { Ok(*u.choose(&[1, 2, 7, 49, 4096, 8192, 131_072, 1 << 40, (1 << 40) + 1])?) } else { size(u) }
}

fn amplitude(u: &mut Unstructured) -> Result<Amplitude> {
    Ok(match u.int_in_range(0..=4)? {
        0 => Amplitude::RsqrtD,
        1 => Amplitude::Sqrt2OverD,
        4 => Amplitude::AttentionFactor,
        _ => Amplitude::Value(number(u, &[0.5, -1.0, 2.0, 65504.0, 65505.0, 1e-7])?),
    })
}

/// Draws one of the given numbers, a difficult one, or any.
pub(crate) fn number(u: &mut Unstructured, plausible: &[f64]) -> Result<f64> {
    const NASTY: [f64; 24] = [
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        1.0 + f64::EPSILON,
        1.0 - f64::EPSILON / 2.0,
        9_007_199_254_740_992.0,
        9_007_199_254_740_994.0,
        f64::from_bits((1023 - 42) << 52),
        16_777_216.0,
        16_777_218.0,
        1e60,
        1e-60,
        1e300,
        1e-300,
        std::f64::consts::PI,
        std::f64::consts::TAU,
        3.402_823_6e38,
    ];
    match u.int_in_range(0..=4)? {
        0 | 1 => Ok(*u.choose(plausible)?),
        2 => Ok(*u.choose(&NASTY)?),
        3 => Ok(f64::from(u.arbitrary::<i16>()?) / f64::from(1 << u.int_in_range(0..=15)?)),
        _ => u.arbitrary(),
    }
}

/// Draws a start, a step or a position.
pub(crate) fn integer(u: &mut Unstructured) -> Result<i64> {
    match u.int_in_range(0..=5)? {
        0..=2 => Ok(u.arbitrary::<i8>()?.into()),
        3 => Ok(u.arbitrary::<i32>()?.into()),
        4 => {
            let near = MAX_POSITION - 64 + i64::from(u.int_in_range(0..=66u8)?);
            Ok(if u.arbitrary()? { near } else { -near })
        }
        _ => u.arbitrary(),
    }
}

/// Draws the index of a row, or a number of rows that is not computed.
pub(crate) fn size(u: &mut Unstructured) -> Result<usize> {
    match u.int_in_range(0..=5)? {
        0..=3 => Ok(u.arbitrary::<u8>()?.into()),
        4 => Ok(*u.choose(&[usize::MAX, usize::MAX - 1, isize::MAX as usize, 1 << 53, (1 << 53) + 1, 1 << 32])?),
        _ => u.arbitrary(),
    }
}

/// Checks that the spec displays as a macro call, and that its `Debug` output is not empty.
pub(crate) fn check_display(spec: &Spec) {
    let shown = spec.to_string();
    assert!(shown.starts_with("sinusoidal_table!(seq_len, ") && shown.ends_with(')'), "{shown}");
    assert!(!format!("{spec:?}").is_empty());
}
