//! The result of the parts of the study.

use std::error::Error;

pub type Fallible<T = ()> = Result<T, Box<dyn Error>>;
