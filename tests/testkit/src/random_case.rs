//! Random cases.

use posenc::{Amplitude, Columns, F16Bits, FrequencyDtype, Layout, MAX_D_MODEL, Odd, Order, Pairing};

use crate::Lcg;
use crate::case::{Case, PAPER};
use crate::random_rule::RULES;
use crate::real::Ieee;

/// The parameters that may differ from their defaults. The base always may.
pub const PARAMETERS: [&str; 16] = [
    "freq_shift",
    "freq_offset",
    "frequencies",
    "scaling",
    "frequency_dtype",
    "layout",
    "order",
    "columns",
    "pairing",
    "odd",
    "start",
    "step",
    "zero_row",
    "scale",
    "unit",
    "amplitude",
];

/// The parameters of a case that are drawn.
pub struct Drawn(Vec<&'static str>);

impl Drawn {
    /// Selects from a list: for three of twelve numbers of a case nothing, for four the parameters in turn, and for five
    /// about a third of all.
    pub fn in_turn(of: &[&'static str], number: u64, random: &mut Lcg) -> Self {
        match number % 12 {
            0..3 => Self(Vec::new()),
            kind @ 3..7 => {
                let turn = (number / 12 * 4 + kind - 3) % of.len() as u64;
                Self(vec![of[usize::try_from(turn).expect("an index")]])
            }
            _ => Self::one_in(3, of, random),
        }
    }

    /// Selects each of a list in one of `count` cases.
    pub fn one_in(count: u64, of: &[&'static str], random: &mut Lcg) -> Self {
        Self(of.iter().copied().filter(|_| random.one_in(count)).collect())
    }

    /// Returns whether a parameter is drawn.
    pub fn has(&self, parameter: &str) -> bool {
        self.0.contains(&parameter)
    }
}

/// The size of the angles of a case.
#[derive(Clone, Copy, PartialEq)]
pub enum Angles {
    /// At most a few hundred bits before the binary point, which even the compiler evaluates soon.
    Moderate,
    /// Of one in 32 cases, thousands of bits. These cases have at most 16 columns.
    Any,
}

impl Case {
    /// Returns a case whose entries of type `T` are in range, with at most about `widest` columns.
    ///
    /// If that is many, it is a power of two, and all magnitudes are as likely.
    pub fn random<T: Ieee>(random: &mut Lcg, drawn: &Drawn, widest: usize, angles: Angles) -> Self {
        let extreme = angles == Angles::Any && random.one_in(32);
        let base = if angles == Angles::Any { random.base() } else { random.moderate_base() };
        let narrow = extreme || (base < 1e-60 && drawn.has("freq_shift"));
        let widest = if narrow { widest.min(16) } else { widest };
        let widest = if widest > 32 { 2 << random.below(widest.ilog2().into()) } else { widest };
        let mut case = Self { d_model: 1 + random.index(widest), base, ..PAPER };
        case.arrange(drawn, random);
        if drawn.has("start") {
            case.start = random.position();
        }
        if drawn.has("step") {
            case.step = random.step();
        }
        if drawn.has("scale") {
            case.scale = random.scale(extreme);
        }
        if drawn.has("unit") {
            let small = (1 + random.below(99).cast_signed(), 1 + random.below(99).cast_signed());
            case.unit = if random.one_in(2) { small } else { random.quotient() };
        }
        if drawn.has("amplitude") {
            case.amplitude = random.amplitude::<T>();
        }
        // Of mutually exclusive parameters, the first one that is set wins.
        if drawn.has("frequencies") {
            case.base = PAPER.base;
            case.frequencies = Some((0..case.frequency_count()).map(|_| random.frequency(extreme)).collect());
        } else if drawn.has("freq_shift") {
            case.freq_shift = random.freq_shift(case.largest_freq_shift());
        } else if drawn.has("scaling") {
            case.scale_frequencies(random);
        } else if drawn.has("freq_offset") {
            case.freq_offset = random.of([(1, 2), (1, 3), (2, 3), (3, 4), (511, 1024)]);
        }
        if drawn.has("frequency_dtype") {
            case.round_frequencies(random);
        }
        case
    }

    /// Draws what the frequencies are rounded to, if they are in its range.
    pub fn round_frequencies(&mut self, random: &mut Lcg) {
        let frequency_dtype = random.of(&FrequencyDtype::ALL[1..]);
        let rounded = Self { frequency_dtype, ..self.clone() };
        let refused =
            rounded.spec().check_parameters::<f64>().is_err_and(|error| error.parameters() == ["frequency_dtype"]);
        if !refused {
            *self = rounded;
        }
    }

    /// Draws how the columns are arranged.
    fn arrange(&mut self, drawn: &Drawn, random: &mut Lcg) {
        if drawn.has("columns") {
            self.columns = random.of([Columns::Sin, Columns::Cos]);
        }
        let both = self.columns == Columns::Both;
        if drawn.has("layout") && both {
            self.layout = Layout::Halves;
        }
        if drawn.has("order") && both {
            self.order = Order::CosSin;
        }
        if drawn.has("pairing") && both {
            self.pairing = Pairing::Unpaired;
        }
        if drawn.has("odd") {
            self.odd = random.of([Odd::Zero, Odd::Zero, Odd::Reject]);
        }
        match self.odd {
            Odd::Zero if both => self.d_model |= 1,
            Odd::LastSin if self.order == Order::SinCos => {}
            _ => self.d_model += self.d_model % 2,
        }
    }

    /// Draws a rule, which is for whole pairs, and for half of them the attention factor as the amplitude.
    ///
    /// If no rule is found that is valid for the base and the width, the case has none.
    fn scale_frequencies(&mut self, random: &mut Lcg) {
        if self.columns == Columns::Both {
            (self.d_model, self.pairing) = (self.d_model.next_multiple_of(2), Pairing::Paired);
        }
        let name = random.of(RULES);
        for attempt in 0..32 {
            // Some rules are not for all bases.
            let base = if attempt < 8 { self.base } else { PAPER.base };
            let (scaling, factors) = random.rule(name, &Self { base, ..self.clone() });
            let ruled = Self { base, scaling, factors, amplitude: PAPER.amplitude, ..self.clone() };
            if ruled.spec().check_parameters::<f64>().is_ok() {
                let amplitude = random.of([self.amplitude, Amplitude::AttentionFactor]);
                *self = Self { amplitude, ..ruled };
                return;
            }
        }
    }

    /// Returns a case that is valid for all floating-point types and for up to `rows` rows.
    pub fn valid(random: &mut Lcg, rows: i64) -> Self {
        let mut drawn = Drawn::one_in(2, &PARAMETERS, random);
        if drawn.has("scaling") && random.one_in(2) {
            drawn.0.retain(|&parameter| !["freq_shift", "frequencies"].contains(&parameter));
        }
        let mut case = Self::random::<F16Bits>(random, &drawn, 20, Angles::Moderate);
        if drawn.has("start") {
            case.step = random.below(40).cast_signed() - 20;
            case.start = random.position() / 2 - rows * case.step;
        } else {
            case.step = 1;
        }
        case.zero_row = drawn.has("zero_row").then(|| random.index(4));
        case
    }

    /// Returns arbitrary parameters, which are more often invalid than valid, alone and in combination.
    pub fn wild(random: &mut Lcg) -> Self {
        let drawn = Drawn::one_in(2, &PARAMETERS, random);
        let (narrow, wide) = (random.index(20), MAX_D_MODEL + 1 + random.index(usize::MAX - MAX_D_MODEL - 1));
        let mut case = Self { d_model: random.of([narrow, narrow, wide]), ..PAPER };
        let number = |parameter, default, random: &mut Lcg| if drawn.has(parameter) { random.wild() } else { default };
        case.base = if random.one_in(2) { random.wild() } else { case.base };
        case.freq_shift = number("freq_shift", case.freq_shift, random);
        case.scale = number("scale", case.scale, random);
        if drawn.has("freq_offset") {
            case.freq_offset = (random.wild_integer(), random.wild_integer());
        }
        case.layout = random.of(Layout::ALL);
        case.order = random.of(Order::ALL);
        case.columns = random.of(Columns::ALL);
        case.pairing = random.of(Pairing::ALL);
        case.odd = random.of(Odd::ALL);
        if drawn.has("amplitude") {
            let value = Amplitude::Value(random.wild());
            case.amplitude =
                random.of([value, value, Amplitude::RsqrtD, Amplitude::Sqrt2OverD, Amplitude::AttentionFactor]);
        }
        if drawn.has("start") {
            (case.start, case.step) = (random.wild_integer(), random.wild_integer());
        }
        if drawn.has("unit") {
            case.unit = (random.wild_integer(), random.wild_integer());
        }
        case.frequency_dtype =
            if drawn.has("frequency_dtype") { random.of(FrequencyDtype::ALL) } else { case.frequency_dtype };
        case.zero_row = drawn.has("zero_row").then(|| random.index(9));
        if drawn.has("frequencies") && random.one_in(2) {
            case.frequencies = Some((0..random.index(20)).map(|_| random.wild()).collect());
        }
        if drawn.has("scaling") {
            let plausible = Self { d_model: 1 + random.index(20), ..PAPER };
            let name = random.of(RULES);
            (case.scaling, case.factors) =
                if random.one_in(2) { random.rule(name, &plausible) } else { random.wild_rule(name) };
        }
        case
    }

    /// Replaces one parameter by that of a wild case, so that it alone decides whether the case is valid.
    pub fn spoil(&mut self, random: &mut Lcg) {
        let wild = Self::wild(random);
        match random.below(18) {
            0 => self.base = wild.base,
            1 => self.freq_shift = wild.freq_shift,
            2 => spoil_one(self.frequencies.get_or_insert_default(), random),
            3 => (self.scaling, self.factors) = (wild.scaling, wild.factors),
            4 => spoil_one(&mut self.factors, random),
            5 => self.layout = wild.layout,
            6 => self.order = wild.order,
            7 => self.columns = wild.columns,
            8 => self.pairing = wild.pairing,
            9 => self.odd = wild.odd,
            10 => (self.start, self.step) = (wild.start, wild.step),
            11 => self.zero_row = Some(random.wild_length()),
            12 => self.scale = wild.scale,
            13 => self.unit = wild.unit,
            14 => self.amplitude = wild.amplitude,
            15 => self.freq_offset = wild.freq_offset,
            16 => self.frequency_dtype = random.of(FrequencyDtype::ALL),
            _ => self.d_model = wild.d_model,
        }
    }
}

/// Replaces one number of a list, or adds one to it.
fn spoil_one(list: &mut Vec<f64>, random: &mut Lcg) {
    let i = random.index(list.len() + 1);
    match list.get_mut(i) {
        Some(number) => *number = random.wild(),
        None => list.push(random.wild()),
    }
}
