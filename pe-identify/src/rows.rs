//! Tables of numbers, whose rows are read on demand.

use std::io;
use std::ops::Range;

use posenc::MAX_D_MODEL;
use posenc::half::{bf16, f16};

use crate::element::{ElementType, FloatType};

/// A table of numbers, whose rows are read on demand, so that a file need not be in memory.
///
/// # Examples
///
/// ```
/// use std::io;
/// use std::ops::Range;
///
/// use posenc_identify::{ElementType, FloatType, Rows};
///
/// /// The bytes of a raw file of `f32`.
/// struct Raw {
///     bytes: Vec<u8>,
///     d_model: usize,
/// }
///
/// impl Rows for Raw {
///     fn shape(&self) -> [usize; 2] {
///         [self.bytes.len() / (4 * self.d_model), self.d_model]
///     }
///
///     fn element_type(&self) -> ElementType {
///         ElementType::Float(FloatType::F32)
///     }
///
///     fn read(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<u8>> {
///         let row = |row: usize| &self.bytes[4 * row * self.d_model..][..4 * self.d_model];
///         Ok(rows.flat_map(|i| row(i)[4 * columns.start..4 * columns.end].to_vec()).collect())
///     }
/// }
///
/// let table = posenc::Spec::new(64).table::<f32>(100)?;
/// let bytes = table.as_slice().iter().flat_map(|entry| entry.to_le_bytes()).collect();
/// let lists = posenc_identify::Lists::default();
/// let answer = posenc_identify::identify(&Raw { bytes, d_model: 64 }, &Default::default(), &lists)?;
/// assert_eq!(answer.outcome, posenc_identify::Outcome::Identified);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rows {
    /// Returns the numbers of rows and columns.
    fn shape(&self) -> [usize; 2];

    /// Returns the type of the numbers.
    fn element_type(&self) -> ElementType;

    /// Reads the numbers of consecutive rows in consecutive columns, row by row, as bytes in little-endian order.
    ///
    /// Both ranges are within the shape.
    ///
    /// # Errors
    ///
    /// Returns an error if the numbers cannot be read.
    fn read(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<u8>>;

    /// Returns how many rows, at least 1, are read at a time when all rows are read.
    fn rows_at_once(&self) -> usize {
        /// The size of a piece in bytes.
        const PIECE: usize = 1 << 20;
        let [_, d_model] = self.shape();
        (PIECE / self.element_type().size() / d_model.max(1)).max(1)
    }
}

/// A table of numbers in memory.
///
/// # Examples
///
/// ```
/// use posenc_identify::{Lists, Options, Slice, identify};
///
/// let table = posenc::Spec::new(64).scale(0.5).table::<f32>(100)?;
/// let lists = Lists::default();
/// let answer = identify(&Slice::new(table.as_slice(), 64), &Options::default(), &lists)?;
/// let best = &answer.candidates[0];
/// assert!(matches!(best.found, posenc_identify::Found::Sinusoidal { spec, .. } if spec.parameters().scale == 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a, T> {
    numbers: &'a [T],
    d_model: usize,
}

impl<'a, T: Number> Slice<'a, T> {
    /// Returns a table of `d_model` columns, which ignores numbers after the last full row.
    #[must_use]
    pub const fn new(numbers: &'a [T], d_model: usize) -> Self {
        Self { numbers, d_model }
    }
}

impl<T: Number> Rows for Slice<'_, T> {
    fn shape(&self) -> [usize; 2] {
        [self.numbers.len().checked_div(self.d_model).unwrap_or(0), self.d_model]
    }

    fn element_type(&self) -> ElementType {
        T::TYPE
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(rows.len() * columns.len() * T::TYPE.size());
        for row in rows {
            let row = &self.numbers[row * self.d_model..][columns.clone()];
            for number in row {
                number.append(&mut bytes);
            }
        }
        Ok(bytes)
    }
}

/// A type of numbers that a [`Slice`] may have.
pub trait Number: Copy {
    /// The type of the numbers.
    const TYPE: ElementType;

    /// Appends the bytes of the number in little-endian order.
    fn append(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ident $name:expr;)*) => { $(
        impl Number for $number {
            const TYPE: ElementType = $name;

            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )* };
}

numbers! {
    f32 ElementType::Float(FloatType::F32);
    f64 ElementType::Float(FloatType::F64);
    f16 ElementType::Float(FloatType::F16);
    bf16 ElementType::Float(FloatType::Bf16);
    i8 ElementType::I8;
    u8 ElementType::U8;
    i16 ElementType::I16;
    i32 ElementType::I32;
}

/// A table whose shape and bytes are checked.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    rows: &'a dyn Rows,
    shape: [usize; 2],
}

impl<'a> Table<'a> {
    pub(crate) fn new(rows: &'a dyn Rows) -> io::Result<Self> {
        let shape @ [seq_len, d_model] = rows.shape();
        if seq_len == 0 {
            return Err(invalid("the table has no rows, so its parameters cannot be identified".to_owned()));
        } else if d_model == 0 || d_model > MAX_D_MODEL {
            return Err(invalid(format!("the table has {d_model} columns, but must have from 1 to {MAX_D_MODEL}")));
        }
        Ok(Self { rows, shape })
    }

    pub(crate) fn shape(&self) -> [usize; 2] {
        self.shape
    }

    pub(crate) fn element_type(&self) -> ElementType {
        self.rows.element_type()
    }

    /// Returns the ranges of rows that are read at once, to read all.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let ([seq_len, _], rows) = (self.shape, self.rows.rows_at_once().max(1));
        (0..seq_len).step_by(rows).map(move |first| first..seq_len.min(first.saturating_add(rows)))
    }

    /// Reads the numbers of consecutive rows, integers without their scale.
    pub(crate) fn rows(&self, rows: Range<usize>) -> io::Result<Vec<f64>> {
        self.block(rows, 0..self.shape[1])
    }

    /// Reads the numbers of consecutive rows in consecutive columns, integers without their scale.
    pub(crate) fn block(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<f64>> {
        self.bytes(rows, columns).map(|bytes| self.element_type().decode(&bytes))
    }

    fn bytes(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<u8>> {
        let expected = rows.len() * columns.len() * self.element_type().size();
        let bytes = self.rows.read(rows.clone(), columns)?;
        if bytes.len() == expected {
            return Ok(bytes);
        }
        let len = bytes.len();
        Err(invalid(format!("rows {} to {} were read as {len} bytes, but have {expected}", rows.start, rows.end)))
    }
}

fn invalid(sentence: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, sentence)
}
