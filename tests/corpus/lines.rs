//! The lines of the corpus.

use posenc_identify::Dtype;
use posenc_text::read_call::Call;
use posenc_text::request::Request;

pub(crate) const CORPUS: &str = include_str!("corpus.txt");

/// A table of the corpus.
pub(crate) struct Line {
    pub(crate) hash: &'static str,
    /// The call.
    pub(crate) text: &'static str,
    pub(crate) request: Request,
    pub(crate) dtype: Dtype,
}

impl Line {
    pub(crate) fn read(line: &'static str) -> Self {
        let (hash, text) = line.split_once(' ').expect("a hash and a call");
        let call: Call = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let requests = call.requests();
        let [request] = &requests[..] else { panic!("{text}: set `packing`, so that it is one table") };
        Self { hash, text, request: request.clone(), dtype: call.dtype() }
    }
}

/// Returns all lines.
pub(crate) fn lines() -> Vec<Line> {
    CORPUS.lines().map(Line::read).collect()
}
