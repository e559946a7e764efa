//! `--json`: the answers are those that the schema describes.

use std::collections::BTreeSet;
use std::fs;

use posenc::{Preset, Q7, Spec};
use serde_json::Value;

use crate::common::{Folder, write_npy};

/// The keywords of JSON Schema that `docs/posenc.schema.json` uses, and the members that the answers have shown.
struct Schema {
    whole: Value,
    seen: BTreeSet<String>,
}

impl Schema {
    fn read() -> Self {
        let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/posenc.schema.json")).unwrap();
        Self { whole: serde_json::from_str(&text).unwrap(), seen: BTreeSet::new() }
    }

    /// Asserts that an answer is that of a definition, with all of its members and no others.
    #[track_caller]
    fn check(&mut self, definition: &str, answer: &str) -> Value {
        let value = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
        let found = self.mismatch(&serde_json::json!({ "$ref": format!("#/$defs/{definition}") }), &value, "");
        assert_eq!(found, None, "{definition}\n{answer}");
        value
    }

    /// Returns where a value is not as the schema says.
    fn mismatch(&mut self, schema: &Value, value: &Value, path: &str) -> Option<String> {
        let object = schema.as_object().unwrap();
        let unknown = |key: &&String| {
            !["description", "$ref", "anyOf", "type", "enum", "required", "properties", "items"].contains(&key.as_str())
        };
        assert_eq!(object.keys().find(unknown), None, "this check does not know the keyword");
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            let name = reference.strip_prefix("#/$defs/").unwrap();
            let definition = self.whole["$defs"][name].clone();
            return self.mismatch(&definition, value, name);
        }
        if let Some(choices) = object.get("anyOf").and_then(Value::as_array) {
            let mismatches: Option<Vec<_>> = choices.iter().map(|choice| self.mismatch(choice, value, path)).collect();
            return mismatches.map(|all| all.join(" and "));
        }
        if let Some(choices) = object.get("enum").and_then(Value::as_array) {
            return (!choices.contains(value)).then(|| format!("{path}: {value} is not in {choices:?}"));
        }
        let kinds = &object["type"];
        let is = |kind: &Value| match kind.as_str().unwrap() {
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("unknown type {other}"),
        };
        let fits = kinds.as_array().map_or_else(|| is(kinds), |kinds| kinds.iter().any(is));
        if !fits {
            return Some(format!("{path}: {value} is no {kinds}"));
        }
        match value {
            Value::Array(items) => items.iter().find_map(|item| self.mismatch(&object["items"], item, path)),
            Value::Object(members) => self.members(object, members, path),
            _ => None,
        }
    }

    fn members(
        &mut self,
        schema: &serde_json::Map<String, Value>,
        members: &serde_json::Map<String, Value>,
        path: &str,
    ) -> Option<String> {
        let required = schema["required"].as_array().unwrap();
        if let Some(lacking) = required.iter().find(|key| !members.contains_key(key.as_str().unwrap())) {
            return Some(format!("{path} lacks {lacking}"));
        }
        members.iter().find_map(|(key, member)| {
            let here = format!("{path}.{key}");
            let Some(schema) = schema["properties"].get(key) else { return Some(format!("{here} is unknown")) };
            self.seen.insert(here.clone());
            self.mismatch(schema, member, &here)
        })
    }

    /// Asserts that the answers have shown all members.
    fn check_complete(&self) {
        for (name, definition) in self.whole["$defs"].as_object().unwrap() {
            for key in definition["properties"].as_object().unwrap().keys() {
                assert!(self.seen.contains(&format!("{name}.{key}")), "{name}.{key} is in no answer");
            }
        }
    }
}

