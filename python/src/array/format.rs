//! Formats of the buffer protocol.

use super::element::ElementKind;

/// Returns the type of entries with a format and a size, and whether their byte order is not that of this machine.
///
/// The size of an entry comes from the buffer. The size that a character stands for depends on the machine and on a
/// prefix, which some exporters leave out. The error is the name of a type that has no [`ElementKind`].
pub(super) fn kind_of(format: &str, size: usize) -> Result<(ElementKind, bool), String> {
    let (big, character) = match format.as_bytes() {
        [character] | [b'@' | b'=' | b'^', character] => (cfg!(target_endian = "big"), character),
        [b'<', character] => (false, character),
        [b'>' | b'!', character] => (true, character),
        _ => return Err(name_of(format)),
    };
    let kind = match (character, size) {
        (b'e', 2) => ElementKind::F16,
        (b'f', 4) => ElementKind::F32,
        (b'd', 8) => ElementKind::F64,
        (b'b', 1) => ElementKind::I8,
        (b'B', 1) => ElementKind::U8,
        (b'h' | b'i' | b'l' | b'q' | b'n', 2) => ElementKind::I16,
        (b'h' | b'i' | b'l' | b'q' | b'n', 4) => ElementKind::I32,
        (b'h' | b'i' | b'l' | b'q' | b'n', 8) => ElementKind::I64,
        (b'H' | b'I' | b'L' | b'Q' | b'N', 2) => ElementKind::U16,
        (b'H' | b'I' | b'L' | b'Q' | b'N', 4) => ElementKind::U32,
        (b'H' | b'I' | b'L' | b'Q' | b'N', 8) => ElementKind::U64,
        _ => return Err(name_of(format)),
    };
    Ok((kind, size > 1 && big != cfg!(target_endian = "big")))
}

/// Returns the name of a type that has no [`ElementKind`].
fn name_of(format: &str) -> String {
    match format.trim_start_matches(['@', '=', '<', '>', '!', '^']) {
        "?" => "bool".to_owned(),
        "g" => "longdouble".to_owned(),
        "Zf" => "complex64".to_owned(),
        "Zd" => "complex128".to_owned(),
        "O" => "object".to_owned(),
        _ => format!("of the format {format:?}"),
    }
}
