//! The table of the program, and what it needs of the board.
#![no_std]

mod board;
mod table;

pub use table::PE;
