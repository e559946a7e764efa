//! Compares how long the first build takes for a crate with a table and for crates that use other macros.

use std::fs;
use std::path::Path;

use crate::cost::measure::Cost;
use crate::cost::package::Package;
use crate::cost::sources::{self, Size, manifest_with};
use crate::failure::Outcome;

/// Cargo's jobs. With fewer cores, they share them.
const JOBS: &str = "4";

/// The crate that the others are compared with.
const SERDE: &str = "serde with `derive`";

/// Builds crates whose dependencies are not compiled yet, in rounds, without downloads, and prints a table for each profile.
pub(super) fn print(folder: &Path, rounds: usize) -> Outcome {
    let table = Size { n: 128, d: 64 }.baked();
    let contenders = [
        ("posenc, one `sinusoidal_table!(128, 64)`", sources::posenc(""), table.as_str()),
        (
            "posenc without macros",
            sources::posenc(", default-features = false, features = ['inspect', 'std']"),
            sources::EMPTY,
        ),
        (
            SERDE,
            "serde = { version = '1', features = ['derive'] }".to_owned(),
            "#[derive(serde::Serialize, serde::Deserialize)] struct Point { x: f32 }\nfn main() { let _ = Point { x: 1.0 }; }\n",
        ),
        (
            "thiserror",
            "thiserror = '2'".to_owned(),
            "#[derive(thiserror::Error, Debug)] #[error(\"wrong\")] struct Wrong;\nfn main() { println!(\"{Wrong}\"); }\n",
        ),
    ];
    let mut packages = Vec::new();
    for (name, dependency, program) in contenders {
        let package = Package::new(&folder.join(packages.len().to_string()), &manifest_with(&dependency), program)?;
        package.cost(&["fetch"], &[])?;
        packages.push((name, package));
    }
    for profile in ["dev", "release"] {
        let mut costs = vec![Vec::new(); packages.len()];
        for round in 0..rounds {
            for i in (0..packages.len()).map(|i| (i + round) % packages.len()) {
                let arguments = ["build", "--profile", profile, "--jobs", JOBS];
                costs[i].push(packages[i].1.cost(&arguments, &[("CARGO_NET_OFFLINE", "true")])?);
                fs::remove_dir_all(folder.join(i.to_string()).join("target"))?;
            }
        }
        let medians: Vec<_> =
            packages.iter().map(|(name, _)| *name).zip(costs.iter().map(|costs| Cost::median(costs))).collect();
        print_costs(profile, &medians);
    }
    Ok(())
}

fn print_costs(profile: &str, costs: &[(&str, Cost)]) {
    println!(
        "\n| first build, {profile} profile, {JOBS} jobs | build s | CPU s | CPU, of serde's | peak MiB |\n|---|---|---|---|---|"
    );
    let serde = costs.iter().find(|(name, _)| *name == SERDE).map_or(f64::NAN, |(_, cost)| cost.cpu);
    for (name, Cost { wall, cpu, peak }) in costs {
        println!("| {name} | {wall:.1} | {cpu:.1} | {:.2} | {peak:.0} |", cpu / serde);
    }
}
