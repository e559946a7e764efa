//! Finds the functions that a call covers.

use crate::listing::Function;

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
    let mut on: Option<&str> = None;
    let outline = outline(call);
    for link in outline.split('.') {
        let function = link.strip_suffix("()").and_then(|name| match on {
            Some(on) => method(on, name, functions),
            None => functions.iter().find(|function| function.path == name),
        });
        on = match (function, on) {
            (Some(function), _) => {
                paths.push(&*function.path);
                Some(&function.output)
            }
            // An enum variant.
            (None, None) => link.split_once("::").map(|(of, _)| of),
            (None, Some(on)) if link == "unwrap()" => {
                paths.clear();
                Some(on)
            }
            (None, Some(_)) => return paths,
        };
    }
    paths
}

/// Returns the method of a type, or one of a trait if the type has no such method itself.
fn method<'f>(of: &str, name: &str, functions: &'f [Function]) -> Option<&'f Function> {
    let own = format!("{of}::{name}");
    let inherited = |function: &&Function| function.of_trait && function.path.ends_with(&format!("::{name}"));
    functions.iter().find(|function| function.path == own).or_else(|| functions.iter().find(inherited))
}

/// Returns the call without the contents of its brackets and without generic arguments.
fn outline(call: &str) -> String {
    let mut outline = String::new();
    let mut depth = 0;
    for c in call.chars() {
        let opens = matches!(c, '(' | '[' | '{') || c == '<' && outline.ends_with("::");
        let closes = matches!(c, ')' | ']' | '}') || c == '>' && outline.ends_with('<');
        depth -= i32::from(closes);
        if depth == 0 {
            outline.push(c);
        }
        depth += i32::from(opens);
    }
    // An index is also a link of the chain.
    outline.replace("::<>", "").replace(")[", ").[")
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
