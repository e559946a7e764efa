//! Tables from named constants: arrays that the compiler evaluates.

use crate::bake::decode::no_table;
use crate::element::Element;
use crate::element::bits::flatten_mut;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::text::message::Message;

/// Makes the table of the first `N` rows of `spec` as an array, in constants and statics: a `const fn` for the compiler to evaluate.
///
/// `D` is the `d_model` of `spec`. `sinusoidal_table!` with named constants expands to a call of this, and puts errors on the
/// argument concerned; call it yourself where the spec is a constant, or where type parameters tell the element type.
///
/// It takes the compiler some 4 µs an entry of `f32` and 1 ms a pair of columns: 0.1 seconds for 128 x 64, 2 seconds for 512 x 512. Entries
/// of 16 bits take it twice as long, fewer than 4 rows and amplitudes beyond `2^±64` a hundred times. What takes more than some seconds its
/// lint `long_running_const_eval` refuses, unless allowed. Literals in the macro are a thousand times faster.
///
/// # Panics
///
/// For what [`Spec::check_table`] refuses, with the same sentence, and if `D` is not the `d_model` of `spec`. In a constant that is
/// a compile error.
///
/// ```
/// use posenc::{Element, Preset, Spec, const_table};
///
/// mod config {
///     pub const SEQ_LEN: usize = 16;
///     pub const D_MODEL: usize = 8;
/// }
///
/// static PE: [[f32; config::D_MODEL]; config::SEQ_LEN] = const_table(Spec::preset(Preset::Whisper, config::D_MODEL));
///
/// /// A table of whatever type and size are asked for.
/// struct Encoding<T, const N: usize, const D: usize>(T);
///
/// impl<T: Element, const N: usize, const D: usize> Encoding<T, N, D> {
///     const TABLE: [[T; D]; N] = const_table(Spec::preset(Preset::Whisper, D));
/// }
///
/// assert_eq!(Encoding::<f32, 16, 8>::TABLE, PE);
/// ```
#[must_use]
#[track_caller]
pub const fn const_table<T: Element, const N: usize, const D: usize>(spec: Spec) -> [[T; D]; N] {
    let mut rows = no_table();
    match spec.check_table::<T>(N, isize::MAX as usize) {
        Ok(_) if spec.d_model() != D => {
            refuse(&SpecError::ArrayColumns { columns: D, d_model: spec.d_model() }.message())
        }
        Ok(_) => {}
        Err(error) => refuse(&error.message()),
    }
    match spec.const_fill(0.., flatten_mut(&mut rows)) {
        Ok(()) => rows,
        Err(error) => refuse(&error.message()),
    }
}

/// Refuses what `verdict` does, if `parameter` is one of those to mend: called where that stands.
#[track_caller]
pub const fn blame(verdict: &Result<usize, SpecError>, parameter: &str) {
    if let Err(error) = verdict {
        let concerned = error.parameters();
        let mut i = 0;
        while i < concerned.len() {
            if is_equal(concerned[i].as_bytes(), parameter.as_bytes()) {
                refuse(&error.message());
            }
            i += 1;
        }
    }
}

/// The value, or a refusal with the sentence.
#[must_use]
#[track_caller]
pub const fn accepted<T: Copy>(value: &Result<T, Message>) -> T {
    match value {
        Ok(value) => *value,
        Err(sentence) => refuse(sentence),
    }
}

#[track_caller]
pub(crate) const fn refuse(sentence: &Message) -> ! {
    panic!("{}", sentence.as_str())
}

pub(crate) const fn is_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