#[test]
fn answers_are_those_of_the_schema() {
    let folder = Folder::new();
    let mut schema = Schema::read();

    for line in [
        "table -n 3 -d 4 -o pe.npy",
        "table -n 3 -d 4 -t i8(1/127) -o pe.safetensors",
        "table --positions 1,2.5 -d 4 -o pe.csv",
        "rope -p llama3_1 -n 4 -o pe.h",
        "grid -s 2x3 -d 8 -o pe.rs",
    ] {
        let ran = folder.posenc(&format!("{line} --json")).done();
        assert_eq!(ran.err(), "", "{line}");
        let answer = schema.check("written", &ran.out());
        let file = answer["file"].as_str().unwrap();
        assert_eq!(answer["bytes"], fs::metadata(folder.path(file)).unwrap().len(), "{line}");
        let told = folder.posenc(line).done().err();
        let [rows, columns, dtype, call] =
            ["rows", "columns", "dtype", "call"].map(|key| answer[key].to_string().replace('"', ""));
        assert!(
            told.contains(&format!("{rows} x {columns} {dtype}, ")) && told.ends_with(&format!("{call}\n")),
            "{told}"
        );
    }

    compare_and_identify(&folder, &mut schema);
    plot(&folder, &mut schema);

    for line in [
        "--position 4095 --column 17 -d 512",
        "--position 0.5 --column 4 -d 5 --odd zero -t bf16",
        "--position 7 --column 3 -d 8 --frequencies 0,0,0,0",
        "--position 7 --column 3 -d 8 --scaling 'llama3(8, 8192)' -t f64",
    ] {
        let ran = folder.posenc(&format!("explain {line} --json")).done();
        let answer = schema.check("explained", &ran.out());
        let told = folder.posenc(&format!("explain {line}")).done().out();
        let bits = answer["result"]["bits"].as_str().unwrap();
        assert!(told.contains(answer["value"].as_str().unwrap()) && told.contains(bits), "{told}");
    }

    let all = schema.check("presets", &folder.posenc("presets --json").done().out());
    let names = |value: &Value| -> Vec<String> {
        value["presets"].as_array().unwrap().iter().map(|preset| preset["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(["whisper", "llama3_1", "mae"].iter().all(|name| names(&all).contains(&(*name).to_owned())));
    let flux = schema.check("presets", &folder.posenc("presets flux --json").done().out());
    assert_eq!((names(&flux), flux["hints"].as_array().unwrap().len()), (vec!["adm".to_owned(), "flux".to_owned()], 1));

    schema.check_complete();
}

fn plot(folder: &Folder, schema: &mut Schema) {
    for line in
        ["plot pe.npy -o pe.png", "plot -n 8193 -d 2 -o pe.svg", "plot -n 10000000000 -d 2 --size 64x64 -o pe.svg"]
    {
        let ran = folder.posenc(&format!("{line} --json")).done();
        assert_eq!(ran.err(), "", "{line}");
        let answer = schema.check("drawn", &ran.out());
        let [file, width, height, bytes] =
            ["file", "width", "height", "bytes"].map(|key| answer[key].to_string().replace('"', ""));
        assert_eq!(bytes, fs::metadata(folder.path(&file)).unwrap().len().to_string(), "{line}");
        let told = folder.posenc(line).done().err();
        assert_eq!(told, format!("{file}: {width} x {height} pixels, {bytes} bytes\n"), "{line}");
        let per_pixel = |key: &str| answer[format!("{key}_per_pixel")].as_u64().unwrap();
        let (per_pixel, call) = (["rows", "columns", "sampled_rows"].map(per_pixel), answer["call"].as_str());
        match answer["rows"].as_u64().unwrap() {
            40 => assert_eq!((per_pixel, call), ([1, 1, 1], None)),
            8193 => assert_eq!((per_pixel, call), ([2, 1, 2], Some("sinusoidal_table!(8193, 2)"))),
            _ => assert_eq!((per_pixel, call), ([156_250_000, 1, 64], Some("sinusoidal_table!(10000000000, 2)"))),
        }
        let quiet = folder.posenc(&format!("{line} -q")).done();
        assert_eq!((quiet.out(), quiet.err()), (String::new(), String::new()), "{line}");
    }
}

fn compare_and_identify(folder: &Folder, schema: &mut Schema) {
    folder.posenc("table -p whisper -n 40 -d 16 -o pe.npy").done();
    let ran = folder.posenc("compare pe.npy -p whisper --json").done();
    let same = schema.check("compared", &ran.out());
    assert_eq!(
        (&same["identical"], &same["accepted"], &same["max_ulps_at"]),
        (&true.into(), &true.into(), &Value::Null)
    );
    assert_eq!(same["explained"], Value::Null);
    let ran = folder.posenc("compare pe.npy -p whisper --computed-in f32 --json").done();
    assert_eq!(schema.check("compared", &ran.out())["explained"], true);
    let mut entries = Spec::preset(Preset::Whisper, 16).table::<f32>(40).unwrap().into_vec();
    entries[20] = f32::from_bits(entries[20].to_bits() + 3);
    entries[30] = f32::NAN;
    write_npy(&folder.path("off.npy"), &[40, 16], &entries);
    let answer = schema.check("compared", &folder.posenc("compare off.npy -p whisper --json").status(1).out());
    assert_eq!((&answer["differing"], &answer["not_finite"], &answer["max_ulps"]), (&2.into(), &1.into(), &3.into()));
    assert_eq!((&answer["max_ulps_at"]["row"], &answer["max_ulps_at"]["column"]), (&1.into(), &4.into()));
    assert_eq!((&answer["first_not_finite"]["column"], &answer["accepted"]), (&14.into(), &false.into()));

    folder.posenc("table -n 40 -d 16 -t q7 -o q7.npy").done();
    let ran = folder.posenc("compare q7.npy --dtype q7 --start 1 --json").status(1);
    let answer = schema.check("compared", &ran.out());
    let at = &answer["max_ulps_at"];
    let [row, column] = ["row", "column"].map(|key| usize::try_from(at[key].as_u64().unwrap()).unwrap());
    let entry = |start| Spec::new(16).start(start).table::<Q7>(40).unwrap().row(row)[column].to_bits();
    let number = |entry: i8| serde_json::json!({ "value": f64::from(entry), "bits": format!("{entry:#04x}") });
    assert_eq!((&at["expected"], &at["found"], &answer["dtype"]), (&number(entry(1)), &number(entry(0)), &"q7".into()));
    assert_eq!(at["ulps"], entry(1).abs_diff(entry(0)));
    let first = schema.check("identified", &folder.posenc("identify q7.npy --json").done().out());
    assert_eq!(first["call"], "sinusoidal_table!(40, 16, dtype = q7)");

    let ran = folder.posenc("identify pe.npy --json").done();
    let answer = schema.check("identified", &ran.out());
    assert_eq!(answer["outcome"], "identified");
    let told = folder.posenc("identify pe.npy").done().out();
    assert_eq!(answer["call"].as_str(), told.lines().next());
    assert!(told.contains(answer["commands"][0].as_str().unwrap()));
    folder.posenc("table -n 40 -d 16 --amplitude 0.7364518273645 -o rounded.npy").done();
    let answer = schema.check("identified", &folder.posenc("identify rounded.npy --json").status(3).out());
    assert_eq!((&answer["outcome"], &answer["undetermined"][0]["parameter"]), (&"several".into(), &"amplitude".into()));
    let noise: Vec<f32> = (0..640_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0).collect();
    write_npy(&folder.path("noise.npy"), &[40, 16], &noise);
    let answer = schema.check("identified", &folder.posenc("identify noise.npy --json").status(1).out());
    assert_eq!((&answer["outcome"], &answer["call"]), (&"nothing".into(), &Value::Null));

    let ran = folder.posenc("identify pe.npy noise.npy nope.npy --json").status(2);
    let answer = schema.check("checkpoint", &ran.out());
    assert_eq!(
        (&answer["files"], &answer["tensors"], answer["tables"].as_array().unwrap().len()),
        (&2.into(), &2.into(), 1)
    );
    let [table, failure] = [&answer["tables"][0], &answer["failures"][0]];
    assert_eq!(
        (&table["file"], &table["name"], &table["answer"]["outcome"]),
        (&"pe.npy".into(), &Value::Null, &"identified".into())
    );
    assert_eq!(ran.err(), format!("error: {}\n", failure.as_str().unwrap()));

    // The exit status is the answer.
    for (line, status) in [
        ("compare pe.npy -p whisper", 0),
        ("compare off.npy -p whisper", 1),
        ("identify pe.npy", 0),
        ("identify noise.npy", 1),
    ] {
        let ran = folder.posenc(&format!("{line} -q")).status(status);
        assert_eq!((ran.out(), ran.err()), (String::new(), String::new()), "{line}");
    }
}

#[test]
fn failures_have_no_answer() {
    let folder = Folder::new();
    folder.posenc("table -n 3 -d 4 -f bin -o - --json").refused("--json prints to stdout, where the table is to be");
    folder.posenc("table -n 3 -d 4 -o pe.npy --json -q").refused("--quiet");
    for option in ["--json", "-q"] {
        let words = "the picture is printed to stdout, so --json and --quiet need --output";
        folder.posenc(&format!("plot -n 3 -d 4 {option}")).refused(words);
    }
    folder.posenc("presets wisper --json").refused("did you mean `whisper`?");
    let ran = folder.posenc("table -n 3 -d 4 -o pe.npy -q").done();
    assert_eq!((ran.out(), ran.err()), (String::new(), String::new()));
}
