//! Which symbols belong to posenc, and which compute sines.

/// Returns whether a symbol is code or data of posenc.
///
/// Debug builds share instances of generic functions of core and alloc between crates. The newer mangling scheme appends
/// the crate that instantiated such a function first, which does not count.
pub(super) fn is_of_posenc(name: &str) -> bool {
    without_instantiating_crate(name).contains("posenc")
}

/// Returns a name without an end such as `Cs1a2b_14posenc_runtime`.
fn without_instantiating_crate(name: &str) -> &str {
    let is_crate = |end: &str| -> Option<bool> {
        let (hash, end) = end.split_once('_')?;
        let (length, end) = end.split_once("posenc_")?;
        let is = |text: &str, of: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|byte| of(&byte));
        Some(is(hash, u8::is_ascii_alphanumeric) && is(length, u8::is_ascii_digit) && is(end, u8::is_ascii_lowercase))
    };
    let mut ends = name.match_indices("Cs").map(|(at, _)| at);
    ends.find(|at| is_crate(&name[at + 2..]) == Some(true)).map_or(name, |at| &name[..at])
}

/// Returns whether a symbol is a sine or cosine, or reduces an argument of one.
pub(super) fn is_sine(name: &str) -> bool {
    let name = without_crate_hashes(name);
    let mut words = name.split(|c: char| !c.is_ascii_lowercase());
    name.contains("rem_pio2")
        || words.any(|word| ["sin", "cos", "sincos"].contains(&word.strip_suffix('f').unwrap_or(word)))
}

/// Returns a name without the hashes of crates, such as `Cs1a2b_`, in which any word can occur.
fn without_crate_hashes(name: &str) -> String {
    let mut parts = name.split("Cs");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| match part.split_once('_') {
        Some((hash, rest)) if !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_alphanumeric()) => name + rest,
        _ => name + "Cs" + part,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_of_posenc, is_sine, without_crate_hashes};

    #[test]
    fn the_instantiating_crate_does_not_count() {
        assert!(is_of_posenc("_ZN14posenc_runtime4text4plus17h0E"));
        assert!(is_of_posenc("_RNvNtCs1a2b_14posenc_runtime4text4plus"));
        assert!(is_of_posenc("_RNvNtCs1a2b_14posenc_runtime4text4plusCs3c_14posenc_runtime"));
        assert!(!is_of_posenc("_RINvNtCs9z_4core3ptr4readyECs3c_14posenc_runtime"));
        assert!(!is_of_posenc("_ZN4core3ptr4read17h0E"));
    }

    #[test]
    fn sines_are_words_of_a_name() {
        for name in
            ["sin", "cosf", "_ZN4libm4math5k_sin17h0E", "_RNvCs1a_4libm6sincosf", "__ieee754_rem_pio2f", "__sin_fma"]
        {
            assert!(is_sine(name), "{name}");
        }
        for name in ["using", "cosine", "_ZN5basin4core17h0E", "expf", "_RNvCssin_4core3ptr", "_RNvCs1sin2_4core3ptr"] {
            assert!(!is_sine(name), "{name}");
        }
    }

    #[test]
    fn hashes_of_crates_are_left_out() {
        assert_eq!(without_crate_hashes("_RNvCs1a_4coreCsB_3std"), "_RNv4core3std");
        assert_eq!(without_crate_hashes("aCs_bCs"), "aCs_bCs");
    }
}
