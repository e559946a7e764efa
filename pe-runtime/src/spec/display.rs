//! A spec as text.

use core::fmt::{Debug, Display, Formatter, Result};

use crate::spec::Spec;
use crate::spec::macro_call::MacroCall;

/// The macro call that makes the table, with the word `seq_len` for the number of rows: the parameters that are not the
/// default, by the macro's names, a preset's among them.
impl Display for Spec<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(&MacroCall::open(self), f)
    }
}

/// As [`Display`].
impl Debug for Spec<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self, f)
    }
}
