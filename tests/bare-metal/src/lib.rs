//! What the programs share: at a panic, and when they are done, they loop forever.
#![no_std]

use core::panic::PanicInfo;

/// The end of a program that cannot return.
pub fn stay() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    stay()
}
