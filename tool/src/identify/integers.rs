//! Tables of integers. Their scale and zero point are not in the file, so usual ones are tried.

use std::ops::Range;

use posenc::__private::keys;
use posenc::{Q7, Q15, Q31, Quantiser, Spec};

use super::answer::Answer;
use super::distance::Fit;
use super::sample::{self, Numbers};
use super::{answer, fits};
use crate::args::IdentifyArgs;
use crate::failure::Failure;
use crate::input::{IntegerType, Table};
use crate::json::Outcome;
use crate::stored::Integer;
use crate::text::{counted, macro_call};

/// How integers may be read.
struct Reading {
    /// The numerator and denominator of the scale.
    scale: (i64, i64),
    zero_point: i32,
    /// The quantiser, or `None` for a type of fixed-point numbers.
    quantiser: Option<Quantiser>,
}

pub(super) fn identify(
    found: &Table,
    integer: IntegerType,
    args: &IdentifyArgs,
    output: &str,
) -> Result<Answer, Failure> {
    match integer {
        IntegerType::I8 => {
            of(found, args, output, &[fixed::<Q7>("q7", 7), scaled::<i8>("i8", &[(1, 127, 0), (1, 128, 0)])])
        }
        IntegerType::U8 => {
            let usual = [(1, 127, 128), (1, 128, 128), (2, 255, 128), (2, 255, 127)];
            of(found, args, output, &[scaled::<u8>("u8", &usual)])
        }
        IntegerType::I16 => {
            let usual = [(1, 32767, 0), (1, 32768, 0)];
            of(found, args, output, &[fixed::<Q15>("q15", 15), scaled::<i16>("i16", &usual)])
        }
        IntegerType::I32 => of(found, args, output, &[fixed::<Q31>("q31", 31)]),
    }
}

/// An element type, with the ways to read it, and how the table of a spec is compared.
struct Kind {
    name: &'static str,
    read: fn(&Table, Range<usize>) -> Result<Vec<i32>, Failure>,
    readings: Vec<Reading>,
    /// Whether the scale may be another one.
    is_free: bool,
    compare: fn(&Table, &Spec) -> Result<Option<Compared>, Failure>,
    call: fn(&Spec, usize) -> String,
}

fn fixed<T: Integer>(name: &'static str, bits: u32) -> Kind {
    let readings = vec![Reading { scale: (1, 1 << bits), zero_point: 0, quantiser: None }];
    Kind { name, read: read::<T>, readings, is_free: false, compare: compared::<T>, call: call::<T> }
}

fn scaled<T: Integer>(name: &'static str, usual: &[(i64, i64, i32)]) -> Kind {
    let readings = usual.iter().map(|&(over, under, zero_point)| Reading::new((over, under), zero_point)).collect();
    Kind { name, read: read::<T>, readings, is_free: true, compare: compared::<T>, call: call::<T> }
}

impl Reading {
    fn new(scale: (i64, i64), zero_point: i32) -> Self {
        let quantiser = Quantiser::quotient(scale.0, scale.1).zero_point(zero_point);
        Self { scale, zero_point, quantiser: Some(quantiser) }
    }

    /// Returns the ways in which the extremes are -1 and 1.
    fn of_extremes(numbers: &[(Range<usize>, Vec<i32>)]) -> Vec<Self> {
        let all = || numbers.iter().flat_map(|(_, numbers)| numbers).copied().map(i64::from);
        let (Some(low), Some(high)) = (all().min(), all().max()) else { return Vec::new() };
        let most = low.abs().max(high.abs());
        let middle = |sum: i64| i32::try_from(sum.div_euclid(2)).unwrap_or(0);
        let mut readings = Vec::new();
        if most > 1 {
            readings.push(Self::new((1, most), 0));
        }
        if high - low > 2 {
            let whole = (high - low) % 2 == 0;
            let scale = if whole { (1, (high - low) / 2) } else { (2, high - low) };
            readings.push(Self::new(scale, middle(low + high)));
            readings.push(Self::new(scale, middle(low + high + 1)));
        }
        readings
    }

    fn step(&self) -> f64 {
        self.scale.0 as f64 / self.scale.1 as f64
    }

    /// Returns the value of `--dtype`.
    fn text(&self, name: &str) -> String {
        let ((over, under), zero_point) = (self.scale, self.zero_point);
        match (self.quantiser, zero_point) {
            (None, _) => name.to_owned(),
            (_, 0) => format!("'{name}({over}/{under})'"),
            _ => format!("'{name}({over}/{under}, {zero_point})'"),
        }
    }
}

/// A spec with a way to read the integers, and its bits.
struct Candidate<'a> {
    kind: &'a Kind,
    reading: Reading,
    spec: Spec<'static>,
    compared: Compared,
    bits: f64,
}

