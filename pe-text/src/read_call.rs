//! A macro call as text, read back.

use std::str::FromStr;
use std::sync::LazyLock;

use posenc::reflection::{Access, Kind, Named, Names, Of, PARAMETERS, Parameter, TableKind, Unknown, find_key};
use posenc::{Packing, Preset};
use posenc_identify::{Dtype, FloatType};

use crate::dtype::read_dtype;
use crate::given::{Given, GivenValues};
use crate::names::choice;
use crate::request::{AxialOrigin, Request, RotaryOrigin, Wanted};
use crate::rule::{between_commas, rule};
use crate::values::{d_model, number, size};

/// A macro call with numbers, such as `sinusoidal_table!(128, 64, base = 500.0, dtype = bf16)`.
///
/// It is read from the text that [`Rows::call`](crate::rows::Rows::call) and `identify` print, or from what a user wrote.
///
/// # Examples
///
/// ```
/// use posenc_text::read_call::Call;
///
/// let call: Call = "rotary_table!((2, 3, 4), 128, preset = wan, repeat = pairs, packing = cos)".parse()?;
/// let requests = call.requests();
/// let rows = requests[0].rows::<f32>()?;
/// assert_eq!(rows.shape(), [24, 128]);
/// assert_eq!(
///     rows.call(),
///     "rotary_table!((2, 3, 4), 128, widths = (44, 42, 42), repeat = pairs, packing = cos)"
/// );
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
pub struct Call {
    request: Request,
    dtype: Dtype,
    /// Whether the call makes two tables, of cosines and of sines.
    is_pair: bool,
}

impl Call {
    /// Returns the element type, which is `f32` if the call does not have it.
    #[must_use]
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Returns the request for each table: two for a rotary table without `packing`, and otherwise one.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        if !self.is_pair {
            return vec![self.request.clone()];
        }
        let packed = |columns| {
            let mut request = self.request.clone();
            if let Wanted::Rotary { packing, .. } | Wanted::Axial { packing, .. } = &mut request.wanted {
                *packing = columns;
            }
            request
        };
        vec![packed(Packing::Cos), packed(Packing::Sin)]
    }
}

impl FromStr for Call {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, arguments) = name_and_arguments(text)?;
        let mut arguments = between_commas(arguments).into_iter();
        let missing = |what: &str| format!("{what} is missing; write `{name}(rows, columns, key = value, ..)`");
        let rows = arguments.next().ok_or_else(|| missing("the number of rows"))?;
        let columns = arguments.next().ok_or_else(|| missing("the number of columns"))?;
        let shape = rows.strip_prefix('(').and_then(|sizes| sizes.strip_suffix(')'));
        let table = match (name, shape) {
            ("sinusoidal_table!", None) => TableKind::Sinusoidal,
            ("rotary_table!", None) => TableKind::Rotary,
            ("grid_table!", Some(_)) => TableKind::Grid,
            ("rotary_table!", Some(_)) => TableKind::Axial,
            ("grid_table!", None) => {
                return Err(format!("the shape is `{rows}`, but must be a tuple such as `(14, 14)`"));
            }
            _ => return Err(format!("`{name}` has one number of rows, and no shape")),
        };
        let keys = Keys::read(table, arguments)?;
        let wanted = keys.wanted(rows, shape, columns)?;
        let is_pair = matches!(table, TableKind::Rotary | TableKind::Axial) && keys.given.packing().is_none();
        Ok(Self {
            request: Request { wanted, quantiser: keys.dtype.quantiser(), given: keys.given },
            dtype: keys.dtype,
            is_pair,
        })
    }
}

/// Divides a call into the name of the macro and what is between its parentheses.
fn name_and_arguments(text: &str) -> Result<(&str, &str), String> {
    const MACROS: [&str; 3] = ["sinusoidal_table!", "rotary_table!", "grid_table!"];
    let call = text.trim().trim_end_matches(';');
    let call = call.strip_prefix("posenc::").unwrap_or(call);
    let found = MACROS.into_iter().find_map(|name| Some((name, call.strip_prefix(name)?.trim())));
    let (name, rest) = found.ok_or_else(|| {
        format!("`{text}` is no call; it must begin with `sinusoidal_table!(`, `rotary_table!(` or `grid_table!(`")
    })?;
    let arguments = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    Ok((name, arguments.ok_or_else(|| format!("`{text}` must have its arguments in parentheses"))?))
}

