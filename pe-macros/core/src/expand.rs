//! From call to expansion.

use posenc_runtime::Spec;
use proc_macro2::TokenStream;

use crate::arguments::{self, Call};
use crate::build_script_file;
use crate::check::request;
use crate::diagnostic::Diagnostic;
use crate::emit;
use crate::items::{self, Item};
use crate::request::{Refusal, Request, Shape, Source};

/// Expands `byte_order (crate_path) input`, which is what the facade's `sinusoidal_table!` passes on.
///
/// The byte order is the target's, `big` or `little`. The path is the facade's, and the input is what the user wrote.
#[must_use]
pub fn expand(call: TokenStream) -> TokenStream {
    let Call { big_endian, crate_path, input } = match syn::parse2(call) {
        Ok(call) => call,
        Err(error) => return error.into_compile_error(),
    };
    if items::is_items(&input) {
        return match items::items(input) {
            Ok(items) => items.iter().map(|item| expanded(item, big_endian, &crate_path)).collect(),
            Err(diagnostic) => emit::errors(&[diagnostic], &crate_path),
        };
    }
    match table(input, big_endian, &crate_path) {
        Ok((_, value)) => value,
        Err(refusal) => emit::refusal(&refusal, &crate_path),
    }
}

/// How a table will be made, as known before any entry is computed.
pub enum Outcome<'a> {
    /// The macro computes it.
    Baked {
        /// The parameters of the table.
        spec: Spec<'a>,
        /// The size of the table.
        bytes: usize,
    },
    /// The compiler evaluates it, or includes it from a file.
    Left,
    /// The call has errors.
    Refused,
}

/// Calls `see` with the outcome of each table of a call with this `input`.
///
/// A fuzzer can tell from it how long [`expand`] would take.
pub fn foresee(input: TokenStream, mut see: impl FnMut(&Outcome)) {
    let mut one = |input| {
        let mut frequencies = Vec::new();
        let arguments = arguments::arguments(input);
        let request = arguments
            .map_err(Refusal::from)
            .and_then(|arguments| request(&arguments, &TokenStream::new(), &mut frequencies));
        see(&match request {
            Ok(Request { shape, source: Source::Macro { spec, seq_len } }) => {
                match shape.dtype.check_table(&spec, seq_len, usize::MAX) {
                    Ok(bytes) => Outcome::Baked { spec, bytes },
                    Err(_) => Outcome::Refused,
                }
            }
            Ok(_) => Outcome::Left,
            Err(_) => Outcome::Refused,
        });
    };
    if !items::is_items(&input) {
        one(input);
    } else if let Ok(items) = items::items(input) {
        for item in items {
            one(item.arguments);
        }
    } else {
        see(&Outcome::Refused);
    }
}

/// Returns the item, or its errors.
///
/// If its type is known, the errors are followed by an item of that type without the entries.
fn expanded(item: &Item, big_endian: bool, crate_path: &TokenStream) -> TokenStream {
    match table(item.arguments.clone(), big_endian, crate_path) {
        Ok((shape, value)) => item.with(&shape.array(crate_path), &value, crate_path),
        Err(Refusal { diagnostics, shape }) => {
            let mut tokens = item.refused(&diagnostics, crate_path);
            if let Some(shape) = shape {
                tokens.extend(item.with(&shape.array(crate_path), &emit::no_table(&shape, crate_path), crate_path));
            }
            tokens
        }
    }
}

fn table(input: TokenStream, big_endian: bool, crate_path: &TokenStream) -> Result<(Shape, TokenStream), Refusal> {
    let arguments = arguments::arguments(input)?;
    let mut frequencies = Vec::new();
    let Request { shape, source } = request(&arguments, crate_path, &mut frequencies)?;
    let value = match source {
        Source::Macro { spec, seq_len } => {
            let emit = |bytes: &[u8]| emit::table(&shape, bytes, crate_path);
            let table = shape.dtype.table_bytes(&spec, seq_len, big_endian, emit);
            table.map_err(|error| vec![Diagnostic::at(&arguments.seq_len, error)])?
        }
        Source::Compiler(code) => emit::evaluated(&shape, &code, crate_path),
        Source::File(code, name) => match build_script_file::check(&name) {
            Ok(()) => emit::included(&shape, &code, &name, crate_path),
            Err(diagnostic) => return Err(Refusal { diagnostics: vec![diagnostic], shape: Some(shape) }),
        },
    };
    Ok((shape, value))
}
