//! Names of functions.

/// What the legacy mangling scheme writes for a sign.
const ESCAPES: [(&str, &str); 4] = [("$LT$", "<"), ("$GT$", ">"), ("$u20$", " "), ("..", "::")];

/// Returns the demangled name of a function without its hash and its generic arguments, in either mangling scheme.
pub(super) fn plain(demangled: &str) -> String {
    let name = ESCAPES.iter().fold(without_hash(demangled).to_owned(), |name, (from, to)| name.replace(from, to));
    let name = of_type(without_arguments(&name));
    without_numbers(&name).replace("posenc_runtime::", "")
}

/// Returns a name without an end such as `::h0123456789abcdef`.
fn without_hash(name: &str) -> &str {
    let is_hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.rsplit_once("::h").filter(|(_, hash)| is_hash(hash)).map_or(name, |(name, _)| name)
}

/// Returns a name without an end such as `::<u32>`.
fn without_arguments(name: &str) -> &str {
    let parts = name.strip_suffix('>').and_then(|name| name.rsplit_once("::<"));
    parts.filter(|(_, arguments)| !arguments.contains(['<', '>'])).map_or(name, |(name, _)| name)
}

/// Returns `Type::function` for `<Type>::function`.
fn of_type(name: &str) -> String {
    let parts = name.strip_prefix('<').and_then(|name| name.rsplit_once(">::"));
    let is_word = |function: &str| function.chars().all(|c| c.is_alphanumeric() || c == '_');
    let parts = parts.filter(|(_, function)| is_word(function));
    parts.map_or(name.to_owned(), |(of, function)| format!("{of}::{function}"))
}

/// Returns `Float<_>` for `Float<3>` and for `Float<3usize>`.
fn without_numbers(name: &str) -> String {
    let is_number = |argument: &str| {
        let digits = argument.strip_suffix("usize").unwrap_or(argument);
        let digits = digits.strip_suffix('_').unwrap_or(digits);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut parts = name.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| match part.split_once('>') {
        Some((argument, rest)) if is_number(argument) => format!("{name}<_>{rest}"),
        _ => format!("{name}<{part}"),
    })
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_both_mangling_schemes_are_shortened_alike() {
        for (demangled, expected) in [
            ("posenc_runtime::exact::limbs::quotient::h0123456789abcdef", "exact::limbs::quotient"),
            (
                "posenc_runtime::exact::float::Float$LT$3_usize$GT$::new::h0123456789abcdef",
                "exact::float::Float<_>::new",
            ),
            ("<posenc_runtime::exact::float::Float<3usize>>::new", "exact::float::Float<_>::new"),
            ("<posenc_runtime::exact::Sinusoid>::enclose::<12usize>", "exact::Sinusoid::enclose"),
            (
                "posenc_runtime::fill::_$LT$impl$u20$posenc_runtime..spec..Spec$GT$::fill",
                "fill::_<impl spec::Spec>::fill",
            ),
            ("core::panicking::panic_fmt", "core::panicking::panic_fmt"),
            ("main::h0123", "main::h0123"),
        ] {
            assert_eq!(plain(demangled), expected, "{demangled}");
        }
    }
}
