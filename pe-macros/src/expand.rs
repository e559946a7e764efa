//! From call to expansion, as functions of tokens. Apart from the macro itself, so that a fuzzer can call it.

use proc_macro2::TokenStream;

use crate::complaint::Complaint;
use crate::parse::Call;
use crate::spec::{Door, Refusal, Request, Shape};
use crate::{declare, emit, evaluate, file, parse, spec};

/// The expansion of a call.
pub(crate) fn expand(call: Call) -> TokenStream {
    let Call { big_endian, crate_path, input } = call;
    if declare::declares(&input) {
        return match declare::declarations(input) {
            Ok(items) => items.iter().map(|item| declared(item, big_endian, &crate_path)).collect(),
            Err(complaint) => emit::errors(&[complaint], &crate_path),
        };
    }
    match table(input, big_endian, &crate_path) {
        Ok((_, value)) => value,
        Err(refusal) => emit::refusal(&refusal, &crate_path),
    }
}

/// The item, or its errors, with an item without entries if its type is known.
fn declared(item: &declare::Declaration, big_endian: bool, crate_path: &TokenStream) -> TokenStream {
    match table(item.arguments.clone(), big_endian, crate_path) {
        Ok((shape, value)) => item.with(&shape.array(crate_path), &value, crate_path),
        Err(Refusal { complaints, shape }) => {
            let mut tokens = item.refused(&complaints, crate_path);
            if let Some(shape) = shape {
                tokens.extend(item.with(&shape.array(crate_path), &emit::no_table(&shape, crate_path), crate_path));
            }
            tokens
        }
    }
}

fn table(input: TokenStream, big_endian: bool, crate_path: &TokenStream) -> Result<(Shape, TokenStream), Refusal> {
    let arguments = parse::arguments(input)?;
    let mut frequencies = Vec::new();
    let Request { shape, door } = spec::request(&arguments, crate_path, &mut frequencies)?;
    let value = match door {
        Door::Macro { spec, seq_len } => {
            let emit = |bytes: &[u8]| emit::table(&shape, bytes, crate_path);
            evaluate::evaluate((&spec, seq_len, shape.dtype), big_endian, emit)
                .map_err(|error| vec![Complaint::at(&arguments.seq_len, error)])?
        }
        Door::Const(call) => emit::evaluated(&shape, &call, crate_path),
        Door::File(call, name) => match file::check(&name) {
            Ok(()) => emit::included(&shape, &call, &name, crate_path),
            Err(complaint) => return Err(Refusal { complaints: vec![complaint], shape: Some(shape) }),
        },
    };
    Ok((shape, value))
}
