//! The extension module of the Python package `posenc`.
//!
//! There is no arithmetic here. A room uses only itself and those above it:
//!
//! | room | holds |
//! |---|---|
//! | `array` | memory, and exchanging it with other packages: all unsafe code |
//! | `errors` | exceptions, and how a wrong value is shown |
//! | `dtype` | the types of entries |
//! | `keys` | keyword arguments as parameters |
//! | `requests` | arguments as requests for tables |
//! | `compute` | filling memory in pieces, without the lock of the interpreter |
//! | `table` | the class `Table` |
//! | `make` | tables of requests: new ones, or in arrays of the caller's |
//! | `functions` | the functions that make tables |
//! | `compare` | comparing two tables |
//! | `identify` | what made a table |
//! | `explain` | how an entry is computed |
//! | `presets` | the presets |

mod array;
mod compare;
mod compute;
mod dtype;
mod errors;
mod explain;
mod functions;
mod identify;
mod keys;
mod make;
mod presets;
mod requests;
mod table;

/// The extension module, written in Rust.
#[pyo3::pymodule(gil_used = false)]
mod _posenc {
    #[pymodule_export]
    use crate::compare::{Report, compare};
    #[pymodule_export]
    use crate::explain::{Explanation, explain};
    #[pymodule_export]
    use crate::functions::{encode, grid, inv_freq, rotary, rotary_grid, sinusoidal};
    #[pymodule_export]
    use crate::identify::{Answer, Match, identify};
    #[pymodule_export]
    use crate::keys::keys;
    #[pymodule_export]
    use crate::presets::{PresetInfo, presets};
    #[pymodule_export]
    use crate::table::{Table, restore};

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
