use std::string::ToString;
use std::{panic, vec, vec::Vec};

use super::*;
use crate::bake::checksum::Checksum;
use crate::bake::file_format::{MAGIC, SEAL, VERSION, entries_of_file};
use crate::bake::table_file::{Found, inspect_file};
use crate::decode;
use crate::element::bits::as_bytes;
use crate::{Bf16Bits, F16Bits, Preset};

/// Creates an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("posenc-{}-{name}", process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write_to<T: Element>(folder: &Path, name: &str, spec: &Spec, seq_len: usize, big_endian: bool) -> Result<(), Error> {
    let source = FirstRows { spec: *spec, seq_len };
    let table = source.untyped()?.checked::<T>(MAX_BYTES)?;
    Output { folder, name, table: TableFile { table: &table, big_endian } }.write()
}

fn written<T: Element>(folder: &Path, spec: &Spec, seq_len: usize, big_endian: bool) -> Vec<u8> {
    write_to::<T>(folder, "table", spec, seq_len, big_endian).unwrap();
    fs::read(folder.join("table.posenc")).unwrap()
}

const NATIVE: bool = cfg!(target_endian = "big");

#[test]
fn a_file_is_the_table_and_only_that() {
    fn check<T: Element>(folder: &Path, spec: Spec) {
        let file = written::<T>(folder, &spec, 5, NATIVE);
        let table: [[T; 6]; 5] = decode(entries_of_file::<T>(&file, &spec, 5, ""));
        assert!(table.as_flattened() == spec.table::<T>(5).unwrap().as_slice(), "{spec}");
    }
    let folder = folder("table");
    for spec in [Spec::new(6), Spec::preset(Preset::TransformerXl, 6).start(4).zero_row(1), Spec::new(6).base(0.5)] {
        check::<f32>(&folder, spec);
        check::<f64>(&folder, spec);
        check::<F16Bits>(&folder, spec);
        check::<Bf16Bits>(&folder, spec);
    }
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["table.posenc"]);
}

/// One table is longer than a single write, the other has no rows.
#[test]
fn long_and_empty_tables_are_whole() {
    let folder = folder("long");
    let spec = Spec::new(1000);
    let file = written::<f64>(&folder, &spec, 1100, NATIVE);
    let table = spec.table::<f64>(1100).unwrap();
    assert!(file[..8_800_000] == *as_bytes(table.as_slice()));
    assert!(
        entries_of_file::<f32>(&written::<f32>(&folder, &Spec::new(6), 0, NATIVE), &Spec::new(6), 0, "").is_empty()
    );
}

#[test]
fn entries_are_in_the_order_of_the_target() {
    let folder = folder("order");
    let (little, big) =
        (written::<f32>(&folder, &Spec::new(6), 5, false), written::<f32>(&folder, &Spec::new(6), 5, true));
    let mut reversed = big[..120].to_vec();
    reversed.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    assert_eq!(little[..120], reversed);
    assert_ne!(little, big);
}

/// Returns the message of the compile error.
fn refusal<T: Element>(file: &[u8], spec: Spec<'static>, seq_len: usize) -> String {
    let file = file.to_vec();
    let refused =
        panic::catch_unwind(move || entries_of_file::<T>(&file, &spec, seq_len, "this!()").len()).unwrap_err();
    refused.downcast_ref::<String>().expect("a sentence").clone()
}

