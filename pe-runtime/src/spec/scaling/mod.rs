//! The scaling rules, and the one list of their parameters.

pub(crate) mod argument_order;
pub(crate) mod lower;

use core::fmt::{self, Display, Formatter};

/// Defines the rules with their parameters. Those that have a default come last.
macro_rules! rules {
    ($(
        $(#[$doc:meta])*
        $rule:ident $(<$lifetime:lifetime>)? = $name:ident(
            $($(#[$needed_doc:meta])* $needed:ident: $needed_type:ty as $needed_kind:ident,)*
        ) {
            $($(#[$optional_doc:meta])* $optional:ident: $optional_type:ty as $optional_kind:ident = $default:expr,)*
        }
    )*) => {
        /// A rule that changes the frequencies of a model for contexts longer than it was trained with.
        ///
        /// The rules have the names and parameters that `rope_scaling` or `rope_parameters` has in a model's
        /// `config.json`. With `w_k = base^(-2k/d)` for pair `k` of `d` rotary columns, `L` the original context, and
        /// `t_k = L w_k / 2π` the turns of pair `k` in it, `linear`, `yarn` and `llama3` change the frequency to
        ///
        /// ```text
        /// w'_k = w_k (g_k + (1 - g_k) / factor)
        /// ```
        ///
        /// where `g_k`, from 0 to 1, is the share of the frequency that is kept. The description of each rule gives its
        /// `g_k`. A factor of 1 changes nothing, and the bounds are then not checked. The other rules have formulas of
        /// their own. All rules are exact: steps and bounds are decided by comparing turns, not in floats.
        ///
        /// # What is proved
        ///
        /// For most rules the angles are algebraic numbers, so some finite precision decides the rounding of every
        /// entry. That is not proved for the blended pairs of [`Llama3`](Self::Llama3), for [`Yarn`](Self::Yarn)
        /// without `truncate`, and for attention factors that have a logarithm, except at position 0. For these, 5120
        /// bits decide: if they did not, the entry would be the number below. For random digits the probability of that
        /// is below 2^-500.
        ///
        /// # Examples
        ///
        /// ```
        /// use posenc::{Scaling, Spec};
        ///
        /// let spec = Spec::new(128).base(500_000.0).scaling(Scaling::llama3(8.0, 8192));
        /// let kept = Spec::new(128).base(500_000.0);
        /// let (mut row, mut other) = ([0.0f32; 128], [0.0f32; 128]);
        /// spec.encode(1000, &mut row)?;
        /// kept.encode(1000, &mut other)?;
        /// assert_eq!(row[..2 * 29], other[..2 * 29]); // the first 29 pairs are kept
        /// assert_ne!(row[2 * 29..], other[2 * 29..]);
        /// # Ok::<(), posenc::SpecError>(())
        /// ```
        #[doc(alias("rope_scaling", "rope_parameters", "rope_type", "context extension"))]
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub enum Scaling<'a> {
            /// The frequencies are not changed.
            #[default]
            None,
            $($(#[$doc])* $rule($rule $(<$lifetime>)?),)*
        }

        $(
            #[doc = concat!("The parameters of [`Scaling::", stringify!($rule), "`].")]
            #[derive(Clone, Copy, Debug, PartialEq)]
            #[allow(clippy::exhaustive_structs, reason = "written with the rest of `new`")]
            pub struct $rule $(<$lifetime>)? {
                $($(#[$needed_doc])* pub $needed: $needed_type,)*
                $($(#[$optional_doc])* pub $optional: $optional_type,)*
            }

            impl $(<$lifetime>)? $rule $(<$lifetime>)? {
                /// Creates the rule with the parameters that have no default.
                #[must_use]
                pub const fn new($($needed: $needed_type),*) -> Self {
                    Self { $($needed,)* $($optional: $default,)* }
                }
            }
        )*

        impl<'a> Scaling<'a> {
            /// The names of the rules.
            pub(crate) const RULES: &'static [&'static str] = &["none", $(stringify!($name),)*];

            /// The names of the variants.
            pub(crate) const VARIANTS: &'static [&'static str] = &["None", $(stringify!($rule),)*];

            $(
                #[doc = concat!("Creates [`", stringify!($rule), "`](Self::", stringify!($rule), ") with the parameters that have no default.")]
                #[must_use]
                pub const fn $name($($needed: $needed_type),*) -> Self {
                    Self::$rule($rule::new($($needed),*))
                }
            )*

            /// Returns the name of the rule, as the macro accepts it.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    Self::None => "none",
                    $(Self::$rule(_) => stringify!($name),)*
                }
            }

            /// The parameters of each rule, in order.
            const PARAMETERS: &'static [(&'static str, &'static [RuleParameter])] = &[
                ("none", &[]),
                $((stringify!($name), &[
                    $(RuleParameter { key: stringify!($needed), default: None, kind: ArgumentKind::$needed_kind },)*
                    $(RuleParameter {
                        key: stringify!($optional),
                        default: Some(Argument::$optional_kind($default)),
                        kind: ArgumentKind::$optional_kind,
                    },)*
                ]),)*
            ];

            /// Implements [`rule`].
            fn of_arguments(rule: &str, arguments: &[Argument<'a>]) -> Option<Self> {
                match (rule, arguments) {
                    ("none", []) => Some(Self::None),
                    $((
                        stringify!($name),
                        &[$(Argument::$needed_kind($needed),)* $(Argument::$optional_kind($optional),)*],
                    ) => Some(Self::$rule($rule { $($needed,)* $($optional,)* })),)*
                    _ => None,
                }
            }

            /// Returns the arguments in order, with zeros after the last one.
            pub(crate) const fn arguments(&self) -> [Argument<'a>; MAX_ARGUMENTS] {
                let mut arguments = [Argument::Number(0.0); MAX_ARGUMENTS];
                match self {
                    Self::None => {}
                    $(Self::$rule(rule) => {
                        let given = [
                            $(Argument::$needed_kind(rule.$needed),)*
                            $(Argument::$optional_kind(rule.$optional),)*
                        ];
                        let mut i = 0;
                        while i < given.len() {
                            arguments[i] = given[i];
                            i += 1;
                        }
                    })*
                }
                arguments
            }
        }
    };
}

rules! {
    /// Position interpolation: all frequencies are divided, `g_k = 0`.
    ///
    /// Source: Chen et al., [*Extending Context Window of Large Language Models via Positional
    /// Interpolation*](https://arxiv.org/abs/2306.15595) (2023).
    Linear = linear(
        /// The divisor, from 1 to 65,536.
        factor: f64 as Number,
    ) {}

    /// NTK-aware scaling: the base becomes `base alpha^(d/(d - 2))`.
    ///
    /// The first pair is kept, and the last one is divided by exactly `alpha`. A single pair is kept.
    Ntk = ntk(
        /// The divisor of the last frequency, from 1 to 65,536.
        alpha: f64 as Number,
    ) {}

    /// Dynamic NTK scaling for a given length: [`Ntk`](Self::Ntk) with `alpha = factor n / M - (factor - 1)`.
    ///
    /// `n` is the larger of `seq_len` and `M = max_position_embeddings`, so up to length `M` nothing changes.
    /// Frameworks recompute the cache as a sequence grows. Here the length is a parameter.
    Dynamic = dynamic(
        /// The factor in this formula, from 1 to 65,536.
        factor: f64 as Number,
        /// The context that the model was trained with, from 1 to 2^40.
        max_position_embeddings: usize as Length,
        /// The length of the sequence, from 1 to 2^40.
        seq_len: usize as Length,
    ) {}

    /// `YaRN`: slow pairs are divided, fast pairs kept, and between the two `g_k` falls linearly with `k`.
    ///
    /// `g_k = 1 - clamp((k - low) / (high - low))`, where `low` is the last pair with `t_k >= beta_fast`, and `high` the
    /// first with `t_k <= beta_slow`. If `truncate` is false, the bounds are the real numbers `k` at which `t_k` would
    /// be equal, so `g_k = ln(t_k / beta_slow) / ln(beta_fast / beta_slow)`. The bounds are from 0 to `d - 1`. If
    /// `truncate` is false, a bound beyond that range is an error. A lower bound that is greater than the upper one is
    /// also an error, as is a base that is not greater than 1.
    ///
    /// Its attention factor is `0.1 ln(factor) + 1`. If neither `mscale` nor `mscale_all_dim` is 0, it is
    /// `(0.1 mscale ln(factor) + 1) / (0.1 mscale_all_dim ln(factor) + 1)` instead, which is exactly 1 if they are equal.
    ///
    /// Source: Peng et al., [*YaRN: Efficient Context Window Extension of Large Language
    /// Models*](https://arxiv.org/abs/2309.00071) (2023), and `DeepSeek`'s code for `mscale` and `mscale_all_dim`.
    ///
    /// ```
    /// use posenc::{Scaling, scaling::Yarn};
    ///
    /// let deepseek = Scaling::Yarn(Yarn { mscale: 1.0, mscale_all_dim: 1.0, ..Yarn::new(40.0, 4096) });
    /// assert_eq!(
    ///     deepseek.to_string(),
    ///     "yarn(factor = 40.0, original_max_position_embeddings = 4096, mscale = 1.0, mscale_all_dim = 1.0)",
    /// );
    /// ```
    Yarn = yarn(
        /// The divisor of slow frequencies, from 1 to 65,536.
        factor: f64 as Number,
        /// `L`, from 1 to 2^40.
        original_max_position_embeddings: usize as Length,
    ) {
        /// The number of turns from which a pair is kept, from 2^-20 to 2^20. If `truncate` is false, it must equal
        /// `beta_slow` or be at least twice as large.
        beta_fast: f64 as Number = 32.0,
        /// The number of turns up to which a pair is divided, from 2^-20 to 2^20, and less than the turns of the first
        /// pair.
        beta_slow: f64 as Number = 1.0,
        /// Whether the bounds are integers.
        truncate: bool as Flag = true,
        /// Scales the logarithm in the attention factor, from 0 to 1024.
        mscale: f64 as Number = 0.0,
        /// Scales the logarithm in the divisor of the attention factor, from 0 to 1024.
        mscale_all_dim: f64 as Number = 0.0,
    }

    /// The rule of Llama 3.1: slow pairs are divided, fast pairs kept, and between the two `g_k` rises linearly with
    /// `t_k`.
    ///
    /// `g_k = clamp((t_k - low_freq_factor) / (high_freq_factor - low_freq_factor))`. If the two are equal, as for
    /// Llama 4 Scout, pairs with more turns are kept, and all others divided. The base must be greater than 1.
    ///
    /// Source: Meta's reference code, `apply_scaling`.
    Llama3 = llama3(
        /// The divisor of slow frequencies, from 1 to 65,536.
        factor: f64 as Number,
        /// `L`, from 1 to 2^40.
        original_max_position_embeddings: usize as Length,
    ) {
        /// The number of turns up to which a pair is divided, from 2^-20 to 2^20.
        low_freq_factor: f64 as Number = 1.0,
        /// The number of turns from which a pair is kept, up to 2^20. It must equal `low_freq_factor` or be at least
        /// 257/256 of it.
        high_freq_factor: f64 as Number = 4.0,
    }

    /// `LongRoPE`: each frequency is divided by a number of its own.
    ///
    /// Its attention factor is `sqrt(1 + ln(factor) / ln(L))`, or 1 if `factor` is at most 1. Models have a list for
    /// short contexts and one for long contexts, which need two calls.
    ///
    /// Source: Ding et al., [*LongRoPE: Extending LLM Context Window Beyond 2 Million
    /// Tokens*](https://arxiv.org/abs/2402.13753) (2024), and the code of Phi-3 for the attention factor.
    LongRope<'a> = longrope(
        /// The divisors, one per pair, from 2^-32 to 2^32: `short_factor` or `long_factor`.
        factors: &'a [f64] as Numbers,
        /// `max_position_embeddings / original_max_position_embeddings`, from 0 to 65,536.
        factor: f64 as Number,
        /// `L`, from 2 to 2^40.
        original_max_position_embeddings: usize as Length,
    ) {}

    /// Proportional rotary embeddings: the first pairs are divided by `factor`, and all others are not rotated.
    ///
    /// The number of these first pairs is `floor(partial_rotary_factor d / 2)`, where the product is rounded to an
    /// `f64` first, as in Python: for 20 columns, 0.3 gives 3 pairs, although the `f64` is less than 0.3.
    ///
    /// Source: Gemma 4's global layers.
    Proportional = proportional(
        /// The share of the pairs that turn, at most 1 and large enough for one pair.
        partial_rotary_factor: f64 as Number,
    ) {
        /// The divisor of the frequencies, from 1 to 65,536.
        factor: f64 as Number = 1.0,
    }
}

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
    /// Its default, or `None` if it must be given.
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
    /// A truth value, `true` or `false`.
    Flag,
    /// A list of numbers.
    Numbers,
}

/// The value of a parameter of a scaling rule. Its text is what the macro accepts.
///
/// [`rule`](crate::reflection::rule) creates a scaling rule from its arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'a> {
    /// A number.
    Number(f64),
    /// A number of positions.
    Length(usize),
    /// A truth value, `true` or `false`.
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

/// Returns the parameters of a scaling rule, in order. The slice is empty if there is no such rule.
///
/// [`SCALING_RULES`](crate::reflection::SCALING_RULES) has the names of the rules.
///
/// # Examples
///
/// ```
/// use posenc::reflection::rule_parameters;
///
/// let keys: Vec<_> = rule_parameters("llama3").iter().map(|parameter| parameter.key).collect();
/// assert_eq!(keys, ["factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"]);
/// ```
#[must_use]
pub fn rule_parameters(rule: &str) -> &'static [RuleParameter] {
    Scaling::PARAMETERS.iter().find(|(name, _)| *name == rule).map_or(&[], |(_, parameters)| parameters)
}

/// Creates a scaling rule from its arguments in order, or returns `None` if their number or the kind of one is wrong.
///
/// # Examples
///
/// ```
/// use posenc::Scaling;
/// use posenc::reflection::{Argument, rule};
///
/// assert_eq!(rule("linear", &[Argument::Number(8.0)]), Some(Scaling::linear(8.0)));
/// assert_eq!(rule("linear", &[]), None);
/// ```
#[must_use]
pub fn rule<'a>(name: &str, arguments: &[Argument<'a>]) -> Option<Scaling<'a>> {
    Scaling::of_arguments(name, arguments)
}

/// Returns the parameters of a scaling rule with their values, in order, including parameters that have their defaults.
///
/// # Examples
///
/// ```
/// use posenc::Scaling;
/// use posenc::reflection::{Argument, rule_arguments};
///
/// let mut arguments = rule_arguments(&Scaling::llama3(8.0, 8192)).map(|(parameter, value)| (parameter.key, value));
/// assert_eq!(arguments.next(), Some(("factor", Argument::Number(8.0))));
/// assert_eq!(arguments.last(), Some(("high_freq_factor", Argument::Number(4.0))));
/// ```
pub fn rule_arguments<'a>(
    rule: &Scaling<'a>,
) -> impl Iterator<Item = (&'static RuleParameter, Argument<'a>)> + use<'a> {
    rule_parameters(rule.name()).iter().zip(rule.arguments())
}

impl Display for Scaling<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (i, (parameter, argument)) in rule_arguments(self).enumerate() {
            if parameter.default != Some(argument) {
                write!(f, "{}{} = {argument}", if i == 0 { "(" } else { ", " }, parameter.key)?;
            }
        }
        f.write_str(if *self == Self::None { "" } else { ")" })
    }
}
