//! Chooses the best vector instructions that the machine has at run time.

#![allow(clippy::float_arithmetic, reason = "see `lanes`")]
#![allow(unsafe_code, reason = "functions compiled for some machines are safe to call only on those")]

use crate::element::Element;
use crate::element::slot::Slot;

/// Work on floats that benefits from wide vectors.
pub(crate) trait Job {
    type Output;

    /// Does the work.
    ///
    /// Everything it calls that is to use the chosen instructions must be `inline(always)`. `FUSED` says whether to add
    /// products in one instruction, on machines that have one.
    fn run<const FUSED: bool>(self) -> Self::Output;
}

/// Returns `a b + c d`. If fused, `c d` is rounded, and then the sum `a b + (c d)` once.
#[inline(always)]
pub(crate) fn sum_of_products<const FUSED: bool>(a: f64, b: f64, c: f64, d: f64) -> f64 {
    multiply_add::<FUSED>(a, b, c * d)
}

/// Returns whether products are added in one instruction, which takes the standard library too.
#[inline(always)]
pub(crate) const fn fuses<const FUSED: bool>() -> bool {
    FUSED && cfg!(feature = "std")
}

/// Returns `a b + c`, rounded once if fused, and otherwise twice.
#[inline(always)]
pub(crate) fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    #[cfg(feature = "std")]
    if FUSED {
        return a.mul_add(b, c);
    }
    a * b + c
}

/// Whether there are instructions that write past the caches.
pub(crate) const PASSES_CACHES: bool = cfg!(all(feature = "std", target_arch = "x86_64"));

/// Copies entries, past the caches if the machine can.
///
/// Memory that is too large for the caches then need not be read into them before it is written. The caller must call
/// `finish_copies` afterwards.
#[inline(always)]
pub(crate) fn copy_past_caches<T: Element>(from: &[T], to: &mut [Slot<T>]) {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if std::arch::is_x86_feature_detected!("avx") && from.len() == to.len() {
        use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_stream_si256};
        // Whole cache lines only: a line written both ways would cost more than it saves.
        const LINE: usize = 64;
        let head = (to.as_ptr().align_offset(LINE)).min(to.len());
        let lines = (to.len() - head) * size_of::<T>() / LINE;
        let tail = head + lines * LINE / size_of::<T>();
        copy(&from[..head], &mut to[..head]);
        copy(&from[tail..], &mut to[tail..]);
        let (mut from, mut to) =
            (from[head..tail].as_ptr().cast::<__m256i>(), to[head..tail].as_mut_ptr().cast::<__m256i>());
        for _ in 0..2 * lines {
            // SAFETY: the machine has AVX. The pointers go through two slices of the same length, of numbers without
            // padding, and `to` is a multiple of 32.
            unsafe {
                _mm256_stream_si256(to, _mm256_loadu_si256(from));
                (from, to) = (from.add(1), to.add(1));
            }
        }
        return;
    }
    copy(from, to);
}

fn copy<T: Element>(from: &[T], to: &mut [Slot<T>]) {
    for (slot, &entry) in to.iter_mut().zip(from) {
        slot.set(entry);
    }
}

/// Orders what was copied past the caches before everything that follows, as seen by other threads.
pub(crate) fn finish_copies() {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    // SAFETY: every 64-bit x86 processor has this instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// The sets of instructions that a job can be compiled for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Instructions {
    /// Those that every machine of the target has.
    Target,
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx2,
    #[cfg(all(feature = "std", target_arch = "x86_64", avx512))]
    Avx512,
}

impl Instructions {
    /// Returns whether no proof requires other instructions, by the cfg `posenc_instructions`.
    ///
    /// Without `std`, as in the macro, there are no others.
    fn are_allowed(self) -> bool {
        match self {
            Self::Target => {
                cfg!(not(all(feature = "std", any(posenc_instructions = "avx512", posenc_instructions = "avx2"))))
            }
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Self::Avx2 => cfg!(not(any(posenc_instructions = "avx512", posenc_instructions = "target"))),
            #[cfg(all(feature = "std", target_arch = "x86_64", avx512))]
            Self::Avx512 => cfg!(not(any(posenc_instructions = "avx2", posenc_instructions = "target"))),
        }
    }

