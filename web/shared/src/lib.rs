//! What the modules of the page share.

pub mod interface;
pub mod request;
mod words;