/// The keys of a call.
struct Keys<'t> {
    table: TableKind,
    preset: Option<&'t str>,
    dtype: Dtype,
    given: Given,
}

impl<'t> Keys<'t> {
    fn read(table: TableKind, arguments: impl Iterator<Item = &'t str>) -> Result<Self, String> {
        let (mut preset, mut dtype, mut given, mut seen) = (None, Dtype::Float(FloatType::F32), Vec::new(), Vec::new());
        for argument in arguments {
            let (key, value) = argument.split_once('=').ok_or_else(|| format!("`{argument}` is no `key = value`"))?;
            let (key, value) = (key.trim(), value.trim());
            if seen.contains(&key) {
                return Err(format!("`{key}` is given twice; remove one"));
            }
            seen.push(key);
            match key {
                "preset" => preset = Some(value),
                "dtype" => dtype = read_dtype(value).map_err(|error| format!("`dtype` is `{value}`, but {error}"))?,
                _ => {
                    let parameter = parameter(table, key).map_err(|unknown| unknown.to_string())?;
                    given.push((parameter, values(parameter, table, value)?));
                }
            }
        }
        Ok(Self { table, preset, dtype, given: Given::new(given) })
    }

    fn wanted(&self, rows: &str, shape: Option<&str>, columns: &str) -> Result<Wanted, String> {
        let sizes = |text| between_commas(text).into_iter().map(|points| size("shape", points)).collect();
        let shape = shape.map_or_else(|| Ok(Vec::new()), sizes);
        let packing = self.given.packing().unwrap_or_default();
        Ok(match self.table {
            TableKind::Sinusoidal => {
                let preset = self.preset()?.unwrap_or(Preset::Paper);
                Wanted::Sinusoidal { preset, seq_len: size("seq_len", rows)?, d_model: d_model(columns)? }
            }
            TableKind::Grid => Wanted::Grid { preset: self.preset()?, shape: shape?, d_model: d_model(columns)? },
            TableKind::Rotary => {
                let head_dim = size("head_dim", columns)?;
                let of_preset = |preset| RotaryOrigin::Preset(preset, Some(head_dim));
                let origin = self.preset()?.map_or(RotaryOrigin::HeadDim(head_dim), of_preset);
                Wanted::Rotary { origin, seq_len: size("seq_len", rows)?, packing }
            }
            TableKind::Axial => {
                let head_dim = size("head_dim", columns)?;
                let of_preset = |preset| AxialOrigin::Preset(preset, head_dim);
                let origin = self.preset()?.map_or(AxialOrigin::HeadDim(head_dim), of_preset);
                Wanted::Axial { origin, shape: shape?, packing }
            }
        })
    }

    fn preset<P: Named>(&self) -> Result<Option<P>, String> {
        self.preset.map(|name| choice(P::NAMES, name).map(|i| P::CHOICES[i])).transpose()
    }
}

/// The keys of each kind of table.
static KEYS: LazyLock<[Names; 4]> = LazyLock::new(|| {
    let names = |table: &TableKind| {
        let parameters = PARAMETERS.iter().filter(|parameter| parameter.is_of(*table)).map(|parameter| parameter.key);
        let all: Vec<_> = parameters.chain(["preset", "dtype"]).collect();
        Names { of: Of::Things("key"), all: all.leak(), paths: &[], elsewhere: &[] }
    };
    TableKind::ALL.iter().map(names).collect::<Vec<_>>().try_into().expect("there are four kinds")
});

/// Returns the parameter of a key.
fn parameter(table: TableKind, key: &str) -> Result<&'static Parameter, Unknown<'_>> {
    let i = TableKind::ALL.iter().position(|kind| *kind == table).expect("there are four kinds");
    let key = KEYS[i].all[find_key(&KEYS[i], table, key)?];
    Ok(PARAMETERS.iter().find(|parameter| parameter.key == key && parameter.is_of(table)).expect("it is one of them"))
}

