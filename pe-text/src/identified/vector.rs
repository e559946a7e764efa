//! The output about a vector: which rotary cache has its frequencies.

use std::io;

use posenc::{Frequencies, FrequencyDtype, RopeParameters, Scaling};
use posenc_identify::{Dtype, FloatType, FrequencyVector, Outcome, Rows, VectorKind, identify_vector};

use super::Told;
use super::call::{base, dtype_option};
use super::sentences::{presets, undetermined};

impl Told {
    /// Returns all that is known of a vector. The command writes to the file `output`.
    ///
    /// # Errors
    ///
    /// Returns the error of [`identify_vector`].
    pub fn of_vector(vector: &dyn Rows, output: &str) -> io::Result<Self> {
        let found = identify_vector(vector)?;
        let (shape, element) = (vector.shape(), vector.element_type());
        let dtype = element.name();
        let [_, count] = shape;
        let Some(found) = found else {
            let tried = "frequencies, their reciprocals, and the factors of a rule, of all presets; most bases, and the rules of \
                         models with their bases";
            let title = format!("nothing fits this vector of {count} {dtype} numbers");
            let lines = vec![("tried", tried.to_owned())];
            let outcome = Outcome::Nothing;
            return Ok(Self {
                outcome,
                undetermined: Vec::new(),
                shape,
                is_vector: true,
                dtype,
                title,
                short: None,
                lines,
            });
        };
        let (error, names) = (error(&found, count), names(&found));
        let mut lines = vec![("vector", format!("{count} {dtype}, {error}"))];
        lines.push(("presets", names.clone().unwrap_or_else(|| "none".to_owned())));
        let written = element.float().and_then(|float| command(&found, float, output));
        lines.extend(written.map(|command| ("command", command)));
        let of = names.unwrap_or_else(|| found.rope.to_string());
        let short = Some(format!("{} of {of}, {error}", found.kind.name()));
        lines.extend(found.undetermined.iter().map(|number| ("note", undetermined(number))));
        let (outcome, title) = (found.outcome(), title(&found));
        let undetermined = found.undetermined.iter().map(|number| (number.key, number.digits)).collect();
        Ok(Self { outcome, undetermined, shape, is_vector: true, dtype, title, short, lines })
    }
}

/// Returns the kind and the macro call. A list of divisors is long, and only presets have one.
fn title(found: &FrequencyVector) -> String {
    match (found.rope.parameters().scaling, found.presets.first()) {
        (Scaling::LongRope(_), Some(named)) => format!("{} of {}", found.kind.name(), named.preset),
        _ => format!("{} of {}", found.kind.name(), found.rope),
    }
}

/// Says how far the numbers are from the exact ones.
fn error(found: &FrequencyVector, count: usize) -> String {
    let dtype = found.rope.parameters().frequency_dtype;
    let of = if dtype == FrequencyDtype::Exact { String::new() } else { format!(", in {}", dtype.name()) };
    let with_more = found.undetermined.as_ref().map(|number| format!("; fewer with more digits of {}", number.key));
    match found.inexact {
        0 => format!("the exact numbers, rounded once{of}"),
        inexact => format!(
            "{inexact} of {count} are not the nearest to the exact ones, off by at most {:.1e}{of}{}",
            found.largest,
            with_more.unwrap_or_default()
        ),
    }
}

/// Lists the presets, if there are any.
fn names(found: &FrequencyVector) -> Option<String> {
    let mut names = Vec::new();
    names.extend((!found.presets.is_empty()).then(|| presets(&found.presets)));
    names.extend((!found.axial_presets.is_empty()).then(|| {
        let axial: Vec<_> = found.axial_presets.iter().map(|preset| preset.name()).collect();
        format!("each axis of {}", axial.join(", "))
    }));
    (!names.is_empty()).then(|| names.join("; "))
}

/// Returns the command that writes the vector.
fn command(found: &FrequencyVector, float: FloatType, output: &str) -> Option<String> {
    let RopeParameters { head_dim, frequencies, scaling, frequency_dtype, .. } = found.rope.parameters();
    let option = match found.kind {
        VectorKind::InvFreq => "--inv-freq",
        VectorKind::Periods => "--periods",
        VectorKind::Factors => "--factors",
    };
    let mut words = vec!["posenc rope".to_owned()];
    if let Some(named) = found.presets.first() {
        words.push(format!("--preset {}", named.preset));
        words.extend((!named.changed.is_empty()).then(|| format!("--head-dim {head_dim}")));
    } else {
        let Frequencies::Geometric { .. } = frequencies else { return None };
        words.push(format!("--head-dim {head_dim} --base {}", base(&frequencies)?));
        words.extend((scaling != Scaling::None).then(|| format!("--scaling '{scaling}'")));
    }
    words.extend((frequency_dtype != FrequencyDtype::Exact).then(|| format!("--frequency-dtype {frequency_dtype}")));
    words.push(option.to_owned());
    words.extend(dtype_option(Dtype::Float(float)).map(|dtype| format!("--dtype {dtype}")));
    words.push(format!("-o {output}"));
    Some(words.join(" "))
}
