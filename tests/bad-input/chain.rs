//! Finds the functions that a call covers.

use syn::{Expr, ExprPath};

use crate::listing::{Function, is_method};

/// Returns the paths of the functions in a chain of method calls, without those in the arguments.
///
/// `Spec::new(4).step(0).fill(1.., row)` covers `Spec::new`, `Spec::step` and `Spec::fill`. Everything before an
/// `unwrap()` is only setup: `Spec::new(4).prepare::<f32>(2).unwrap().encode_row(0, row)` covers `Encoder::encode_row`
/// alone.
///
/// The type of a method is the return type of the function before it. So a method of the same name on another type, or
/// a longer name, does not match.
pub(crate) fn chain<'f>(call: &str, functions: &'f [Function]) -> Vec<&'f str> {
    let mut paths = Vec::new();
    // Some calls of the macro are no expressions.
    if let Ok(call) = syn::parse_str(call) {
        follow(&call, functions, &mut paths);
    }
    paths
}

/// Adds the functions of a chain, and returns the type of its value if that is known.
fn follow<'f>(call: &Expr, functions: &'f [Function], paths: &mut Vec<&'f str>) -> Option<String> {
    let function = match call {
        Expr::MethodCall(call) => {
            let (of, name) = (follow(&call.receiver, functions, paths)?, call.method.to_string());
            let inherited = |function: &&Function| function.of_trait && function.path.ends_with(&format!("::{name}"));
            let own = functions.iter().find(|function| is_method(function, &of, &name));
            match own.or_else(|| functions.iter().find(inherited)) {
                None if name == "unwrap" => {
                    paths.clear();
                    return Some(of);
                }
                found => found?,
            }
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            let (of, name) = (owner(path), last(path)?);
            let is_called = |function: &&Function| match &of {
                Some(of) => is_method(function, of, &name),
                None => function.path == name,
            };
            match functions.iter().find(is_called) {
                // A function of a trait of another crate, such as `deserialize`.
                None => return of,
                Some(function) => function,
            }
        }
        // A field of what a function returns, whose type is unknown.
        Expr::Field(field) => {
            follow(&field.base, functions, paths);
            return None;
        }
        // An enum variant.
        Expr::Path(variant) => return owner(variant),
        _ => return None,
    };
    paths.push(&function.path);
    Some(function.output.clone())
}

/// Returns the type or module that a function or a variant belongs to.
fn owner(path: &ExprPath) -> Option<String> {
    path.path.segments.iter().rev().nth(1).map(|segment| segment.ident.to_string())
}

fn last(path: &ExprPath) -> Option<String> {
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::functions;

    #[test]
    fn a_call_is_of_the_functions_in_its_chain_only() {
        let functions = functions();
        let of = |call| chain(call, &functions);
        assert_eq!(of("Spec::new(2).zero_row(1).fill(0.., row)"), ["Spec::new", "Spec::zero_row", "Spec::fill"]);
        assert_eq!(of("embeddings::add(x, &[[1.0; 4]; 2], 0..3)"), ["embeddings::add"]);
        assert_eq!(of("Spec::new(4).add_rows(x, &[[1.0; 4]; 0], 0..2)"), ["Spec::new", "Spec::add_rows"]);
        assert_eq!(of("const_table::<f32, 2, 4>(Spec::new(4).base(f64::NAN))"), ["const_table"]);
        assert_eq!(of("Preset::Mlx.models()"), ["Preset::models"]);
        assert_eq!(of("build_script::write_table::<f32>(\"\", &Spec::new(4), 2)"), ["build_script::write_table"]);
        assert_eq!(of("sinusoidal_table!(2, 4)"), [""; 0]);
    }

    #[test]
    fn a_row_is_one_of_what_it_is_called_on() {
        let functions = functions();
        let of = |call| chain(call, &functions);
        assert_eq!(of("sinusoidal_table(2, 4).unwrap().row(2)"), ["Table::row"]);
        assert_eq!(of("sinusoidal_table(2, 4).unwrap()[2]"), [""; 0]);
        assert_eq!(of("Flat::new(&[0.0f32; 8], 4).unwrap().row(2)"), ["Rows::row"]);
        assert_eq!(of("Rows::<f32>::row(&[[0.0; 4]; 2], 2)"), ["Rows::row"]);
        assert_eq!(of("Spec::new(4).prepare::<f32>(2).unwrap().encode_row(2, row)"), ["Encoder::encode_row"]);
    }
}
