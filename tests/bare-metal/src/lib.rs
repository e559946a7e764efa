//! What the programs have in common: they end at a panic, and when they are done, by staying where they are.
#![no_std]

use core::panic::PanicInfo;

/// The end of a program that has nowhere to return to.
pub fn stay() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    stay()
}
