//! Moving rows by a distance: the rotation of each pair of columns.

use core::ops::{Add, Mul, Sub};

use crate::bake::const_table::value_or_refuse;
use crate::bake::decode::no_table;
use crate::element::Element;
use crate::element::bits::flatten_mut;
use crate::engine::dispatch;
use crate::plan::Plan;
use crate::plan::positions::Positions;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing, Repeat};
use crate::spec::error::SpecError;
use crate::spec::position::Position;
use crate::spec::values::Parameters;
use crate::table::row_range::rows_of_buffer;

impl Spec<'_> {
    /// Writes the translation by `distance` positions to `pairs`.
    ///
    /// The `d_model / 2` pairs are the cosine and sine of `w_k * distance` for each frequency `w_k`, correctly rounded.
    /// They turn the encoding of any position `p` into the encoding of `p + distance`, by a matrix that does not depend
    /// on `p`:
    ///
    /// ```text
    /// sin(w_k (p + distance)) =  cos(w_k distance) sin(w_k p) + sin(w_k distance) cos(w_k p)
    /// cos(w_k (p + distance)) = -sin(w_k distance) sin(w_k p) + cos(w_k distance) cos(w_k p)
    /// ```
    ///
    /// [`translate`](Self::translate) applies them to rows. In a constant,
    /// [`const_translation`](crate::const_translation) gives the same pairs. The [`amplitude`](Self::amplitude) does not
    /// affect them. The distance is in positions; rows are [`step`](Self::step) positions apart.
    ///
    /// Source: Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5; T.
    /// Denk, [*Linear Relationships in the Transformer's Positional
    /// Encoding*](https://blog.timodenk.com/linear-relationships-in-the-transformers-positional-encoding/) (2019).
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) does, if some columns are not in pairs
    /// ([`columns`](Self::columns) of one kind, [`Pairing::Unpaired`], or an odd width that ends in a sine), if the
    /// distance is out of range for a position, or if the length of `pairs` is not the number of frequencies. On error
    /// `pairs` is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let mut pairs = [[0.0f64; 2]; 2];
    /// Spec::new(4).translation(1, &mut pairs)?;
    /// assert_eq!(pairs[0], [0.540_302_305_868_139_8, 0.841_470_984_807_896_5]); // cos(1), sin(1)
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn translation<T: Element>(&self, distance: impl Position, pairs: &mut [[T; 2]]) -> Result<(), SpecError> {
        let count = self.check_pairs::<T>(pairs.len())?;
        let distance = distance.exact()?;
        self.fill_pairs(count, distance, pairs.as_flattened_mut())
    }

    /// Moves `rows` by the distance of `pairs`, which [`translation`](Self::translation) made from this spec.
    ///
    /// The row of position `p` becomes the row of `p + distance`, up to a few roundings of `T`. `rows` is any number of
    /// rows of `d_model` entries, in the layout and order of this spec. A last column of zeros stays as it is. If
    /// `rows` is the identity matrix, it becomes the transposed translation matrix.
    ///
    /// The result is not bit for bit the row of the table: the entries and the pairs have been rounded, and their
    /// products and sums are rounded again. For `f32` the difference is at most `5 * 2^-24` of the amplitude, if the
    /// amplitude is far from the ends of the type's range. If you move the same row repeatedly, the errors add up;
    /// encode the position instead.
    ///
    /// # Errors
    ///
    /// Returns an error if [`translation`](Self::translation) rejects the parameters or the columns, if the length of
    /// `pairs` is not the number of frequencies, or if the length of `rows` is not a multiple of `d_model`. On error
    /// `rows` is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// let spec = Spec::new(64);
    /// let mut three_on = [[0.0f32; 2]; 32];
    /// spec.translation(3, &mut three_on)?;
    ///
    /// let table = spec.table::<f32>(100)?;
    /// let mut rows = table.as_slice()[..97 * 64].to_vec();
    /// spec.translate(&three_on, &mut rows)?;
    /// for (moved, there) in rows.iter().zip(&table.as_slice()[3 * 64..]) {
    ///     assert!((moved - there).abs() <= 2.5 * f32::EPSILON);
    /// }
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn translate<T>(&self, pairs: &[[T; 2]], rows: &mut [T]) -> Result<(), SpecError>
    where
        T: Element + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
    {
        self.check_pairs::<T>(pairs.len())?;
        rows_of_buffer((0, None), rows.len(), self.d_model())?;
        for row in rows.chunks_exact_mut(self.d_model()) {
            match self.parameters.layout {
                Layout::Interleaved => {
                    for (columns, pair) in row.chunks_exact_mut(2).zip(pairs) {
                        let (first, second) = columns.split_at_mut(1);
                        self.turn(&mut first[0], &mut second[0], *pair);
                    }
                }
                Layout::Halves => {
                    let (first, second) = row.split_at_mut(pairs.len());
                    for ((first, second), pair) in first.iter_mut().zip(second).zip(pairs) {
                        self.turn(first, second, *pair);
                    }
                }
            }
        }
        Ok(())
    }

    /// Rotates a pair of columns, whichever of them is the sine.
    ///
    /// The error to first order, with `u` the unit roundoff (`2^-24` for `f32`): both factors of a product have a
    /// relative error of `u`, and the product adds another. The magnitudes of the products add up to at most the
    /// amplitude, since `|cos s| + |sin c| <= 1`. Their sum adds an error of `u` of itself. In total the result differs
    /// from the exact entry by `4 u` of the amplitude, and the table's entry differs from the exact one by `u`.
    #[inline]
    fn turn<T>(&self, first: &mut T, second: &mut T, [cos, sin]: [T; 2])
    where
        T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
    {
        let (s, c) = match self.parameters.order {
            Order::SinCos => (first, second),
            Order::CosSin => (second, first),
        };
        (*s, *c) = (*s * cos + *c * sin, *c * cos - *s * sin);
    }

    /// Writes `count` pairs. The caller has checked them.
    const fn fill_pairs<T: Element>(&self, count: usize, distance: f64, pairs: &mut [T]) -> Result<(), SpecError> {
        if !distance.is_finite() {
            return Err(SpecError::PositionNotFinite { index: None, value: distance });
        }
        // There is no plan for a table without columns.
        if count == 0 {
            return Ok(());
        }
        let plan = try_const!(Plan::new(&self.pairs_as_row(count)));
        let distance = [distance];
        dispatch::const_fill(&plan, &try_const!(Positions::of_list(&distance)), pairs);
        Ok(())
    }

    /// Returns the number of pairs, if every column except one of zeros is in a pair and the number is `given`.
    const fn check_pairs<T: Element>(&self, given: usize) -> Result<usize, SpecError> {
        if T::FORMAT.integers.is_some() {
            return Err(SpecError::Dtype {
                dtype: T::DTYPE,
                reason: "has integers, but translations need `f32` or `f64`",
            });
        }
        try_const!(self.check_parameters::<T>());
        match self.count_pairs() {
            Ok(needed) if given != needed => Err(SpecError::PairsLength { given, needed }),
            result => result,
        }
    }

    /// Returns the number of pairs, if every column except one of zeros is in a pair. The caller has checked the
    /// parameters.
    pub(crate) const fn count_pairs(&self) -> Result<usize, SpecError> {
        let d_model = self.d_model();
        let (parameter, value, remedy) = match self.parameters {
            Parameters { columns: columns @ (Columns::Sin | Columns::Cos), .. } => {
                ("columns", columns.name(), "`columns = both`")
            }
            Parameters { pairing: Pairing::Unpaired, .. } => ("pairing", "unpaired", "`pairing = paired`"),
            Parameters { odd: Odd::LastSin, .. } if d_model % 2 == 1 => {
                ("odd", "last_sin", "an even `d_model` or `odd = zero`")
            }
            Parameters { repeat: repeat @ (Repeat::Halves | Repeat::Pairs), .. } => {
                ("repeat", repeat.name(), "`repeat = none`")
            }
            _ => return Ok(d_model / 2),
        };
        Err(SpecError::NoPartner { parameter, value, remedy })
    }

    /// Returns the spec whose rows are `count` pairs of cosine and sine.
    const fn pairs_as_row(&self, count: usize) -> Self {
        let parameters = Parameters {
            d_model: 2 * count,
            layout: Layout::Interleaved,
            order: Order::CosSin,
            amplitude: Amplitude::Value(1.0),
            ..self.parameters
        };
        Self { parameters }
    }
}

