//! The values of options, and the options for the parameters of each kind of table.

pub(crate) mod parameters;
pub(crate) mod values;