#[test]
fn another_table_is_refused() {
    let folder = folder("another");
    let file = written::<f32>(&folder, &Spec::new(6), 5, false);
    let other = if NATIVE { written::<f32>(&folder, &Spec::new(6), 5, true) } else { file.clone() };
    let order = if NATIVE { "big" } else { "little" };
    let said = format!(
        "the file holds another table; the file holds: sinusoidal_table!(5, 6, dtype = f32) (little-endian, posenc {VERSION}); this \
         call asks for: this!() ({order}-endian, posenc {VERSION}); write the same sizes, element type and parameters in the build \
         script and in this call, and use the same version of posenc"
    );
    // That all parameters count is what the tests of the fingerprint show.
    assert_eq!(refusal::<f32>(&file, Spec::new(6).start(1), 5), said);
    assert_eq!(refusal::<f32>(&file, Spec::new(6), 4), said);
    assert_eq!(refusal::<f32>(&file, Spec::new(7), 5), said);
    assert_eq!(refusal::<f64>(&file, Spec::new(6), 5), said);
    let wrong_order = written::<f32>(&folder, &Spec::new(6), 5, !NATIVE);
    assert!(refusal::<f32>(&wrong_order, Spec::new(6), 5).contains("-endian, posenc"));
    assert!(refusal::<f32>(&other, Spec::new(6).base(-1.0), 5).starts_with("`base` is -1.0"));
}

#[test]
fn a_damaged_file_is_refused() {
    let folder = folder("damaged");
    let file = written::<f32>(&folder, &Spec::new(6), 5, NATIVE);
    for kept in [0, 10, file.len() - 1] {
        let sentence = refusal::<f32>(&file[..kept], Spec::new(6), 5);
        assert!(sentence.starts_with(&format!("the file ({kept} bytes) was not written by")), "{sentence}");
    }
    let mut longer = vec![0; 4];
    longer.extend(&file);
    assert!(refusal::<f32>(&longer, Spec::new(6), 5).starts_with("the file holds 124 bytes of entries"));
    assert!(refusal::<f32>(&file[4..], Spec::new(6), 5).starts_with("the file holds 116 bytes of entries"));
    // First a text longer than the file; then another table, whose text is not UTF-8.
    let mut damaged = file.clone();
    damaged[file.len() - 25] = 0xff;
    assert!(refusal::<f32>(&damaged, Spec::new(6), 5).contains("was not written by"));
    damaged.clone_from(&file);
    damaged[125] = 0xff;
    assert!(
        refusal::<f32>(&damaged, Spec::new(6), 4)
            .contains("another table; the file holds: one with an unreadable description; this call")
    );
}

/// Replaces the file that held `sound` by `bytes` and returns what `inspect_file` reports. Checks that the build
/// script then rewrites the file.
fn found_instead(folder: &Path, sound: &[u8], bytes: &[u8]) -> Found {
    let path = folder.join("table.posenc");
    fs::write(&path, bytes).unwrap();
    let read = |offset: u64, piece: &mut [u8]| -> Result<(), ()> {
        piece.copy_from_slice(&bytes[offset as usize..][..piece.len()]);
        Ok(())
    };
    let found = inspect_file(bytes.len() as u64, read).unwrap();
    assert!(written::<f32>(folder, &Spec::new(6), 5, NATIVE) == sound, "not written anew, though {found:?}");
    found
}

#[test]
fn whatever_is_damaged_is_found_out_and_written_anew() {
    let folder = folder("found");
    let sound = written::<f32>(&folder, &Spec::new(6), 5, NATIVE);
    let found = |bytes: &[u8]| found_instead(&folder, &sound, bytes);
    let changed = |changes: &[(usize, u8)]| {
        let mut bytes = sound.clone();
        for &(place, bits) in changes {
            bytes[place] ^= bits;
        }
        bytes
    };
    assert_eq!(found(&sound), Found::Sound);
    // Every byte, including those of the text and of the incomplete last word.
    assert_ne!((sound.len() - SEAL) % 8, 0);
    for place in 0..sound.len() {
        assert_ne!(found(&changed(&[(place, 1)])), Found::Sound, "byte {place}");
    }
    assert_eq!(found(&changed(&[32, 33, 34, 35].map(|place| (place, 0xff)))), Found::Damaged);
    // The signs of two entries: in one word, in two words, and in two words of the same lane.
    for other in [39, 47, 67] {
        assert_eq!(found(&changed(&[(35, 0x80), (other, 0x80)])), Found::Damaged);
    }
    let row = |number: usize| &sound[24 * number..24 * (number + 1)];
    let rest = &sound[48..];
    assert_eq!(found(&[row(1), row(0), rest].concat()), Found::Damaged);
    assert_eq!(found(&[row(0), rest].concat()), Found::Damaged);
    assert_eq!(found(&[row(0), row(1), row(1), rest].concat()), Found::Damaged);
    for len in 0..sound.len() {
        assert_ne!(found(&sound[..len]), Found::Sound, "{len} bytes of it");
    }
    assert_eq!(found(&[&sound[..], &[0]].concat()), Found::Damaged);
}

