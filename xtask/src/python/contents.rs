//! What the wheel and the packed sources contain.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Run;
use crate::failure::{Failure, Outcome, ensure};
use crate::python::environment::Environment;
use crate::workspace;

/// The files in the wheel. `{info}` is the folder of the metadata.
const WHEEL: [&str; 9] = [
    "posenc/__init__.py",
    "posenc/_posenc.abi3.so",
    "posenc/_posenc.pyi",
    "posenc/py.typed",
    "{info}/METADATA",
    "{info}/RECORD",
    "{info}/WHEEL",
    "{info}/licenses/LICENSE-APACHE",
    "{info}/licenses/LICENSE-MIT",
];

/// The files in the packed sources, beside the libraries and `python/src`.
const PROJECT: [&str; 10] = [
    "PKG-INFO",
    "posenc/__init__.py",
    "posenc/_posenc.pyi",
    "posenc/py.typed",
    "pyproject.toml",
    "python/Cargo.lock",
    "python/Cargo.toml",
    "python/LICENSE-APACHE",
    "python/LICENSE-MIT",
    "python/README.md",
];

/// The folders of the libraries. Their files are the same as in the packages of a registry.
const LIBRARIES: [&str; 6] = ["", "pe-identify/", "pe-macros/", "pe-macros/core/", "pe-runtime/", "pe-text/"];

/// What cargo adds to these packages.
const OF_CARGO: [&str; 3] = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];

/// Lines of the metadata, beside the version.
const METADATA: [&str; 5] = [
    "Name: posenc",
    "Requires-Python: >=3.11",
    "License-Expression: MIT OR Apache-2.0",
    "License-File: LICENSE-APACHE",
    "License-File: LICENSE-MIT",
];

/// Checks the wheel and the packed sources of a clone, and prints their sizes.
pub(super) fn check(python: &Environment, clone: &Path, packed: &Path) -> Outcome {
    let version = workspace::manifest_value("version")?;
    let [wheel, sources] = [".whl", ".tar.gz"].map(|extension| file(packed, extension));
    let (wheel, sources) = (wheel?, sources?);
    check_name(&name(&wheel), &version)?;
    let unpacked = packed.join("unpacked");
    python.module("zipfile").arg("--extract").args([&wheel, &unpacked]).run()?;
    check_wheel(&unpacked, clone, &version)?;
    let listed = Run::new("tar").arg("tzf").arg(&sources).stdout()?;
    check_sources(&listed, clone, &version)?;
    for file in [wheel, sources] {
        println!("release: {}: {} bytes, contains what it should", name(&file), fs::metadata(&file)?.len());
    }
    Ok(())
}

/// Returns the path of the only file in a folder that ends like this.
pub(super) fn file(folder: &Path, end: &str) -> Outcome<PathBuf> {
    let files = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let files: Vec<_> = files.iter().map(fs::DirEntry::path).filter(|file| name(file).ends_with(end)).collect();
    match files.as_slice() {
        [file] => Ok(file.clone()),
        files => Err(Failure::failed(format_args!("{} has {} files `*{end}`", folder.display(), files.len()))),
    }
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The name says for which interpreters and machines the wheel is: any from 3.11 on, and on Linux any with a C library
/// that is not newer.
fn check_name(name: &str, version: &str) -> Outcome {
    let machines = name.strip_prefix(&format!("posenc-{version}-cp311-abi3-"));
    let is_for_any = machines.is_some_and(|machines| !cfg!(target_os = "linux") || machines.starts_with("manylinux_"));
    ensure(is_for_any, || format!("the wheel has the name {name}"))
}

fn check_wheel(unpacked: &Path, clone: &Path, version: &str) -> Outcome {
    let info = format!("posenc-{version}.dist-info");
    let mut found = BTreeSet::new();
    list(unpacked, "", &mut found)?;
    same("the wheel", &found, &WHEEL.iter().map(|file| file.replace("{info}", &info)).collect())?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let packed = fs::read(unpacked.join(&info).join("licenses").join(licence))?;
        ensure(packed == fs::read(clone.join(licence))?, || format!("the wheel has another {licence}"))?;
    }
    let metadata = fs::read_to_string(unpacked.join(info).join("METADATA"))?;
    check_metadata(&metadata, version, &fs::read_to_string(clone.join("python/README.md"))?)
}

