//! The cost of a first build.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cost::measure::Cost;
use crate::cost::package::Package;
use crate::cost::sources::Size;
use crate::failure::Outcome;
use crate::workspace;

pub(super) const ROUNDS: usize = 3;

/// Libraries, and the costs of first builds with them.
struct Libraries {
    name: String,
    tree: PathBuf,
    costs: Vec<Cost>,
}

/// Prints the cost of a first build with the current libraries and with those of each revision.
pub(super) fn print(folder: &Path, revisions: &[String]) -> Outcome {
    let mut all = libraries(folder, revisions)?;
    // Each round builds with all of them in turn.
    for _ in 0..ROUNDS {
        for libraries in &mut all {
            libraries.costs.push(first_build(&folder.join("cold"), &libraries.tree)?);
        }
    }
    println!("\n| first build of a crate with a table | build s, median | min | max | CPU s | peak MiB |");
    println!("|---|---|---|---|---|---|");
    for Libraries { name, costs, .. } in all {
        let Cost { wall, cpu, peak } = Cost::median(&costs);
        let least = costs.iter().map(|cost| cost.wall).fold(f64::INFINITY, f64::min);
        let most = costs.iter().map(|cost| cost.wall).fold(0.0, f64::max);
        println!("| {name} | {wall:.1} | {least:.1} | {most:.1} | {cpu:.1} | {peak:.0} |");
    }
    Ok(())
}

fn libraries(folder: &Path, revisions: &[String]) -> Outcome<Vec<Libraries>> {
    let current = Libraries { name: "current files".into(), tree: workspace::root().to_owned(), costs: Vec::new() };
    let mut all = vec![current];
    for (number, revision) in revisions.iter().enumerate() {
        let tree = folder.join(format!("tree-{number}"));
        workspace::checkout(revision, &tree)?;
        all.push(Libraries { name: revision.clone(), tree, costs: Vec::new() });
    }
    Ok(all)
}

/// Returns the cost of the first build, without downloads.
fn first_build(folder: &Path, library: &Path) -> Outcome<Cost> {
    let package = Package::with_table(folder, library, Size { n: 128, d: 64 })?;
    package.cost("fetch", &[])?;
    let cost = package.cost("build", &[("CARGO_NET_OFFLINE", "true")])?;
    fs::remove_dir_all(folder)?;
    Ok(cost)
}
