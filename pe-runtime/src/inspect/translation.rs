//! Moving rows by a distance: the rotation of each pair of columns, and the matrix of all of them.

use core::ops::{Add, Mul, Sub};

use crate::bake::const_table::refuse;
use crate::bake::decode::no_table;
use crate::element::Element;
use crate::element::bits::{flatten_mut, from_bits};
use crate::engine::dispatch;
use crate::inspect::entry::to_bits;
use crate::plan::Plan;
use crate::plan::positions::Positions;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing};
use crate::spec::error::SpecError;
use crate::spec::position::Position;
use crate::spec::values::Parameters;

impl Spec<'_> {
    /// Writes the translation by `distance` positions to `pairs`: of each frequency `w_k` the cosine and sine of `w_k * distance`,
    /// correctly rounded, `d_model / 2` pairs.
    ///
    /// With these the encoding of any position `p` becomes that of `p + distance`, by a matrix that does not depend on `p`:
    ///
    /// ```text
    /// sin(w_k (p + distance)) =  cos(w_k distance) sin(w_k p) + sin(w_k distance) cos(w_k p)
    /// cos(w_k (p + distance)) = -sin(w_k distance) sin(w_k p) + cos(w_k distance) cos(w_k p)
    /// ```
    ///
    /// [`translate`](Self::translate) does this with rows, [`translation_matrix`](Self::translation_matrix) writes the matrix out.
    /// In a constant, [`const_translation`](crate::const_translation) gives the same pairs. The [`amplitude`](Self::amplitude) has no
    /// part in them. The distance is one of positions; rows are [`step`](Self::step) positions apart.
    ///
    /// Source: Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (2017), section 3.5; T. Denk,
    /// [*Linear Relationships in the Transformer's Positional Encoding*](https://blog.timodenk.com/linear-relationships-in-the-transformers-positional-encoding/)
    /// (2019).
    ///
    /// # Errors
    ///
    /// For parameters that [`check_parameters`](Self::check_parameters) refuses, for columns without their partners
    /// ([`columns`](Self::columns) of one kind, [`Pairing::Unpaired`], an odd width that ends in a sine), for a distance that is no
    /// position, and if `pairs` does not hold one for each frequency. The pairs are then as they were.
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

    /// Moves `rows` by the distance of `pairs`, which [`translation`](Self::translation) made of this spec: the row of position `p`
    /// becomes that of `p + distance`, to within some roundings of `T`.
    ///
    /// Any number of rows, each of `d_model` entries, in the layout and order of this spec; what is no pair, such as a last column of
    /// zeros, stays. The result is not the table's row to the bit, as the entries and the pairs were rounded before, and their
    /// products and sum are rounded again: for `f32` it is off from that by up to `5 * 2^-24` of the amplitude, if the amplitude is far
    /// from the ends of the range of the type. Moving the same row again and again adds up these errors; better to encode the position.
    ///
    /// # Errors
    ///
    /// For parameters and columns that [`translation`](Self::translation) refuses, if `pairs` does not hold one for each frequency, and
    /// if the length of `rows` is not a multiple of `d_model`. The rows are then as they were.
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
        let (len, d_model) = (rows.len(), self.d_model());
        if len % d_model != 0 {
            return Err(SpecError::BufferLength { len, d_model });
        }
        for row in rows.chunks_exact_mut(d_model) {
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

    /// Writes the matrix of the translation that `pairs` are to `matrix`, of shape `(d_model, d_model)`, row by row: `M` such that
    /// `M PE(p) = PE(p + distance)`, the encodings being columns.
    ///
    /// Its entries are those of the pairs, signs aside, and zeros; in the interleaved layout it has the blocks
    /// `[[cos, sin], [-sin, cos]]` along its diagonal, in others the same entries at other places. A column of zeros keeps to itself,
    /// by a 1.
    ///
    /// # Errors
    ///
    /// For parameters and columns that [`translation`](Self::translation) refuses, if `pairs` does not hold one for each frequency, and
    /// if `matrix` does not hold `d_model * d_model` entries. The matrix is then as it was.
    ///
    /// ```
    /// # use posenc::Spec;
    /// let (mut pairs, mut matrix) = ([[0.0f32; 2]; 1], [0.0; 4]);
    /// Spec::new(2).translation(1, &mut pairs)?;
    /// Spec::new(2).translation_matrix(&pairs, &mut matrix)?;
    /// assert_eq!(matrix, [0.540_302_3, 0.841_470_96, -0.841_470_96, 0.540_302_3]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn translation_matrix<T: Element>(&self, pairs: &[[T; 2]], matrix: &mut [T]) -> Result<(), SpecError> {
        self.check_pairs::<T>(pairs.len())?;
        let (len, d_model) = (matrix.len(), self.d_model());
        if d_model.checked_mul(d_model) != Some(len) {
            return Err(SpecError::MatrixLength { len, d_model });
        }
        matrix.fill(from_bits(0));
        for (&[cos, sin], (j, k)) in pairs.iter().zip(self.pair_columns()) {
            matrix[j * d_model + j] = cos;
            matrix[j * d_model + k] = sin;
            matrix[k * d_model + j] = negated(sin);
            matrix[k * d_model + k] = cos;
        }
        for j in 2 * pairs.len()..d_model {
            matrix[j * d_model + j] = from_bits(Amplitude::Value(1.0).size(d_model).round(T::FORMAT));
        }
        Ok(())
    }

    /// Turns a pair of columns, whichever of them is the sine.
    ///
    /// Error, to first order, with `u` the unit roundoff (`2^-24` for `f32`): the factors of a product are off by a relative `u` each,
    /// the product by another, and the products' sizes add up to the amplitude at most, `|cos s| + |sin c| <= 1`; their sum is off by
    /// `u` of itself. That is `4 u` of the amplitude from the exact entry, and the entry of a table is off from that by `u`.
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

    /// The columns of sine and cosine of each pair.
    fn pair_columns(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let arrangement = self.arrangement();
        (0..arrangement.frequencies()).filter_map(move |i| {
            let columns = arrangement.pair_columns(i);
            Some((columns.sin?, columns.cos?))
        })
    }

    /// Writes `count` pairs, which have been checked.
    const fn fill_pairs<T: Element>(&self, count: usize, distance: f64, pairs: &mut [T]) -> Result<(), SpecError> {
        if !distance.is_finite() {
            return Err(SpecError::PositionNotFinite { index: None, value: distance });
        }
        // Of no columns there is no plan.
        if count == 0 {
            return Ok(());
        }
        match (Plan::new(&self.pairs_as_row(count)), Positions::of_list(&[distance])) {
            (Ok(plan), Ok(positions)) => {
                dispatch::const_fill(&plan, &positions, pairs);
                Ok(())
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }

    /// The number of pairs, if every column but one of zeros is in one, and if that is `given`.
    const fn check_pairs<T: Element>(&self, given: usize) -> Result<usize, SpecError> {
        if let Err(error) = self.check_parameters::<T>() {
            return Err(error);
        }
        match self.count_pairs() {
            Ok(needed) if given != needed => Err(SpecError::PairsLength { given, needed }),
            result => result,
        }
    }

    /// The number of pairs, if every column but one of zeros is in one. The parameters have been checked.
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
            _ => return Ok(d_model / 2),
        };
        Err(SpecError::NoPartner { parameter, value, remedy })
    }

    /// The spec that has `count` pairs of cosine and sine as its rows.
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

