//! The committed golden entries, made by `scripts/golden.py`, to the bit.

use posenc::{Element, Spec};

#[test]
fn whole_tables_are_golden() {
    check("grid.txt", include_str!("golden/grid.txt"));
}

#[test]
fn scattered_entries_are_golden() {
    check("scattered.txt", include_str!("golden/scattered.txt"));
}

#[test]
fn entries_beside_a_number_or_a_midpoint_are_golden() {
    check("exact_angles.txt", include_str!("golden/exact_angles.txt"));
}

#[test]
fn entries_near_quarter_turns_are_golden() {
    check("near_zeros.txt", include_str!("golden/near_zeros.txt"));
}

#[test]
fn entries_nearest_to_midpoints_are_golden() {
    check("hardest.txt", include_str!("golden/hardest.txt"));
}

#[test]
fn entries_of_extreme_bases_are_golden() {
    check("extremes.txt", include_str!("golden/extremes.txt"));
}

/// One line of a golden file.
struct Entry<'a> {
    line: usize,
    dtype: &'a str,
    base: f64,
    d_model: usize,
    position: i64,
    column: usize,
    bits: u64,
}

impl<'a> Entry<'a> {
    fn parse(line: usize, text: &'a str) -> Option<Self> {
        let mut fields = text.split(' ');
        Some(Self {
            line,
            dtype: fields.next()?,
            base: fields.next()?.parse().ok()?,
            d_model: fields.next()?.parse().ok()?,
            position: fields.next()?.parse().ok()?,
            column: fields.next()?.parse().ok()?,
            bits: u64::from_str_radix(fields.next()?, 16).ok()?,
        })
    }

    fn shares_row_with(&self, other: &Self) -> bool {
        let row = |entry: &Self| (entry.base.to_bits(), entry.d_model, entry.position);
        self.dtype == other.dtype && row(self) == row(other)
    }

    /// The bits of the whole row this entry is in.
    fn row(&self) -> Vec<u64> {
        match self.dtype {
            "f32" => self.encode::<f32>().iter().map(|x| x.to_bits().into()).collect(),
            "f64" => self.encode::<f64>().iter().map(|x| x.to_bits()).collect(),
            other => panic!("line {}: no element type {other}", self.line),
        }
    }

    fn encode<T: Element>(&self) -> Vec<T> {
        let mut row = vec![T::default(); self.d_model];
        Spec::new(self.d_model).base(self.base).encode(self.position, &mut row).unwrap();
        row
    }
}

fn check(file: &str, text: &str) {
    // Line 1 says where the file comes from.
    let entries = text.lines().zip(1..).skip(1);
    let entries =
        entries.map(|(text, line)| Entry::parse(line, text).unwrap_or_else(|| panic!("{file}:{line}: {text}")));
    let entries: Vec<_> = entries.collect();
    assert!(!entries.is_empty(), "{file} is empty");
    let mut different = Vec::new();
    for group in entries.chunk_by(Entry::shares_row_with) {
        let row = group[0].row();
        for &Entry { line, column, bits, .. } in group {
            if row[column] != bits {
                different.push(format!("{file}:{line}: got {:x}, wanted {bits:x}", row[column]));
            }
        }
    }
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), entries.len(), different.join("\n"));
}
