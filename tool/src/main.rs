//! The command `posenc`: sinusoidal positional-encoding tables without writing Rust.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    posenc_cli::run()
}
