//! The first instructions of a program, and what happens at a panic.

use core::panic::PanicInfo;

use semihosting::process::exit;

// A Cortex-M reads the addresses of its stack and its program itself.
#[cfg(target_arch = "riscv32")]
core::arch::global_asm!(".section .start, \"ax\"", "la sp, _stack", "la t0, _reset", "lw t0, 0(t0)", "jr t0");

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    exit(101)
}
