//! Calls and their answers.

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use posenc::explain::Explanation;
use posenc::{Element, Encoder, Flat, MacroCall, Report, Rows, SpecError, Table};

/// A call as it is written, and its answer.
pub(crate) struct Row {
    pub(crate) call: String,
    pub(crate) answer: String,
}

impl Row {
    pub(crate) fn new(written: &str, answer: String) -> Self {
        Self { call: in_one_line(written), answer }
    }
}

/// Code without the line breaks that `stringify!` gives it.
pub(crate) fn in_one_line(written: &str) -> String {
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The answer, or the sentence of a panic in its place.
pub(crate) fn or_panic(answer: impl FnOnce() -> String) -> String {
    static QUIET: Once = Once::new();
    thread_local!(static EXPECTED: Cell<bool> = const { Cell::new(false) });
    // What is expected is not reported, or else it would bury what the test reports in the end.
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

/// The rows of some calls, each of which is both text and code.
macro_rules! calls {
    ($($call:expr),* $(,)?) => {
        vec![$($crate::call::Row::new(
            stringify!($call),
            $crate::call::or_panic(|| $crate::call::Answer::told(&$call)),
        )),*]
    };
}

/// The rows of calls that write to a buffer: what it holds then, or why it was left alone.
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

/// The answer of a call that writes to a buffer. An error leaves that alone.
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

/// What a call returns, in a few words.
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

/// What shows itself.
macro_rules! shown {
    ($($shown:ty)*) => { $(
        impl Answer for $shown {
            fn told(&self) -> String {
                format!("`{self:?}`")
            }
        }
    )* };
}

shown!(bool usize f32 f64 Vec<f64> [f32] Option<(usize, usize)> Option<f32> Option<&f32> MacroCall<'_> SpecError);

impl<T: Answer + ?Sized> Answer for &T {
    fn told(&self) -> String {
        (**self).told()
    }
}

impl<T: Debug, const N: usize, const D: usize> Answer for [[T; D]; N] {
    fn told(&self) -> String {
        format!("`{self:?}`")
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
