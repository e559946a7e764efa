//! The parameters of each kind of table that are given.
//!
//! Which there are follows from the library's list of parameters.

use std::marker::PhantomData;
use std::ops::Deref;

use posenc::reflection::{Kind, PARAMETERS, Parameter, TableKind, Value, check_together};
use posenc_text::given::{Given, GivenValues};

use crate::text::failure::Failure;

/// One or several kinds of tables in the type of their options.
pub(crate) trait OfTable {
    const TABLES: &'static [TableKind];
}

pub(crate) struct Sinusoidal;
pub(crate) struct Rotary;
pub(crate) struct OfGrid;
pub(crate) struct Axial;
/// Rotary caches, and rotary tables with axes.
pub(crate) struct EitherRotary;
pub(crate) struct OfAny;

impl OfTable for Sinusoidal {
    const TABLES: &'static [TableKind] = &[TableKind::Sinusoidal];
}

impl OfTable for Rotary {
    const TABLES: &'static [TableKind] = &[TableKind::Rotary];
}

impl OfTable for OfGrid {
    const TABLES: &'static [TableKind] = &[TableKind::Grid];
}

impl OfTable for Axial {
    const TABLES: &'static [TableKind] = &[TableKind::Axial];
}

impl OfTable for EitherRotary {
    const TABLES: &'static [TableKind] = &[TableKind::Rotary, TableKind::Axial];
}

impl OfTable for OfAny {
    const TABLES: &'static [TableKind] = TableKind::ALL;
}

/// The parameters of a kind of table that are given as options.
pub(crate) struct Options<T> {
    given: Given,
    of: PhantomData<T>,
}

/// Delegates to what is given.
impl<T> Deref for Options<T> {
    type Target = Given;

    fn deref(&self) -> &Given {
        &self.given
    }
}

impl<T> Options<T> {
    pub(crate) fn new(given: Vec<(&'static Parameter, GivenValues)>) -> Self {
        Self { given: Given::new(given), of: PhantomData }
    }
}

impl<S: OfTable> Options<S> {
    /// Returns the first of these keys that is given.
    pub(crate) fn first_given<'k>(&self, keys: &[&'k str]) -> Option<&'k str> {
        keys.iter().copied().find(|key| self.has(key))
    }

    /// Returns the options beside this one.
    pub(crate) fn without(&self, key: &str) -> Self {
        let others = self.iter().filter(|(parameter, _)| parameter.key != key);
        Self::new(others.map(|(parameter, given)| (parameter, given.clone())).collect())
    }

    /// Returns what is given, and the parameters of a model that it does not override.
    pub(crate) fn beside(&self, model: impl IntoIterator<Item = (&'static str, Vec<Value<'static>>)>) -> Given {
        let is_kept = |key: &str| !self.has(key) && check_together(|other| other == key || self.has(other)).is_ok();
        let model = model.into_iter().filter(|(key, _)| is_kept(key)).map(|(key, values)| {
            let parameter = options(S::TABLES).find(|parameter| parameter.key == key);
            (parameter.expect("the table of a model has its parameters"), GivenValues::Values(values))
        });
        Given::new(model.chain(self.iter().map(|(parameter, given)| (parameter, given.clone()))).collect())
    }

    /// Returns the options as those of a kind of table, if it has all that are given.
    pub(crate) fn of<T: OfTable>(&self, kind: &str) -> Result<Options<T>, Failure> {
        let given = self.iter().map(|(parameter, given)| {
            let key = parameter.key;
            let own = options(T::TABLES).find(|own| own.key == key).ok_or_else(|| {
                let option = key.replace('_', "-");
                Failure::new(format_args!("--{option} does not apply to {kind}; leave it out"))
            })?;
            let count = if matches!(given, GivenValues::Axes(_)) { 1 } else { given.values().len() };
            let has_axes = T::TABLES.iter().all(|table| table.has_axes());
            if count != 1 && !(own.by_axis && has_axes) {
                return Err(Failure::new(format_args!("`{key}` has {count} values, but must have 1 for {kind}")));
            }
            if let GivenValues::Values(values) = given {
                if let (Kind::Choice(names), Value::Word(word)) = (own.kind, values[0]) {
                    names.find(word).map_err(Failure::new)?;
                }
                if matches!((own.kind, values[0]), (Kind::Factor, Value::Amplitude(_))) {
                    return Err(Failure::new(format_args!("`{key}` is a word, but must be a number for {kind}")));
                }
            }
            Ok((own, given.clone()))
        });
        Ok(Options::new(given.collect::<Result<_, Failure>>()?))
    }

    /// Returns whether an option is given that only rotary tables have.
    pub(crate) fn are_rotary(&self) -> bool {
        let is_rotary =
            |parameter: &Parameter| parameter.tables.iter().all(|table| EitherRotary::TABLES.contains(table));
        self.iter().any(|(parameter, _)| is_rotary(parameter))
    }
}

impl<S: OfTable> Options<S> {
    /// Returns the names of the options.
    pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
        options(S::TABLES).map(|parameter| parameter.key)
    }
}

impl Options<OfAny> {
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl Options<Sinusoidal> {
    /// Returns the position of row 0, if it is given.
    pub(crate) fn start(&self) -> Option<i64> {
        if let Some(Value::Integer(start)) = self.value("start") { Some(start) } else { None }
    }

    /// Returns the row of zeros, if it is given.
    pub(crate) fn zero_row(&self) -> Option<usize> {
        if let Some(Value::Size(row)) = self.value("zero_row") { Some(row) } else { None }
    }
}

/// Returns the parameters that are options for some kinds of tables.
pub(crate) fn options(tables: &'static [TableKind]) -> impl Iterator<Item = &'static Parameter> {
    // Between the commas of an option are the values of the axes, if there are any.
    let is_option = |parameter: &Parameter| {
        let is_of = |table: &TableKind| {
            parameter.is_of(*table) && !(table.has_axes() && matches!(parameter.kind, Kind::Numbers))
        };
        tables.iter().any(is_of)
    };
    // The first row of a key takes the values of the other ones too.
    let is_first =
        move |i: usize, key: &str| PARAMETERS[..i].iter().all(|earlier| earlier.key != key || !is_option(earlier));
    let is_listed = move |(i, parameter): &(usize, &Parameter)| is_option(parameter) && is_first(*i, parameter.key);
    PARAMETERS.iter().enumerate().filter(is_listed).map(|(_, parameter)| parameter)
}
