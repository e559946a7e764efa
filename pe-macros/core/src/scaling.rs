//! Scaling rules: a name, and arguments in order or by name.

use posenc_runtime::reflection::{
    self, Argument, ArgumentKind, Parameter, RuleParameter, SCALING_RULES, rule_parameters,
};
use posenc_runtime::{MAX_ARGUMENTS, Scaling};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Lit;

use crate::arguments::Value;
use crate::diagnostic::{Diagnostic, shown};
use crate::expression::{Expression, Form};
use crate::read::{Read, check_count};
use crate::reader::{Arg, one};
use crate::spans::local;
use crate::table::MAX_AXES;

impl<'a> Read<'a, '_> {
    /// Reads a rule, or a tuple with one for each axis. Known divisors go to `storage`.
    pub(crate) fn scaling(
        &mut self,
        parameter: &Parameter,
        value: &Value,
        storage: &'a mut [Vec<f64>; MAX_AXES],
    ) -> Result<(), Diagnostic> {
        let (axes, has_axes) = (self.axes.len(), self.table.kind().has_axes());
        let (rules, code): (Vec<_>, _) = match value {
            Value::Tuple { parentheses, values } if has_axes => {
                check_count(parameter.key, parentheses, values.len(), axes)?;
                let (mut rules, mut codes) = (Vec::new(), Vec::new());
                for (i, (value, storage)) in values.iter().zip(storage).enumerate() {
                    let Arg { value, code } = self.rule(value, &local(&format!("factors_{i}")), storage)?;
                    rules.push(value);
                    codes.push(code);
                }
                (rules, quote!([#(#codes),*]))
            }
            Value::Tuple { .. } => {
                let written = shown(value);
                let sentence =
                    format!("`scaling` is `{written}`, but must be one rule with its arguments, such as `linear(8)`");
                return Err(Diagnostic::at(value, sentence));
            }
            _ => {
                let Arg { value, code } = self.rule(value, &local("factors"), &mut storage[0])?;
                let axes = Literal::usize_unsuffixed(axes);
                (vec![value], if has_axes { quote!([#code; #axes]) } else { code })
            }
        };
        let known = rules.into_iter().map(|rule| rule.map(reflection::Value::Scaling)).collect();
        self.set(parameter, known, &code);
        Ok(())
    }

    /// Reads a rule. Known divisors go to `storage`, and the code for them into the variable `list`.
    fn rule(&mut self, value: &Value, list: &Ident, storage: &'a mut Vec<f64>) -> Result<Arg<Scaling<'a>>, Diagnostic> {
        let Value::Rule { name: ident, arguments: written, .. } = value else {
            unreachable!("the grammar has only rules here")
        };
        let name = ident.to_string();
        let rule = SCALING_RULES.find(&name).map_err(|unknown| Diagnostic::at(ident, unknown))?;
        let parameters = rule_parameters(&name);
        let given = arguments_in_order(value, &name, written)?;

        // The list is read first, because the rule borrows it.
        let is_list = |parameter: &RuleParameter| parameter.kind == ArgumentKind::Numbers;
        if let Some(factors) = parameters.iter().position(is_list).and_then(|i| given[i]) {
            *storage = self.reader.list(list, "factors", factors)?;
        }
        let storage: &'a [f64] = storage;
        let mut arguments = Vec::new();
        let mut fields = TokenStream::new();
        for (given, argument) in given.into_iter().zip(parameters) {
            let Arg { value, code } = self.argument(SCALING_RULES.all[rule], argument, given, (list, storage))?;
            let field = format_ident!("{}", argument.key);
            fields.extend(quote!(#field: #code,));
            arguments.extend(value);
        }
        let (path, variant) = (self.reader.crate_path, format_ident!("{}", SCALING_RULES.paths[rule]));
        let fields = (rule > 0).then(|| quote!((#path::scaling::#variant { #fields })));
        Ok(Arg { value: reflection::rule(&name, &arguments), code: quote!(#path::Scaling::#variant #fields) })
    }

    /// Returns the value of an argument, if it is known, and the code for it. The list has been read already.
    fn argument(
        &mut self,
        rule: &'static str,
        parameter: &RuleParameter,
        given: Option<&Value>,
        (list, factors): (&Ident, &'a [f64]),
    ) -> Result<Arg<Argument<'a>>, Diagnostic> {
        let key = parameter.key;
        match (parameter.kind, given) {
            (ArgumentKind::Numbers, _) => Ok(Arg::known(Argument::Numbers(factors), quote!(&#list))),
            (ArgumentKind::Number, Some(value)) => Ok(self.reader.number(key, one(key, value)?)?.map(Argument::Number)),
            (ArgumentKind::Length, Some(value)) => {
                Ok(self.reader.length(rule, key, one(key, value)?)?.map(Argument::Length))
            }
            (ArgumentKind::Flag, Some(Value::One(Expression { form: Form::Literal(Lit::Bool(flag)), .. }))) => {
                Ok(Arg::known(Argument::Flag(flag.value), flag.to_token_stream()))
            }
            (ArgumentKind::Flag, Some(value)) => {
                let written = shown(value);
                Err(Diagnostic::at(value, format!("`{key}` is `{written}`, but must be `true` or `false`")))
            }
            (_, None) => Ok(match parameter.default {
                Some(argument @ Argument::Number(number)) => Arg::known(argument, self.reader.float(number)),
                Some(argument @ Argument::Flag(flag)) => Arg::known(argument, quote!(#flag)),
                _ => unreachable!("only numbers and flags have defaults"),
            }),
        }
    }
}

/// Returns the argument of each parameter.
fn arguments_in_order<'e>(
    value: &Value,
    rule: &str,
    written: &'e [(Option<Ident>, Value)],
) -> Result<[Option<&'e Value>; MAX_ARGUMENTS], Diagnostic> {
    let keys: Vec<_> = written.iter().map(|(key, _)| key.as_ref().map(Ident::to_string)).collect();
    let pairs = keys.iter().map(Option::as_deref).zip(written.iter().map(|(_, argument)| argument));
    reflection::arguments_in_order(rule, pairs).map_err(|error| {
        let at = match error.argument.map(|i| &written[i]) {
            Some((Some(key), _)) => key.to_token_stream(),
            Some((None, argument)) => argument.to_token_stream(),
            None => value.to_token_stream(),
        };
        Diagnostic::at(at, error)
    })
}
