//! Sentences that the compiler can put together too.

pub(crate) mod decimal;
pub(crate) mod message;
