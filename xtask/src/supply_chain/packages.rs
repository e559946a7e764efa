//! The packages of all workspaces, as cargo describes them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::command::Run;
use crate::failure::Outcome;
use crate::workspace::SEPARATE;

/// Returns each dependency with the packages that use it, in the form of `used-by`.
pub(super) fn dependencies() -> Outcome<BTreeMap<String, BTreeSet<String>>> {
    let mut users = BTreeMap::new();
    for folder in SEPARATE.into_iter().chain(["."]) {
        let metadata = format!("cargo metadata --no-deps --format-version 1 --manifest-path {folder}/Cargo.toml");
        add_users(&serde_json::from_str(&Run::line(&metadata).stdout()?)?, &mut users);
    }
    Ok(users)
}

fn add_users(metadata: &Value, users: &mut BTreeMap<String, BTreeSet<String>>) {
    for package in list(&metadata["packages"]) {
        // A package of this repository has no source.
        for dependency in list(&package["dependencies"]).filter(|dependency| !dependency["source"].is_null()) {
            let kind = match dependency["kind"].as_str() {
                Some("dev") => " (tests)",
                Some("build") => " (build)",
                _ if dependency["optional"] == true => " (optional)",
                _ => "",
            };
            let [name, user] = [dependency, package].map(|it| it["name"].as_str().unwrap_or_default());
            users.entry(name.to_owned()).or_default().insert(format!("{user}{kind}"));
        }
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::add_users;

    #[test]
    fn the_kind_of_a_dependency_follows_the_name_of_its_user() {
        let metadata = serde_json::json!({ "packages": [{ "name": "p", "dependencies": [
            { "name": "posenc", "source": null, "kind": null, "optional": false },
            { "name": "half", "source": "registry", "kind": null, "optional": true },
            { "name": "syn", "source": "registry", "kind": null, "optional": false },
            { "name": "insta", "source": "registry", "kind": "dev", "optional": false },
            { "name": "libc", "source": "registry", "kind": "build", "optional": true },
        ] }] });
        let mut users = BTreeMap::new();
        add_users(&metadata, &mut users);
        let expected = [("half", "p (optional)"), ("insta", "p (tests)"), ("libc", "p (build)"), ("syn", "p")];
        assert_eq!(users, expected.map(|(name, user)| (name.to_owned(), [user.to_owned()].into())).into());
    }
}
