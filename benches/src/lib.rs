//! The units of work to measure, each with its contenders.
//!
//! The program `report`, whose table is in BENCHMARKS.md, and the criterion benches share them, so that both time the
//! same code. The peers take minutes to build.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/Cargo.toml                        # the table
//! $ cargo run --release --manifest-path benches/Cargo.toml --no-default-features  # without the peers
//! $ cargo run --release --manifest-path benches/Cargo.toml --no-default-features -- worst  # slow parameters
//! $ cargo run --release --manifest-path benches/Cargo.toml --no-default-features -- sizes  # the cost by size
//! $ cargo bench --manifest-path benches/Cargo.toml --bench fill                   # with criterion
//! ```

pub mod fill;
pub mod grid;
pub mod paired;
#[cfg(feature = "peers")]
pub mod peers;
pub mod plain;
pub mod positions;
pub mod rotate;
pub mod row;
pub mod sizes;
pub mod tables;
pub mod worst;

/// A unit of work, and the contenders that do it in turn with the same buffers, `state`.
///
/// Ratios compare them with the first.
pub struct Work<S> {
    pub name: String,
    pub entries: usize,
    pub state: S,
    pub contenders: Vec<Contender<S>>,
}

pub struct Contender<S> {
    pub name: String,
    pub run: Box<dyn FnMut(&mut S)>,
}

impl<S> Contender<S> {
    fn new(name: impl Into<String>, run: impl FnMut(&mut S) + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }
}
