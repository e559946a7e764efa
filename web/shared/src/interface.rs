//! The functions that the page calls, with pointers into the memory that both see.

use std::cell::RefCell;

use posenc_text::words::printable;
use serde::{Deserialize, Serialize};

use crate::words::in_page;

/// What a call returns.
pub enum Reply {
    /// JSON.
    Text(String),
    /// Entries, or a file.
    Bytes(Vec<u8>),
}

thread_local! {
    /// The answer to the last call. WebAssembly has one thread.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What an answer is.
const TEXT: u32 = 0;
const BYTES: u32 = 1;
const ERROR: u32 = 2;

/// Makes room for the argument of a call, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    ANSWER.with_borrow_mut(|answer| {
        answer.clear();
        answer.resize(bytes, 0);
        answer.as_mut_ptr()
    })
}

/// Calls a function: the room has its name, a newline and its arguments as JSON. Returns 0 for text, 1 for bytes and 2 for
/// the sentence of an error.
pub fn call(answer: fn(&str, &str) -> Result<Reply, String>) -> u32 {
    let argument = ANSWER.take();
    let text = String::from_utf8_lossy(&argument);
    let (function, arguments) = text.split_once('\n').unwrap_or((&text, ""));
    let (kind, bytes) = match answer(function, arguments) {
        Ok(Reply::Text(text)) => (TEXT, text.into_bytes()),
        Ok(Reply::Bytes(bytes)) => (BYTES, bytes),
        Err(sentence) => (ERROR, printable(&in_page(&sentence)).into_bytes()),
    };
    ANSWER.set(bytes);
    kind
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_start() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

/// Returns the number of bytes in the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Returns an answer as JSON.
pub fn json(answer: &impl Serialize) -> Result<Reply, String> {
    serde_json::to_string(answer).map(Reply::Text).map_err(|error| error.to_string())
}

/// Reads the arguments of a function.
pub fn read<'a, T: Deserialize<'a>>(arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| error.to_string())
}
