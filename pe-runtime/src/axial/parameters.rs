//! The parameters of an axial table as data, setting them by their rows in the list, and whether two make the same tables.

use crate::axial::AxialRope;
use crate::axial::preset::AxialPreset;
use crate::grid::parameters::{GridParameters, sizes};
use crate::grid::values::{Extent, Widths};
use crate::spec::axial_choices::{AxialNest, AxialRest};
use crate::spec::choices::{FrequencyDtype, Packing, Repeat};
use crate::spec::parameters::{Access, OfGrid, OfRope, Parameter, Value};
use crate::spec::quantiser::Quantiser;
use crate::spec::scaling::Scaling;
use crate::spec::values::Frequencies;

/// Every parameter of a rotary table of several axes.
///
/// [`AxialRope::parameters`] returns it. Arrays have a value for each axis, in the order of the shape.
///
/// # Examples
///
/// ```
/// use posenc::{AxialNest, AxialPreset, AxialRope};
///
/// let kimi = AxialRope::preset(AxialPreset::KimiK25Vision, [24, 24], 72).parameters();
/// assert_eq!((kimi.first, kimi.nest, kimi.rotary_dim), ([1, 0], AxialNest::Frequencies, 72));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AxialParameters<'a, const A: usize> {
    /// The number of points along each axis.
    pub shape: [usize; A],
    /// The number of columns of a head.
    pub head_dim: usize,
    /// The number of columns that are rotated.
    pub rotary_dim: usize,
    /// The order of the axes in the columns, as indices into the shape.
    pub first: [usize; A],
    /// How the frequencies of the axes are nested.
    pub nest: AxialNest,
    /// The number of columns of each axis.
    pub widths: Widths<A>,
    /// What happens to columns that belong to no axis.
    pub rest: AxialRest,
    /// The numbers of identity rows before and after the points.
    pub identity_rows: [usize; 2],
    /// The side length of the blocks in which the points are ordered.
    pub merge: usize,
    /// How entries are repeated.
    pub repeat: Repeat,
    /// The positions on each axis, if they are lists. An empty list stands for equally spaced points.
    pub positions: [&'a [f64]; A],
    /// The extent that determines the unit of each axis, if the unit is not set itself.
    pub extent: Extent,
    /// The frequencies of each axis, before [`scale`](Self::scale).
    pub frequencies: [Frequencies<'a>; A],
    /// The number added to the index of each frequency of each axis, as a numerator and a denominator.
    pub freq_offset: [(i64, i64); A],
    /// The rule that changes the frequencies of each axis.
    pub scaling: [Scaling<'a>; A],
    /// The rounding of the frequencies of all axes after the rules.
    pub frequency_dtype: FrequencyDtype,
    /// The position of point 0 of each axis.
    pub start: [i64; A],
    /// The distance between the points of each axis.
    pub step: [i64; A],
    /// The unit of the positions of each axis, as a numerator and a denominator. An extent replaces it.
    pub unit: [(i64, i64); A],
    /// The factor applied to all angles.
    pub scale: f64,
    /// The scale and the zero point of integer entries, if they are set.
    pub quantiser: Option<Quantiser>,
}

impl<'a, const A: usize> AxialRope<'a, A> {
    /// Returns the parameters as they are set, unchecked, for programs that read them.
    ///
    /// A preset appears as its parameters. If it has another number of axes, it sets none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([2, 3], 8).start([0, 1]);
    /// assert_eq!((rope.parameters().head_dim, rope.parameters().start), (8, [0, 1]));
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> AxialParameters<'a, A> {
        // Without `..`, so that each field is read here, or is one that no method of this table sets.
        let Self { head_dim, rotary_dim, nest, widths, rest, preset: _, grid } = *self;
        let GridParameters {
            shape,
            d_model: _,
            first,
            nest: _,
            widths: _,
            rest: _,
            zero_rows: _,
            identity_rows,
            merge,
            positions,
            extent,
            frequencies,
            freq_offset,
            scaling,
            frequency_dtype,
            start,
            step,
            unit,
            order: _,
            columns: _,
            repeat,
            scale,
            amplitude: _,
            quantiser,
        } = grid.parameters();
        AxialParameters {
            shape,
            head_dim,
            rotary_dim,
            first,
            nest,
            widths,
            rest,
            identity_rows,
            merge,
            repeat,
            positions,
            extent,
            frequencies,
            freq_offset,
            scaling,
            frequency_dtype,
            start,
            step,
            unit,
            scale,
            quantiser,
        }
    }

    /// Returns the table with other values of one of its [`PARAMETERS`](crate::reflection::PARAMETERS).
    ///
    /// There is one value for all axes, or one for each in the order of the shape.
    ///
    /// # Panics
    ///
    /// Panics if an `AxialRope` has no such parameter, if the number of values is wrong, or if they are of another
    /// kind.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// use posenc::reflection::{PARAMETERS, Value};
    ///
    /// let start = PARAMETERS.iter().find(|parameter| parameter.key == "start").unwrap();
    /// let rope = AxialRope::new([4, 6], 8).with_values(start, &[Value::Integer(1), Value::Integer(2)]);
    /// assert_eq!(rope, AxialRope::new([4, 6], 8).start([1, 2]));
    /// ```
    pub fn with_values(self, parameter: &Parameter, values: &[Value<'a>]) -> Self {
        match parameter.access {
            Access::Grid(OfGrid::Nest) => self.nest(values[0].choice()),
            Access::Grid(OfGrid::Rest) => self.rest(values[0].choice()),
            Access::Grid(OfGrid::Widths) => self.widths(sizes(values)),
            Access::Rope(OfRope::RotaryDim) => self.rotary_dim(values[0].size()),
            Access::Rope(OfRope::PartialRotaryFactor) => self.partial_rotary_factor(values[0].number()),
            Access::Spec { .. } | Access::Grid(_) => self.with(self.grid.with_values(parameter, values)),
            Access::Output => panic!("a rotary table has no parameter `{}`", parameter.key),
        }
    }

    /// Returns the preset that refuses the number of axes, if one does.
    pub(super) fn refusing(&self) -> Option<AxialPreset> {
        self.preset.filter(|preset| preset.names(A).is_none())
    }

    /// Returns whether both `AxialRope`s have the same tables, bit for bit.
    ///
    /// This method applies [`Grid::is_same_table`](crate::Grid::is_same_table) to the cosines and to the sines. While
    /// `==` compares the parameters as set, this method ignores differences that change no entry, such as the number of
    /// columns that are not rotated. If `AxialRope`s have no tables, they are the same only if their parameters are.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let (whole, part) = (AxialRope::new([4, 4], 32), AxialRope::new([4, 4], 80).rotary_dim(32));
    /// assert_ne!(whole, part); // they differ in the columns of a head
    /// assert!(whole.is_same_table(&part));
    /// assert!(!whole.is_same_table(&whole.first([1, 0])));
    /// ```
    #[must_use]
    pub fn is_same_table(&self, other: &AxialRope<'_, A>) -> bool {
        [Packing::Cos, Packing::Sin].into_iter().all(|packing| match (self.packed(packing), other.packed(packing)) {
            (Ok(one), Ok(other)) => one.is_same_table(&other),
            (Err(_), Err(_)) => self == other,
            _ => false,
        })
    }
}

/// Compares the [parameters](AxialRope::parameters) as they are set.
///
/// A preset equals its parameters, unless it refuses the number of axes.
impl<const A: usize> PartialEq for AxialRope<'_, A> {
    fn eq(&self, other: &Self) -> bool {
        self.parameters() == other.parameters() && self.refusing() == other.refusing()
    }
}