#[test]
fn a_file_of_another_version_is_written_anew() {
    let folder = folder("version");
    let sound = written::<f32>(&folder, &Spec::new(6), 5, NATIVE);
    let sealed = |unsealed: &[u8], magic: &[u8]| {
        let mut checksum = Checksum::new();
        checksum.add(unsealed);
        [unsealed, &checksum.finish().to_le_bytes(), magic].concat()
    };
    let before = &sound[..sound.len() - SEAL];
    assert!(sealed(before, &MAGIC) == sound);
    // The same format, but the last digit of the version differs. (In a real file the fingerprint would differ,
    // too.)
    let mut other = before.to_vec();
    other[before.len() - 12 - 2] ^= 1;
    assert_eq!(found_instead(&folder, &sound, &sealed(&other, &MAGIC)), Found::Foreign);
    // The first format, which had no checksum, and a future one.
    assert_eq!(found_instead(&folder, &sound, &[before, b"posenc 1"].concat()), Found::Foreign);
    assert_eq!(found_instead(&folder, &sound, &sealed(before, b"posenc 2")), Found::Foreign);
}

#[test]
fn a_long_list_of_frequencies_leaves_room_for_the_remedy() {
    let list: Vec<f64> = (1..1000).map(|i| 1.0 / f64::from(i)).collect();
    let file = written::<f32>(&folder("list"), &Spec::new(1998).frequencies(&list), 5, NATIVE);
    assert!(refusal::<f32>(&file, Spec::new(6), 5).ends_with("and use the same version of posenc"));
    let call = format!("x{}", "é".repeat(1000));
    let file = written::<f32>(&folder("list"), &Spec::new(6), 5, NATIVE);
    let refused = panic::catch_unwind(|| entries_of_file::<f32>(&file, &Spec::new(6), 4, &call).len()).unwrap_err();
    let refused = refused.downcast_ref::<String>().expect("a sentence");
    assert!(refused.contains("asks for: xéé") && refused.ends_with("posenc"), "{refused}");
}

#[test]
fn threads_that_write_the_same_file_do_not_disturb_each_other() {
    let folder = folder("threads");
    std::thread::scope(|scope| {
        for rows in 1..9 {
            scope.spawn({
                let folder = &folder;
                move || write_to::<f32>(folder, "table", &Spec::new(6), rows, NATIVE).unwrap()
            });
        }
    });
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_file_with_the_table_is_left_alone_and_another_replaced() {
    let folder = folder("left");
    let path = folder.join("table.posenc");
    let modified = || fs::metadata(&path).unwrap().modified().unwrap();
    written::<f32>(&folder, &Spec::new(6), 5, NATIVE);
    let long_ago = SystemTime::UNIX_EPOCH;
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(long_ago).unwrap();
    drop(file);
    written::<f32>(&folder, &Spec::new(6), 5, NATIVE);
    assert_eq!(modified(), long_ago);
    written::<f32>(&folder, &Spec::new(6), 4, NATIVE);
    assert_ne!(modified(), long_ago);
    // The right end alone is not enough.
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[4..]).unwrap();
    assert_eq!(written::<f32>(&folder, &Spec::new(6), 4, NATIVE), whole);
}

