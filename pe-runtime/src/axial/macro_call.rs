//! A rotary table of several axes as text: the macro call that makes its tables.

use core::fmt::{self, Display, Formatter};

use crate::axial::AxialRope;
use crate::element::Element;
use crate::grid::macro_call::{Tuple, write_one, write_widths};
use crate::spec::axial_choices::{AxialNest, AxialRest};
use crate::spec::choices::Packing;
use crate::spec::macro_call::write_dtype;
use crate::spec::parameter_list::PARAMETERS;
use crate::spec::parameters::{Access, OfGrid, OfRope, TableKind, Value};

/// The macro call that makes the tables of an [`AxialRope`], returned by [`AxialRope::macro_call`].
///
/// Its [`Display`] output can be pasted into source code.
///
/// # Examples
///
/// ```
/// use posenc::{AxialPreset, AxialRope, Packing};
///
/// let call = AxialRope::preset(AxialPreset::Gemma4Vision, [24, 36], 64).macro_call().packing(Packing::CosSin);
/// assert_eq!(call.to_string(), "rotary_table!((24, 36), 64, first = (w, h), base = 100.0, packing = cos_sin)");
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct AxialMacroCall<'a, const A: usize> {
    rope: AxialRope<'a, A>,
    /// `None` if the key is left out, and likewise below.
    packing: Option<Packing>,
    dtype: Option<&'static str>,
}

impl<'a, const A: usize> AxialRope<'a, A> {
    /// Returns the macro call that makes the tables.
    ///
    /// The `Display` output of the `AxialRope` itself is the same call. Nothing is checked. The type of a table with a
    /// [`quantiser`](Self::quantiser) is shown as an underscore, which the macro rejects, unless
    /// [`dtype`](AxialMacroCall::dtype) adds it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let rope = AxialRope::new([2, 3], 8).start([0, 1]);
    /// assert_eq!(rope.macro_call().to_string(), "rotary_table!((2, 3), 8, start = (0, 1))");
    /// ```
    pub const fn macro_call(&self) -> AxialMacroCall<'a, A> {
        AxialMacroCall { rope: *self, packing: None, dtype: None }
    }
}

impl<const A: usize> AxialMacroCall<'_, A> {
    /// Adds the key `packing`, which makes one table of cosines, of sines, or of both.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{AxialRope, Packing};
    /// let call = AxialRope::new([2, 3], 8).macro_call().packing(Packing::Cos);
    /// assert_eq!(call.to_string(), "rotary_table!((2, 3), 8, packing = cos)");
    /// ```
    pub const fn packing(mut self, packing: Packing) -> Self {
        self.packing = Some(packing);
        self
    }

    /// Adds the key `dtype`, which is optional if the type is `f32`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialRope;
    /// let call = AxialRope::new([2, 3], 8).macro_call().dtype::<f64>();
    /// assert_eq!(call.to_string(), "rotary_table!((2, 3), 8, dtype = f64)");
    /// ```
    pub const fn dtype<T: Element>(self) -> Self {
        self.of_dtype(T::DTYPE)
    }

    /// Does the same with the name of a type.
    pub(crate) const fn of_dtype(mut self, dtype: &'static str) -> Self {
        self.dtype = Some(dtype);
        self
    }
}

impl<const A: usize> Display for AxialMacroCall<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { rope, packing, dtype } = self;
        write!(f, "rotary_table!({}, {}", Tuple(&rope.shape()), rope.head_dim)?;
        if let Some(preset) = rope.refusing() {
            write!(f, ", preset = {preset}")?;
        }
        for parameter in &PARAMETERS {
            match parameter.access {
                _ if !parameter.is_of(TableKind::Axial) => {}
                Access::Grid(own) => rope.write_own(own, parameter.key, f)?,
                Access::Rope(OfRope::RotaryDim) if rope.rotary_dim != rope.head_dim => {
                    write!(f, ", {} = {}", parameter.key, rope.rotary_dim)?;
                }
                _ => rope.grid.write_parameter(parameter, f)?,
            }
        }
        if let Some(packing) = packing {
            write!(f, ", packing = {packing}")?;
        }
        write_dtype(f, *dtype, rope.grid.quantiser_of_entries())?;
        f.write_str(")")
    }
}

impl<const A: usize> AxialRope<'_, A> {
    /// Writes a parameter of its own that is not the default.
    fn write_own(&self, of: OfGrid, key: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let (is_set, word) = match of {
            OfGrid::Nest => (self.nest != AxialNest::Blocks, self.nest.name()),
            OfGrid::Rest => (self.rest != AxialRest::Reject, self.rest.name()),
            OfGrid::Widths => return write_widths(key, self.widths, self.resolved_widths().ok(), f),
            of => return self.grid.write_own(of, key, f),
        };
        if is_set { write_one(key, Value::Word(word), f) } else { Ok(()) }
    }
}

debug_as_display!(AxialMacroCall<'_, A>, const A: usize);

/// Shows the macro call that bakes both tables. A preset appears as its parameters.
///
/// Axes have their default names, so the call makes the same tables without the preset. A missing extent that the
/// preset requires is shown as an underscore, which the macro rejects. A preset with other axes is part of the call,
/// which the macro rejects too.
impl<const A: usize> Display for AxialRope<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.macro_call(), f)
    }
}

debug_as_display!(AxialRope<'_, A>, const A: usize);
