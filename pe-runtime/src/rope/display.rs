//! A rotary cache as text.

use core::fmt::{self, Debug, Display, Formatter};

use crate::rope::Rope;
use crate::rope::macro_call::RopeMacroCall;

/// Shows the macro call that bakes both tables, with the word `seq_len` for the number of rows.
impl Display for Rope<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&RopeMacroCall::open(self), f)
    }
}

/// Shows the same text as [`Display`].
impl Debug for Rope<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
