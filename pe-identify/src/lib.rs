//! Finds the positional encoding that made a table.
//!
//! The input is a [table of numbers](Rows), in memory or read row by row. The [`Answer`] has ranked
//! [candidates](Candidate) with their errors, the arithmetic that explains them, and the numbers of which the entries
//! determine only some digits. If nothing fits, it says how the input differs from a table of the formula, or which
//! candidate is nearest. Begin with [`identify`].
//!
//! # How it works
//!
//! All [searches](search) use a [sample] of the rows. The candidates are the presets and rotary caches of models, and
//! the specs with likely numbers near those that are [fitted](fit) to the angles of all frequencies. If there are none,
//! the search goes on with the rule of a [rotary cache](rotary), the parameters of [known] models in every arrangement
//! of columns, and finally a list of frequencies. The table of each candidate is then computed and compared. A
//! candidate is [accepted] only if the [arithmetic](noise) of a framework explains the difference. The most
//! [common](rank) accepted candidate is the answer, with its [factors] to the digits that are [determined]. The answer
//! also mentions candidates that are nearly as common.
#![forbid(unsafe_code)]
#![allow(rustdoc::private_intra_doc_links, reason = "the overview is for those who read the sources")]

mod accepted;
mod angles;
mod answer;
mod any_axial;
mod any_grid;
mod ascending;
mod axial;
mod determined;
mod distance;
mod element;
mod entries;
mod exact;
mod factor;
mod factors;
mod fit;
mod grid_base;
mod grid_distance;
mod grids;
mod identified;
mod identify;
mod integers;
mod interval;
mod known;
mod line;
mod linear;
mod lists;
mod misses;
mod model;
mod noise;
mod numbers;
mod options;
mod places;
mod products;
mod rank;
mod reading;
mod recurrence;
mod rotary;
mod rounding;
mod rows;
mod sample;
mod search;
mod several_axes;
mod shapes;
mod shown_base;
mod structure;
mod undetermined;
mod vectors;

pub use answer::{Answer, Candidate, Change, Distance, Found, Miss, Named, Note, Outcome};
pub use any_axial::AnyAxial;
pub use any_grid::AnyGrid;
pub use element::{Dtype, ElementType, FloatType};
pub use identify::{distance, identify, may_be_table};
pub use lists::Lists;
pub use options::Options;
pub use rounding::Precision;
pub use rows::{Number, Rows, Slice};
pub use undetermined::{Undetermined, UndeterminedKind};
pub use vectors::{FrequencyVector, VectorKind, identify_vector};

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
