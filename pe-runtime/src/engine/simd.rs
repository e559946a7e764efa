//! Chooses the best vector instructions that the machine has at run time.

#![allow(clippy::float_arithmetic, reason = "see `lanes`")]
#![allow(unsafe_code, reason = "functions compiled for some machines are safe to call only on those")]

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

    use super::*;
    use crate::element::bits::as_bytes;
    use crate::element::{Bf16Bits, Element, F16Bits};
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
            // Into memory that is not new, so that large tables are written past the caches.
            let mut table = std::vec![T::default(); rows * spec.d_model()];
            spec.fill(0.., &mut table).unwrap();
            let same = as_bytes(&table) == as_bytes(&exact);
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
}
