//! Builds posenc-runtime as the proofs need it: with a wrong error bound, or with one set of vector instructions.

use std::path::PathBuf;

use crate::run::{self, Outcome, Run, ensure};

/// A variant of posenc-runtime, by default as users build it.
///
/// It is a cfg and its value. `pe-runtime/build.rs` lists them, and reads the value from a variable named after the cfg.
#[derive(Clone, Copy, Default)]
pub(crate) struct Variant<'a>(Option<(&'static str, &'a str)>);

/// Returns the target directory of all variants. They share everything except posenc.
pub(crate) fn target_dir() -> PathBuf {
    run::target_dir("target/proofs")
}

impl<'a> Variant<'a> {
    pub(crate) const fn fault(fault: &'a str) -> Self {
        Self(Some(("posenc_fault", fault)))
    }

    pub(crate) const fn instructions(instructions: &'a str) -> Self {
        Self(Some(("posenc_instructions", instructions)))
    }

    /// Sets the variant for a run of cargo.
    pub(crate) fn of(self, run: Run) -> Run {
        let run = run.without_env("POSENC_FAULT").without_env("POSENC_INSTRUCTIONS");
        self.0.into_iter().fold(run, |run, (cfg, value)| run.env(&cfg.to_uppercase(), value))
    }

    /// Fails unless the output of a program says that each of these crates is compiled as this variant.
    ///
    /// Otherwise a variable that does not arrive would make a proof pass that proves nothing.
    pub(crate) fn check(self, output: &str, crates: &[&str]) -> Outcome {
        let cfgs = self.0.map_or("none".to_owned(), |(cfg, value)| format!("{cfg}={value}"));
        for expected in crates.iter().map(|name| format!("{name}: {cfgs}")) {
            ensure!(output.lines().any(|line| line == expected), "{output}\nthe program must say `{expected}`");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Variant;

    #[test]
    fn every_crate_must_have_the_variant() {
        let output = "posenc-runtime: posenc_fault=all_huge\noracle: x\nposenc-runtime of the macro: none\n";
        let one = ["posenc-runtime"];
        assert!(Variant::fault("all_huge").check(output, &one).is_ok());
        assert!(Variant::fault("all_huge").check(output, &[one[0], "posenc-runtime of the macro"]).is_err());
        assert!(Variant::fault("all").check(output, &one).is_err());
        assert!(Variant::default().check(output, &one).is_err());
        assert!(Variant::default().check("", &one).is_err());
    }
}
