//! The commands, each in a file or a folder.

mod axial;
pub(crate) mod compare;
mod exact;
pub(crate) mod explain;
pub(crate) mod grid;
pub(crate) mod help;
pub(crate) mod identify;
pub(crate) mod plot;
pub(crate) mod presets;
pub(crate) mod rope;
pub(crate) mod table;
mod write;
