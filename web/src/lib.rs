//! What the page in the browser computes.
//!
//! The page calls [`interface`] functions with JSON, and reads JSON or entries from memory. All numbers and sentences are
//! the libraries'.

mod columns;
mod described;
mod entries;
mod errors;
mod explained;
mod files;
mod first;
mod interface;
mod lists;
mod places;
mod recipe;
mod request;
mod wavelengths;

/// Answers a call of the page: the name of a function, and its arguments as JSON.
pub fn answer(function: &str, arguments: &str) -> Result<Reply, String> {
    match function {
        "presets" => json(&lists::presets()),
        "keys" => json(&lists::keys(&read::<lists::Of>(arguments)?)?),
        "describe" => json(&described::describe(&read(arguments)?)?),
        "entries" => entries::entries(&read(arguments)?).map(Reply::Bytes),
        "explain" => json(&explained::explain(&read(arguments)?)?),
        "errors" => json(&errors::errors(&read(arguments)?)?),
        "wavelengths" => json(&wavelengths::wavelengths(&read(arguments)?)?),
        "columns" => json(&columns::columns(&read(arguments)?)?),
        "row" => json(&places::row(&read(arguments)?)?),
        "bytes" => files::bytes(&read(arguments)?).map(Reply::Bytes),
        _ => Err(format!("there is no function `{function}`")),
    }
}

/// What a call returns.
pub enum Reply {
    /// JSON.
    Text(String),
    /// Entries, or a file.
    Bytes(Vec<u8>),
}

fn json(answer: &impl serde::Serialize) -> Result<Reply, String> {
    serde_json::to_string(answer).map(Reply::Text).map_err(|error| error.to_string())
}

fn read<'a, T: serde::Deserialize<'a>>(arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| error.to_string())
}
