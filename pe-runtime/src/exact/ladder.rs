//! More and more limbs, until they are enough.

/// The first `Some` among what an expression comes to with each of these numbers of limbs, which it names, or `None`.
///
/// A macro, since a closure can be neither generic nor called by a `const fn`.
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
