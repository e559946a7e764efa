//! Each line of `corpus.txt` is the SHA-256 of a table and the macro call that makes it. Every entry point has to make the
//! table with this hash.
//!
//! A line with `-` in place of the hash is new: `POSENC_RECORD=1 cargo test --package corpus every_line` writes the hashes
//! of such lines, from `Spec::table` or `Grid::table`. The hashes of other lines never change; if they have to, the change
//! belongs under **Output** in the changelog.

mod complete;
mod entry_points;
mod lines;

use std::collections::BTreeMap;

use posenc_text::with_stored;

use crate::entry_points::{EntryPoint, Unsupported};
use crate::lines::{CORPUS, Line, lines};

/// Every entry point makes every table that it supports.
#[test]
fn every_entry_point_makes_every_table() {
    let mut counts = BTreeMap::new();
    for line in lines() {
        for entry_point in EntryPoint::ALL {
            let hash = with_stored!(line.dtype, T => entry_point.hash::<T>(&line.request));
            match hash {
                Ok(hash) => assert_eq!(hash, line.hash, "{entry_point:?}: {}", line.text),
                Err(Unsupported(reason)) => *counts.entry((entry_point, reason)).or_insert(0) += 1,
            }
        }
    }
    let all = lines().len();
    for entry_point in EntryPoint::ALL {
        let reasons = || counts.iter().filter(|((of, _), _)| *of == entry_point);
        let left_out: usize = reasons().map(|(_, count)| count).sum();
        println!("{entry_point:?}: {} of {all} tables", all - left_out);
        reasons().for_each(|((_, reason), count)| println!("    not {count}: {reason}"));
        assert!(left_out < all, "{entry_point:?} makes none of them");
    }
}

/// A table that is printed as its hash in two lines would be there twice.
#[test]
fn no_call_is_there_twice() {
    let mut calls: Vec<_> = lines().into_iter().map(|line| line.text).collect();
    calls.sort_unstable();
    assert!(calls.windows(2).all(|two| two[0] != two[1]));
}

/// With `POSENC_RECORD`, the hashes of new lines are written.
#[test]
fn every_line_has_a_hash() {
    let recorded = CORPUS.lines().map(|text| match text.strip_prefix("- ") {
        Some(call) => {
            let Line { request, dtype, .. } = Line::read(text);
            let hash = with_stored!(dtype, T => EntryPoint::Table.hash::<T>(&request)).expect("a table");
            format!("{hash} {call}\n")
        }
        None => format!("{text}\n"),
    });
    let recorded: String = recorded.collect();
    if std::env::var_os("POSENC_RECORD").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus.txt");
        std::fs::write(path, recorded).expect("corpus.txt is writable");
    } else {
        assert!(recorded == CORPUS, "a line has no hash; run POSENC_RECORD=1 cargo test --package corpus every_line");
    }
}
