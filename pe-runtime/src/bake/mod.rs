//! Tables in constants and in files, for the macro, constants and build scripts.

#[cfg(feature = "std")]
pub mod build_script;
pub(crate) mod checksum;
pub(crate) mod const_table;
pub mod convert;
pub(crate) mod decode;
pub(crate) mod error;
pub(crate) mod file_format;
pub(crate) mod price;
#[cfg(feature = "alloc")]
pub(crate) mod source;
#[cfg(feature = "alloc")]
pub(crate) mod table_file;