fn of(found: &Table, args: &IdentifyArgs, output: &str, kinds: &[Kind]) -> Result<Answer, Failure> {
    let [seq_len, d_model] = found.shape();
    if seq_len == 0 {
        return Err(Failure::new("the table has no rows, so its parameters cannot be identified"));
    }
    let mut candidates = Vec::new();
    for kind in kinds {
        let windows = sample::windows(seq_len, d_model).into_iter();
        let windows = windows.map(|rows| Ok((rows.clone(), (kind.read)(found, rows)?)));
        let windows = windows.collect::<Result<Vec<_>, Failure>>()?;
        let others = if kind.is_free { Reading::of_extremes(&windows) } else { Vec::new() };
        let usual = kind.readings.iter().map(|reading| Reading { ..*reading });
        for reading in usual.chain(others) {
            let value = |number: &i32| (f64::from(*number) - f64::from(reading.zero_point)) * reading.step();
            let values =
                |(rows, numbers): &(Range<usize>, Vec<i32>)| (rows.clone(), numbers.iter().map(value).collect());
            // With a power of two the largest entry is clamped, by up to a step.
            let clamped = if reading.scale.1.count_ones() == 1 { 1.0 } else { 0.5 + 1e-9 };
            let numbers = Numbers::new(windows.iter().map(values).collect(), [seq_len, d_model], f64::EPSILON / 2.0)
                .with_tolerance(reading.step() * clamped + args.tolerance.unwrap_or(0.0));
            let fits = fits::<f64>(&numbers).into_iter().filter(Fit::is_explained);
            let Some(best) = fits.min_by(|a, b| a.bits().total_cmp(&b.bits())) else { continue };
            let spec = reading.quantiser.into_iter().fold(best.spec, Spec::quantiser);
            let Some(compared) = (kind.compare)(found, &spec)?.filter(|compared| compared.is_near(seq_len * d_model))
            else {
                continue;
            };
            // An integer that differs is a sign of another scale.
            let bits = best.bits() + compared.inexact as f64;
            candidates.push(Candidate { kind, reading, spec: best.spec, compared, bits });
        }
    }
    let Some(best) = candidates.into_iter().min_by(|a, b| a.bits.total_cmp(&b.bits)) else {
        let title = format!("nothing fits this table of {seq_len} x {d_model} {} entries", found.dtype().name());
        let tried = "q7, q15 and q31, usual scales and zero points, and those with which the extremes are -1 and 1";
        let lines = vec![("tried", tried.to_owned())];
        return Ok(Answer { outcome: Outcome::Nothing, title, short: None, lines });
    };
    Ok(best.answer(found, output))
}

impl Candidate<'_> {
    fn answer(&self, found: &Table, output: &str) -> Answer {
        let [seq_len, d_model] = found.shape();
        let quantised = self.reading.quantiser.into_iter().fold(self.spec, Spec::quantiser);
        let name = found.dtype().name();
        let mut words = vec![format!("posenc table --seq-len {seq_len} --d-model {d_model}")];
        words.extend(keys(&self.spec).map(|key| answer::option(&key)));
        words.push(format!("--dtype {} -o {output}", self.reading.text(self.kind.name)));
        let lines = vec![
            ("table", format!("{seq_len} x {d_model} {name}, {}", self.compared.text(seq_len * d_model))),
            ("command", words.join(" ")),
        ];
        let title = (self.kind.call)(&quantised, seq_len);
        let short = Some(format!("{title}, {}", self.compared.text(seq_len * d_model)));
        Answer { outcome: Outcome::Identified, title, short, lines }
    }
}

/// Reads consecutive rows, without their scale.
pub(super) fn read<T: Integer>(found: &Table, rows: Range<usize>) -> Result<Vec<i32>, Failure> {
    Ok(found.decoded(rows, T::decode)?.into_iter().map(Integer::number).collect())
}

fn call<T: Integer>(spec: &Spec, seq_len: usize) -> String {
    macro_call::<T>(spec, seq_len).to_string()
}

/// How far a table of integers is from the exact one.
struct Compared {
    inexact: usize,
    /// The largest distance of an entry.
    steps: i64,
}

/// Compares all rows. Returns `None` if the spec has no such table.
fn compared<T: Integer>(found: &Table, spec: &Spec) -> Result<Option<Compared>, Failure> {
    let mut compared = Compared { inexact: 0, steps: 0 };
    for rows in found.pieces() {
        let there: Vec<T> = found.decoded(rows.clone(), T::decode)?;
        let mut exact = vec![T::default(); there.len()];
        if spec.fill(rows.start.., &mut exact).is_err() {
            return Ok(None);
        }
        for (exact, there) in exact.into_iter().zip(there) {
            let steps = (i64::from(exact.number()) - i64::from(there.number())).abs();
            compared.inexact += usize::from(steps != 0);
            compared.steps = compared.steps.max(steps);
        }
    }
    Ok(Some(compared))
}

impl Compared {
    /// Returns whether the errors of a computation before rounding explain the integers: few are on the other side.
    fn is_near(&self, entries: usize) -> bool {
        self.steps <= 1 && self.inexact.saturating_mul(100) <= entries
    }

    fn text(&self, entries: usize) -> String {
        if self.inexact == 0 {
            return "equal to the exact table".to_owned();
        }
        let share = 100.0 * self.inexact as f64 / entries as f64;
        let steps = counted(usize::try_from(self.steps).unwrap_or(usize::MAX), "step");
        format!("{share:.1} % of the entries differ, by {steps}")
    }
}