    /// Returns all that this machine has, the best first.
    fn available() -> impl Iterator<Item = Self> {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        use std::arch::is_x86_feature_detected as has;
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let avx2 = has!("avx2") && has!("fma");
        [
            #[cfg(all(feature = "std", target_arch = "x86_64", avx512))]
            (Self::Avx512, avx2 && has!("avx512f") && has!("avx512vl") && has!("avx512bw") && has!("avx512dq")),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            (Self::Avx2, avx2),
            (Self::Target, true),
        ]
        .into_iter()
        .filter_map(|(instructions, available)| (available && instructions.are_allowed()).then_some(instructions))
    }
}

/// Runs `job`, compiled for the best instructions that the machine has, or without `std` for those of the target.
pub(crate) fn run<J: Job>(job: J) -> J::Output {
    let best = Instructions::available().next();
    #[cfg(test)]
    let best = tests::chosen().or(best);
    match best.expect("a machine with the instructions that the proof asks for") {
        // SAFETY: the machine has the instructions.
        #[cfg(all(feature = "std", target_arch = "x86_64", avx512))]
        Instructions::Avx512 => unsafe { run_avx512(job) },
        // SAFETY: as above.
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Instructions::Avx2 => unsafe { run_avx2(job) },
        // Every 64-bit Arm processor has fused multiply-add.
        Instructions::Target => job.run::<{ cfg!(target_arch = "aarch64") }>(),
    }
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

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::vec::Vec;

    use super::*;
    use crate::element::bits::as_bytes;
    use crate::element::{Bf16Bits, F16Bits};
    use crate::{Layout, Spec};

    std::thread_local! {
        static CHOSEN: Cell<Option<Instructions>> = const { Cell::new(None) };
    }

    pub(super) fn chosen() -> Option<Instructions> {
        CHOSEN.get()
    }

    /// Calls `something` with each set of instructions that this machine has, the best first.
    pub(crate) fn with_each(mut something: impl FnMut(usize, Instructions)) {
        for (i, instructions) in Instructions::available().enumerate() {
            CHOSEN.set(Some(instructions));
            something(i, instructions);
            CHOSEN.set(None);
        }
    }

    fn check<T: Element>(spec: &Spec, rows: usize) {
        let mut exact = std::vec![T::default(); rows * spec.d_model()];
        // Fewer than four rows at a time, because more would be computed by the const-eval tier.
        for (i, entries) in exact.chunks_mut(3 * spec.d_model()).enumerate() {
            spec.const_fill(3 * i.., entries).unwrap();
        }
        with_each(|_, instructions| {
            let table = spec.table::<T>(rows).unwrap();
            let same = as_bytes(table.as_slice()) == as_bytes(&exact);
            assert!(same, "{} {spec} with {instructions:?}", T::DTYPE);
        });
    }

    #[test]
    fn all_instructions_give_the_same_tables() {
        for spec in
            [Spec::new(104), Spec::new(29).start(-70).scale(0.3), Spec::new(64).layout(Layout::Halves).base(1e9)]
        {
            check::<f32>(&spec, 300);
            check::<f64>(&spec, 300);
            check::<F16Bits>(&spec, 300);
            check::<Bf16Bits>(&spec, 300);
        }
    }

    #[test]
    fn copies_past_the_caches_copy() {
        struct Copy<'a>(&'a [u16], &'a mut [F16Bits]);

        impl Job for Copy<'_> {
            type Output = ();

            #[inline(always)]
            fn run<const FUSED: bool>(self) {
                let from: Vec<F16Bits> = self.0.iter().map(|&bits| F16Bits(bits)).collect();
                copy_past_caches(&from, Slot::of(self.1));
                finish_copies();
            }
        }

        let from: Vec<u16> = (1..600).collect();
        for (begin, end) in [(0, 599), (1, 500), (31, 33), (7, 7), (32, 64), (3, 598)] {
            let mut to = std::vec![F16Bits(0); 600];
            run(Copy(&from[begin..end], &mut to[begin..end]));
            for (i, F16Bits(bits)) in to.into_iter().enumerate() {
                assert_eq!(usize::from(bits), if (begin..end).contains(&i) { i + 1 } else { 0 });
            }
        }
    }
}
