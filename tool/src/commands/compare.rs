//! `posenc compare`: compares a table in a file with the exact one.

use std::process::ExitCode;

use posenc::{Comparison, Q7, Q15, Q31, Report};
use posenc_files::element::{Entry, Integer, Stored};
use posenc_files::input::Table;
use posenc_identify::{Dtype, ElementType};
use posenc_text::with_entry;

use crate::answers::progress;
use crate::answers::{self, Compared, JsonNumber};
use crate::cli::CompareArgs;
use crate::commands::exact::{Exact, Known, Wanted};
use crate::commands::identify;
use crate::commands::plot;
use crate::commands::table::Sizes;
use crate::files::input::open_table;
use crate::text::failure::{Failure, Outcome, print};

pub(crate) fn run(args: &CompareArgs) -> Outcome {
    let table = open_table(&args.file.file, args.file.name.as_deref())?;
    let (file, told) = (table.dtype(), args.dtype);
    let mismatch = |told: &str| {
        let file = file.name();
        Failure::new(format_args!("the file contains {file} entries, which {told}"))
    };
    match (file.float(), told) {
        (Some(dtype), None) => with_entry!(dtype, T => floats::<T>(&table, args)),
        (Some(dtype), Some(Dtype::Float(told))) if dtype == told => {
            with_entry!(dtype, T => floats::<T>(&table, args))
        }
        (None, None) => {
            Err(mismatch("have a scale that is not in the file; set it, as in --dtype q15 or --dtype 'i8(1/127)'"))
        }
        (None, _) if args.computed_in.is_some() => {
            Err(mismatch("are integers, so --computed-in does not apply; use --max-ulps 1, which counts steps"))
        }
        (None, _) if args.plot => Err(mismatch("are integers, so --plot does not apply; leave it out")),
        (_, Some(told)) => match (file, told) {
            (ElementType::I8, Dtype::Q7) => integers::<Q7>(&table, args),
            (ElementType::I16, Dtype::Q15) => integers::<Q15>(&table, args),
            (ElementType::I32, Dtype::Q31) => integers::<Q31>(&table, args),
            (ElementType::I8, Dtype::I8(_)) => integers::<i8>(&table, args),
            (ElementType::I16, Dtype::I16(_)) => integers::<i16>(&table, args),
            (ElementType::U8, Dtype::U8(_)) => integers::<u8>(&table, args),
            _ => Err(mismatch(
                "--dtype contradicts; i8 entries are q7 or i8(scale), i16 are q15 or i16(scale), i32 are q31, u8 are u8(scale)",
            )),
        },
    }
}

fn integers<T: Integer>(table: &Table, args: &CompareArgs) -> Outcome {
    let exact = Exact::of::<T>(&args.table, known(args, table))?;
    let running = progress::time(args.answer.quiet);
    let report = report::<T>(table, exact.comparison()?)?;
    drop(running);
    answer(&report, None, JsonNumber::of_integer, args)
}

fn floats<T: Entry>(table: &Table, args: &CompareArgs) -> Outcome {
    let exact = Exact::of::<T>(&args.table, known(args, table))?;
    let spec = exact.spec()?;
    if args.computed_in.is_some() && spec.is_none() {
        return Err(Failure::new("--computed-in does not apply to a grid; leave it out, or use --max-error"));
    }
    let running = progress::time(args.answer.quiet);
    let report = report::<T>(table, exact.comparison()?)?;
    let arithmetic = args.computed_in.filter(|_| report.not_finite() == 0).zip(spec);
    let explained = arithmetic.map(|(arithmetic, spec)| identify::explained(&spec, table, arithmetic));
    let explained = explained.transpose()?;
    drop(running);
    let answered = answer(&report, explained, JsonNumber::of, args)?;
    if args.plot && !report.is_identical() {
        plot::print_differences::<T>(table, &exact.rows()?)?;
    }
    Ok(answered)
}

fn known<'a>(args: &CompareArgs, table: &Table) -> Known<'a> {
    let [seq_len, d_model] = table.shape();
    let sizes = Sizes { seq_len: Some(seq_len), d_model: Some(d_model), positions: None };
    Known { sizes, quantiser: args.dtype.and_then(Dtype::quantiser), wanted: Wanted::Comparison }
}

/// Compares all rows, of which a few are in memory at a time.
fn report<T: Stored>(table: &Table, mut comparison: Comparison<T>) -> Result<Report<T>, Failure> {
    let [_, d_model] = table.shape();
    for rows in table.pieces() {
        for row in table.rows::<T>(rows).map_err(Failure::new)?.chunks_exact(d_model) {
            comparison.add(row)?;
        }
    }
    Ok(comparison.report())
}

/// Prints the report, and whether an arithmetic explains the errors, with a line about it.
fn answer<T: Stored>(
    report: &Report<T>,
    explained: Option<(bool, String)>,
    number: fn(T) -> JsonNumber,
    args: &CompareArgs,
) -> Outcome {
    let close = args.max_ulps.is_some_and(|most| report.max_ulps() <= most)
        || args.max_error.is_some_and(|most| report.max_abs_error() <= most);
    // Entries that are not finite have no error, so a tolerance does not apply to them.
    let fits = report.is_identical() || (close && report.not_finite() == 0);
    let (is_explained, line) = explained.unzip();
    let accepted = fits || is_explained == Some(true);
    if args.answer.json {
        answers::print(&Compared::of(report, accepted, is_explained, number))?;
    } else if !args.answer.quiet {
        let report = if args.histogram { format!("{report:#}") } else { report.to_string() };
        print(&format!("{}\n{}", report.trim_end(), line.unwrap_or_default()))?;
    }
    Ok(ExitCode::from(u8::from(!accepted)))
}
