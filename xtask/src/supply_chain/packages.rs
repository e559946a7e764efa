//! The packages of all workspaces, as cargo describes them.

use std::path::PathBuf;

use serde::Deserialize;

use crate::command::Run;
use crate::failure::{Failure, Outcome};
use crate::workspace;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) manifest_path: PathBuf,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) targets: Vec<Target>,
}

#[derive(Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    source: Option<String>,
    kind: Option<Kind>,
    optional: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Dev,
    Build,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub(super) kind: Vec<String>,
    pub(super) src_path: PathBuf,
}

impl Dependency {
    /// Returns whether it is a package of this repository.
    pub(super) fn is_own(&self) -> bool {
        self.source.is_none()
    }

    /// Returns what follows the name of the package that has this dependency.
    pub(super) fn suffix(&self) -> &'static str {
        match self.kind {
            Some(Kind::Dev) => " (tests)",
            Some(Kind::Build) => " (build)",
            None if self.optional => " (optional)",
            None => "",
        }
    }
}

pub(super) fn all() -> Outcome<Vec<Package>> {
    let mut packages = Vec::new();
    for manifest in workspace::files("*Cargo.toml")? {
        if workspace::read(&manifest)?.contains("[workspace]") {
            let metadata = Run::cargo("metadata").args(["--no-deps", "--format-version", "1"]);
            packages.extend(parse(&metadata.arg("--manifest-path").arg(manifest).stdout()?)?);
        }
    }
    Ok(packages)
}

fn parse(metadata: &str) -> Outcome<Vec<Package>> {
    let metadata: Metadata = serde_json::from_str(metadata)
        .map_err(|error| Failure::failed(format_args!("what `cargo metadata` prints is not understood: {error}")))?;
    Ok(metadata.packages)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_kind_of_a_dependency_follows_the_name_of_its_user() {
        let dependency = |name: &str, source: &str, kind: &str, optional: bool| {
            format!(r#"{{"name": "{name}", "source": {source}, "kind": {kind}, "optional": {optional}}}"#)
        };
        let registry = r#""registry+https://example.org""#;
        let dependencies = [
            dependency("posenc", "null", "null", false),
            dependency("half", registry, "null", true),
            dependency("syn", registry, "null", false),
            dependency("insta", registry, r#""dev""#, false),
            dependency("libc", registry, r#""build""#, true),
        ];
        let package = format!(
            r#"{{"name": "p", "manifest_path": "/p/Cargo.toml", "targets": [], "dependencies": [{}]}}"#,
            dependencies.join(", ")
        );
        let packages = parse(&format!(r#"{{"packages": [{package}]}}"#)).unwrap();
        let dependencies = &packages[0].dependencies;
        assert!(dependencies[0].is_own());
        let others: Vec<_> = dependencies.iter().filter(|of| !of.is_own()).map(|of| (&*of.name, of.suffix())).collect();
        assert_eq!(others, [("half", " (optional)"), ("syn", ""), ("insta", " (tests)"), ("libc", " (build)")]);
    }
}
