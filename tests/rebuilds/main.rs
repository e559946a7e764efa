//! Builds a small workspace with cargo, again and again, and checks that its programs have the right table.
//!
//! The table is so large that the macro puts it into a file of its own. Whatever happens to that file between two
//! builds, the programs are right, cargo prints no warning, and the build after it compiles nothing.

#![forbid(unsafe_code)]

mod project;

use std::fs::{self, File, FileTimes};
use std::time::{Duration, SystemTime};

use posenc::Spec;
use project::{Project, edit};

/// Damages the file without a trace in its times.
fn damage_quietly(project: &Project) {
    let path = project.table();
    let found = fs::metadata(&path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[5000..5008].fill(0x55);
    fs::write(&path, bytes).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(found.modified().unwrap()).unwrap();
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn the_second_build_is_fresh_and_the_binary_does_not_contain_the_path() {
    let project = Project::begin();
    let table = project.table();
    assert!(project.included_files().contains(table.to_str().unwrap()));
    for program in project.programs() {
        let binary = fs::read(program).unwrap();
        for part in ["posenc-macros-", ".posenc"] {
            assert!(!binary.windows(part.len()).any(|window| window == part.as_bytes()), "{part}");
        }
    }
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn two_crates_share_a_file_though_they_are_compiled_at_once() {
    let project = Project::begin();
    for _ in 0..3 {
        edit();
        project.delete_table();
        project.build_is_right();
        project.table();
    }
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn a_rebuild_reads_the_table_that_is_there() {
    let project = Project::begin();
    let created = |project: &Project| fs::metadata(project.table()).unwrap().created().unwrap();
    let before = created(&project);
    edit();
    project.build_is_right();
    project.cargo(&["clean", "--package", "first"]);
    project.build_is_right();
    project.cargo(&["check"]);
    assert_eq!(created(&project), before);
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn a_file_that_is_deleted_or_changed_is_written_anew() {
    let project = Project::begin();
    let path = project.table();
    let sound = fs::read(&path).unwrap();
    let modified = || fs::metadata(&path).unwrap().modified().unwrap();
    let sealed = modified();
    let touch = |time| File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let changes: [(&str, &dyn Fn()); 6] = [
        ("deleted", &|| fs::remove_file(&path).unwrap()),
        ("truncated", &|| fs::write(&path, &sound[..sound.len() / 2]).unwrap()),
        ("foreign", &|| fs::write(&path, "something else").unwrap()),
        ("touched", &|| touch(SystemTime::now())),
        ("touched long ago", &|| {
            touch(SystemTime::UNIX_EPOCH + Duration::from_secs(2));
            edit();
        }),
        ("damaged quietly", &|| {
            damage_quietly(&project);
            edit();
        }),
    ];
    for (what, change) in changes {
        change();
        project.build_is_right();
        assert!(fs::read(&path).unwrap() == sound && modified() == sealed, "{what}");
    }
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn what_cargo_cleans_heals() {
    let project = Project::begin();
    for package in ["first", "posenc-macros", "posenc"] {
        project.cargo(&["clean", "--package", package]);
        project.build_is_right();
        project.table();
    }
}

/// The arithmetic may have changed without its version.
#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn a_new_build_of_the_arithmetic_begins_with_an_empty_folder() {
    let project = Project::begin();
    let before = project.table();
    project.cargo(&["clean", "--package", "posenc-runtime"]);
    project.build_is_right();
    assert_ne!(project.table(), before);
    assert!(!before.exists());
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn without_a_folder_the_table_is_a_literal_of_the_same_bits() {
    let project = Project::begin();
    let binaries = || project.programs().map(|program| fs::read(program).unwrap());
    let (with_file, folder) = (binaries(), project.table().parent().unwrap().to_owned());
    let is_literal = || {
        edit();
        project.build_is_right();
        assert!(!project.included_files().contains(".posenc"));
        assert!(binaries() == with_file, "another program");
    };
    fs::remove_dir_all(&folder).unwrap();
    is_literal();
    fs::write(&folder, "a file in the place of the folder").unwrap();
    is_literal();
    project.cargo(&["clean", "--package", "posenc-macros"]);
    project.build_is_right();
    project.table();
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn the_environment_variable_makes_it_a_literal() {
    let project = Project::begin();
    let literal = project.with_literals();
    literal.build_is_right();
    assert!(!literal.included_files().contains(".posenc"));
    project.build_is_right();
    project.table();
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn a_target_folder_that_was_moved_is_right() {
    let project = Project::begin();
    let moved = project.moved();
    moved.build_is_right();
    edit();
    moved.build_is_right();
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn docs_do_not_show_the_path() {
    let project = Project::begin();
    project.cargo(&["doc", "--no-deps"]);
    let page = fs::read_to_string(project.target.join("doc/first/constant.PE.html")).unwrap();
    assert!(page.contains("pub const PE") && !page.contains("posenc-macros-"));
}

#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn files_that_are_not_used_for_long_are_removed() {
    let project = Project::begin();
    // As large as the folder may be, but without taking space.
    let old = project.table().with_file_name("0123456789abcdef.posenc");
    let file = File::create(&old).unwrap();
    file.set_len(1 << 30).unwrap();
    file.set_times(FileTimes::new().set_accessed(SystemTime::UNIX_EPOCH)).unwrap();
    edit();
    project.build_is_right();
    assert!(old.exists(), "nothing was written, so nothing is removed");
    project.delete_table();
    project.build_is_right();
    assert!(!old.exists());
}

/// A table in a library is in its object code and in its metadata, which is in two files.
#[test]
#[ignore = "builds with cargo, again and again; CI does"]
fn an_item_takes_no_more_disk_than_included_bytes() {
    let project = Project::begin();
    let table = Spec::new(1024).table::<f32>(256).unwrap();
    let bytes: Vec<u8> = table.as_slice().iter().flat_map(|entry| entry.to_ne_bytes()).collect();
    let size = |source| project.size_of_library(source, &bytes) as f64 / bytes.len() as f64;
    let included = size("pub static PE: [u8; 1 << 20] = *include_bytes!(\"bytes\");");
    let item = size("posenc::sinusoidal_table! { pub static PE = (256, 1024); }");
    let expression = size("pub static PE: [[f32; 1024]; 256] = posenc::sinusoidal_table!(256, 1024);");
    println!("of the table: included {included:.2}, item {item:.2}, expression {expression:.2}");
    assert!(included > 1.0 && item <= 1.05 * included, "{item} {included}");
    assert!(expression <= 1.75 * included, "{expression} {included}");
}
