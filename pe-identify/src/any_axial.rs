//! Rotary tables of any number of axes.

use posenc::{AxialNest, AxialPreset, AxialRope, Packing, Quantiser, Repeat};

use crate::any_grid::AnyGrid;

/// A rotary table of 2 to 4 axes. A table of one axis is a [`Rope`](posenc::Rope).
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there are few answers, and each is made once")]
pub enum AnyAxial {
    /// Two axes, such as the patches of an image.
    Two(AxialRope<'static, 2>),
    /// Three axes, such as the patches of a video.
    Three(AxialRope<'static, 3>),
    /// Four axes.
    Four(AxialRope<'static, 4>),
}

/// Evaluates an expression that is generic over the number of axes.
///
/// # Examples
///
/// ```
/// # use posenc::{AxialPreset, AxialRope};
/// # use posenc_identify::{AnyAxial, with_axial};
/// let any: AnyAxial = AxialRope::preset(AxialPreset::Wan, [2, 4, 6], 64).into();
/// assert_eq!(with_axial!(any, rope => rope.rows()), 48);
/// ```
#[macro_export]
macro_rules! with_axial {
    ($any:expr, $rope:ident => $what:expr) => {
        match $any {
            $crate::AnyAxial::Two($rope) => $what,
            $crate::AnyAxial::Three($rope) => $what,
            $crate::AnyAxial::Four($rope) => $what,
        }
    };
}

impl AnyAxial {
    /// Returns the table with the default parameters, or `None` if there are not 2 to 4 axes.
    pub(crate) fn new(shape: &[usize], head_dim: usize) -> Option<Self> {
        Some(match *shape {
            [h, w] => AxialRope::new([h, w], head_dim).into(),
            [t, h, w] => AxialRope::new([t, h, w], head_dim).into(),
            [a, b, c, d] => AxialRope::new([a, b, c, d], head_dim).into(),
            _ => return None,
        })
    }

    /// Returns the table of a preset, or `None` if there are not 2 to 4 axes.
    pub(crate) fn preset(preset: AxialPreset, shape: &[usize], head_dim: usize) -> Option<Self> {
        Some(match *shape {
            [h, w] => AxialRope::preset(preset, [h, w], head_dim).into(),
            [t, h, w] => AxialRope::preset(preset, [t, h, w], head_dim).into(),
            [a, b, c, d] => AxialRope::preset(preset, [a, b, c, d], head_dim).into(),
            _ => return None,
        })
    }

    pub(crate) fn base(&self, base: f64) -> Self {
        with_axial!(self, rope => rope.base(std::array::from_fn(|_| base)).into())
    }

    pub(crate) fn start(&self, start: i64) -> Self {
        with_axial!(self, rope => rope.start(std::array::from_fn(|_| start)).into())
    }

    pub(crate) fn extent(&self, extent: i64) -> Self {
        with_axial!(self, rope => rope.extent(extent, 1).into())
    }

    pub(crate) fn nest(&self, nest: AxialNest) -> Self {
        with_axial!(self, rope => rope.nest(nest).into())
    }

    pub(crate) fn repeat(&self, repeat: Repeat) -> Self {
        with_axial!(self, rope => rope.repeat(repeat).into())
    }

    pub(crate) fn merge(&self, merge: usize) -> Self {
        with_axial!(self, rope => rope.merge(merge).into())
    }

    /// Returns the table in which the last two axes exchange their columns.
    pub(crate) fn swapped(&self) -> Self {
        with_axial!(self, rope => {
            let mut first = rope.parameters().first;
            let last = first.len() - 1;
            for axis in &mut first {
                if *axis + 1 >= last {
                    *axis = 2 * last - 1 - *axis;
                }
            }
            rope.first(first).into()
        })
    }

    /// Returns the grid that has the entries, or `None` if the table is invalid.
    pub(crate) fn packed(&self, packing: Packing) -> Option<AnyGrid> {
        with_axial!(self, rope => rope.packed(packing).ok().map(AnyGrid::from))
    }

    /// Returns the table with the scale and the zero point of integers, if there are any.
    pub(crate) fn with_quantiser(&self, quantiser: Option<Quantiser>) -> Self {
        quantiser.map_or(*self, |quantiser| with_axial!(self, rope => rope.quantiser(quantiser).into()))
    }

    /// Returns the parts of the parameters that a preset does not set: the merged patches and the repeated columns.
    pub(crate) fn merge_and_repeat(&self) -> (usize, Repeat) {
        with_axial!(self, rope => (rope.parameters().merge, rope.parameters().repeat))
    }
}

macro_rules! any_axial {
    ($($axes:literal $name:ident)*) => { $(
        impl From<AxialRope<'static, $axes>> for AnyAxial {
            fn from(rope: AxialRope<'static, $axes>) -> Self {
                Self::$name(rope)
            }
        }
    )* };
}

any_axial!(2 Two 3 Three 4 Four);
