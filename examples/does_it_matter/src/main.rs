//! Does it matter which table of positional encodings a model gets?
//!
//! ```console
//! $ CANDLE_NUM_THREADS=2 cargo run --release --manifest-path examples/does_it_matter/Cargo.toml
//! ```
//!
//! Prints the tables of `docs/does_it_matter.md`, and the claims of that page, and fails if a claim is false. It needs no
//! weights and no network: the models have random weights, or are trained here. With `-- --data FILE` it also writes what
//! `examples/gallery` draws with `-- --matter FILE DIRECTORY`.

mod blocks;
mod change;
mod claims;
mod decoder;
mod drift;
mod encoder;
mod fallible;
mod images;
mod random;
mod report;
mod rounding;
mod study;
mod tables;
mod timesteps;
mod toy;
mod trial;

use fallible::Fallible;
use study::Study;

fn main() -> Fallible {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let file = match &arguments[..] {
        [] => None,
        [flag, file] if flag == "--data" => Some(file),
        _ => return Err("expected nothing or `--data FILE`".into()),
    };
    let study = Study::run()?;
    study.print();
    if let Some(file) = file {
        std::fs::write(file, study.data()?).map_err(|error| format!("cannot write {file}: {error}"))?;
    }
    claims::check(&study)
}
