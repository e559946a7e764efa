//! The packages of all workspaces, as cargo describes them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::workspace::SEPARATE;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
pub(super) struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `None` if it is a package of this repository.
    source: Option<String>,
    kind: Option<String>,
    optional: bool,
}

pub(super) fn all() -> Outcome<Vec<Package>> {
    let mut packages = Vec::new();
    for folder in SEPARATE.into_iter().chain(["."]) {
        let metadata = Run::cargo("metadata").args(["--no-deps", "--format-version", "1"]);
        packages.extend(parse(&metadata.args(["--manifest-path", &format!("{folder}/Cargo.toml")]).stdout()?)?);
    }
    Ok(packages)
}

fn parse(metadata: &str) -> Outcome<Vec<Package>> {
    let metadata: Metadata = serde_json::from_str(metadata)
        .map_err(|error| Failure::failed(format_args!("what `cargo metadata` prints is not understood: {error}")))?;
    Ok(metadata.packages)
}

/// Returns each dependency with the packages that use it, in the form of `used-by`.
pub(super) fn dependencies(packages: &[Package]) -> BTreeMap<String, BTreeSet<String>> {
    let mut users: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for package in packages {
        for dependency in package.dependencies.iter().filter(|dependency| dependency.source.is_some()) {
            let kind = match dependency.kind.as_deref() {
                Some("dev") => " (tests)",
                Some("build") => " (build)",
                _ if dependency.optional => " (optional)",
                _ => "",
            };
            users.entry(dependency.name.clone()).or_default().insert(format!("{}{kind}", package.name));
        }
    }
    users
}

#[cfg(test)]
mod tests {
    use super::{dependencies, parse};

    #[test]
    fn the_kind_of_a_dependency_follows_the_name_of_its_user() {
        let dependency = |name: &str, source: &str, kind: &str, optional: bool| {
            format!(r#"{{"name": "{name}", "source": {source}, "kind": {kind}, "optional": {optional}}}"#)
        };
        let list = [
            dependency("posenc", "null", "null", false),
            dependency("half", r#""registry""#, "null", true),
            dependency("syn", r#""registry""#, "null", false),
            dependency("insta", r#""registry""#, r#""dev""#, false),
            dependency("libc", r#""registry""#, r#""build""#, true),
        ];
        let package = r#"{"name": "p", "dependencies": "#;
        let packages = parse(&format!(r#"{{"packages": [{package}[{}]}}]}}"#, list.join(", "))).unwrap();
        let users = |of: &str| dependencies(&packages).remove(of).map(|users| users.into_iter().collect::<String>());
        let found = ["posenc", "half", "syn", "insta", "libc"].map(|name| users(name).unwrap_or_default());
        assert_eq!(found, ["", "p (optional)", "p", "p (tests)", "p (build)"]);
    }
}
