//! `posenc identify` names the tables that the libraries of models make, which `scripts/model_tables.py` has recorded. A third
//! of them is read, and all from an effort of 3 on.
//!
//! The answer is right if its command makes the bits of the expected command, and it names the expected preset. For some tables
//! the right answer is that nothing fits: `models/index.json` has the reason.

use std::num::NonZero;
use std::path::Path;
use std::{fs, thread};

use serde_json::Value;
use testkit::one_in;

use crate::common::Folder;

/// A table in `models/index.json`, or an answer of the command.
struct Json(Value);

impl Json {
    fn text(&self, key: &str) -> Option<&str> {
        self.0[key].as_str()
    }

    /// Returns the value of an option of the expected command.
    fn option(&self, option: &str) -> Option<&str> {
        self.text("command")?.split_once(option)?.1.split(' ').next()
    }

    /// Returns the option for the shape of a grid of three axes, which cannot be guessed.
    fn shape(&self) -> String {
        let shape = self.option("--shape ").filter(|shape| shape.split('x').count() == 3);
        shape.map(|shape| format!("--shape {shape}")).unwrap_or_default()
    }

    /// Returns the expected command with the size and the type of the table.
    fn expected(&self) -> Option<String> {
        let command = self.text("command")?;
        let [rows, columns] = [0, 1].map(|axis| self.0["shape"][axis].as_u64().unwrap());
        let size = match command.split(' ').next() {
            Some("table") => format!("--seq-len {rows} --d-model {columns}"),
            Some("rope") => format!("--seq-len {rows}"),
            _ => format!("--d-model {columns}"),
        };
        let dtype = if self.text("dtype") == Some("float64") { "--dtype f64" } else { "" };
        Some(format!("{command} {size} {dtype}"))
    }

    /// Returns whether an answer names a preset.
    fn names(&self, preset: &str) -> bool {
        let facts = self.0["facts"].as_array().unwrap();
        let presets = facts.iter().filter(|fact| fact["name"] == "presets").map(|fact| fact["text"].as_str().unwrap());
        presets.flat_map(|text| text.split([',', ';', ' '])).any(|word| word == preset)
    }
}

/// The tables of which some digits are not determined: the base of this one is 10000^(33/34), which is no short number.
const UNCERTAIN: [&str; 1] = ["tatp22_1d_odd"];

/// Asserts that the answer about a table is the expected one.
fn check(folder: &Folder, models: &Path, table: &Json) {
    let (file, name) = (models.join(table.text("file").unwrap()), table.text("name").unwrap());
    let ran = folder.posenc(&format!("identify '{}' --name {name} --json {}", file.display(), table.shape()));
    let Some(expected) = table.expected() else {
        assert!(table.text("reason").is_some(), "{name} has neither a command nor a reason");
        ran.status(1).says("\"nothing\"");
        return;
    };
    let ran = ran.status(if UNCERTAIN.contains(&name) { 3 } else { 0 });
    let answer = Json(serde_json::from_str(&ran.out()).unwrap());
    let told = answer.0["commands"][0].as_str().and_then(|command| command.strip_prefix("posenc ")).unwrap();
    let (told, _) = told.split_once(" -o ").unwrap();
    folder.check_same(told, &expected);
    if let Some(preset) = table.option("--preset ") {
        assert!(answer.names(preset), "{name}: {preset} is not among the presets\n{}", answer.0);
    }
}

#[test]
fn tables_of_the_libraries_of_models() {
    let models = &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let index: Value = serde_json::from_str(&fs::read_to_string(models.join("index.json")).unwrap()).unwrap();
    let tables: Vec<_> = index["tables"].as_array().unwrap().iter().cloned().map(Json).collect();
    let read: Vec<_> = tables.iter().step_by(one_in(3)).collect();
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for part in read.chunks(read.len().div_ceil(threads)) {
            scope.spawn(move || {
                let folder = Folder::new();
                for table in part {
                    check(&folder, models, table);
                }
            });
        }
    });
    let count =
        |kind| tables.iter().filter(|table| table.text("command").is_some_and(|it| it.starts_with(kind))).count();
    let nothing = tables.iter().filter(|table| table.text("command").is_none()).count();
    assert_eq!(
        (["table", "rope", "grid"].map(count), nothing),
        ([78, 82, 35], 3),
        "1-D, rotary, grids, and those that nothing fits"
    );
}
