//! The first build of a crate with a table, beside those of crates with other macros.

use std::fs;
use std::path::Path;

use crate::cost::FEW_ROUNDS;
use crate::cost::measure::Cost;
use crate::cost::package::Package;
use crate::cost::sources::{Size, manifest_with};
use crate::failure::Outcome;
use crate::root::root;

/// Cargo's jobs. With fewer cores, they share them.
const JOBS: &str = "4";

/// A crate whose dependencies are not compiled yet.
struct Contender {
    name: &'static str,
    dependency: String,
    program: String,
}

fn contenders() -> [Contender; 4] {
    let posenc = |features: &str| format!("posenc = {{ path = '{}'{features} }}", root().display());
    [
        Contender {
            name: "posenc, one `sinusoidal_table!(128, 64)`",
            dependency: posenc(""),
            program: Size { n: 128, d: 64 }.baked(),
        },
        Contender {
            name: "posenc without macros",
            dependency: posenc(", default-features = false, features = ['inspect', 'std']"),
            program: "fn main() { println!(\"{}\", posenc::Spec::new(64)); }\n".to_owned(),
        },
        Contender {
            name: "serde with `derive`",
            dependency: "serde = { version = '1', features = ['derive'] }".to_owned(),
            program: "#[derive(serde::Serialize, serde::Deserialize)] struct Point { x: f32 }\n\
                      fn main() { println!(\"{}\", Point { x: 1.0 }.x); }\n"
                .to_owned(),
        },
        Contender {
            name: "thiserror",
            dependency: "thiserror = '2'".to_owned(),
            program: "#[derive(thiserror::Error, Debug)] #[error(\"wrong\")] struct Wrong;\n\
                      fn main() { println!(\"{}\", Wrong); }\n"
                .to_owned(),
        },
    ]
}

/// Builds each crate in an empty target folder, in rounds, without downloads, and prints a table for each profile.
pub(super) fn print(folder: &Path) -> Outcome {
    let contenders = contenders();
    let packages = contenders.iter().enumerate().map(|(i, contender)| {
        let manifest = manifest_with(&contender.dependency);
        let package = Package::new(&folder.join(i.to_string()), &manifest, &contender.program)?;
        package.cost(&["fetch"], &[])?;
        Ok(package)
    });
    let packages: Vec<_> = packages.collect::<Outcome<_>>()?;
    for (profile, arguments) in
        [("dev", &["build", "--jobs", JOBS][..]), ("release", &["build", "--release", "--jobs", JOBS])]
    {
        let mut costs = vec![Vec::new(); packages.len()];
        for round in 0..FEW_ROUNDS {
            for i in (0..packages.len()).map(|i| (i + round) % packages.len()) {
                costs[i].push(packages[i].cost(arguments, &[("CARGO_NET_OFFLINE", "true")])?);
                fs::remove_dir_all(folder.join(i.to_string()).join("target"))?;
            }
        }
        print_costs(profile, &contenders, &costs);
    }
    Ok(())
}

fn print_costs(profile: &str, contenders: &[Contender], costs: &[Vec<Cost>]) {
    println!(
        "\n| first build, {profile} profile, {JOBS} jobs | build s | CPU s | CPU, of serde's | peak MiB |\n|---|---|---|---|---|"
    );
    let medians: Vec<_> = costs.iter().map(|costs| Cost::median(costs)).collect();
    let serde = contenders
        .iter()
        .position(|contender| contender.name.starts_with("serde"))
        .map_or(f64::NAN, |i| medians[i].cpu);
    for (contender, Cost { wall, cpu, peak }) in contenders.iter().zip(medians) {
        println!("| {} | {wall:.1} | {cpu:.1} | {:.2} | {peak:.0} |", contender.name, cpu / serde);
    }
}
