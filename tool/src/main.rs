//! The command `posenc`: sinusoidal, rotary and grid positional-encoding tables.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    posenc_cli::run()
}
