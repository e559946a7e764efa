//! The ladder of precisions.

/// Evaluates an expression with increasing numbers of limbs, and returns the first `Some`, or `None` if there is none.
///
/// The expression can use the number of limbs by the given name. This is a macro, because a closure cannot be generic,
/// and a `const fn` cannot call one.
macro_rules! ladder {
    ($name:ident of $($limbs:expr),+ => $attempt:expr) => {{
        let mut found = None;
        $(if found.is_none() {
            const $name: usize = $limbs;
            found = $attempt;
        })+
        found
    }};
}