#[test]
fn what_cannot_be_written_is_told_and_leaves_nothing() {
    let folder = folder("unwritable");
    let sentence = |result: Result<(), Error>| result.unwrap_err().to_string();
    for name in ["", "../up", "a.b", "a b"] {
        assert_eq!(
            sentence(write_table::<f32>(name, &Spec::new(6), 5)),
            format!("the file name is `{name}`, but must be one or more ASCII letters, digits, `_` or `-`")
        );
    }
    // A path through a file, and a path that is a folder.
    fs::write(folder.join("file"), "").unwrap();
    let below = write_to::<f32>(&folder.join("file"), "a", &Spec::new(6), 5, false);
    let source = |error: &Error| core::error::Error::source(error).map(ToString::to_string);
    let io_error = source(below.as_ref().unwrap_err()).expect("a source");
    assert!(sentence(below).contains(&format!("a.posenc`, which takes 120 bytes: {io_error}; check the free space")));
    assert_eq!(source(&SpecError::NoStart.into()), None);
    fs::create_dir_all(folder.join("b.posenc").join("c")).unwrap();
    let onto = write_to::<f32>(&folder, "b", &Spec::new(6), 5, false);
    assert!(sentence(onto).contains("b.posenc`, which"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left over");
}

#[test]
fn a_table_above_the_limit_is_refused_unless_the_limit_is_raised() {
    let sentence = |result: Result<(), Error>| result.unwrap_err().to_string();
    // One row too many.
    let (spec, rows) = (Spec::new(1 << 10), (1 << 18) + 1);
    let limit = "but the limit is 1073741824; reduce";
    let refused = sentence(write_table::<f32>("pe", &spec, rows));
    assert!(refused.contains(limit), "{refused}");
    assert!(
        refused.ends_with("or raise `max_bytes`, as in `build_script::max_bytes(1073745920).write_table(..)`"),
        "{refused}"
    );
    let grid = Grid::new([1 << 9, (1 << 9) + 1], 1 << 10);
    let refused = sentence(write_grid::<f32, 2>("pe", &grid));
    assert!(refused.contains(limit), "{refused}");
    assert!(refused.ends_with("as in `build_script::max_bytes(1075838976).write_grid(..)`"), "{refused}");

    // Outside a build script the next error is that of a variable.
    let accepted = |result| assert!(matches!(result, Err(Error::Variable(_))), "{result:?}");
    accepted(write_table::<f32>("pe", &spec, rows - 1));
    accepted(max_bytes(1_073_745_920).write_table::<f32>("pe", &spec, rows));
    accepted(max_bytes(1_075_838_976).write_grid::<f32, 2>("pe", &grid));
    let refused = sentence(max_bytes(usize::MAX).write_table::<f32>("pe", &spec, usize::MAX));
    assert!(refused.ends_with("; reduce `seq_len` or `d_model`"), "no limit can be raised to that: {refused}");
    assert!(sentence(max_bytes(119).write_table::<f32>("pe", &Spec::new(6), 5)).contains("the limit is 119;"));
}

#[test]
fn what_is_left_of_a_build_that_was_killed_is_removed() {
    let folder = folder("killed");
    let own = format!("table.{}7.part", this_process());
    let kept = ["other.12-34-0.part", "table.of-mine.part", "table-2.12-34-0.part", &own];
    let abandoned = ["table.12-34-0.part", "table.12-0.part"];
    let left = || {
        let mut names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let expected = {
        let mut names: Vec<_> = kept.iter().map(ToString::to_string).chain(["table.posenc".into()]).collect();
        names.sort();
        names
    };
    for name in kept {
        fs::write(folder.join(name), "").unwrap();
    }
    // Also if the file itself is left alone.
    for _ in 0..2 {
        for name in abandoned {
            fs::write(folder.join(name), "").unwrap();
        }
        written::<f32>(&folder, &Spec::new(6), 5, NATIVE);
        assert_eq!(left(), expected);
    }
}
