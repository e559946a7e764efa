//! The library's entry points for rows, and which rows they write.

/// An entry point for rows.
#[derive(Clone, Copy, Debug)]
pub enum EntryPoint {
    Fill,
    ConstFill,
    Prepared,
    Encode,
    FillPositions,
    EncoderEncode,
    EncoderFillPositions,
    /// `fill` of a grid with these rows on one axis, if a grid has the parameters, or else of the spec.
    Grid,
    GridConstFill,
    GridFillPoints,
}

/// The entry points for rows of a table, and those for rows at positions.
pub const TABLE_ENTRY_POINTS: [EntryPoint; 5] =
    [EntryPoint::Fill, EntryPoint::ConstFill, EntryPoint::Prepared, EntryPoint::Grid, EntryPoint::GridConstFill];
pub const POSITION_ENTRY_POINTS: [EntryPoint; 5] = [
    EntryPoint::Encode,
    EntryPoint::FillPositions,
    EntryPoint::EncoderEncode,
    EntryPoint::EncoderFillPositions,
    EntryPoint::GridFillPoints,
];

/// The rows of a case.
#[derive(Clone, Debug)]
pub enum Rows {
    /// Consecutive rows of the table.
    Table {
        first: usize,
        count: usize,
    },
    Positions(Vec<f64>),
}
