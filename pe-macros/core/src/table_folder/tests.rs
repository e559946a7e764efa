//! Tests of the folder: whatever happens in it, the file of a table is that table.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

use posenc_runtime::{CheckedTable, FirstRows, Spec};

use crate::table::Baked;
use proptest::prelude::*;
use testkit::{Lcg, cases, properties};

use super::*;
use crate::dtype::Dtype;

const DTYPES: [Dtype; 4] = [Dtype::f32, Dtype::f64, Dtype::f16_bits, Dtype::bf16_bits];

/// A new folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("posenc-table-folder-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn count(&self) -> usize {
        fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Returns one of several tables, and its byte order. The files of 0 and 8 differ in nothing but their content.
fn table(number: u8) -> (CheckedTable<'static>, bool) {
    let source = Baked::Rows(FirstRows { spec: Spec::new(6).start(i64::from(number) + 10), seq_len: 50 });
    (DTYPES[usize::from(number % 4)].check(&source, usize::MAX, None).unwrap(), number % 8 >= 4)
}

fn path_of(folder: &Path, number: u8) -> Option<String> {
    let (table, big_endian) = table(number);
    path(folder, &table, big_endian)
}

fn is_held(path: &Path, number: u8) -> io::Result<bool> {
    let (table, big_endian) = table(number);
    holds(path, &table, big_endian)
}

/// Returns the entries that the file of a table must begin with.
fn entries(number: u8) -> Vec<u8> {
    let (table, big_endian) = table(number);
    table.entries(big_endian).unwrap()
}

fn seal(path: &Path) {
    File::options().write(true).open(path).unwrap().set_modified(sealed()).unwrap();
}

fn is_sealed(path: &Path) -> bool {
    fs::metadata(path).unwrap().modified().unwrap() == sealed()
}

#[test]
fn a_file_holds_its_table_and_is_written_once() {
    let folder = Folder::new();
    for number in 0..8 {
        let path = path_of(&folder.0, number).expect("a file");
        let file = fs::read(&path).unwrap();
        assert!(file.starts_with(&entries(number)), "table {number}");
        assert!(is_sealed(path.as_ref()));
        assert!(is_held(path.as_ref(), number).unwrap());
        assert_eq!(path_of(&folder.0, number).as_ref(), Some(&path));
    }
    assert_eq!(folder.count(), 8, "one file per table, and nothing else");
}

/// Changes the file at a path, which holds these bytes.
type Damage = fn(&Path, &[u8]);

/// What is wrong with a file. It has its seal again, unless that is what is wrong.
const DAMAGES: [(&str, Damage); 9] = [
    ("shorter", |path, sound| fs::write(path, &sound[..sound.len() - 1]).unwrap()),
    ("longer", |path, sound| fs::write(path, [sound, &[0]].concat()).unwrap()),
    ("empty", |path, _| fs::write(path, "").unwrap()),
    ("zeros, as after a crash", |path, sound| fs::write(path, vec![0; sound.len()]).unwrap()),
    ("one entry differs", |path, sound| {
        let mut damaged = sound.to_vec();
        damaged[21] ^= 0x80;
        fs::write(path, damaged).unwrap();
    }),
    ("another table", |path, _| {
        let other = path_of(path.parent().unwrap(), 8).unwrap();
        fs::rename(other, path).unwrap();
    }),
    ("of another version", |path, sound| {
        let mut other = sound.to_vec();
        let digit = sound.len() - 28 - 2;
        assert!(sound[digit].is_ascii_digit());
        other[digit] ^= 1;
        fs::write(path, other).unwrap();
    }),
    ("gone", |path, _| fs::remove_file(path).unwrap()),
    ("not sealed", |path, _| {
        File::options().write(true).open(path).unwrap().set_modified(SystemTime::now()).unwrap();
    }),
];

#[test]
fn what_is_doubtful_is_made_anew() {
    let folder = Folder::new();
    let path = PathBuf::from(path_of(&folder.0, 0).expect("a file"));
    let sound = fs::read(&path).unwrap();
    for (what, damage) in DAMAGES {
        damage(&path, &sound);
        if !matches!(what, "gone" | "not sealed") {
            seal(&path);
        }
        assert!(!is_held(&path, 0).unwrap_or(false), "{what}");
        assert!(path_of(&folder.0, 0).is_some(), "{what}");
        assert!(fs::read(&path).unwrap() == sound && is_sealed(&path), "{what}");
    }
}

#[test]
fn without_a_folder_to_write_to_there_is_no_file() {
    let folder = Folder::new();
    let missing = folder.0.join("missing");
    assert_eq!(path_of(&missing, 0), None);
    fs::write(&missing, "a file").unwrap();
    assert_eq!(path_of(&missing, 0), None);
    // A folder in the place of the file cannot be replaced, and nothing is left over.
    let path = path_of(&folder.0, 0).unwrap();
    fs::remove_file(&path).unwrap();
    fs::create_dir_all(Path::new(&path).join("below")).unwrap();
    assert_eq!(path_of(&folder.0, 0), None);
    assert_eq!(folder.count(), 2);
    // Even root can create nothing here.
    #[cfg(target_os = "linux")]
    assert_eq!(path_of(Path::new("/proc/self"), 0), None);
}

#[test]
fn a_table_beyond_the_memory_is_not_written() {
    let folder = Folder::new();
    let source = Baked::Rows(FirstRows { spec: Spec::new(1 << 20), seq_len: 1 << 39 });
    assert_eq!(path(&folder.0, &Dtype::f64.check(&source, usize::MAX, None).unwrap(), false), None);
    assert_eq!(folder.count(), 0);
}

