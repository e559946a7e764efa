//! What the page asks for, as the module for files reads it too.

pub(crate) use posenc_web_shared::request::{Wish, table_kind};
