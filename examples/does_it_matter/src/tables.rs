//! The tables under study: exact ones from posenc, and the same formula in the arithmetic of other programs.

use std::ops::Range;

use posenc::{Columns, Rope, Spec};

use crate::fallible::Fallible;
use crate::random::Random;
use crate::rounding::{bf16, to_integer};

/// A formula with the frequencies that the recipe in `f32` has for it.
pub struct Formula {
    /// Of the sines alone.
    pub spec: Spec<'static>,
    pub frequencies: Vec<f32>,
}

impl Formula {
    /// `10000^(-k/(h - shift))`, in `f32` as `exp(k * -(ln(10000) / (h - shift)))`.
    pub fn added(d_model: usize, shift: u8) -> Self {
        let pairs = d_model / 2;
        let increment = 10_000f32.ln() / (pairs as f32 - f32::from(shift));
        let frequencies = (0..pairs).map(|k| (k as f32 * -increment).exp()).collect();
        Self { spec: Spec::new(pairs).columns(Columns::Sin).freq_shift(shift.into()), frequencies }
    }

    /// `base^(-2k/d)`, in `f32` as `1 / base^(2k/d)`.
    pub fn rotary(head_dim: usize, base: f32) -> Fallible<Self> {
        let frequency = |k| 1.0 / base.powf((2 * k) as f32 / head_dim as f32);
        let spec = Rope::new(head_dim).base(base.into()).spec(Columns::Sin)?;
        Ok(Self { spec, frequencies: (0..head_dim / 2).map(frequency).collect() })
    }

    /// Computes rows of sines and of cosines.
    pub fn rows(&self, recipe: Recipe, rows: Range<usize>) -> Fallible<SinCos> {
        let pairs = self.frequencies.len();
        let mut table = SinCos { pairs, sin: Vec::new(), cos: Vec::new() };
        if let Recipe::Exact(round) = recipe {
            for (columns, entries) in [(Columns::Sin, &mut table.sin), (Columns::Cos, &mut table.cos)] {
                let mut exact = vec![0f32; rows.len() * pairs];
                self.spec.columns(columns).fill(rows.clone(), &mut exact)?;
                entries.extend(exact.into_iter().map(|entry| round.apply(entry.into())));
            }
            return Ok(table);
        }
        let exact: Vec<_> = self.spec.wavelengths()?.map(|wavelength| std::f64::consts::TAU / wavelength).collect();
        for position in rows {
            for (sin, cos) in recipe.row(position, &self.frequencies, &exact) {
                table.sin.push(sin);
                table.cos.push(cos);
            }
        }
        Ok(table)
    }
}

/// How an exact entry is stored.
#[derive(Clone, Copy, PartialEq)]
pub enum Stored {
    F32,
    Bf16,
    /// 16 bits, with the largest integer for 1.
    I16,
    I8,
}

impl Stored {
    fn apply(self, entry: f64) -> f64 {
        match self {
            Self::F32 => entry,
            Self::Bf16 => bf16(entry),
            Self::I16 => to_integer(entry, 16),
            Self::I8 => to_integer(entry, 8),
        }
    }
}

/// The arithmetic of a table.
#[derive(Clone, Copy, PartialEq)]
pub enum Recipe {
    /// posenc's entries in `f32`, stored in this type.
    Exact(Stored),
    /// Frequencies, angles, sines and cosines in `f32`, as in most tutorials and models.
    F32,
    /// The angle of each pair is the previous angle times a factor, in `f32`, as in ggml.
    Recurrence,
    /// Frequencies rounded to bf16, and then angles in `f32`.
    Bf16Frequencies,
    /// Positions, frequencies, angles and entries in bf16.
    Bf16Angles,
}

impl Recipe {
    pub const EXACT: Self = Self::Exact(Stored::F32);

    /// The recipes of a program that computes its own table, with their names.
    pub const ALL: [(&'static str, Self); 7] = [
        ("f32 recipe", Self::F32),
        ("f32 recurrence", Self::Recurrence),
        ("stored as i16", Self::Exact(Stored::I16)),
        ("stored as bf16", Self::Exact(Stored::Bf16)),
        ("stored as i8", Self::Exact(Stored::I8)),
        ("bf16 frequencies", Self::Bf16Frequencies),
        ("bf16 angles", Self::Bf16Angles),
    ];

    /// Returns the sine and the cosine of each pair.
    fn row(self, position: usize, frequencies: &[f32], exact: &[f64]) -> Vec<(f64, f64)> {
        let in_f32 = |angle: f32| (f64::from(angle.sin()), f64::from(angle.cos()));
        let at = position as f32;
        let products = |frequencies: &[f32]| frequencies.iter().map(|frequency| in_f32(at * frequency)).collect();
        match self {
            Self::F32 => products(frequencies),
            Self::Recurrence => {
                let steps = std::iter::successors(Some(at), |angle| Some(angle * frequencies[1]));
                steps.take(exact.len()).map(in_f32).collect()
            }
            Self::Bf16Frequencies => {
                let rounded: Vec<_> = exact.iter().map(|frequency| bf16(*frequency) as f32).collect();
                products(&rounded)
            }
            Self::Bf16Angles => {
                let at = bf16(position as f64);
                let angles = exact.iter().map(|frequency| bf16(at * bf16(*frequency)));
                angles.map(|angle| (bf16(angle.sin()), bf16(angle.cos()))).collect()
            }
            Self::Exact(_) => unreachable!("`Formula::rows` takes the entries from posenc"),
        }
    }
}

/// Rows of sines, and as many of cosines.
#[derive(Clone)]
pub struct SinCos {
    pub pairs: usize,
    pub sin: Vec<f64>,
    pub cos: Vec<f64>,
}

impl SinCos {
    /// Returns rows with all sines and then all cosines.
    pub fn halves(&self) -> Vec<f64> {
        let rows = self.sin.chunks_exact(self.pairs).zip(self.cos.chunks_exact(self.pairs));
        rows.flat_map(|(sin, cos)| [sin, cos].concat()).collect()
    }

    /// Returns rows with sines and cosines side by side.
    pub fn interleaved(&self) -> Vec<f64> {
        self.sin.iter().zip(&self.cos).flat_map(|(sin, cos)| [*sin, *cos]).collect()
    }

    /// Returns the table with an error of this size in every entry, of a random sign.
    pub fn with_errors(&self, size: f64) -> Self {
        let mut random = Random::new(15);
        let mut add = |entry: &f64| entry + if random.below(2) == 0 { -size } else { size };
        let (sin, cos) = (self.sin.iter().map(&mut add).collect(), self.cos.iter().map(&mut add).collect());
        Self { sin, cos, ..*self }
    }

    /// Returns the largest difference between two tables.
    pub fn apart(&self, other: &Self) -> f64 {
        apart(&self.sin, &other.sin).max(apart(&self.cos, &other.cos))
    }
}

/// Returns the largest difference.
pub fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