/// Makes the pairs of [`Spec::translation`] as an array, in constants and statics: a `const fn` for the compiler to evaluate.
///
/// `H` is half of the `d_model` of `spec`; the distance is any finite number. It takes the compiler some 1 ms a pair, more for angles of
/// hundreds of bits. From some seconds on its lint `long_running_const_eval` refuses that, unless the item says `#[allow(long_running_const_eval)]`.
/// (For a whole number the macro is quicker: a row of cosines and sines, `sinusoidal_table!(1, 512, order = cos_sin, start = 3)`, has
/// the same entries.)
///
/// # Panics
///
/// For what [`Spec::translation`] refuses, with the same sentence. In a constant that is a compile error.
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
    match spec.check_pairs::<T>(H) {
        Ok(count) => {
            let mut pairs = no_table();
            match spec.fill_pairs(count, distance, flatten_mut(&mut pairs)) {
                Ok(()) => pairs,
                Err(error) => refuse(&error.message()),
            }
        }
        Err(error) => refuse(&error.message()),
    }
}

/// The entry with the other sign, unless it is zero.
fn negated<T: Element>(entry: T) -> T {
    let bits = to_bits(entry);
    if bits == 0 { entry } else { from_bits(bits ^ 1 << (T::FORMAT.width - 1)) }
}
