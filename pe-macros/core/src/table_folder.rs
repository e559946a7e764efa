//! A folder of the macro's own, in which large tables are files.
//!
//! Including a file costs the compiler half of what a literal does. Whatever fails here, the table becomes a literal.

use std::error::Error;
use std::fs::{self, File, FileTimes};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime};

use posenc_runtime::{CheckedTable, TableFile};

/// The smallest table that is put into a file.
pub(crate) const LEAST_BYTES: usize = 1 << 17;

/// The size of the folder above which unused files are removed.
const MOST_BYTES: u64 = 1 << 30;

/// A file used within this time is not removed, because the compiler may be about to read it.
const IN_USE: Duration = Duration::from_secs(60 * 60);

/// Returns the modification time of each file, in September 2001.
///
/// Cargo would compile the crate again if a file were newer than the beginning of the compilation. The time is also a
/// seal, because whatever writes to the file changes it. Some file systems round times to one or two seconds.
fn sealed() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
}

/// Returns the path of a file of the table, or `None` if the table must be a literal.
///
/// A file is replaced unless it certainly holds the table.
pub(crate) fn path(folder: &Path, table: &CheckedTable, big_endian: bool) -> Option<String> {
    let file = folder.join(format!("{:016x}.posenc", table.fingerprint(big_endian)));
    let path = file.to_str()?.to_owned();
    if !holds(&file, table, big_endian).unwrap_or(false) {
        // The compiler will need more memory than this. If there is not even this much, the error is the same as for a
        // literal.
        Vec::<u8>::new().try_reserve_exact(table.bytes()).ok()?;
        write(&file, table, big_endian).ok()?;
        // Another process may be removing the same files.
        let _ = remove_unused(folder, MOST_BYTES);
    }
    Some(path)
}

/// Returns whether the file at `path` is sealed and holds the table, and marks it as in use.
fn holds(path: &Path, table: &CheckedTable, big_endian: bool) -> io::Result<bool> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let found = file.metadata()?;
    if found.modified()? != sealed() {
        return Ok(false);
    }
    file.set_times(FileTimes::new().set_accessed(SystemTime::now()))?;
    let read = |offset, piece: &mut [u8]| file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(piece));
    Ok(TableFile { table, big_endian }.is(found.len(), read)? && path.try_exists()?)
}

/// Writes the file of the table beside `path`, and then moves it there in one step.
fn write(path: &Path, table: &CheckedTable, big_endian: bool) -> Result<(), Box<dyn Error>> {
    // Processes in different containers may have the same id.
    let moment = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
    let aside = path.with_extension(format!("{}-{moment}.part", process::id()));
    let file = File::create_new(&aside)?;
    let written = write_sealed(file, table, big_endian).and_then(|()| {
        // On a file system that does not keep the time, cargo would compile the crate again and again.
        if fs::metadata(&aside)?.modified()? != sealed() {
            return Err("the modification time is another one".into());
        }
        Ok(fs::rename(&aside, path)?)
    });
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}

fn write_sealed(mut file: File, table: &CheckedTable, big_endian: bool) -> Result<(), Box<dyn Error>> {
    TableFile { table, big_endian }.write(|bytes| file.write_all(bytes))?;
    Ok(file.set_times(FileTimes::new().set_accessed(SystemTime::now()).set_modified(sealed()))?)
}

/// Removes files, the longest unused first, until the folder takes at most `most_bytes` or all others are in use.
fn remove_unused(folder: &Path, most_bytes: u64) -> io::Result<()> {
    let now = SystemTime::now();
    let (mut files, mut total) = (Vec::<(SystemTime, u64, PathBuf)>::new(), 0);
    for entry in fs::read_dir(folder)?.flatten() {
        let Ok(found) = entry.metadata() else { continue };
        let (Ok(used), len) = (found.accessed(), found.len()) else { continue };
        let longer_unused = files.partition_point(|(before, ..)| *before < used);
        files.insert(longer_unused, (used, len, entry.path()));
        total += len;
    }
    for (used, len, path) in files {
        let is_unused = now.duration_since(used).is_ok_and(|unused| unused >= IN_USE);
        if total <= most_bytes || !is_unused {
            break;
        }
        fs::remove_file(path)?;
        total -= len;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
