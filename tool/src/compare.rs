//! `posenc compare`: compares a table in a file with the exact one.

use std::process::ExitCode;

use posenc::{Element, Flat, Preset, Q7, Q15, Q31, Report, Spec};

use crate::args::CompareArgs;
use crate::entry::{Entry, with_entry};
use crate::failure::{Failure, Outcome, print};
use crate::identify;
use crate::input::{FileType, IntegerType, Matrix, Table};
use crate::json::{self, Compared};
use crate::plot;
use crate::stored::{Integer, StoredDtype};

pub(crate) fn run(args: &CompareArgs) -> Outcome {
    let table = Table::open(&args.file)?;
    let (file, told) = (table.dtype(), args.dtype);
    let mismatch = |told: &str| {
        let file = file.name();
        Failure::new(format_args!("the file contains {file} entries, which {told}"))
    };
    match (file, told) {
        (FileType::Float(dtype), None) => with_entry!(dtype, T => floats::<T>(&table, args)),
        (FileType::Float(dtype), Some(StoredDtype::Float(told))) if dtype == told => {
            with_entry!(dtype, T => floats::<T>(&table, args))
        }
        (FileType::Integer(_), None) => {
            Err(mismatch("have a scale that is not in the file; set it, as in --dtype q15 or --dtype 'i8(1/127)'"))
        }
        (FileType::Integer(_), _) if args.computed_in.is_some() => {
            Err(mismatch("are integers, so --computed-in does not apply; use --max-ulps 1, which counts steps"))
        }
        (FileType::Integer(_), _) if args.answer.json || args.plot => {
            Err(mismatch("are integers, which --json and --plot do not support; leave them out"))
        }
        (FileType::Integer(IntegerType::I8), Some(StoredDtype::Q7)) => integers::<Q7>(&table, args),
        (FileType::Integer(IntegerType::I16), Some(StoredDtype::Q15)) => integers::<Q15>(&table, args),
        (FileType::Integer(IntegerType::I32), Some(StoredDtype::Q31)) => integers::<Q31>(&table, args),
        (FileType::Integer(IntegerType::I8), Some(StoredDtype::I8(_))) => integers::<i8>(&table, args),
        (FileType::Integer(IntegerType::I16), Some(StoredDtype::I16(_))) => integers::<i16>(&table, args),
        (FileType::Integer(IntegerType::U8), Some(StoredDtype::U8(_))) => integers::<u8>(&table, args),
        _ => Err(mismatch(
            "--dtype contradicts; those of i8 are q7 and i8(scale), of i16 q15 and i16(scale), of i32 q31, of u8 u8(scale)",
        )),
    }
}

fn integers<T: Integer>(table: &Table, args: &CompareArgs) -> Outcome {
    let found = table.matrix(T::decode)?;
    let spec = args.parameters.spec(Preset::Paper, found.d_model)?;
    let spec = args.dtype.and_then(StoredDtype::quantiser).into_iter().fold(spec, Spec::quantiser);
    let report = report(&spec, &found)?;
    if !args.answer.quiet {
        print(&report.to_string())?;
    }
    Ok(ExitCode::from(u8::from(!is_near(&report, args))))
}

fn floats<T: Entry>(table: &Table, args: &CompareArgs) -> Outcome {
    let found = table.matrix(T::decode)?;
    let spec = args.parameters.spec(Preset::Paper, found.d_model)?;
    let report = report(&spec, &found)?;
    let mut fits = is_near(&report, args);
    let (mut text, mut explained) = (report.to_string(), None);
    if let Some(arithmetic) = args.computed_in.filter(|_| report.not_finite() == 0) {
        let (is_explained, line) = identify::explained(&spec, &found, arithmetic);
        fits |= is_explained;
        explained = Some(is_explained);
        text = format!("{}\n{line}", text.trim_end());
    }
    if args.answer.json {
        json::print(&Compared::of(&report, fits, explained))?;
    } else if !args.answer.quiet {
        print(&text)?;
    }
    if args.plot && !report.is_identical() {
        plot::print_differences(&found, &spec)?;
    }
    Ok(ExitCode::from(u8::from(!fits)))
}

fn report<T: Element>(spec: &Spec, found: &Matrix<T>) -> Result<Report<T>, Failure> {
    let flat = Flat::new(&found.entries, found.d_model).map_err(Failure::new)?;
    spec.compare(&flat).map_err(Failure::new)
}

/// Returns whether the tables are equal or within a tolerance.
fn is_near<T: Element>(report: &Report<T>, args: &CompareArgs) -> bool {
    let close = args.max_ulps.is_some_and(|most| report.max_ulps() <= most)
        || args.max_error.is_some_and(|most| report.max_abs_error() <= most);
    // Entries that are not finite have no error, so a tolerance does not apply to them.
    report.is_identical() || (close && report.not_finite() == 0)
}
