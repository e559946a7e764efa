//! What the wheel and the packed sources contain.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::compare::same;
use crate::run::{Outcome, Run, bail, ensure};
use crate::workspace;

/// The files in the wheel, in order. `{info}` is the folder of the metadata.
const WHEEL: [&str; 9] = [
    "{info}/METADATA",
    "{info}/RECORD",
    "{info}/WHEEL",
    "{info}/licenses/LICENSE-APACHE",
    "{info}/licenses/LICENSE-MIT",
    "posenc/__init__.py",
    "posenc/_posenc.abi3.so",
    "posenc/_posenc.pyi",
    "posenc/py.typed",
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
pub(super) fn check(python: &Path, clone: &Path, packed: &Path) -> Outcome {
    let version = workspace::manifest_value("version")?;
    let [wheel, sources] = [".whl", ".tar.gz"].map(|extension| file(packed, extension));
    let (wheel, sources) = (wheel?, sources?);
    check_name(&name(&wheel), &version)?;
    let unpacked = packed.join("unpacked");
    Run::new(python).words("-m zipfile --extract").args([&wheel, &unpacked]).run()?;
    let listed = Run::new(python).words("-m zipfile --list").arg(&wheel).stdout()?;
    check_wheel(&listed, &unpacked, clone, &version)?;
    let listed = Run::line("tar tzf").arg(&sources).stdout()?;
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
        files => bail!("{} has {} files `*{end}`", folder.display(), files.len()),
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
    ensure!(is_for_any, "the wheel has the name {name}");
    Ok(())
}

fn check_wheel(listed: &str, unpacked: &Path, clone: &Path, version: &str) -> Outcome {
    let info = format!("posenc-{version}.dist-info");
    // A line has the name of a file, its date and its size. The first line has the titles.
    let names = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    let found: BTreeSet<_> = names.map(str::to_owned).collect();
    same("the wheel", WHEEL.map(|file| file.replace("{info}", &info)), found)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let packed = fs::read(unpacked.join(&info).join("licenses").join(licence))?;
        ensure!(packed == fs::read(clone.join(licence))?, "the wheel has another {licence}");
    }
    let metadata = fs::read_to_string(unpacked.join(info).join("METADATA"))?;
    check_metadata(&metadata, version, &fs::read_to_string(clone.join("python/README.md"))?)
}

/// Checks the metadata, which end with the README.
fn check_metadata(metadata: &str, version: &str, readme: &str) -> Outcome {
    let (lines, description) = metadata.split_once("\n\n").unwrap_or((metadata, ""));
    let version = format!("Version: {version}");
    for line in METADATA.into_iter().chain([&*version]) {
        ensure!(lines.lines().any(|found| found == line), "the metadata lack `{line}`:\n{lines}");
    }
    let requires_others = |line: &str| line.starts_with("Requires-Dist:") && !line.contains("extra ==");
    ensure!(!lines.lines().any(requires_others), "the wheel requires other packages:\n{lines}");
    ensure!(description.trim() == readme.trim(), "another description than the README:\n{description}");
    Ok(())
}

/// Checks the list of the packed sources, all of which are in one folder.
fn check_sources(listed: &str, clone: &Path, version: &str) -> Outcome {
    let folder = format!("posenc-{version}/");
    let found: BTreeSet<_> = listed.lines().map(|path| path.replacen(&folder, "", 1)).collect();
    let modules = Run::line("git ls-files python/src").dir(clone).stdout()?;
    let mut expected: BTreeSet<_> = PROJECT.into_iter().chain(modules.lines()).map(str::to_owned).collect();
    for library in LIBRARIES {
        let list = Run::line(&format!("cargo package --list --quiet --manifest-path {library}Cargo.toml"));
        let files = list.dir(clone).stdout()?;
        let files = files.lines().filter(|file| !OF_CARGO.contains(file));
        expected.extend(files.map(|file| format!("{library}{file}")));
    }
    same("the packed sources", expected, found)
}

#[cfg(test)]
mod tests {
    use super::{METADATA, check_metadata, check_name};

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
