//! Text that several commands print.

pub(crate) mod failure;