/// Reads a value, or a tuple with one for each axis.
fn values(parameter: &'static Parameter, table: TableKind, text: &str) -> Result<GivenValues, String> {
    let is_by_axis = parameter.by_axis && table.has_axes();
    let tuple = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).filter(|_| is_by_axis);
    let each = tuple.map_or_else(|| vec![text], between_commas);
    match parameter.kind {
        Kind::Numbers => {
            each.into_iter().map(|list| numbers(parameter.key, list)).collect::<Result<_, _>>().map(GivenValues::Lists)
        }
        Kind::Scaling => each.into_iter().map(rule).collect::<Result<_, _>>().map(GivenValues::Rules),
        Kind::Axes => Ok(GivenValues::Axes(
            between_commas(text.trim_matches(['(', ')'])).into_iter().map(str::to_owned).collect(),
        )),
        _ => {
            let one = |text| match GivenValues::read(parameter, text, false)? {
                GivenValues::Values(mut values) => Ok(values.remove(0)),
                _ => unreachable!("it is neither a list, a rule nor an order of axes"),
            };
            let values = each.into_iter().map(one).collect::<Result<Vec<_>, String>>()?;
            if let Access::Spec { check, .. } = parameter.access {
                values.iter().try_for_each(|value| check(*value)).map_err(|error| error.to_string())?;
            }
            Ok(GivenValues::Values(values))
        }
    }
}

