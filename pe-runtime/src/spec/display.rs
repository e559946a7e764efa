//! A spec as text.

use core::fmt::{Debug, Display, Formatter, Result};

use crate::spec::Spec;
use crate::spec::macro_call::MacroCall;

/// Shows the macro call that makes the table.
///
/// The number of rows is the word `seq_len`. The call has the parameters that are not the default, under the macro's
/// names; a preset appears as its parameters.
impl Display for Spec<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(&MacroCall::open(self), f)
    }
}

/// Shows the same text as [`Display`].
impl Debug for Spec<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self, f)
    }
}
