//! Gives the macro a folder for large tables.
//!
//! Each build of the macro gets an empty one, so that it never finds a table of other arithmetic, not even one of the
//! same version. Cargo runs this again if `posenc-runtime` has changed, because that is a build dependency.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=POSENC_LITERAL");
    let folder = env::var_os("OUT_DIR").filter(|_| env::var_os("POSENC_LITERAL").is_none());
    let folder = folder.and_then(|out| empty_folder(Path::new(&out)).ok());
    // Without a folder, or if its path is not text, all tables are literals.
    let path = folder.as_deref().and_then(Path::to_str).filter(|path| !path.contains('\n')).unwrap_or("");
    println!("cargo::rustc-env=POSENC_TABLE_FOLDER={path}");
}

/// Replaces the numbered folder in `out` by the next one.
fn empty_folder(out: &Path) -> io::Result<PathBuf> {
    let mut next = 0;
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        if let Some(number) = entry.file_name().to_str().and_then(|name| name.parse::<u64>().ok()) {
            next = next.max(number + 1);
            fs::remove_dir_all(entry.path())?;
        }
    }
    let folder = out.join(next.to_string());
    fs::create_dir(&folder)?;
    Ok(folder)
}
