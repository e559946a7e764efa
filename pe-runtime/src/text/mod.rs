//! Messages that can be built at compile time too.

pub(crate) mod decimal;
pub(crate) mod message;
