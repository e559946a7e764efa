//! The values of the keys of a grid.

use posenc_runtime::names::Named;
use posenc_runtime::{Nest, Order, Rest};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Expr;

use super::Read;
use crate::arguments::Value;
use crate::baked::{AnyGrid, MAX_AXES, changed, values};
use crate::check::file_name;
use crate::choice;
use crate::diagnostic::{Diagnostic, shown};
use crate::dtype::Dtype;
use crate::names::{GRID_NAMES, check_key};
use crate::parameters::is_word;
use crate::quantiser;
use crate::reader::{Reader, one};
use crate::spans::local;

impl<'a, 'p> Read<'a, 'p> {
    pub(super) fn option(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        let name = key.to_string();
        match name.as_str() {
            "dtype" => {
                self.dtype = None;
                let (type_name, arguments) = quantiser::name_and_arguments(value);
                let dtype = Dtype::read(type_name)?;
                self.dtype = Some(dtype);
                if let Some((quantiser, code)) = self.reader.quantiser(dtype, value, &arguments)? {
                    let key = Ident::new("quantiser", key.span());
                    self.set(&key, quantiser, &code, |grid, with| changed!(grid, grid => grid.quantiser(with)));
                }
            }
            "max_bytes" => self.max_bytes = Some(self.reader.size(&name, one(key, value)?)?),
            "file" => {
                self.file = Some(file_name(value, self.made())?);
                let crate_path = self.reader.crate_path;
                self.max_bytes = Some((Some(usize::MAX), quote!(#crate_path::__private::usize::MAX)));
            }
            // These were read before the other keys.
            "preset" | "frequencies" => {}
            "first" => self.first(key, value)?,
            "nest" => self.choice::<Nest>(key, value, |grid, nest| changed!(grid, grid => grid.nest(nest)))?,
            "rest" => self.choice::<Rest>(key, value, |grid, rest| changed!(grid, grid => grid.rest(rest)))?,
            "order" => self.choice::<Order>(key, value, |grid, order| changed!(grid, grid => grid.order(order)))?,
            "zero_rows" => {
                let (rows, code) = self.reader.size(&name, one(key, value)?)?;
                self.set(key, rows, &code, |grid, rows| changed!(grid, grid => grid.zero_rows(rows)));
                self.calls_for_rows.extend(quote!(.#key(#code)));
            }
            "extent" => {
                let (extent, code) = self.reader.quotient(&name, one(key, value)?)?;
                self.set(key, extent, &code, |grid, (over, under)| changed!(grid, grid => grid.extent(over, under)));
            }
            "scale" => self.number(key, value, |grid, scale| changed!(grid, grid => grid.scale(scale)))?,
            // Constants are not written in lower case, so this is one of the words that `Spec` has.
            "amplitude" if is_word(value) => {
                let written = shown(value);
                let sentence = format!("`amplitude` is `{written}`, but must be a number");
                return Err(Diagnostic::at(value, sentence));
            }
            "amplitude" => self.number(key, value, |grid, factor| changed!(grid, grid => grid.amplitude(factor)))?,
            _ => self.of_axes(key, value)?,
        }
        Ok(())
    }

    /// Sets a parameter of each axis.
    fn of_axes(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        match key.to_string().as_str() {
            "widths" => self.each(key, value, Reader::size, |grid, n| changed!(grid, grid => grid.widths(values(n)))),
            "start" => self.each(key, value, Reader::whole, |grid, n| changed!(grid, grid => grid.start(values(n)))),
            "step" => self.each(key, value, Reader::whole, |grid, n| changed!(grid, grid => grid.step(values(n)))),
            "base" => self.each(key, value, Reader::number, |grid, x| changed!(grid, grid => grid.base(values(x)))),
            "freq_shift" => {
                self.each(key, value, Reader::number, |grid, x| changed!(grid, grid => grid.freq_shift(values(x))))
            }
            "unit" => {
                let pair = |reader: &mut Reader, name: &str, value: &Expr| {
                    reader.quotient(name, value).map(|(unit, code)| (unit, quote!((#code))))
                };
                self.each(key, value, pair, |grid, unit| changed!(grid, grid => grid.unit(values(unit))))
            }
            _ => check_key(&GRID_NAMES, key),
        }
    }

    /// Adds the call that sets a parameter, and sets it if the value is known.
    fn set<T>(
        &mut self,
        key: &Ident,
        value: Option<T>,
        code: &TokenStream,
        set: impl FnOnce(AnyGrid<'a>, T) -> AnyGrid<'a>,
    ) {
        if let Some(value) = value {
            self.grid = set(self.grid, value);
        }
        self.calls.extend(quote!(.#key(#code)));
    }

    fn number(
        &mut self,
        key: &Ident,
        value: &Value,
        set: fn(AnyGrid<'a>, f64) -> AnyGrid<'a>,
    ) -> Result<(), Diagnostic> {
        let (number, code) = self.reader.number(&key.to_string(), one(key, value)?)?;
        self.set(key, number, &code, set);
        Ok(())
    }

    fn choice<C: Named>(
        &mut self,
        key: &Ident,
        value: &Value,
        set: fn(AnyGrid<'a>, C) -> AnyGrid<'a>,
    ) -> Result<(), Diagnostic> {
        let choice = choice::index(C::NAMES, value)?;
        let crate_path = self.reader.crate_path;
        let path: TokenStream = C::NAMES.paths[choice].parse().map_err(|_| Diagnostic::at(value, "invalid path"))?;
        self.set(key, Some(C::CHOICES[choice]), &quote!(#crate_path::#path), set);
        Ok(())
    }

    /// Reads one value for all axes, or a tuple of one for each.
    fn each<T: Copy>(
        &mut self,
        key: &Ident,
        value: &Value,
        mut read: impl FnMut(&mut Reader<'p>, &str, &Expr) -> Result<(Option<T>, TokenStream), Diagnostic>,
        set: fn(AnyGrid<'a>, &[T]) -> AnyGrid<'a>,
    ) -> Result<(), Diagnostic> {
        let (name, axes) = (key.to_string(), self.shape.len());
        let (known, code) = if let Value::One(Expr::Tuple(tuple)) = value {
            check_count(&name, tuple, tuple.elems.len(), axes)?;
            let each = tuple.elems.iter().map(|value| read(&mut self.reader, &name, value));
            let (known, code): (Vec<_>, Vec<_>) = each.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
            (known.into_iter().collect::<Option<Vec<_>>>(), quote!([#(#code),*]))
        } else if let Value::List { values, .. } = value {
            let each: Vec<_> = values.iter().map(shown).collect();
            let (written, each) = (shown(value), each.join(", "));
            let sentence = format!(
                "`{name}` is `{written}`, but must be one value for all axes, or a tuple of one for each: `({each})`"
            );
            return Err(Diagnostic::at(value, sentence));
        } else {
            let (known, code) = read(&mut self.reader, &name, one(key, value)?)?;
            let axes = Literal::usize_unsuffixed(axes);
            (known.map(|known| vec![known]), quote!([#code; #axes]))
        };
        self.set(key, known, &code, |grid, known| set(grid, &known));
        Ok(())
    }

    /// Reads the order of the axes, as a tuple of their names.
    fn first(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        let names = self.names;
        let written: Vec<_> = match value {
            Value::One(Expr::Tuple(tuple)) => tuple.elems.iter().map(shown).collect(),
            _ => Vec::new(),
        };
        let place = |name: &str| written.iter().position(|written| written == name);
        if written.len() != names.len() || names.iter().any(|name| place(name).is_none()) {
            let (written, all) = (shown(value), names.join(", "));
            let sentence =
                format!("`first` is `{written}`, but must name each axis once: `({all})` is the order of the shape");
            return Err(Diagnostic::at(value, sentence));
        }
        let axes: Vec<_> = written.iter().filter_map(|written| names.iter().position(|name| name == written)).collect();
        let code = quote!([#(#axes),*]);
        self.set(key, Some(axes), &code, |grid, axes| changed!(grid, grid => grid.first(values(&axes))));
        Ok(())
    }

    /// Reads the frequencies of all axes, or a tuple of a list for each.
    pub(super) fn lists(&mut self, value: &Value, storage: &mut [Vec<f64>; MAX_AXES]) -> Result<(), Diagnostic> {
        let axes = self.shape.len();
        let code = if let Value::Tuple { parentheses, values } = value {
            check_count("frequencies", parentheses, values.len(), axes)?;
            let mut lists = Vec::new();
            for (i, (list, storage)) in values.iter().zip(storage).enumerate() {
                let variable = local(&format!("frequencies_{i}"));
                *storage = self.reader.list_in(&variable, "frequencies", list)?;
                lists.push(variable);
            }
            quote!([#(&#lists),*])
        } else {
            let variable = local("frequencies");
            let list = self.reader.list_in(&variable, "frequencies", value)?;
            storage.fill(list);
            let axes = Literal::usize_unsuffixed(axes);
            quote!([&#variable as &[_]; #axes])
        };
        self.calls.extend(quote!(.frequencies(#code)));
        Ok(())
    }

    pub(super) fn set_lists(&mut self, lists: &'a [Vec<f64>; MAX_AXES]) {
        self.grid = changed!(self.grid, grid => grid.frequencies(std::array::from_fn(|axis| &*lists[axis])));
    }
}

fn check_count(key: &str, tuple: impl ToTokens, count: usize, axes: usize) -> Result<(), Diagnostic> {
    if count == axes {
        return Ok(());
    }
    let sentence = format!("`{key}` has {count} values, but must have {axes}, one for each axis, or one for all axes");
    Err(Diagnostic::at(tuple, sentence))
}
