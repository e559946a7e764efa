//! The parameters of a call, as a `Spec` as far as their values are known, and as code that builds it.

use posenc_runtime::names::Names;
use posenc_runtime::{
    AMPLITUDE_EXPECTED, AMPLITUDE_WORDS, Amplitude, Kind, PARAMETERS, Parameter, Preset, Quantiser, Spec, SpecError,
};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Expr;

use crate::arguments::Value;
use crate::choice;
use crate::diagnostic::{Diagnostic, shown};
use crate::made::Made;
use crate::names::{SINUSOIDAL_NAMES, check_key};
use crate::reader::{Reader, one};
use crate::spans::local;

/// The parameters read so far.
pub(crate) struct Parameters<'a, 'p> {
    made: Made,
    pub(crate) spec: Spec<'a>,
    /// The code `Spec::preset(...).base(...)` and so on.
    pub(crate) calls: TokenStream,
    pub(crate) reader: Reader<'p>,
}

impl<'a, 'p> Parameters<'a, 'p> {
    pub(crate) fn new(
        made: Made,
        preset: Preset,
        d_model: usize,
        d_model_tokens: &TokenStream,
        crate_path: &'p TokenStream,
    ) -> Self {
        let variant = format_ident!("{preset:?}");
        let calls = quote!(#crate_path::Spec::preset(#crate_path::Preset::#variant, #d_model_tokens));
        Self { made, spec: Spec::preset(preset, d_model), calls, reader: Reader::new(crate_path) }
    }

    /// Sets a parameter.
    pub(crate) fn set(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        if key == "attention_factor" && matches!(self.made, Made::Rope) {
            return self.amplitude(key, value);
        }
        match parameter(key)?.kind {
            Kind::Number(check, set) => self.real(key, value, check, set),
            Kind::Integer(check, set) => self.integer(key, value, check, set),
            Kind::Quotient(check, set) => self.quotient(key, value, check, set),
            Kind::Row(set) => self.row(key, value, set),
            Kind::Choice(names, set) => self.choice(key, value, names, set),
            Kind::Amplitude => self.amplitude(key, value),
            // These were read before the other keys.
            Kind::Numbers | Kind::Scaling => Ok(()),
        }
    }

    /// Sets the quantiser, if it is known.
    pub(crate) fn set_quantiser(&mut self, quantiser: Option<Quantiser>, code: &TokenStream) {
        if let Some(quantiser) = quantiser {
            self.spec = self.spec.quantiser(quantiser);
        }
        self.calls.extend(quote!(.quantiser(#code)));
    }

    fn call(&mut self, key: &Ident, argument: impl ToTokens) {
        self.calls.extend(quote!(.#key(#argument)));
    }

    fn real(
        &mut self,
        key: &Ident,
        value: &Value,
        check: fn(f64) -> Result<(), SpecError>,
        set: fn(Spec<'a>, f64) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let name = key.to_string();
        let (number, argument) = self.reader.number(&name, one(key, value)?)?;
        if let Some(number) = number {
            check(number).map_err(|error| Diagnostic::at(value, error))?;
            self.spec = set(self.spec, number);
        }
        self.call(key, argument);
        Ok(())
    }

    fn integer(
        &mut self,
        key: &Ident,
        value: &Value,
        check: fn(i64) -> Result<(), SpecError>,
        set: fn(Spec<'a>, i64) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let (number, argument) = self.reader.whole(&key.to_string(), one(key, value)?)?;
        if let Some(number) = number {
            check(number).map_err(|error| Diagnostic::at(value, error))?;
            self.spec = set(self.spec, number);
        }
        self.call(key, argument);
        Ok(())
    }

    fn quotient(
        &mut self,
        key: &Ident,
        value: &Value,
        check: fn(i64, i64) -> Result<(), SpecError>,
        set: fn(Spec<'a>, i64, i64) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let (quotient, argument) = self.reader.quotient(&key.to_string(), one(key, value)?)?;
        if let Some((numerator, denominator)) = quotient {
            check(numerator, denominator).map_err(|error| Diagnostic::at(value, error))?;
            self.spec = set(self.spec, numerator, denominator);
        }
        self.call(key, argument);
        Ok(())
    }

    fn row(&mut self, key: &Ident, value: &Value, set: fn(Spec<'a>, usize) -> Spec<'a>) -> Result<(), Diagnostic> {
        let argument = self.reader.size(&key.to_string(), one(key, value)?)?;
        if let (Some(row), _) = argument {
            self.spec = set(self.spec, row);
        }
        self.call(key, argument.1);
        Ok(())
    }

    /// Reads the key `max_bytes`, which is not a parameter of the spec.
    pub(crate) fn limit(&mut self, key: &Ident, value: &Value) -> Result<(Option<usize>, TokenStream), Diagnostic> {
        self.reader.size(&key.to_string(), one(key, value)?)
    }

    fn choice(
        &mut self,
        key: &Ident,
        value: &Value,
        names: &'static Names,
        set: fn(Spec<'a>, usize) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let choice = choice::index(names, value)?;
        let crate_path = self.reader.crate_path;
        let path: TokenStream = names.paths[choice].parse().map_err(|_| Diagnostic::at(value, "invalid path"))?;
        self.spec = set(self.spec, choice);
        self.call(key, quote!(#crate_path::#path));
        Ok(())
    }

    fn amplitude(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        let written = shown(value);
        let path = self.reader.crate_path;
        let (amplitude, argument) = match AMPLITUDE_WORDS.iter().find(|(word, ..)| *word == written) {
            Some(&(_, amplitude, variant)) => {
                let variant = format_ident!("{variant}");
                (Some(amplitude), quote!(#path::Amplitude::#variant))
            }
            // Constants are not written in lower case, so this is a misspelled word.
            None if is_word(value) => {
                let sentence = format!("`{key}` is `{written}`, but must be {AMPLITUDE_EXPECTED}");
                return Err(Diagnostic::at(value, sentence));
            }
            None => {
                let (number, float) = self.reader.number(&key.to_string(), one(key, value)?)?;
                (number.map(Amplitude::Value), quote!(#path::Amplitude::Value(#float)))
            }
        };
        if let Some(amplitude) = amplitude {
            self.spec = self.spec.amplitude(amplitude);
        }
        self.calls.extend(quote!(.amplitude(#argument)));
        Ok(())
    }

    /// Reads the list of frequencies, or the name of one. Known values go to `storage`.
    pub(crate) fn frequencies(&mut self, value: &Value, storage: &'a mut Vec<f64>) -> Result<(), Diagnostic> {
        let list = local("frequencies");
        *storage = self.reader.list("frequencies", value)?;
        if !self.reader.named {
            self.spec = self.spec.frequencies(storage);
        }
        self.calls.extend(quote!(.frequencies(&#list)));
        Ok(())
    }
}

/// Returns the parameter of a key.
fn parameter(key: &Ident) -> Result<&'static Parameter, Diagnostic> {
    check_key(&SINUSOIDAL_NAMES, key)?;
    Ok(PARAMETERS.iter().find(|parameter| key == parameter.key).expect("the other keys are read elsewhere"))
}

/// Returns whether a value is a word in lower case.
pub(crate) fn is_word(value: &Value) -> bool {
    let Value::One(Expr::Path(path)) = value else { return false };
    path.path.get_ident().is_some_and(|ident| *ident.to_string() == ident.to_string().to_lowercase())
}
