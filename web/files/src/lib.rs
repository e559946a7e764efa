//! What the page in the browser does with files.
//!
//! It is a module of its own, which the page loads once it saves a table, or has a file whose table is in question. All
//! bytes, numbers and sentences are the libraries'.

mod identified;
mod saved;
mod source;

use posenc_web_shared::interface::{self, Reply, json, read};

/// Calls a function, as [`interface::call`] does.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> u32 {
    interface::call(answer)
}

/// Answers a call of the page: the name of a function, and its arguments as JSON.
fn answer(function: &str, arguments: &str) -> Result<Reply, String> {
    match function {
        "save" => saved::save(&read(arguments)?).map(Reply::Bytes),
        "open" => json(&identified::open(&read(arguments)?)?),
        "one" => json(&identified::one()?),
        "tensor" => json(&identified::tensor(read(arguments)?)?),
        "summary" => json(&identified::summary()?),
        _ => Err(format!("there is no function `{function}`")),
    }
}
