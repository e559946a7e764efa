//! The parameters of scaling rules as data, for the macro, the command-line tool and fingerprints.

use core::fmt::{self, Display, Formatter};

/// The most parameters that a rule has.
pub const MAX_ARGUMENTS: usize = 7;

/// The least length of all rules but `longrope`.
pub(crate) const LEAST: usize = 1;

/// The least length of `longrope`, which divides by its logarithm.
pub(crate) const LEAST_OF_LONGROPE: usize = 2;

/// A parameter of a scaling rule.
///
/// [`rule_parameters`](crate::reflection::rule_parameters) lists them.
#[derive(Clone, Copy, Debug)]
pub struct RuleParameter {
    /// Its name.
    pub key: &'static str,
    /// What it is if it is not given, or `None` if it must be.
    pub default: Option<Argument<'static>>,
    /// The kind of its value.
    pub kind: ArgumentKind,
}

/// The kind of an [`Argument`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgumentKind {
    /// A number.
    Number,
    /// A number of positions.
    Length,
    /// Whether something holds.
    Flag,
    /// A list of numbers.
    Numbers,
}

/// The value of a parameter of a scaling rule. Its text is what the macro accepts.
///
/// [`rule`](crate::reflection::rule) takes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'a> {
    /// A number.
    Number(f64),
    /// A number of positions.
    Length(usize),
    /// Whether something holds.
    Flag(bool),
    /// A list of numbers.
    Numbers(&'a [f64]),
}

impl Display for Argument<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Length(length) => write!(f, "{length}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Numbers(numbers) => write!(f, "{numbers:?}"),
        }
    }
}
