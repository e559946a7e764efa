//! Compares how long the first build takes for a crate with a table and for crates that use other macros.

use std::fs;
use std::path::Path;

use crate::built::posenc;
use crate::cost::measure::{Cost, medians};
use crate::cost::package::{EMPTY, Package, Size};
use crate::run::Outcome;

/// Cargo's jobs. With fewer cores, they share them.
const JOBS: &str = "4";

/// The index of the crate that the others are compared with.
const SERDE: usize = 2;

/// Builds crates whose dependencies are not compiled yet, in rounds, without downloads, and prints a table for each profile.
pub(super) fn print(folder: &Path, rounds: usize) -> Outcome {
    let without_macros = posenc(", default-features = false, features = ['inspect', 'std']");
    let table = Size { n: 128, d: 64 }.baked();
    let contenders = [
        ("posenc, one `sinusoidal_table!(128, 64)`", &*posenc(""), &*table),
        ("posenc without macros", &without_macros, EMPTY),
        (
            "serde with `derive`",
            "serde = { version = '1', features = ['derive'] }",
            "#[derive(serde::Serialize, serde::Deserialize)] struct Point { x: f32 }\nfn main() { let _ = Point { x: 1.0 }; }\n",
        ),
        (
            "thiserror",
            "thiserror = '2'",
            "#[derive(thiserror::Error, Debug)] #[error(\"wrong\")] struct Wrong;\nfn main() { println!(\"{Wrong}\"); }\n",
        ),
    ];
    let mut packages = Vec::new();
    for (name, dependency, program) in contenders {
        let folder = folder.join(packages.len().to_string());
        let package = Package::new(&folder, dependency, program)?;
        package.cargo("fetch").run()?;
        packages.push((name, package, folder.join("target")));
    }
    for profile in ["dev", "release"] {
        let costs = medians(&packages, rounds, |(_, package, target), _| {
            let build = package.cargo(&format!("build --profile {profile} --jobs {JOBS}"));
            let cost = Cost::of(build.env("CARGO_NET_OFFLINE", "true"))?;
            fs::remove_dir_all(target)?;
            Ok(cost)
        })?;
        println!("\n| first build, {profile} profile, {JOBS} jobs | build s | CPU s | CPU, of serde's | peak MiB |");
        println!("|---|---|---|---|---|");
        for ((name, ..), Cost { wall, cpu, peak }) in packages.iter().zip(&costs) {
            println!("| {name} | {wall:.1} | {cpu:.1} | {:.2} | {peak:.0} |", cpu / costs[SERDE].cpu);
        }
    }
    Ok(())
}
