//! Files: opening those with tables, reading configs, and writing files.

pub(crate) mod config;
pub(crate) mod input;
pub(crate) mod open;
pub(crate) mod output;
