//! An empty program, for the flash memory that every program takes.
#![no_std]
#![no_main]

#[used]
static RESET: fn() -> ! = bare_metal::stay;