/// Computes the pairs of [`Spec::translation`] as an array at compile time.
///
/// `H` is half of the `d_model` of `spec`; the distance is any finite number. Evaluation takes the compiler about 1 ms
/// per pair, and longer for angles of hundreds of bits. After several seconds the compiler's lint
/// `long_running_const_eval` reports an error, unless the item has `#[allow(long_running_const_eval)]`. For a whole
/// distance, the macro is faster: a row of cosines and sines, `sinusoidal_table!(1, 512, order = cos_sin, start = 3)`,
/// has the same entries.
///
/// # Panics
///
/// Panics if [`Spec::translation`] would return an error, with the same sentence. In a constant this is a compile
/// error.
///
/// # Examples
///
/// ```
/// use posenc::{Spec, const_translation, sinusoidal_table};
///
/// const SPEC: Spec = Spec::new(64);
/// static PE: [[f32; 64]; 16] = sinusoidal_table!(16, 64);
/// static HALF_ON: [[f32; 2]; 32] = const_translation(SPEC, 0.5);
///
/// let mut between = PE[7]; // becomes the encoding of position 7.5
/// SPEC.translate(&HALF_ON, &mut between)?;
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[must_use]
#[track_caller]
pub const fn const_translation<T: Element, const H: usize>(spec: Spec, distance: f64) -> [[T; 2]; H] {
    let count = value_or_refuse!(spec.check_pairs::<T>(H));
    let mut pairs = no_table();
    value_or_refuse!(spec.fill_pairs(count, distance, flatten_mut(&mut pairs)));
    pairs
}
