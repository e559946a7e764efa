//! What all tasks use: they run programs in the folder of the workspace, and fail.

mod command;
mod failure;
mod files;
mod supervise;

pub(crate) use crate::run::command::{Run, find_program, has_program, say};
pub(crate) use crate::run::failure::{
    Context, Outcome, Skipped, UNAVAILABLE, bail, ensure, ensure_available, report, unavailable,
};
pub(crate) use crate::run::files::{read, remove, root, target_dir};
pub(crate) use crate::run::supervise::{Ended, supervise};
