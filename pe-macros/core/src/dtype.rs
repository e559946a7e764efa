//! The element types of baked tables.

use posenc_runtime::reflection::{Names, Of, Unknown};
#[allow(clippy::wildcard_imports, reason = "the types in the list")]
use posenc_runtime::*;
use quote::ToTokens;

use crate::diagnostic::{Diagnostic, shown};
use crate::table::Baked;

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

            fn checked(self, table: UntypedTable<'_>, max_bytes: usize) -> Result<CheckedTable<'_>, TableError> {
                match self { $(Self::$dtype => table.checked::<$bits>(max_bytes),)* }
            }
        }
    };
}

posenc_runtime::for_each_element!(dtypes);

impl Dtype {
    /// Checks everything that can be wrong with a table and, if the time counts, that so many tables like it do not
    /// take long to compute.
    pub(crate) fn check<'a>(
        self,
        table: &Baked<'a>,
        max_bytes: usize,
        timed: Option<usize>,
    ) -> Result<CheckedTable<'a>, TableError> {
        let table = self.checked(table.untyped()?, max_bytes)?;
        if let Some(tables) = timed {
            table.check_time(tables)?;
        }
        Ok(table)
    }

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

/// Returns the index of a type, or what the name of a framework's type means: `torch.bfloat16`, `"float32"`.
fn find(written: &str) -> Result<usize, Unknown<'_>> {
    let plain = written.to_lowercase();
    let last = plain.rsplit(['.', ':']).next().unwrap_or_default().trim_matches('"');
    match NAMES.find(last) {
        Ok(i) if last == written => Ok(i),
        Ok(i) => Err(Unknown { names: &NAMES, written, suggestion: Some(Suggestion::Nearest(NAMES.all[i])) }),
        Err(Unknown { suggestion, .. }) => Err(Unknown { names: &NAMES, written, suggestion }),
    }
}
