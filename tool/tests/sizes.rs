//! What takes more space or time than anybody asks for is refused before it begins.

use std::fs;

use crate::common::Folder;

/// The smallest tables above 1 GiB, or about so.
const LARGE: [(&str, &str); 4] = [
    ("table -n 262145 -d 1024", "a table of 262145 x 1024 f32 entries takes 1.00 GiB (1073745920 bytes)"),
    ("rope -n 4194305 -d 64", "a table of 4194305 x 64 f32 entries takes 1.00 GiB (1073742080 bytes)"),
    ("grid -s 513x513 -d 1024", "a table of 263169 x 1024 f32 entries takes 1.00 GiB (1077940224 bytes)"),
    (
        "table -n 100000000000000 -d 64",
        "a table of 100000000000000 x 64 f32 entries takes 22.74 PiB (25600000000000000 bytes)",
    ),
];

#[test]
fn a_table_above_the_limit_is_refused() {
    let folder = Folder::new();
    for (line, size) in LARGE {
        let bytes = size.split(['(', ' ']).rev().nth(1).unwrap();
        let limit = "but the limit is 1.00 GiB (1073741824 bytes)";
        let remedy = format!("use fewer rows or columns, or set --max-bytes {bytes}\n");
        folder.posenc(&format!("{line} -o pe.npy")).refused(&format!("{size}, {limit}; {remedy}"));
        let text = format!("{size}, and more as text, {limit}; {remedy}");
        for file in ["pe.csv", "pe.h", "pe.rs"] {
            folder.posenc(&format!("{line} -o {file}")).refused(&text);
        }
        folder.posenc(&format!("{line} -f bin -o -")).refused(size);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn the_limit_may_be_set() {
    let folder = Folder::new();
    let refused =
        |option: &str, words: &str| folder.posenc(&format!("table -n 9 -d 8 -o pe.bin {option}")).refused(words);
    refused("--max-bytes 287", "takes 288 B (288 bytes), but the limit is 287 B (287 bytes)");
    let wrong = "but must be a number of bytes, such as 4294967296 or 4GiB";
    for text in ["4GB", "GiB", "1.5GiB", "x", "1e9"] {
        refused(&format!("--max-bytes {text}"), &format!("`max_bytes` is `{text}`, {wrong}"));
    }
    refused("--max-bytes=-1", &format!("`max_bytes` is `-1`, {wrong}"));
    for text in ["288", "1KiB", "'1_000 MiB'", "4GiB", "99999999999TiB"] {
        folder.posenc(&format!("table -n 9 -d 8 -o pe.bin --max-bytes {text}")).done();
        assert_eq!(fs::read(folder.path("pe.bin")).unwrap().len(), 288);
    }
    let line = "table -n 99999999999999 -d 16777216 -o pe.npy --max-bytes 99999999TiB";
    folder.posenc(line).refused("but the limit is 9223372036854775807; reduce `seq_len` or `d_model`\n");
}

/// 2^37 entries of 8192 lines of blocks, of each of which a row is computed.
#[test]
fn a_picture_that_takes_minutes_is_refused() {
    let folder = Folder::new();
    let words = "a picture of 10000000 x 16777216 entries needs 137422176256 of them, but the limit is 1073741824; use fewer columns, \
                 or at most 64 rows, such as every n-th with --step\n";
    folder.posenc("plot -n 10000000 -d 16777216 -o pe.png").refused(words);
    assert!(folder.names().is_empty());
}
