//! The element types of baked tables.

use posenc_runtime::reflection::{Names, Of, Unknown};
#[allow(clippy::wildcard_imports, reason = "the types in the list")]
use posenc_runtime::*;
use quote::ToTokens;

use crate::diagnostic::{Diagnostic, shown};

/// The remedy for a float type that is not supported.
const NO_F8: &str = "`bf16`, or `i8` with a scale: floats of 8 bits are not supported";

macro_rules! dtypes {
    ($($dtype:ident $([$feature:literal])?: $element:ty as $bits:ty, $format:ident, [$($elsewhere:literal),*];)*) => {
        /// The element type of a table. Its name is the one in the key and in the facade's private module.
        #[allow(non_camel_case_types, reason = "the names of the types")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Dtype { $($dtype,)* }

        const ALL: &[Dtype] = &[$(Dtype::$dtype,)*];

        static NAMES: Names = Names {
            of: Of::Values("dtype"),
            all: &[$(stringify!($dtype),)*],
            paths: &[],
            elsewhere: &[
                $($(($elsewhere, concat!("`", stringify!($dtype), "`")),)*)*
                ("f8", NO_F8),
                ("fp8", NO_F8),
                ("float8", NO_F8),
                ("float8_e4m3fn", NO_F8),
                ("float8_e5m2", NO_F8),
            ],
        };

        impl Dtype {
            /// Returns the features that it needs.
            fn features(self) -> &'static [&'static str] {
                match self { $(Self::$dtype => &[$($feature)?],)* }
            }

            /// Checks a quantiser, or that the type needs none.
            pub(crate) fn check_quantiser(self, quantiser: Option<Quantiser>) -> Result<(), SpecError> {
                match self { $(Self::$dtype => check_quantiser::<$bits>(quantiser),)* }
            }

            /// Checks everything that can be wrong with a table and, if the time counts, that so many tables like
            /// it do not take long to compute.
            pub(crate) fn check<'a>(
                self,
                table: &impl Source<'a>,
                max_bytes: usize,
                timed: Option<usize>,
            ) -> Result<Checked<'a>, TableError> {
                match self { $(Self::$dtype => {
                    let table = table.checked(max_bytes)?;
                    if let Some(tables) = timed {
                        table.check_time(tables)?;
                    }
                    Ok(Checked::$dtype(table))
                })* }
            }

            /// Returns the macro call that makes a table.
            pub(crate) fn call<'a>(self, table: &impl Source<'a>) -> String {
                match self { $(Self::$dtype => table.call::<$bits>(),)* }
            }
        }

        /// A checked table.
        #[allow(non_camel_case_types, reason = "the names of the types")]
        pub(crate) enum Checked<'a> { $($dtype(Box<dyn CheckedTable<$bits> + 'a>),)* }

        impl Checked<'_> {
            /// Returns the size of its entries.
            pub(crate) fn bytes(&self) -> usize {
                match self { $(Self::$dtype(table) => table.bytes(),)* }
            }

            /// Returns the fingerprint of its file.
            pub(crate) fn fingerprint(&self, big_endian: bool) -> u64 {
                match self { $(Self::$dtype(table) => table.fingerprint(big_endian),)* }
            }

            /// Passes its file to `write`, in pieces.
            pub(crate) fn write<E>(
                &self,
                big_endian: bool,
                write: impl FnMut(&[u8]) -> Result<(), E>,
            ) -> Result<(), E> {
                match self { $(Self::$dtype(table) => TableFile { table: &**table, big_endian }.write(write),)* }
            }

            /// Returns whether a file of `len` bytes, of which `read` reads a piece at an offset, is its file.
            pub(crate) fn is<E>(
                &self,
                big_endian: bool,
                len: u64,
                read: impl FnMut(u64, &mut [u8]) -> Result<(), E>,
            ) -> Result<bool, E> {
                match self { $(Self::$dtype(table) => TableFile { table: &**table, big_endian }.is(len, read),)* }
            }

            /// Passes its entries to `emit`, row by row, in the byte order of the target.
            pub(crate) fn bytes_of_entries<R>(
                &self,
                big_endian: bool,
                emit: impl FnOnce(&[u8]) -> R,
            ) -> Result<R, SpecError> {
                match self { $(Self::$dtype(table) => Ok(emit(&in_byte_order(&table.entries()?, big_endian))),)* }
            }
        }
    };
}

posenc_runtime::for_each_element!(dtypes);

impl Dtype {
    pub(crate) fn name(self) -> &'static str {
        NAMES.all[self as usize]
    }

    pub(crate) fn read(name: impl ToTokens) -> Result<Self, Diagnostic> {
        let written = shown(&name);
        let dtype = ALL[find(&written).map_err(|unknown| Diagnostic::at(&name, unknown))?];
        match dtype.features() {
            ["half"] if !cfg!(feature = "half") => Err(Diagnostic::at(
                &name,
                format!(
                    "`dtype` is `{written}`, which requires the feature `half` of posenc; enable it, or use `{written}_bits` for the \
                     same entries as bits"
                ),
            )),
            _ => Ok(dtype),
        }
    }
}

/// Returns the index of a type, or what is meant by that of a framework: `torch.bfloat16`, `"float32"`.
fn find(written: &str) -> Result<usize, Unknown<'_>> {
    let plain = written.to_lowercase();
    let last = plain.rsplit(['.', ':']).next().unwrap_or_default().trim_matches('"');
    match NAMES.find(last) {
        Ok(i) if last == written => Ok(i),
        Ok(i) => Err(Unknown { names: &NAMES, written, suggestion: Some(Suggestion::Nearest(NAMES.all[i])) }),
        Err(Unknown { suggestion, .. }) => Err(Unknown { names: &NAMES, written, suggestion }),
    }
}
