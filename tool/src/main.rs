//! The command `posenc`: sinusoidal positional-encoding tables for those who do not write Rust.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    posenc_cli::run()
}
