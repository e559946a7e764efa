//! Measures run time.

use std::ffi::OsString;
use std::fs;

use crate::command::Run;
use crate::failure::Outcome;
use crate::root::root;
use crate::small_tasks;

const MANIFEST: &str = "--manifest-path benches/Cargo.toml";

/// The folder of the picture in BENCHMARKS.md.
const PICTURES: &str = "benches/pictures";

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags of a command line")]
pub(crate) struct Arguments {
    /// Leave out the other libraries, which take minutes to build
    #[arg(long)]
    alone: bool,
    /// Print criterion's statistics instead
    #[arg(long)]
    criterion: bool,
    /// Compare posenc with Python libraries instead
    #[arg(long, conflicts_with_all = ["alone", "criterion"])]
    peers: bool,
    /// Compare the Python package with Python libraries instead
    #[arg(long, conflicts_with_all = ["alone", "criterion", "peers"])]
    python: bool,
    /// Measure tables of many sizes, draw `benches/pictures/cost_by_size.svg`, and print Markdown that embeds it
    #[arg(long, conflicts_with_all = ["alone", "criterion", "peers", "python", "rest"])]
    picture: bool,
    /// Number of rounds, or `worst` for the most expensive entries; with `--criterion`, arguments for criterion
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let rest = &arguments.rest;
    match arguments {
        Arguments { peers: true, .. } => return Run::line("python3 scripts/peers.py").args(rest).run(),
        Arguments { python: true, .. } => return Run::line("python3 python/benches/bench.py").args(rest).run(),
        Arguments { picture: true, .. } => return picture(),
        _ => {}
    }
    let run = Run::line(if arguments.criterion { "cargo bench" } else { "cargo run --release" }).words(MANIFEST);
    run.args(arguments.alone.then_some("--no-default-features")).arg("--").args(rest).run()
}

fn picture() -> Outcome {
    let sizes = Run::line("cargo run --release --no-default-features").words(MANIFEST).words("-- sizes").stdout()?;
    let measured = root().join("target/sizes.tsv");
    fs::create_dir_all(root().join("target"))?;
    fs::write(&measured, sizes)?;
    small_tasks::draw_costs(&measured, PICTURES)?;
    println!("![Time per entry by the number of entries]({PICTURES}/cost_by_size.svg)");
    Ok(())
}
