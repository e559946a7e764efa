//! Counts, and the mismatches in full.

use std::fmt::{self, Display, Formatter};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::entries::{TYPES, types};
use crate::params::Params;
use crate::rows::{EntryPoint, Rows};
use crate::value::Source;

/// The number of mismatches per part and type that are shown in full. All are counted.
const MOST_SHOWN: u64 = 10;
static SHOWN: [AtomicU64; TYPES] = [const { AtomicU64::new(0) }; TYPES];

/// The longest `Spec` to show. A list of frequencies can be longer; the frequency in question is then shown separately.
const LONGEST: usize = 300;

/// What was checked, by element type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub entries: [u64; TYPES],
    pub differ: [u64; TYPES],
    /// How often a value was computed again with twice the precision.
    pub repeated: u64,
}

impl Tally {
    pub fn differs(&mut self, mismatch: &Mismatch) {
        self.differ[mismatch.dtype] += 1;
        if SHOWN[mismatch.dtype].fetch_add(1, Ordering::Relaxed) < MOST_SHOWN {
            println!("oracle: DIFFERS: {mismatch}");
        }
    }

    pub fn total(&self) -> u64 {
        self.entries.iter().sum()
    }

    pub fn total_differ(&self) -> u64 {
        self.differ.iter().sum()
    }

    /// Returns the name of an element type for which nothing was checked.
    pub fn lacks(&self) -> Option<&'static str> {
        types().zip(self.entries).find(|(_, entries)| *entries == 0).map(|((name, _), _)| name)
    }

    /// Prints a line for each element type, at the end of a part.
    pub fn print(&self, part: &str) {
        for shown in &SHOWN {
            shown.store(0, Ordering::Relaxed);
        }
        for (((name, _), entries), differ) in types().zip(self.entries).zip(self.differ) {
            println!("oracle: {part}{name}: {entries} entries, {differ} differ");
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for dtype in 0..TYPES {
            self.entries[dtype] += other.entries[dtype];
            self.differ[dtype] += other.differ[dtype];
        }
        self.repeated += other.repeated;
    }
}

/// An entry that differs from the formula.
pub struct Mismatch<'a> {
    pub params: &'a Params,
    pub rows: &'a Rows,
    pub dtype: usize,
    pub entry_point: EntryPoint,
    pub row: usize,
    pub position: Option<f64>,
    pub column: usize,
    /// The source of its frequency, unless it is a column of zeros.
    pub source: Option<&'a Source>,
    pub found: u64,
    pub wanted: u64,
}

impl Display for Mismatch<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let (name, width) = types().nth(self.dtype).expect("a type");
        let digits = usize::try_from(width / 4).expect("small");
        let spec = self.params.spec().to_string();
        let end = if spec.len() > LONGEST { "...)" } else { "" };
        write!(f, "{name}, {}{end}, {:?}, ", &spec[..spec.len().min(LONGEST)], self.entry_point)?;
        if let Some(quantiser) = self.params.quantiser(self.dtype) {
            write!(f, "{quantiser:?}, ")?;
        }
        match self.rows {
            Rows::Table { first, count } => write!(f, "row {first} + {} of {count}, ", self.row)?,
            Rows::Positions(positions) => write!(f, "number {} of {}, ", self.row, positions.len())?,
        }
        match self.position {
            Some(position) => write!(f, "position {position:?}, ")?,
            None => write!(f, "zero row, ")?,
        }
        write!(f, "frequency {:?} * {:?}, ", self.source, self.params.scale)?;
        write!(f, "column {}: got {:#0w$x}, wanted {:#0w$x}", self.column, self.found, self.wanted, w = digits + 2)
    }
}
