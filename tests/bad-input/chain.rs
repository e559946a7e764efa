//! Which functions a call is of.

use crate::listing::Function;

/// The paths of the functions that are called one on another, without those in their arguments: `Spec::new(4).step(0).fill(1.., row)` is
/// of `Spec::new`, `Spec::step` and `Spec::fill`. What is unwrapped has done well and only leads there, so that
/// `Spec::new(4).prepare::<f32>(2).unwrap().encode_row(0, row)` is of `Encoder::encode_row` alone.
///
/// What a method belongs to is known from what the function before it returns, so that neither another type's method of the same name
/// nor a longer name is taken for it.
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
            // A variant.
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

/// The method of a type; one of a trait if the type has none itself.
fn method<'f>(of: &str, name: &str, functions: &'f [Function]) -> Option<&'f Function> {
    let own = format!("{of}::{name}");
    let inherited = |function: &&Function| function.of_trait && function.path.ends_with(&format!("::{name}"));
    functions.iter().find(|function| function.path == own).or_else(|| functions.iter().find(inherited))
}

/// The call without what is in its brackets, and without generic arguments.
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
    // An index is a link too.
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
