//! The entry points at run time.

use posenc::{Grid, Spec, Table};
use posenc_text::request::{Request, Wanted};
use sha2::{Digest, Sha256};
use testkit::Bits;

/// A way to make a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EntryPoint {
    /// `Spec::table` and `Grid::table`.
    Table,
    /// The same with all threads.
    ParTable,
    /// `fill` of a few rows after the other.
    Fill,
    /// `const_fill` likewise.
    ConstFill,
    /// `Spec::encode` of each row.
    Encode,
    /// `Encoder::encode_row` of each row.
    Prepared,
    /// `Spec::fill_positions` and `Grid::fill_points` with the position of each row.
    Positions,
    /// `Request::rows`, as the command, Python and the page compute them.
    Text,
}

/// Why an entry point does not make a table.
#[derive(Debug)]
pub(crate) struct Unsupported(pub(crate) &'static str);

impl EntryPoint {
    pub(crate) const ALL: [Self; 8] = [
        Self::Table,
        Self::ParTable,
        Self::Fill,
        Self::ConstFill,
        Self::Encode,
        Self::Prepared,
        Self::Positions,
        Self::Text,
    ];

    /// Returns the hash of a table.
    pub(crate) fn hash<T: Bits>(self, request: &Request) -> Result<String, Unsupported> {
        match (self, &request.wanted) {
            (Self::Text, _) => Ok(of_text::<T>(request)),
            (_, Wanted::Sinusoidal { .. } | Wanted::Rotary { .. }) => {
                let spec = request.packed().expect("parameters").expect("one axis");
                let [rows, _] = request.shape::<T>().expect("a shape");
                self.of_spec::<T>(&spec, rows)
            }
            (_, Wanted::Grid { shape, .. } | Wanted::Axial { shape, .. }) => match shape.len() {
                1 => self.of_grid::<T, 1>(&request.grid().expect("parameters")),
                2 => self.of_grid::<T, 2>(&request.grid().expect("parameters")),
                3 => self.of_grid::<T, 3>(&request.grid().expect("parameters")),
                _ => self.of_grid::<T, 4>(&request.grid().expect("parameters")),
            },
        }
    }

    fn of_spec<T: Bits>(self, spec: &Spec, rows: usize) -> Result<String, Unsupported> {
        let d_model = spec.d_model();
        let parameters = spec.parameters();
        let start = parameters.start.expect("a start");
        let position = |row: usize| start + parameters.step * i64::try_from(row).expect("a row");
        let mut entries = vec![T::default(); rows * d_model];
        match self {
            Self::Table => return Ok(of_table(&spec.table::<T>(rows).expect("a table"))),
            Self::ParTable => return Ok(of_table(&spec.par_table::<T>(rows).expect("a table"))),
            Self::Fill => in_pieces(&mut entries, d_model, |first, rows| spec.fill(first.., rows).expect("rows")),
            Self::ConstFill => {
                in_pieces(&mut entries, d_model, |first, rows| spec.const_fill(first.., rows).expect("rows"));
            }
            Self::Prepared => {
                let encoder = spec.prepare::<T>(rows).expect("rows");
                in_rows(&mut entries, d_model, |i, row| encoder.encode_row(i, row).expect("a row"));
            }
            _ if parameters.zero_row.is_some() => return Err(Unsupported("positions have no zero row")),
            Self::Encode => in_rows(&mut entries, d_model, |i, row| spec.encode(position(i), row).expect("a row")),
            Self::Positions => {
                let positions: Vec<_> = (0..rows).map(|i| position(i) as f64).collect();
                spec.fill_positions(&positions, &mut entries).expect("rows");
            }
            Self::Text => unreachable!("it has no spec"),
        }
        Ok(of_entries(&entries))
    }

    fn of_grid<T: Bits, const A: usize>(self, grid: &Grid<A>) -> Result<String, Unsupported> {
        let d_model = grid.d_model();
        let mut entries = vec![T::default(); grid.rows() * d_model];
        match self {
            Self::Table => return Ok(of_table(&grid.table::<T>().expect("a table"))),
            Self::ParTable => return Ok(of_table(&grid.par_table::<T>().expect("a table"))),
            Self::Fill => in_pieces(&mut entries, d_model, |first, rows| grid.fill(first.., rows).expect("rows")),
            Self::ConstFill => {
                in_pieces(&mut entries, d_model, |first, rows| grid.const_fill(first.., rows).expect("rows"));
            }
            Self::Positions => grid.fill_points(&points(grid)?, &mut entries).expect("rows"),
            Self::Encode | Self::Prepared => return Err(Unsupported("grids have no single rows")),
            Self::Text => unreachable!("it has no grid"),
        }
        Ok(of_entries(&entries))
    }
}

/// Returns the points of a grid in the order of its rows.
fn points<const A: usize>(grid: &Grid<A>) -> Result<Vec<[f64; A]>, Unsupported> {
    let parameters = grid.parameters();
    if grid.rows() != parameters.shape.iter().product::<usize>() {
        return Err(Unsupported("points have no rows of zeros or of angle 0"));
    }
    if parameters.merge > 1 {
        return Err(Unsupported("points are not merged"));
    }
    let position = |axis: usize, i: usize| match parameters.positions[axis] {
        [] => (parameters.start[axis] + parameters.step[axis] * i64::try_from(i).expect("an index")) as f64,
        list => list[i],
    };
    let point = |row: usize| {
        let mut rest = row;
        let mut point = [0.0; A];
        for axis in (0..A).rev() {
            point[axis] = position(axis, rest % parameters.shape[axis]);
            rest /= parameters.shape[axis];
        }
        point
    };
    Ok((0..grid.rows()).map(point).collect())
}

/// Writes a few rows after the other: 1, 2, 3 and so on.
fn in_pieces<T>(entries: &mut [T], d_model: usize, mut write: impl FnMut(usize, &mut [T])) {
    let (mut rest, mut first, mut count) = (entries, 0, 1);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_mut(rest.len().min(count * d_model));
        write(first, piece);
        (rest, first, count) = (after, first + count, count + 1);
    }
}

fn in_rows<T>(entries: &mut [T], d_model: usize, mut write: impl FnMut(usize, &mut [T])) {
    entries.chunks_exact_mut(d_model).enumerate().for_each(|(i, row)| write(i, row));
}

fn of_text<T: Bits>(request: &Request) -> String {
    let rows = request.rows::<T>().expect("rows");
    let mut entries = Vec::new();
    let taken: Result<(), ()> = rows.for_each_piece(|piece| {
        entries.extend_from_slice(piece);
        Ok(())
    });
    taken.expect("all pieces are taken");
    of_entries(&entries)
}

fn of_table<T: Bits>(table: &Table<T>) -> String {
    let entries: Vec<_> = (0..table.seq_len()).flat_map(|i| table.row(i).iter().copied()).collect();
    of_entries(&entries)
}

/// Returns the SHA-256 of the bits, the low bytes first.
fn of_entries<T: Bits>(entries: &[T]) -> String {
    let mut hash = Sha256::new();
    for entry in entries {
        hash.update(&entry.bits().to_le_bytes()[..size_of::<T>()]);
    }
    hash.finalize().iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}
