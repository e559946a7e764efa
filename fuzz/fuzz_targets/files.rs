//! Arbitrary bytes as a file that the command-line tool reads: a table or a model's config, from untrusted sources.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use posenc_cli::{ConfigFile, Failure, Given, TableBytes, candidates, read_config, read_table};

/// Two names of the file that is rewritten for each input.
///
/// It has two because some file types are recognized only by their extension. `cargo xtask fuzz` sets the directory of
/// temporary files.
static FILES: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    let stem = std::env::temp_dir().join(format!("posenc-fuzz-{}", std::process::id()));
    let files = ["", ".safetensors"].map(|ending| PathBuf::from(format!("{}{ending}", stem.display())));
    fs::write(&files[0], []).expect("a file can be written");
    let _ = fs::remove_file(&files[1]);
    fs::hard_link(&files[0], &files[1]).expect("a file can have two names");
    files
});

fuzz_target!(|bytes: &[u8]| {
    fs::write(&FILES[0], bytes).expect("a file can be written");
    for file in &*FILES {
        check_candidates(file);
        for name in [None, Some("pe"), Some("a")] {
            match read_table(file, name) {
                Ok(found) => check_table(&found, bytes, name),
                Err(failure) => check_failure(&failure, file),
            }
        }
    }
    check_config(&FILES[0]);
});

/// A tensor that may be a table can be read as one.
fn check_candidates(file: &Path) {
    match candidates(file) {
        Ok(names) => {
            for name in names {
                assert!(read_table(file, name.as_deref()).is_ok(), "{name:?}");
            }
        }
        Err(failure) => check_failure(&failure, file),
    }
}

/// The number of entries must match the rows and columns, and the entries must be in the file, unless it is an archive,
/// which may be compressed. In a .npy file they are at its end, in either order.
fn check_table(found: &TableBytes, file: &[u8], name: Option<&str>) {
    let TableBytes { shape: [seq_len, d_model], size, bytes: entries } = found;
    assert!(*d_model > 0 && entries.len() == seq_len * d_model * size);
    if file.starts_with(b"PK") {
        return;
    }
    let mut entries = entries.clone();
    if file.starts_with(b"\x93NUMPY") {
        assert_eq!(name, None);
        let mut end = file[file.len() - entries.len()..].to_vec();
        entries.sort_unstable();
        end.sort_unstable();
        assert!(entries == end);
    } else {
        assert!(entries.is_empty() || file.windows(entries.len()).any(|window| window == entries));
    }
}

/// The error must be a sentence that names the file.
fn check_failure(failure: &Failure, file: &Path) {
    match failure {
        Failure::Because(sentence) => assert!(sentence.starts_with(&format!("`{}`", file.display())), "{sentence}"),
        Failure::OutputClosed => panic!("nothing is written"),
    }
}

/// Parameters missing in a config are given on the command line.
fn check_config(file: &Path) {
    for (start, zero_row) in [(None, None), (Some(0), Some(usize::MAX)), (Some(i64::MIN), None)] {
        for (seq_len, d_model) in [(None, None), (Some(8), None), (None, Some(6)), (Some(usize::MAX), Some(0))] {
            let config = ConfigFile { path: file, ignored: &[] };
            match read_config(config, Given { seq_len, d_model, start, zero_row }) {
                Ok(told) => {
                    assert!(seq_len.is_none() || told.seq_len.is_none());
                    assert!(d_model.is_none() || told.d_model.is_none());
                }
                Err(failure) => check_failure(&failure, file),
            }
        }
    }
}