fn numbers(key: &str, text: &str) -> Result<Vec<f64>, String> {
    let list = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let list = list.ok_or_else(|| format!("`{key}` is `{text}`, but must be a list of numbers such as `[1, 0.5]`"))?;
    between_commas(list).into_iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use posenc::{AxialPreset, GridPreset, RopePreset};

    use super::*;

    /// Returns the calls of the tables that a text makes.
    fn printed(text: &str) -> Vec<String> {
        let call: Call = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let print = |request: &Request| with_stored!(call.dtype(), T => request.rows::<T>().unwrap_or_else(|error| panic!("{text}: {error}")).call());
        call.requests().iter().map(print).collect()
    }

    /// Reading what is printed and printing it again changes nothing.
    fn check(text: &str) {
        for call in printed(text) {
            assert_eq!(printed(&call), [call.as_str()], "{text}");
        }
    }

    #[test]
    fn calls_of_all_presets_are_read_back() {
        for preset in Preset::ALL {
            let counts_down = matches!(preset, Preset::ConformerRel | Preset::TransformerXl);
            let start = if counts_down { ", start = 3" } else { "" };
            check(&format!("sinusoidal_table!(7, 8, preset = {preset}{start})"));
        }
        for preset in RopePreset::ALL {
            let head_dim = posenc::Rope::preset(*preset).head_dim();
            check(&format!("rotary_table!(5, {head_dim}, preset = {preset}, repeat = halves, dtype = bf16)"));
        }
        let first = |calls: Vec<String>| {
            calls.into_iter().find(|text| is_made(text)).expect("one of the shapes is of the preset")
        };
        for preset in GridPreset::ALL {
            let calls = ["(4, 6)", "(2, 4, 6)"].map(|shape| {
                let extent = if *preset == GridPreset::PixArt { ", extent = 8/3" } else { "" };
                format!("grid_table!({shape}, 96, preset = {preset}{extent}, dtype = q15)")
            });
            check(&first(calls.to_vec()));
        }
        for preset in AxialPreset::ALL {
            let calls = ["(4, 6)", "(2, 4, 6)", "(1, 2, 3, 4)"].map(|shape| {
                let extent = if *preset == AxialPreset::Eva02 { ", extent = 16" } else { "" };
                format!("rotary_table!({shape}, {}, preset = {preset}{extent})", preset.head_dim())
            });
            check(&first(calls.to_vec()));
        }
    }

    fn is_made(text: &str) -> bool {
        text.parse().is_ok_and(|call: Call| call.requests().iter().all(|request| request.rows::<f32>().is_ok()))
    }

    const CALLS: [&str; 17] = [
        "sinusoidal_table!(9, 6, base = 500.5, freq_shift = 1, dtype = i8(1/127, -1))",
        "sinusoidal_table!(9, 8, freq_offset = 1/2, unit = 8/15, scale = -0.3, start = -4, step = 3, zero_row = 2)",
        "sinusoidal_table!(9, 6, frequencies = [1, 0.5, -0.25], frequency_dtype = f16)",
        "sinusoidal_table!(9, 7, layout = halves, order = cos_sin, odd = zero, amplitude = -2.5, dtype = f64)",
        "sinusoidal_table!(9, 6, columns = cos, amplitude = rsqrt_d)",
        "sinusoidal_table!(9, 6, pairing = unpaired)",
        "sinusoidal_table!(9, 8, repeat = pairs, scaling = yarn(4, 512, beta_fast = 30, truncate = false))",
        "rotary_table!(9, 8, rotary_dim = 4, scaling = longrope([1, 2], 32, 4096), attention_factor = 1.5, packing = sin)",
        "rotary_table!(9, 8, partial_rotary_factor = 0.5, freq_offset = 1/2, start = 2, step = -1, packing = complex)",
        "rotary_table!(9, 8, frequencies = [1, 2, 3, 4], frequency_dtype = bf16, repeat = halves, scale = 2, unit = 1/2)",
        "rotary_table!(9, 8, base = 100, dtype = q31)",
        "grid_table!((4, 6), 16, nest = phases, first = (w, h), widths = (4, 8), rest = zero, zero_rows = 2, merge = 2)",
        "grid_table!((2, 3), 8, positions = ([0, 7.5], []), order = cos_sin, amplitude = 2, scale = 0.5, freq_shift = (0, 1))",
        "grid_table!((2, 3), 8, frequencies = ([1, 2], [3, 4]), columns = both, frequency_dtype = f16, start = (1, -1), step = 2)",
        "grid_table!((2, 3), 8, base = (10, 20), extent = 8/3, scaling = (linear(2), none), freq_offset = (0, 1/4))",
        "rotary_table!((2, 3), 16, rest = identity, scaling = (ntk(2), none), unit = (1/3, 2), start = (-2, 5), step = (2, 1), \
         identity_rows = 1, identity_rows_after = 2, repeat = axis_halves, base = 20, scale = 2, frequency_dtype = bf16, widths = (8, 4))",
        "rotary_table!((4, 6), 16, extent = 8/3, freq_offset = (0, 1/2), repeat = pairs, nest = frequencies, \
         first = (w, h), merge = 2, partial_rotary_factor = 0.5, packing = cos)",
    ];

    #[test]
    fn every_key_is_read_back() {
        CALLS.into_iter().for_each(check);
        for parameter in &PARAMETERS {
            let has = |call: &&str| call.contains(&format!(", {} = ", parameter.key));
            assert!(CALLS.iter().any(has), "{}", parameter.key);
        }
    }

    #[test]
    fn what_is_no_call_is_refused() {
        for (text, words) in [
            ("", "`` is no call; it must begin with `sinusoidal_table!(`"),
            ("table!(2, 4)", "is no call"),
            ("sinusoidal_table!(2, 4", "must have its arguments in parentheses"),
            ("sinusoidal_table!(2)", "the number of columns is missing"),
            ("sinusoidal_table!((2, 3), 4)", "has one number of rows, and no shape"),
            ("grid_table!(2, 4)", "the shape is `2`, but must be a tuple"),
            ("sinusoidal_table!(2, 4, 5)", "`5` is no `key = value`"),
            ("sinusoidal_table!(2, 4, base = 5, base = 6)", "`base` is given twice"),
            ("sinusoidal_table!(2, 4, theta = 5)", "unknown key `theta`; use `base`"),
            ("sinusoidal_table!(2, 4, bse = 5)", "unknown key `bse`; did you mean `base`?"),
            ("sinusoidal_table!(2, 4, merge = 2)", "unknown key `merge`"),
            ("sinusoidal_table!(N, 4)", "`N` is not a number"),
            ("sinusoidal_table!(2, 4, base = B)", "`B` is not a number"),
            ("sinusoidal_table!(2, 4, dtype = f8)", "`dtype` is `f8`, but must be one of f32"),
            ("sinusoidal_table!(2, 4, preset = wisper)", "unknown preset `wisper`; did you mean `whisper`?"),
            ("sinusoidal_table!(2, 4, frequencies = 5)", "`frequencies` is `5`, but must be a list"),
            ("rotary_table!((2, x), 4)", "`x` is not a number"),
        ] {
            let error = text.parse::<Call>().err().unwrap_or_default();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