fn list(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) -> Outcome {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.insert(path);
        }
    }
    Ok(())
}

/// Checks the metadata, which end with the README.
fn check_metadata(metadata: &str, version: &str, readme: &str) -> Outcome {
    let (lines, description) = metadata.split_once("\n\n").unwrap_or((metadata, ""));
    let version = format!("Version: {version}");
    let missing = METADATA.into_iter().chain([&*version]).find(|line| !lines.lines().any(|found| found == *line));
    ensure(missing.is_none(), || format!("the metadata lack `{}`:\n{lines}", missing.unwrap_or_default()))?;
    let mut required = lines.lines().filter(|line| line.starts_with("Requires-Dist:") && !line.contains("extra =="));
    ensure(required.next().is_none(), || format!("the wheel requires other packages:\n{lines}"))?;
    ensure(description.trim() == readme.trim(), || format!("another description than the README:\n{description}"))
}

/// Checks the list of the packed sources, all of which are in one folder.
fn check_sources(listed: &str, clone: &Path, version: &str) -> Outcome {
    let folder = format!("posenc-{version}/");
    let found = listed.lines().map(|path| path.strip_prefix(&folder).unwrap_or(path).to_owned()).collect();
    let modules = Run::new("git").args(["ls-files", "python/src"]).dir(clone).stdout()?;
    let mut expected: BTreeSet<_> = PROJECT.into_iter().chain(modules.lines()).map(str::to_owned).collect();
    for library in LIBRARIES {
        let list =
            Run::cargo("package").args(["--list", "--quiet", "--manifest-path", &format!("{library}Cargo.toml")]);
        let files = list.dir(clone).stdout()?;
        let files = files.lines().filter(|file| !OF_CARGO.contains(file));
        expected.extend(files.map(|file| format!("{library}{file}")));
    }
    same("the packed sources", &found, &expected)
}

fn same(what: &str, found: &BTreeSet<String>, expected: &BTreeSet<String>) -> Outcome {
    let sides = [("lack", expected - found), ("have, and should not,", found - expected)];
    let wrong = sides.iter().filter(|(_, files)| !files.is_empty());
    let wrong: Vec<_> = wrong.map(|(verb, files)| format!("{what} {verb} {files:?}")).collect();
    ensure(wrong.is_empty(), || wrong.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{METADATA, check_metadata, check_name, same};

    #[test]
    fn a_file_that_is_missing_or_superfluous_is_found() {
        let set = |files: &[&str]| files.iter().map(|file| (*file).to_owned()).collect::<BTreeSet<_>>();
        let wrong = |found: &[&str]| same("it", &set(found), &set(&["a", "b"])).err().unwrap().sentence().to_owned();
        assert!(same("it", &set(&["b", "a"]), &set(&["a", "b"])).is_ok());
        assert_eq!(wrong(&["b"]), r#"it lack {"a"}"#);
        assert_eq!(wrong(&["a", "b", "c"]), r#"it have, and should not, {"c"}"#);
    }

    #[test]
    fn a_wheel_for_one_version_is_found() {
        assert!(check_name("posenc-1.2.3-cp311-abi3-manylinux_2_35_x86_64.whl", "1.2.3").is_ok());
        assert!(check_name("posenc-1.2.3-cp311-cp311-manylinux_2_35_x86_64.whl", "1.2.3").is_err());
        assert!(check_name("posenc-1.2.4-cp311-abi3-manylinux_2_35_x86_64.whl", "1.2.3").is_err());
    }

    #[test]
    fn metadata_that_differ_are_found() {
        let lines = METADATA.join("\n");
        let check = |lines: &str| check_metadata(&format!("{lines}\n\n# posenc\n"), "1.2.3", "# posenc\n");
        assert!(check(&format!("{lines}\nVersion: 1.2.3\nRequires-Dist: numpy ; extra == 'numpy'")).is_ok());
        assert!(check(&format!("{lines}\nVersion: 1.2.30")).is_err());
        assert!(check(&format!("{lines}\nVersion: 1.2.3\nRequires-Dist: numpy")).is_err());
        assert!(check(&format!("{}\nVersion: 1.2.3", METADATA[1..].join("\n"))).is_err());
        assert!(check_metadata(&format!("{lines}\nVersion: 1.2.3\n\n# other"), "1.2.3", "# posenc").is_err());
    }
}
