//! The public functions that rustdoc knows, also those that macros make.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::listing::{Function, LIST, RENEW, ROOT, functions};

/// The docs of the runtime crate as JSON. The facade re-exports it, and has no functions of its own.
struct Docs(Value);

impl Docs {
    fn make() -> Self {
        let target = format!("{ROOT}/target/public-functions");
        let output = Command::new(env!("CARGO"))
            .current_dir(ROOT)
            .args(["rustdoc", "--package", "posenc-runtime", "--lib", "--all-features", "--target-dir", &target])
            .args(["--", "-Z", "unstable-options", "--output-format", "json"])
            // With it, stable compilers accept unstable options. Some dependencies are compiled again if it changes, so
            // there is a target directory for this.
            .env("RUSTC_BOOTSTRAP", "1")
            .output()
            .expect("cargo runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "this compiler makes no docs as JSON, so the list is not checked:\n{error}");
        let text = fs::read_to_string(format!("{target}/doc/posenc_runtime.json")).expect("the docs");
        Self(serde_json::from_str(&text).expect("JSON"))
    }

    /// Returns an item, or null if it is hidden or of another crate.
    fn item(&self, id: &Value) -> &Value {
        &self.0["index"][id.to_string()]
    }

    /// Returns all public functions.
    fn functions(&self) -> Vec<Function> {
        let mut found = Vec::new();
        for id in list(&self.item(&self.0["root"])["inner"]["module"]["items"]) {
            self.find(id, None, "", &mut found);
        }
        found.sort_by_key(ToString::to_string);
        found
    }

    /// Finds the functions that are an item or in it.
    fn find(&self, id: &Value, name: Option<&str>, module: &str, found: &mut Vec<Function>) {
        let item = self.item(id);
        let used = &item["inner"]["use"];
        if used.is_object() {
            return self.find(&used["id"], used["name"].as_str(), module, found);
        }
        let kind = item["inner"].as_object().and_then(|kinds| kinds.iter().next());
        let (Some((kind, inner)), Some(name)) = (kind, name.or(item["name"].as_str())) else { return };
        let path = format!("{module}{name}");
        match kind.as_str() {
            "module" => list(&inner["items"]).for_each(|id| self.find(id, None, &format!("{path}::"), found)),
            "function" => found.push(function(item, path, "", false)),
            "trait" => self.methods(inner, &path, found),
            "struct" | "enum" | "union" => {
                let blocks = list(&inner["impls"]).map(|id| &self.item(id)["inner"]["impl"]);
                blocks.filter(|block| block["trait"].is_null()).for_each(|block| self.methods(block, &path, found));
            }
            _ => {}
        }
    }

    /// Finds the methods of a trait, which are as public as the trait, or the public methods of a type.
    fn methods(&self, block: &Value, path: &str, found: &mut Vec<Function>) {
        let of_trait = block["is_auto"].is_boolean();
        let of = path.rsplit("::").next().unwrap_or(path);
        let items = list(&block["items"]).map(|id| self.item(id));
        let methods = items.filter(|item| item["inner"]["function"].is_object());
        found.extend(methods.filter(|item| of_trait || item["visibility"] == "public").map(|item| {
            let name = item["name"].as_str().unwrap_or_default();
            function(item, format!("{path}::{name}"), of, of_trait)
        }));
    }
}

fn function(item: &Value, path: String, of: &str, of_trait: bool) -> Function {
    let signature = &item["inner"]["function"]["sig"];
    let output = &signature["output"];
    let is_result = name(output, of) == "Result";
    let value = if is_result { &output["resolved_path"]["args"]["angle_bracketed"]["args"][0]["type"] } else { output };
    let has_input = is_result || list(&signature["inputs"]).any(|input| input[0] != "self");
    Function { path, of_trait, output: name(value, of), has_input }
}

/// Returns the name of a type, or an empty string if it is a reference or the like.
fn name(of_type: &Value, of: &str) -> String {
    let path = of_type["resolved_path"]["path"].as_str();
    let name = path.and_then(|path| path.rsplit("::").next());
    name.or((of_type["generic"] == "Self").then_some(of)).unwrap_or_default().to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[test]
#[ignore = "makes docs as JSON, for which compilers have an unstable option; CI runs it"]
fn the_list_is_that_of_the_compiler() {
    let docs = Docs::make();
    let known: BTreeSet<_> = docs.functions().iter().map(ToString::to_string).collect();
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        let lines = known.into_iter().map(|function| function + "\n");
        return fs::write(LIST, lines.collect::<String>()).expect("the list can be written");
    }
    let listed = functions().iter().map(ToString::to_string).collect();
    let [missing, gone] = [known.difference(&listed), listed.difference(&known)].map(Vec::from_iter);
    assert!(
        missing.is_empty() && gone.is_empty(),
        "`tests/bad-input/functions.txt` is without {missing:#?}, and has {gone:#?}, which are no public functions; run \
         `{RENEW}`. (The JSON has format {}; that of Rust 1.95 is 57)",
        docs.0["format_version"]
    );
}
