//! Computes the two tables of a rotary cache.

use crate::element::Element;
use crate::rope::Rope;
use crate::rope::error::RopeError;
#[cfg(feature = "alloc")]
use crate::spec::Spec;
use crate::spec::choices::{Columns, Repeat};
use crate::spec::error::SpecError;
use crate::spec::position::Position;
use crate::spec::quantiser::Quantiser;
#[cfg(feature = "alloc")]
use crate::table::Table;
#[cfg(feature = "alloc")]
use crate::table::encoder::Encoder;
use crate::table::row_range::RowRange;

/// The cosines and the sines of a rotary cache: two tables, arrays or encoders.
///
/// `rotary_table!` makes two arrays, and [`Rope::table`] makes two tables.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use posenc::{CosSin, rotary_table};
///
/// static ROPE: CosSin<[[f32; 32]; 128]> = rotary_table!(128, 64);
/// assert_eq!((ROPE.cos[0][0], ROPE.sin[0][0]), (1.0, 0.0));
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs, reason = "there are two")]
pub struct CosSin<A> {
    /// The cosines.
    pub cos: A,
    /// The sines.
    pub sin: A,
}

impl Rope<'_> {
    /// Checks the parameters for tables of `T`.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter is out of range, or if two parameters exclude each other.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert!(Rope::new(64).check::<f32>().is_ok());
    /// assert_eq!(
    ///     Rope::new(64).rotary_dim(33).check::<f32>().unwrap_err().to_string(),
    ///     "the rotary width is 33, but must be even and from 2 to 64 (`head_dim`); set another `rotary_dim` or \
    ///      `partial_rotary_factor`",
    /// );
    /// ```
    pub const fn check<T: Element>(&self) -> Result<(), RopeError> {
        let spec = try_const!(self.spec(Columns::Cos));
        match spec.check_parameters::<T>() {
            Ok(()) => Ok(()),
            Err(error) => Err(self.error(error)),
        }
    }

    /// Returns the error of a table in the terms of the cache.
    const fn error(&self, error: SpecError) -> RopeError {
        RopeError::of_table(error, !matches!(self.spec.parameters.repeat, Repeat::None))
    }

    /// Returns the tables of the first `seq_len` rows, each of shape `(seq_len, rotary_dim / 2)`.
    ///
    /// # Errors
    ///
    /// Returns an error if the parameters are invalid, if the position of a row is out of range, if a table is larger than
    /// the address space, or if allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let rope = Rope::new(64).table::<f32>(2048)?;
    /// assert_eq!((rope.cos.rows().len(), rope.cos.d_model()), (2048, 32));
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn table<T: Element>(&self, seq_len: usize) -> Result<CosSin<Table<T>>, RopeError> {
        self.both(|spec| spec.table(seq_len))
    }

    /// Returns the tables, computed on all threads of rayon's pool.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`table`](Self::table).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// assert_eq!(Rope::new(64).par_table::<f32>(500)?, Rope::new(64).table(500)?);
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_table<T: Element>(&self, seq_len: usize) -> Result<CosSin<Table<T>>, RopeError> {
        self.both(|spec| spec.par_table(seq_len))
    }

    /// Writes the given rows to two buffers of the same length, as [`Spec::fill`](crate::Spec::fill) does.
    ///
    /// # Errors
    ///
    /// Returns an error if the parameters are invalid, if the position of a row is out of range, or if the length of a
    /// buffer does not match the rows. On error both buffers are left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let (mut cos, mut sin) = ([0.0f32; 10 * 32], [0.0f32; 10 * 32]);
    /// Rope::new(64).fill(0..10, &mut cos, &mut sin)?;
    /// assert_eq!((cos[0], sin[0]), (1.0, 0.0));
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    pub fn fill<T: Element>(&self, rows: impl RowRange + Clone, cos: &mut [T], sin: &mut [T]) -> Result<(), RopeError> {
        let spec = self.spec(Columns::Cos)?;
        check_length(cos.len(), sin.len())?;
        spec.fill(rows.clone(), cos).map_err(|error| self.error(error))?;
        Ok(self.spec(Columns::Sin)?.fill(rows, sin)?)
    }

    /// Writes the row of one position, which may be any integer or finite float, to two buffers.
    ///
    /// # Errors
    ///
    /// Returns an error if the parameters are invalid, if the position is out of range, or if a buffer is not as long
    /// as one row. On error both buffers are left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let (mut cos, mut sin) = ([0.0f32; 2], [0.0f32; 2]);
    /// Rope::new(4).encode(0.5, &mut cos, &mut sin)?;
    /// assert_eq!((cos[0], sin[0]), (0.877_582_55, 0.479_425_55)); // of half a radian
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    pub fn encode<T: Element>(
        &self,
        position: impl Position + Copy,
        cos: &mut [T],
        sin: &mut [T],
    ) -> Result<(), RopeError> {
        let spec = self.spec(Columns::Cos)?;
        check_length(cos.len(), sin.len())?;
        spec.encode(position, cos).map_err(|error| self.error(error))?;
        Ok(self.spec(Columns::Sin)?.encode(position, sin)?)
    }
}

#[cfg(feature = "alloc")]
impl<'a> Rope<'a> {
    /// Returns encoders for the first `max_len` rows and for any positions.
    ///
    /// # Errors
    ///
    /// Returns an error if the parameters are invalid, if the position of a row is out of range, or if allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// let rope = Rope::new(64).prepare::<f32>(4096)?;
    /// let (mut cos, mut sin) = ([0.0; 32], [0.0; 32]);
    /// rope.cos.encode_row(7, &mut cos)?;
    /// rope.sin.encode_row(7, &mut sin)?;
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    pub fn prepare<T: Element>(&self, max_len: usize) -> Result<CosSin<Encoder<'a, T>>, RopeError> {
        self.both(|spec| spec.prepare(max_len))
    }

    fn both<X>(&self, make: impl Fn(Spec<'a>) -> Result<X, SpecError>) -> Result<CosSin<X>, RopeError> {
        let one = |columns| make(self.spec(columns)?).map_err(|error| self.error(error));
        Ok(CosSin { cos: one(Columns::Cos)?, sin: one(Columns::Sin)? })
    }
}

/// Checks the length of the sines against the length of the cosines, which the spec checks. Nothing is written before.
const fn check_length(cos: usize, sin: usize) -> Result<(), RopeError> {
    if cos == sin { Ok(()) } else { Err(RopeError::SinLength { cos, sin }) }
}

impl Rope<'_> {
    /// Sets the scale and the zero point of integer entries, as [`Spec::quantiser`](crate::Spec::quantiser) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Quantiser, Rope};
    /// let (mut cos, mut sin) = ([0i16; 1], [0i16; 1]);
    /// Rope::new(2).quantiser(Quantiser::quotient(1, 32_767)).encode(1, &mut cos, &mut sin)?;
    /// assert_eq!((cos, sin), ([17_704], [27_572]));
    /// # Ok::<(), posenc::RopeError>(())
    /// ```
    pub const fn quantiser(self, quantiser: Quantiser) -> Self {
        self.with(self.spec.quantiser(quantiser))
    }
}
