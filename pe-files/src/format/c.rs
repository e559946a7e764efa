//! Arrays in C: headers, and source files.

use super::parts::{Facts, Parts, append_array};
use crate::element::Stored;

pub(super) fn parts<T: Stored>(facts: &Facts) -> Result<Parts<T>, String> {
    if facts.shape[0] == 0 {
        return Err("the table has 0 rows, but an array in C must have at least 1".to_owned());
    }
    facts.refuse_vector()?;
    let name = facts.identifier()?;
    let is_header = !is_source_file(facts);
    let before = [comment::<T>(facts), opening::<T>(&name, facts.shape, is_header)].concat();
    Ok(Parts {
        before: before.into_bytes(),
        append_row: |row, code| append_array(row, ['{', '}'], T::c, code),
        after: if is_header { "};\n\n#endif\n" } else { "};\n" },
    })
}

/// Returns whether the array is defined in a source file, for other files to declare.
///
/// A header has a static array, so that several files can include it.
fn is_source_file(facts: &Facts) -> bool {
    facts.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("c"))
}

fn comment<T: Stored>(facts: &Facts) -> String {
    let [rows, columns] = facts.shape;
    let (version, call, note) = (env!("CARGO_PKG_VERSION"), facts.call, T::NOTE);
    let note = if note.is_empty() { String::new() } else { format!(" * {note}\n") };
    format!(
        "/* Positional encodings: {rows} x {columns} {}, each entry correctly rounded.\n{note} \
         * Written by posenc {version}; the table of {call}. */\n",
        T::DTYPE
    )
}

/// Returns the code from the guard to the brace before the rows.
fn opening<T: Stored>(name: &str, [rows, columns]: [usize; 2], is_header: bool) -> String {
    let (upper, c) = (name.to_uppercase(), T::C);
    let guard = if is_header { format!("#ifndef {upper}_H\n#define {upper}_H\n\n") } else { String::new() };
    let types = if c.ends_with("_t") { "#include <stdint.h>\n\n" } else { "" };
    let array = format!("const {c} {name}[{upper}_ROWS][{upper}_COLUMNS]");
    let storage = if is_header {
        format!("{upper}_ATTRIBUTE static {array}")
    } else {
        // In C++ a constant without this declaration would be invisible to other files.
        format!("{upper}_ATTRIBUTE extern {array};\n{upper}_ATTRIBUTE {array}")
    };
    format!(
        "{guard}{types}\
         #define {upper}_ROWS {rows}\n\
         #define {upper}_COLUMNS {columns}\n\n\
         /* Define it before this line to give the table an attribute, such as a section or an alignment. */\n\
         #ifndef {upper}_ATTRIBUTE\n\
         #define {upper}_ATTRIBUTE\n\
         #endif\n\n\
         {storage} = {{\n"
    )
}
