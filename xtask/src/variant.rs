//! Builds posenc-runtime as the proofs need it: with a wrong error bound, or with one set of vector instructions.

use std::path::PathBuf;

use crate::command::Run;
use crate::failure::{Outcome, ensure};
use crate::root;

/// A variant of posenc-runtime, whose `build.rs` reads these variables and lists their values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Variant<'a> {
    /// As users build it.
    #[default]
    Usual,
    Fault(&'a str),
    Instructions(&'a str),
}

/// Returns the target directory of all variants. They share everything except posenc.
pub(crate) fn target_dir() -> PathBuf {
    root::target_dir("target/proofs")
}

impl Variant<'_> {
    /// Sets the variant for a run of cargo.
    pub(crate) fn of(self, run: Run) -> Run {
        let run = run.without_env("POSENC_FAULT").without_env("POSENC_INSTRUCTIONS");
        match self {
            Self::Usual => run,
            Self::Fault(fault) => run.env("POSENC_FAULT", fault),
            Self::Instructions(instructions) => run.env("POSENC_INSTRUCTIONS", instructions),
        }
    }

    /// Fails unless the output of a program says that each of these crates is compiled as this variant.
    ///
    /// Otherwise a variable that does not arrive would make a proof pass that proves nothing.
    pub(crate) fn check(self, output: &str, crates: &[&str]) -> Outcome {
        let cfgs = match self {
            Self::Usual => "none".to_owned(),
            Self::Fault(fault) => format!("posenc_fault={fault}"),
            Self::Instructions(instructions) => format!("posenc_instructions={instructions}"),
        };
        let is_missing = |expected: &String| !output.lines().any(|line| line == expected);
        let missing = crates.iter().map(|name| format!("{name}: {cfgs}")).find(is_missing);
        ensure(missing.is_none(), || format!("{output}\nthe program must say `{}`", missing.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::Variant;

    #[test]
    fn every_crate_must_have_the_variant() {
        let output = "posenc-runtime: posenc_fault=all_huge\noracle: x\nposenc-runtime of the macro: none\n";
        let one = ["posenc-runtime"];
        assert!(Variant::Fault("all_huge").check(output, &one).is_ok());
        assert!(Variant::Fault("all_huge").check(output, &[one[0], "posenc-runtime of the macro"]).is_err());
        assert!(Variant::Fault("all").check(output, &one).is_err());
        assert!(Variant::Usual.check(output, &one).is_err());
        assert!(Variant::Usual.check("", &one).is_err());
    }
}
