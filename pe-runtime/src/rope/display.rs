//! A rotary cache as text.

use core::fmt::{self, Debug, Display, Formatter};

use crate::rope::Rope;
use crate::spec::parameters::{Parameter, TableKind, changed};

/// Shows the macro call that bakes both tables, with the word `seq_len` for the number of rows.
impl Display for Rope<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "rotary_table!(seq_len, {}", self.head_dim)?;
        if self.rotary_dim != self.head_dim {
            write!(f, ", rotary_dim = {}", self.rotary_dim)?;
        }
        let default = Rope::new(self.rotary_dim).spec.parameters();
        for (Parameter { key, .. }, value) in changed(TableKind::Rotary, (self.spec.parameters(), default)) {
            write!(f, ", {key} = {value}")?;
        }
        f.write_str(")")
    }
}

/// Shows the same text as [`Display`].
impl Debug for Rope<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
