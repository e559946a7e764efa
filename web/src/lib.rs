//! What the page in the browser computes.
//!
//! The page calls functions of the [`interface`] with JSON, and reads JSON or entries from memory. All numbers and
//! sentences are the libraries'.

mod columns;
mod described;
mod deviations;
mod entries;
mod errors;
mod explained;
mod first;
mod lists;
mod places;
mod recipe;
mod wavelengths;

use posenc_web_shared::interface::{self, Reply, json, read};

/// Calls a function, as [`interface::call`] does.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> u32 {
    interface::call(answer)
}

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
        _ => Err(format!("there is no function `{function}`")),
    }
}