// Other systems refuse such a name.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_text_makes_no_file() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let below = folder.0.join(std::ffi::OsStr::from_bytes(b"\xff"));
    fs::create_dir(&below).unwrap();
    assert_eq!(path_of(&below, 0), None);
    assert_eq!(fs::read_dir(&below).unwrap().count(), 0);
}

/// The time is set, because many file systems do not record each access. (They would not replace a time to come.)
#[test]
fn a_file_that_is_read_again_is_in_use() {
    let folder = Folder::new();
    let path = path_of(&folder.0, 0).expect("a file");
    let tomorrow = SystemTime::now() + 24 * IN_USE;
    File::options().write(true).open(&path).unwrap().set_times(FileTimes::new().set_accessed(tomorrow)).unwrap();
    assert_eq!(path_of(&folder.0, 0).as_ref(), Some(&path));
    assert!(fs::metadata(&path).unwrap().accessed().unwrap() < SystemTime::now() + IN_USE);
}

#[test]
fn unused_files_are_removed_the_longest_unused_first() {
    let folder = Folder::new();
    let hours_ago = |name: &str, hours: u64| {
        let path = folder.0.join(name);
        fs::write(&path, [0; 100]).unwrap();
        let used = SystemTime::now() - Duration::from_secs(hours * 60 * 60);
        File::options().write(true).open(path).unwrap().set_times(FileTimes::new().set_accessed(used)).unwrap();
    };
    let left = |most_bytes| {
        remove_unused(&folder.0, most_bytes).unwrap();
        let names = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names.join(" ")
    };
    for (name, hours) in [("new", 0), ("three", 3), ("two", 2), ("old.part", 9)] {
        hours_ago(name, hours);
    }
    assert_eq!(left(400), "new old.part three two");
    assert_eq!(left(399), "new three two");
    assert_eq!(left(200), "new two");
    assert_eq!(left(0), "new");
}

#[derive(Clone, Debug)]
enum Operation {
    Bake(u8),
    Damage { table: u8, how: usize, sealed: bool },
    Litter(u8),
    Clean(u64),
}

fn operation() -> impl Strategy<Value = Operation> {
    let table = 0..6u8;
    prop_oneof![
        table.clone().prop_map(Operation::Bake),
        (table.clone(), 0..DAMAGES.len(), any::<bool>()).prop_map(|(table, how, sealed)| Operation::Damage {
            table,
            how,
            sealed
        }),
        table.prop_map(Operation::Litter),
        (0..20_000u64).prop_map(Operation::Clean),
    ]
}

properties! {
    #![cases(64)]

    /// The files are damaged in any order, also more than once.
    #[test]
    fn a_file_is_right_whatever_happened_before(operations in proptest::collection::vec(operation(), 1..24)) {
        let folder = Folder::new();
        for operation in operations {
            match operation {
                Operation::Bake(number) => {
                    let path = path_of(&folder.0, number).expect("a file");
                    let file = fs::read(&path).unwrap();
                    prop_assert!(file.starts_with(&entries(number)) && is_sealed(path.as_ref()));
                }
                Operation::Damage { table, how, sealed } => {
                    let path = PathBuf::from(path_of(&folder.0, table).expect("a file"));
                    let sound = fs::read(&path).unwrap();
                    DAMAGES[how].1(&path, &sound);
                    if sealed && path.exists() {
                        seal(&path);
                    }
                }
                Operation::Litter(number) => {
                    let path = path_of(&folder.0, number).expect("a file");
                    fs::write(Path::new(&path).with_extension("part"), "interrupted").unwrap();
                }
                Operation::Clean(most_bytes) => remove_unused(&folder.0, most_bytes).unwrap(),
            }
        }
    }
}

/// Bakes tables and deletes them in random order, as other processes do the same. A file that is there is right.
fn bake_and_delete(folder: &Path, seed: u64) {
    let mut random = Lcg::new(seed);
    let expected: Vec<_> = (0..3).map(entries).collect();
    for _ in 0..cases(100) {
        let number = (random.next_bits() >> 33) as u8 % 3;
        let path = path_of(folder, number).expect("a file");
        match fs::read(&path) {
            Ok(file) => assert!(file.starts_with(&expected[usize::from(number)]), "table {number}"),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::NotFound),
        }
        if random.next_bits() >> 62 == 0 {
            let _ = fs::remove_file(path);
        }
    }
}

/// Runs in three processes of three threads each.
#[test]
fn threads_and_processes_do_not_disturb_each_other() {
    const VARIABLE: &str = "POSENC_TEST_TABLE_FOLDER";
    let threads = |folder: &Path, seed| {
        thread::scope(|scope| {
            for thread in 0..3 {
                scope.spawn(move || bake_and_delete(folder, seed + thread));
            }
        });
    };
    if let Some(folder) = env::var_os(VARIABLE) {
        return threads(folder.as_ref(), u64::from(process::id()) << 8);
    }
    let folder = Folder::new();
    let this = "table_folder::tests::threads_and_processes_do_not_disturb_each_other";
    let start = || {
        let mut process = process::Command::new(env::current_exe().unwrap());
        process.args(["--exact", this, "--nocapture"]).env(VARIABLE, &folder.0).stdout(process::Stdio::null());
        process.spawn().unwrap()
    };
    let others = [start(), start()];
    threads(&folder.0, 0);
    for mut other in others {
        assert!(other.wait().unwrap().success());
    }
    assert!(folder.count() <= 3, "nothing is left over");
}
