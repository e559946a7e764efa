//! Whether an arithmetic explains the errors of a table whose parameters are known.

use posenc::Spec;
use posenc_files::input::Table;
use posenc_identify::{Precision, distance};

use crate::cli::Arithmetic;
use crate::text::failure::Failure;

/// Returns whether the errors of all entries are such as this arithmetic makes, and a sentence about it.
pub(crate) fn explained(spec: &Spec, found: &Table, arithmetic: Arithmetic) -> Result<(bool, String), Failure> {
    let (name, most) = match arithmetic {
        Arithmetic::F32 => ("f32", Precision::Single),
        Arithmetic::F64 => ("f64", Precision::Double),
    };
    let Some(distance) = distance(spec, found).map_err(Failure::new)? else {
        return Ok((false, format!("as computed in {name}: not known for these parameters")));
    };
    let text = match (distance.precision, distance.first_off) {
        (Some(precision), _) if precision <= most => {
            return Ok((true, format!("as computed in {name}: yes, rounding errors explain every entry")));
        }
        (None, Some(row)) => {
            format!("no, not in {} of {} rows, the first of which is row {row}", distance.rows_off, distance.rows)
        }
        _ => "no, the errors are as large as in f32".to_owned(),
    };
    Ok((false, format!("as computed in {name}: {text}")))
}
