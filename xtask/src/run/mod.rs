//! What all tasks use: programs that run in the folder of the workspace, failures, and files.

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
