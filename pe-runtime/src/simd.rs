//! The best vector instructions that the machine has, chosen when the program runs.

#![allow(clippy::float_arithmetic, reason = "see `block`")]
#![allow(unsafe_code, reason = "functions compiled for some machines are safe to call on those only")]

/// Work on floats that gains from wide vectors.
pub(crate) trait Job {
    type Output;

    /// Does the work. Everything it calls that is to use the instructions chosen must be `inline(always)`. `FUSED` says whether
    /// products are to be added in one instruction, where that is one.
    fn run<const FUSED: bool>(self) -> Self::Output;
}

/// `a b + c d`, of which a fused sum rounds `a b + (c d)` once.
#[inline(always)]
pub(crate) fn sum_of_products<const FUSED: bool>(a: f64, b: f64, c: f64, d: f64) -> f64 {
    multiply_add::<FUSED>(a, b, c * d)
}

/// `a b + c`, rounded once or twice.
#[inline(always)]
pub(crate) fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    #[cfg(feature = "std")]
    if FUSED {
        return a.mul_add(b, c);
    }
    a * b + c
}

/// Runs `job` compiled for the machine's instructions, or without `std` for those of the target.
pub(crate) fn run<J: Job>(job: J) -> J::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    {
        use std::arch::is_x86_feature_detected as has;
        #[cfg(avx512)]
        if has!("avx512f") && has!("avx512vl") && has!("avx512bw") && has!("avx512dq") {
            // SAFETY: the machine has what the function is compiled for.
            return unsafe { run_avx512(job) };
        }
        if has!("avx2") && has!("fma") {
            // SAFETY: as above.
            return unsafe { run_avx2(job) };
        }
    }
    // Every 64-bit Arm can fuse.
    job.run::<{ cfg!(target_arch = "aarch64") }>()
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx2,fma")]
unsafe fn run_avx2<J: Job>(job: J) -> J::Output {
    job.run::<true>()
}

#[cfg(all(feature = "std", target_arch = "x86_64", avx512))]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
unsafe fn run_avx512<J: Job>(job: J) -> J::Output {
    job.run::<true>()
}
