//! A rotary cache as text.

use core::fmt::{self, Debug, Display, Formatter};

use crate::rope::Rope;
use crate::spec::amplitude::Amplitude;
use crate::spec::parameters::keys;

/// Shows the macro call that bakes both tables, with the word `seq_len` for the number of rows.
impl Display for Rope<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "rotary_table!(seq_len, {}", self.head_dim)?;
        if self.rotary_dim != self.head_dim {
            write!(f, ", rotary_dim = {}", self.rotary_dim)?;
        }
        for (key, value) in keys(&self.spec).filter(|(key, _)| !matches!(*key, "order" | "amplitude")) {
            write!(f, ", {key} = {value}")?;
        }
        // The default is not that of a spec.
        if let Amplitude::Value(factor) = self.spec.parameters.amplitude {
            write!(f, ", attention_factor = {factor:?}")?;
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
