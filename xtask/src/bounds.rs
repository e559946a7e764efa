//! Measures which share of its error bound each tier uses, and tests what happens with other bounds.

use crate::hashes::Program;
use crate::oracle;
use crate::run::{Outcome, Run, ensure};
use crate::variant::Variant;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Random entries per audit; the exact tier, which is compared with itself in more bits, takes a fiftieth of them or fewer
    #[arg(default_value_t = 100_000_000)]
    entries: u64,
    /// Take as many entries as fit into this time for each of the 16 audits
    #[arg(long, conflicts_with = "entries")]
    seconds: Option<u64>,
}

/// The part of CI in full.
pub(crate) fn full() -> Outcome {
    run(&Arguments { entries: 0, seconds: Some(5) })
}

/// The part of CI: short audits, a bound that is too small, and bounds that are too large.
pub(crate) fn sample() -> Outcome {
    audit(&Arguments { entries: 0, seconds: Some(1) })?;
    too_small("fast_tiny")?;
    all_huge()
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    audit(arguments)?;
    // With bounds that are too small, the oracle must find wrong entries.
    for fault in ["direct_tiny", "fast_tiny", "const_eval_tiny", "exact_tiny", "sixteen_tiny"] {
        too_small(fault)?;
    }
    // With bounds so large that the tier decides no entry, the bits must not change.
    floats_huge()?;
    all_huge()
}

fn audit(arguments: &Arguments) -> Outcome {
    let tests = ["sums", "values", "narrow_enclosures", "powers", "bands", "rests", "wide_sines", "sizes"]
        .map(|what| format!("{what}_are_as_precise_as_stated"));
    let audit = Run::line("cargo test --quiet --release --package posenc-runtime --lib -- --nocapture").args(tests);
    let (variable, value) = match arguments.seconds {
        Some(seconds) => ("POSENC_AUDIT_SECONDS", seconds),
        None => ("POSENC_AUDIT_ENTRIES", arguments.entries),
    };
    let output = audit.env(variable, value.to_string()).tee()?;
    for tier in ["direct", "fast", "const_eval", "exact"] {
        ensure!(has_audit(&output, tier), "bounds: the audit of the {tier} tier did not run");
    }
    Ok(())
}

/// Returns whether a line reports the audit of a tier. The test harness may have printed dots before it.
fn has_audit(output: &str, tier: &str) -> bool {
    let prefix = format!("audit: {tier}, ");
    let mut reports = output.lines().filter_map(|line| line.trim_start_matches('.').strip_prefix(&prefix));
    reports.any(|rest| rest.contains(" of its error"))
}

fn too_small(fault: &str) -> Outcome {
    let (succeeds, output) = oracle::with_fault(fault, "--seconds 2")?;
    ensure!(!succeeds, "bounds: {fault}: the oracle found nothing");
    let [_, found] = oracle::totals(&output);
    ensure!(found > 0, "{output}\nbounds: {fault}: the oracle failed, but not on an entry");
    println!("bounds: {fault}: {found} wrong entries found, as must be");
    Ok(())
}

fn floats_huge() -> Outcome {
    let variant = Variant::fault("floats_huge");
    // The macro computes as much as the program, so its copy of posenc-runtime is optimised too.
    let options = ["--config", "profile.release.package.posenc-runtime.opt-level=3"].map(Into::into).into();
    let program = Program { variant, options, without_large: true, ..Program::default() };
    println!("bounds: floats_huge: every entry from the 128-bit tier, {}", program.check("bounds: floats_huge")?);
    Ok(())
}

/// Each entry takes a tenth of a millisecond, or a second in the compiler's interpreter.
fn all_huge() -> Outcome {
    let (succeeds, output) = oracle::with_fault("all_huge", "--entries 20000 --share 8000")?;
    let [entries, differ] = oracle::totals(&output);
    ensure!(succeeds && entries > 0 && differ == 0, "{output}\nbounds: all_huge: the oracle failed");
    println!("bounds: all_huge: every entry from the 512-bit tier, {entries} compared with the oracle, 0 differ");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::has_audit;

    #[test]
    fn an_audit_may_stand_behind_dots() {
        let output = "running 2 tests\n..audit: fast, AVX2: at most 0.1 of its error, 9 entries\n\
                      audit: exact, 128 bits: at most 0.3 of 2^-121";
        assert!(has_audit(output, "fast"));
        assert!(!has_audit(output, "exact"));
        assert!(!has_audit(output, "const_eval"));
    }
}
