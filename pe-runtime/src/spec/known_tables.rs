//! What is said of the tables of known models, and the macro that makes the presets of each kind of table.

use crate::spec::names::Named;

/// Facts about a preset besides its table.
///
/// [`preset_facts`](crate::reflection::preset_facts) returns it.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The models and libraries that use it.
    pub models: &'static str,
    /// The source of its parameters, or an empty string if its documentation links to the source.
    pub source: &'static str,
    /// Its other names.
    pub called: &'static [&'static str],
    /// A note for the user, in terms of the tool's options.
    pub note: &'static str,
    /// The keys that the user must also set, each with an example value.
    pub given: &'static [(&'static str, &'static str)],
    /// The number of rows that the model is made for, or that an example has.
    pub rows: usize,
    /// The width of a head in the model's class, for the presets of rotary tables with axes.
    pub head_dim: usize,
}

impl Facts {
    pub(crate) const NONE: Self =
        Self { models: "", source: "", called: &[], note: "", given: &[], rows: 512, head_dim: 0 };
}

/// A name from elsewhere that is not simply another name of one preset.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere<P: 'static> {
    /// The name.
    pub name: &'static str,
    /// The presets that it may mean, the likeliest first.
    pub presets: &'static [P],
    /// The keys to set with the first preset, each with an example value.
    pub given: &'static [(&'static str, &'static str)],
}

/// The presets of a kind of table.
///
/// # Examples
///
/// ```
/// use posenc::RopePreset;
/// use posenc::reflection::{KnownTables, Named};
///
/// let i = RopePreset::NAMES.find("llama2")?;
/// assert_eq!(RopePreset::FACTS[i].models, "LLaMA 1 and 2");
/// # Ok::<(), posenc::reflection::Unknown>(())
/// ```
pub trait KnownTables: Named {
    /// The facts about each of [`Named::CHOICES`].
    const FACTS: &'static [Facts];
    /// The names from elsewhere that are not simply another name of one preset.
    const OTHER_NAMES: &'static [Elsewhere<Self>];
}

/// Defines the enum of the presets of a kind of table. A row has the names of a preset, its parameters, the models and
/// from what they were read, and other facts.
///
/// Behind the rows are the names from elsewhere that may mean several presets, or a preset with further keys.
macro_rules! presets {
    (
        $(#[$doc:meta])*
        $choice:ident($part:ident: $Part:ty) {
            $(
                $(#[$variant_doc:meta])*
                $preset:ident = $name:literal $(| $called:literal)* {
                    $_part:ident: $made:expr,
                    models: $models:literal $(from $source:literal)?,
                    $($fact:ident: $value:expr),* $(,)?
                }
            )*
        }
        elsewhere { $($other:literal [$($meant:ident),* $(; $($key:literal = $example:literal),+)?] => $here:literal;)* }
    ) => {
        choice! {
            $(#[$doc])*
            $choice(
                $crate::spec::names::Of::Things("preset"),
                &[$($(($called, concat!("`", $name, "`")),)*)* $(($other, $here),)*]
            ) {
                $(
                    $(#[doc = concat!($models, ". Source: ", $source, ".")] #[doc = ""])?
                    $(#[$variant_doc])*
                    $preset = $name,
                )*
            }
        }

        impl $crate::spec::known_tables::KnownTables for $choice {
            const FACTS: &'static [$crate::spec::known_tables::Facts] = &[$($crate::spec::known_tables::Facts {
                models: $models,
                $(source: $source,)?
                called: &[$($called),*],
                $($fact: $value,)*
                ..$crate::spec::known_tables::Facts::NONE
            },)*];

            const OTHER_NAMES: &'static [$crate::spec::known_tables::Elsewhere<Self>] =
                &[$($crate::spec::known_tables::Elsewhere {
                    name: $other,
                    presets: &[$(Self::$meant),*],
                    given: &[$($(($key, $example)),+)?],
                },)*];
        }

        impl $choice {
            /// Names of models and libraries, and where to find their tables, in terms of the macro's keys.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use posenc::", stringify!($choice), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($choice), "::ELSEWHERE.iter().all(|(name, here)| name != here));")]
            /// ```
            pub const ELSEWHERE: &'static [(&'static str, &'static str)] =
                <Self as $crate::spec::names::Named>::NAMES.elsewhere;

            /// Returns the parameters.
            pub(crate) const fn $part(self) -> $Part {
                match self { $(Self::$preset => const { $made },)* }
            }

            pub(crate) const fn facts(self) -> $crate::spec::known_tables::Facts {
                <Self as $crate::spec::known_tables::KnownTables>::FACTS[self as usize]
            }

            /// Returns the models and libraries that use the table, in one line.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use posenc::", stringify!($choice), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($choice), "::ALL.iter().all(|preset| !preset.models().is_empty()));")]
            /// ```
            #[must_use]
            pub const fn models(self) -> &'static str {
                self.facts().models
            }
        }
    };
}
