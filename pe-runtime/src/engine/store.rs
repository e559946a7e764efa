//! Writes blocks of entries to memory, through the caches or past them.

use core::marker::PhantomData;

use crate::element::Element;
use crate::element::kernel::LANES;
use crate::element::slot::Slot;

/// A way to write blocks to memory.
pub(crate) trait Store<T: Element>: Copy {
    /// Writes a block. Past the caches, it must be at a multiple of 16 bytes.
    fn store(self, block: [Slot<T>; LANES], to: &mut [Slot<T>; LANES]);
}

/// Writes through the caches, as most programs do.
#[derive(Clone, Copy)]
pub(crate) struct ThroughCaches;

impl<T: Element> Store<T> for ThroughCaches {
    #[inline(always)]
    fn store(self, block: [Slot<T>; LANES], to: &mut [Slot<T>; LANES]) {
        // If a block of 8 bytes were copied at once, the compiler would compose it with shifts. With `iter_mut`, it would test the
        // address of each block.
        for (i, entry) in block.into_iter().enumerate() {
            to[i] = entry;
        }
    }
}

/// Writes entries past the caches, on a machine that can.
///
/// Memory that is too large for the caches then need not be read into them before it is written.
#[derive(Clone, Copy)]
pub(crate) struct PastCaches<T>(PhantomData<T>);

/// The size of a cache line in bytes. If only a part of a line is written past the caches, this takes longer than
/// through them.
pub(crate) const LINE: usize = 64;

/// The size in bytes of the vectors that are written past the caches.
///
/// Twice the size takes 7 % less time for 128 MiB of `f32`. But in a program that is not optimised, it slows down all
/// other instructions, which are for the baseline processor, so that a table takes five times as long. (Measured once,
/// by changing the code, Intel Xeon, 2026-11-22.)
#[cfg(all(feature = "std", target_arch = "x86_64"))]
const VECTOR: usize = 16;

impl<T: Element> PastCaches<T> {
    /// Returns `None` if the machine has no instructions for it, or if blocks of these entries are not whole vectors, as
    /// those of one byte are. So there is no value of this type with which a part of a block would not be written.
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        if const { size_of::<[T; LANES]>() % VECTOR == 0 }
            && cfg!(target_pointer_width = "64")
            && std::arch::is_x86_feature_detected!("avx")
        {
            return Some(Self(PhantomData));
        }
        None
    }
}

impl<T: Element> Store<T> for PastCaches<T> {
    #[cfg_attr(all(feature = "std", target_arch = "x86_64"), expect(unsafe_code, reason = "not all x86 has this"))]
    #[inline(always)]
    fn store(self, block: [Slot<T>; LANES], to: &mut [Slot<T>; LANES]) {
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        {
            ThroughCaches.store(block, to);
        }
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            /// What is in one cache line. A block in two lines would take longer, and much longer if they were in two
            /// pages.
            #[repr(align(64))]
            struct InLine<T>(T);
            debug_assert!(to.as_ptr().addr() % VECTOR == 0);
            let block = InLine(block);
            // With intrinsics instead, the compiler computes the block entry by entry.
            for i in 0..size_of_val(to) / VECTOR {
                // SAFETY: the machine has AVX and both blocks have this size, a multiple of 16 bytes, because there is a
                // value of this type. If `to` were not aligned, the processor would raise an exception and write
                // nothing.
                unsafe {
                    std::arch::asm!(
                        "vmovups xmm15, [{from}]",
                        "vmovntps [{to}], xmm15",
                        from = in(reg) block.0.as_ptr().byte_add(i * VECTOR),
                        to = in(reg) to.as_mut_ptr().byte_add(i * VECTOR),
                        out("xmm15") _,
                        options(nostack, preserves_flags),
                    );
                }
            }
        }
    }
}

/// Reads the cache line at an address, if there is one, ahead of its use.
#[cfg_attr(all(feature = "std", target_arch = "x86_64"), expect(unsafe_code, reason = "takes a pointer"))]
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    // SAFETY: every 64-bit x86 processor has this instruction, which accepts any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    let _ = address;
}

/// Orders what was written past the caches before everything that follows, as seen by other threads.
#[cfg_attr(all(feature = "std", target_arch = "x86_64"), expect(unsafe_code, reason = "not all x86 has this"))]
pub(crate) fn finish() {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    // SAFETY: every 64-bit x86 processor has this instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Returns the entries before the first whole cache line, those of whole lines, and those after the last one.
#[inline(always)]
pub(crate) fn whole_lines<T>(entries: &mut [T]) -> (&mut [T], &mut [T], &mut [T]) {
    let (before, entries) = entries.split_at_mut(entries.as_ptr().align_offset(LINE).min(entries.len()));
    let (lines, after) = entries.split_at_mut(size_of_val(entries) / LINE * LINE / size_of::<T>());
    (before, lines, after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::F16Bits;
    use crate::element::bits::{as_bytes, from_bits};

    /// Memory that begins with a cache line.
    #[repr(align(64))]
    struct Lines<T>([T; 64]);

    fn check<T: Element>() {
        let Some(past_caches) = PastCaches::<T>::detect() else { return };
        for first in (0..64).step_by(LANES) {
            let mut to = Lines([from_bits::<T>(0); 64]);
            let block = core::array::from_fn(|i| Slot::new(from_bits(1 + i as u64)));
            past_caches.store(block, Slot::of(&mut to.0)[first..].first_chunk_mut().unwrap());
            finish();
            let expected = core::array::from_fn::<_, 64, _>(|i| {
                from_bits::<T>(if (first..first + LANES).contains(&i) { 1 + (i - first) as u64 } else { 0 })
            });
            assert!(as_bytes(&to.0) == as_bytes::<T>(&expected), "{} {first}", T::DTYPE);
        }
    }

    #[test]
    fn blocks_that_are_no_vectors_are_not_written_past_the_caches() {
        assert!(PastCaches::<i8>::detect().is_none() && PastCaches::<crate::element::Q7>::detect().is_none());
        assert_eq!(PastCaches::<i16>::detect().is_some(), PastCaches::<f64>::detect().is_some());
    }

    #[test]
    fn blocks_are_written_past_the_caches() {
        check::<f32>();
        check::<f64>();
        check::<F16Bits>();
    }

    #[test]
    fn lines_are_whole() {
        let mut to = Lines([0f32; 64]);
        let mut lengths = |begin: usize, end: usize| {
            let (before, lines, after) = whole_lines(&mut to.0[begin..end]);
            [before.len(), lines.len(), after.len()]
        };
        assert_eq!(lengths(0, 64), [0, 64, 0]);
        assert_eq!(lengths(4, 62), [12, 32, 14]);
        assert_eq!(lengths(15, 31), [1, 0, 15]);
        assert_eq!(lengths(5, 9), [4, 0, 0]);
        assert_eq!(lengths(32, 32), [0, 0, 0]);
    }
}
