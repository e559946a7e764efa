//! Setting the parameters of a cache by their rows in the list.

use crate::rope::Rope;
use crate::spec::parameters::{Access, OfRope, Parameter, Value};

impl<'a> Rope<'a> {
    /// Returns the cache with another value of one of its [`PARAMETERS`](crate::reflection::PARAMETERS).
    ///
    /// # Panics
    ///
    /// Panics if a rotary cache has no such parameter, or if the value is of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Rope;
    /// use posenc::reflection::{PARAMETERS, Value};
    ///
    /// let rotary_dim = PARAMETERS.iter().find(|parameter| parameter.key == "rotary_dim").unwrap();
    /// assert_eq!(Rope::new(64).with_value(rotary_dim, Value::Size(32)), Rope::new(64).rotary_dim(32));
    /// ```
    pub fn with_value(self, parameter: &Parameter, value: Value<'a>) -> Self {
        match parameter.access {
            Access::Spec { set, .. } => Self { spec: set(self.spec, value), ..self },
            Access::Rope(OfRope::RotaryDim) => self.rotary_dim(value.size()),
            Access::Rope(OfRope::PartialRotaryFactor) => self.partial_rotary_factor(value.number()),
            Access::Grid(_) | Access::Output => panic!("a cache has no parameter `{}`", parameter.key),
        }
    }
}
