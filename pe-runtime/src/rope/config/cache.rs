//! The cache of one type of layers.

use alloc::string::String;
use alloc::vec::Vec;

use crate::rope::Rope;
use crate::spec::scaling::Scaling;

/// The cache of one type of layers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cache {
    pub(super) head_dim: Option<usize>,
    pub(super) rotated: Rotated,
    pub(super) base: Option<f64>,
    pub(super) rule: ConfigRule,
    pub(super) attention_factor: Option<f64>,
    /// The type of the model, if it is not known to have a rotary embedding.
    pub(super) unknown_model: Option<String>,
}

/// Which columns of a head are rotated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rotated {
    All,
    Columns(usize),
    Share(f64),
}

/// A scaling rule, which may depend on the number of rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ConfigRule {
    Fixed(Scaling<'static>),
    Dynamic {
        factor: f64,
        trained: usize,
    },
    /// The lists for sequences up to the original context, and for longer ones.
    LongRope {
        factor: f64,
        original: usize,
        short: Factors,
        long: Factors,
    },
}

/// A list of divisors, and the attention factor that belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Factors {
    pub(super) divisors: Vec<f64>,
    pub(super) attention_factor: Option<f64>,
}

impl Cache {
    /// Returns the cache for so many rows, given the width of a head and the base.
    pub(super) fn rope(&self, head_dim: usize, base: f64, seq_len: usize) -> Rope<'_> {
        let rope = Rope::new(head_dim).base(base);
        let rope = match self.rotated {
            Rotated::All => rope,
            Rotated::Columns(columns) => rope.rotary_dim(columns),
            Rotated::Share(share) => rope.partial_rotary_factor(share),
        };
        let (scaling, attention_factor) = self.rule.of_length(seq_len);
        self.attention_factor.or(attention_factor).into_iter().fold(rope.scaling(scaling), Rope::attention_factor)
    }
}

impl ConfigRule {
    /// Returns the rule for this many rows, and its attention factor if it differs from the formula.
    fn of_length(&self, seq_len: usize) -> (Scaling<'_>, Option<f64>) {
        match *self {
            Self::Fixed(scaling) => (scaling, None),
            Self::Dynamic { factor, trained } => (Scaling::dynamic(factor, trained, seq_len), None),
            Self::LongRope { factor, original, ref short, ref long } => {
                let list = if seq_len <= original { short } else { long };
                (Scaling::longrope(&list.divisors, factor, original), list.attention_factor)
            }
        }
    }
}
