//! Calls and their answers, the rows of the document's tables.

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use posenc::explain::Explanation;
use posenc::reflection::ValueError;
use posenc::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};
use posenc::{
    AxialMacroCall, AxialPreset, AxialRope, Element, Encoder, Flat, GridMacroCall, MacroCall, Quantiser, Report, Rope,
    RopeMacroCall, Rows, Scaling, SpecError, Table,
};

/// The source text of a call, and its answer.
pub(crate) struct Row {
    pub(crate) call: String,
    pub(crate) answer: String,
}

impl Row {
    pub(crate) fn new(written: &str, answer: String) -> Self {
        Self { call: in_one_line(written), answer }
    }
}

/// Replaces the line breaks that `stringify!` inserts by spaces.
pub(crate) fn in_one_line(written: &str) -> String {
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the answer, or the message of the panic.
pub(crate) fn or_panic(answer: impl FnOnce() -> String) -> String {
    static QUIET: Once = Once::new();
    thread_local!(static EXPECTED: Cell<bool> = const { Cell::new(false) });
    // Expected panics are not reported: they would bury the report of the test itself.
    QUIET.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !EXPECTED.get() {
                report(panic);
            }
        }));
    });
    EXPECTED.set(true);
    let answer = catch_unwind(AssertUnwindSafe(answer));
    EXPECTED.set(false);
    answer.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        format!("panics: {}", text.expect("a panic with a sentence"))
    })
}

/// Makes the rows of calls, each of which is used as text and as code.
macro_rules! calls {
    ($($call:expr),* $(,)?) => {
        vec![$($crate::call::Row::new(
            stringify!($call),
            $crate::call::or_panic(|| $crate::call::Answer::told(&$call)),
        )),*]
    };
}

/// Makes the rows of calls that write to a buffer.
///
/// The answer is the content of the buffer after the call, or the error.
macro_rules! fills {
    ($before:expr, |$buffer:ident| [$($call:expr),* $(,)?]) => {
        vec![$($crate::call::Row::new(stringify!($call), {
            let mut entries = $before;
            let $buffer = &mut entries[..];
            let answer = $call;
            $crate::call::written(answer, &entries, &$before)
        })),*]
    };
}

/// Describes the result of a call that writes to a buffer.
///
/// # Panics
///
/// If the call failed and still changed the buffer.
pub(crate) fn written<T: Debug + PartialEq>(answer: Result<(), impl Display>, entries: &T, before: &T) -> String {
    match answer {
        Ok(()) if entries == before => "`Ok`; nothing is written".to_owned(),
        Ok(()) => format!("`{entries:?}`"),
        Err(error) => {
            assert_eq!(entries, before, "written to, in spite of an error: {error}");
            error.to_string()
        }
    }
}

/// Describes the value that a call returns in a few words.
pub(crate) trait Answer {
    fn told(&self) -> String;
}

impl<T: Answer, E: Display> Answer for Result<T, E> {
    fn told(&self) -> String {
        match self {
            Ok(value) => value.told(),
            Err(error) => error.to_string(),
        }
    }
}

impl Answer for () {
    fn told(&self) -> String {
        "`Ok`".to_owned()
    }
}

/// Implements `Answer` by `Debug`.
macro_rules! shown {
    ($($shown:ty)*) => { $(
        impl Answer for $shown {
            fn told(&self) -> String {
                format!("`{self:?}`")
            }
        }
    )* };
}

shown!(bool usize i64 [u8; 3] [(usize, usize); 3] Rope<'_> f32 f64 Vec<f32> Vec<f64> Vec<posenc::F16Bits> Vec<posenc::Q15> Scaling<'_> Linear Ntk Dynamic Yarn Llama3 LongRope<'_> Proportional [f32] Option<(usize, usize)> Option<f32> Option<&f32> MacroCall<'_> RopeMacroCall<'_> GridMacroCall<'_, 2> AxialMacroCall<'_, 2> AxialPreset Quantiser SpecError);

impl<T: Answer + ?Sized> Answer for &T {
    fn told(&self) -> String {
        (**self).told()
    }
}

impl<const A: usize> Answer for AxialRope<'_, A> {
    fn told(&self) -> String {
        format!("`{self}`")
    }
}

impl<T: Debug, const N: usize, const D: usize> Answer for [[T; D]; N] {
    fn told(&self) -> String {
        format!("`{self:?}`")
    }
}

impl Answer for ValueError {
    fn told(&self) -> String {
        self.to_string()
    }
}

impl<T: Element> Answer for Table<T> {
    fn told(&self) -> String {
        match self.seq_len() {
            0 => format!("a table of 0 x {}", self.d_model()),
            _ => format!("`{:?}`", self.rows().collect::<Vec<_>>()),
        }
    }
}

impl<T: Element> Answer for Encoder<'_, T> {
    fn told(&self) -> String {
        "an encoder".to_owned()
    }
}

impl<T> Answer for Flat<'_, T> {
    fn told(&self) -> String {
        format!("{} rows", self.seq_len())
    }
}

impl<T: Element> Answer for Explanation<T> {
    fn told(&self) -> String {
        format!("explains `{:?}`", self.result)
    }
}

impl<T: Element> Answer for Report<T> {
    fn told(&self) -> String {
        let (entries, differing, not_finite) = (self.entries(), self.differing(), self.not_finite());
        format!("entries: {entries}, differing: {differing}, not finite: {not_finite}")
    }
}
