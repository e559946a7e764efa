//! Grammar: expressions.
//!
//! This is Rust's grammar of the expressions that a constant can have without blocks. The macros look at some forms, and
//! leave the others to the compiler. `docs/decisions.md` says why they are not the expressions of `syn`.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Lit, LitBool};

use crate::tokens::{begins_with, is_member, is_name, is_punct};

#[cfg(test)]
mod tests;

/// An expression, with its tokens as they are written.
pub(crate) struct Expression {
    pub(crate) form: Form,
    tokens: TokenStream,
}

/// What an expression consists of.
pub(crate) enum Form {
    Literal(Lit),
    /// The names of a path, without their generic arguments.
    Path(Vec<Ident>),
    Unary(Punct, Box<Expression>),
    Binary(Box<Expression>, Operator, Box<Expression>),
    /// An operand, and `as` with a type.
    Cast(Box<Expression>, TokenStream),
    /// An expression in parentheses, in braces, or in a group without delimiters.
    ///
    /// A `macro_rules!` of the user passes `$n:expr` on as such a group.
    Brackets(Box<Expression>),
    Tuple(Vec<Expression>),
    /// A function and its arguments.
    Call(TokenStream, Vec<Expression>),
    /// Only the compiler needs to know what it consists of.
    Other,
}

/// An operator with two operands.
pub(crate) struct Operator {
    pub(crate) text: &'static str,
    tokens: TokenStream,
}

impl ToTokens for Expression {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
}

impl ToTokens for Operator {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
}

impl Expression {
    /// Parses an expression, or returns `None` if the tokens are anything else.
    pub(crate) fn parse(tokens: &[TokenTree]) -> Option<Self> {
        let mut parser = Parser { tokens, at: 0 };
        let expression = parser.binary(0)?;
        parser.rest().is_empty().then_some(expression)
    }

    /// Returns the expression without the brackets around it.
    pub(crate) fn without_brackets(&self) -> &Self {
        match &self.form {
            Form::Brackets(inner) => inner.without_brackets(),
            _ => self,
        }
    }
}

/// The operators with two operands, and how strongly they bind.
///
/// `as` binds more strongly than all of them. A text comes before the texts that it begins with.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", COMPARISON),
    ("!=", COMPARISON),
    ("<=", COMPARISON),
    (">=", COMPARISON),
    ("<<", 7),
    (">>", 7),
    ("<", COMPARISON),
    (">", COMPARISON),
    ("|", 4),
    ("^", 5),
    ("&", 6),
    ("+", 8),
    ("-", 8),
    ("*", 9),
    ("/", 9),
    ("%", 9),
];

/// How strongly comparisons bind. They cannot be chained.
const COMPARISON: u8 = 3;

/// Tokens, and the first of them that has not been read.
///
/// The methods return `None` if other tokens follow than those that they read.
struct Parser<'t> {
    tokens: &'t [TokenTree],
    at: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t [TokenTree] {
        &self.tokens[self.at..]
    }

    /// Returns the tokens read since token `start`.
    fn since(&self, start: usize) -> TokenStream {
        self.tokens[start..self.at].iter().cloned().collect()
    }

    fn expression(&self, start: usize, form: Form) -> Expression {
        Expression { form, tokens: self.since(start) }
    }

    /// Reads operands and the operators between them that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Option<Expression> {
        let start = self.at;
        let mut left = self.unary()?;
        let mut compared = false;
        loop {
            let form = if matches!(self.rest(), [TokenTree::Ident(word), ..] if word == "as") {
                let from = self.at;
                self.at += 1;
                self.cast_type()?;
                Form::Cast(Box::new(left), self.since(from))
            } else if let Some((text, binding)) = self.operator().filter(|(_, binding)| *binding >= least) {
                if compared && binding == COMPARISON {
                    return None;
                }
                compared |= binding == COMPARISON;
                let from = self.at;
                self.at += text.len();
                let operator = Operator { text, tokens: self.since(from) };
                Form::Binary(Box::new(left), operator, Box::new(self.binary(binding + 1)?))
            } else {
                return Some(left);
            };
            left = self.expression(start, form);
        }
    }

    /// Returns the operator that follows, without reading it.
    fn operator(&self) -> Option<(&'static str, u8)> {
        OPERATORS.into_iter().find(|(text, _)| begins_with(self.rest(), text))
    }

    /// Reads the type of a cast: a path, or a group of a `macro_rules!` of the user.
    fn cast_type(&mut self) -> Option<()> {
        match self.rest() {
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::None => {
                self.at += 1;
                let tokens: Vec<_> = group.stream().into_iter().collect();
                let mut of_group = Parser { tokens: &tokens, at: 0 };
                of_group.cast_type()?;
                if !of_group.rest().is_empty() {
                    return None;
                }
            }
            [TokenTree::Ident(inferred), ..] if inferred == "_" => {
                self.at += 1;
                return Some(());
            }
            _ => drop(self.names()?),
        }
        // The compiler reads a `<` as the start of generic arguments.
        (!begins_with(self.rest(), "<") || begins_with(self.rest(), "<=")).then_some(())
    }

    fn unary(&mut self) -> Option<Expression> {
        let start = self.at;
        match self.rest() {
            [TokenTree::Punct(operator), ..] if matches!(operator.as_char(), '-' | '!' | '*' | '&') => {
                self.at += 1;
                if matches!(self.rest(), [TokenTree::Ident(word), ..] if operator.as_char() == '&' && word == "mut") {
                    self.at += 1;
                    self.unary()?;
                    return Some(self.expression(start, Form::Other));
                }
                let operand = Box::new(self.unary()?);
                Some(self.expression(start, Form::Unary(operator.clone(), operand)))
            }
            _ => self.postfix(),
        }
    }

    /// Reads an operand with its calls, fields, methods and indices.
    fn postfix(&mut self) -> Option<Expression> {
        let start = self.at;
        let mut form = self.primary()?;
        loop {
            form = match self.rest() {
                [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Parenthesis => {
                    let function = self.since(start);
                    self.at += 1;
                    Form::Call(function, values(group)?)
                }
                [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Bracket => {
                    self.at += 1;
                    within(group)?;
                    Form::Other
                }
                [dot, member, ..] if is_punct(dot, '.') && is_member(member) => {
                    self.at += 2;
                    if matches!(member, TokenTree::Ident(_)) {
                        self.method()?;
                    }
                    Form::Other
                }
                _ => return Some(self.expression(start, form)),
            };
        }
    }

    /// Reads what makes a field a method: generic arguments, and arguments.
    fn method(&mut self) -> Option<()> {
        let is_generic = self.skip("::");
        if is_generic {
            self.generics()?;
        }
        match self.rest() {
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Parenthesis => {
                self.at += 1;
                values(group).map(drop)
            }
            _ => (!is_generic).then_some(()),
        }
    }

    fn primary(&mut self) -> Option<Form> {
        match self.rest() {
            [TokenTree::Literal(literal), ..] => {
                self.at += 1;
                Some(Form::Literal(Lit::new(literal.clone())))
            }
            [TokenTree::Ident(word), ..] if word == "true" || word == "false" => {
                self.at += 1;
                Some(Form::Literal(Lit::Bool(LitBool::new(word == "true", word.span()))))
            }
            [TokenTree::Group(group), ..] => {
                self.at += 1;
                match group.delimiter() {
                    Delimiter::Bracket => None,
                    Delimiter::Parenthesis => parentheses(group),
                    _ => within(group).map(|inner| Form::Brackets(Box::new(inner))),
                }
            }
            _ => self.path(),
        }
    }

    /// Reads a path, the call of a macro, or a struct.
    fn path(&mut self) -> Option<Form> {
        let names = self.names()?;
        match self.rest() {
            [bang, TokenTree::Group(group), ..] if is_punct(bang, '!') && group.delimiter() != Delimiter::None => {
                self.at += 2;
                Some(Form::Other)
            }
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
                self.at += 1;
                fields(group)?;
                Some(Form::Other)
            }
            _ => Some(Form::Path(names)),
        }
    }

    /// Reads a path, and returns its names.
    fn names(&mut self) -> Option<Vec<Ident>> {
        let is_qualified = begins_with(self.rest(), "<");
        if is_qualified {
            self.generics()?;
        }
        if !self.skip("::") && is_qualified {
            return None;
        }
        let mut names = Vec::new();
        loop {
            let [TokenTree::Ident(name), ..] = self.rest() else { return None };
            let is_root = ["Self", "crate", "self", "super"].iter().any(|root| name == root);
            if !is_root && !is_name(name) {
                return None;
            }
            self.at += 1;
            names.push(name.clone());
            if !self.skip("::") {
                return Some(names);
            }
            if begins_with(self.rest(), "<") {
                self.generics()?;
                if !self.skip("::") {
                    return Some(names);
                }
            }
        }
    }

    /// Reads punctuation, and returns whether it is there.
    fn skip(&mut self, text: &str) -> bool {
        let is_there = begins_with(self.rest(), text);
        self.at += if is_there { text.len() } else { 0 };
        is_there
    }

    /// Reads everything from a `<` to its `>`.
    fn generics(&mut self) -> Option<()> {
        if !begins_with(self.rest(), "<") {
            return None;
        }
        let mut depth = 0;
        loop {
            match self.rest() {
                [TokenTree::Punct(minus), TokenTree::Punct(_), ..]
                    if minus.as_char() == '-' && minus.spacing() == Spacing::Joint =>
                {
                    self.at += 1;
                }
                [TokenTree::Punct(punct), ..] if punct.as_char() == '<' => depth += 1,
                [TokenTree::Punct(punct), ..] if punct.as_char() == '>' => depth -= 1,
                [_, ..] => {}
                [] => return None,
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }
}

/// Parses the only expression of a group.
fn within(group: &Group) -> Option<Expression> {
    Expression::parse(&group.stream().into_iter().collect::<Vec<_>>())
}

/// Parses what is between the commas of a group, and returns whether there is a comma at the end.
fn between_commas<T>(group: &Group, read: impl Fn(&mut Parser) -> Option<T>) -> Option<(Vec<T>, bool)> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let (mut parser, mut all, mut after_comma) = (Parser { tokens: &tokens, at: 0 }, Vec::new(), true);
    while !parser.rest().is_empty() {
        if !after_comma {
            return None;
        }
        all.push(read(&mut parser)?);
        after_comma = parser.skip(",");
    }
    let ends_with_comma = after_comma && !all.is_empty();
    Some((all, ends_with_comma))
}

fn values(group: &Group) -> Option<Vec<Expression>> {
    between_commas(group, |parser| parser.binary(0)).map(|(values, _)| values)
}

/// Parses parentheses.
fn parentheses(group: &Group) -> Option<Form> {
    let (mut values, ends_with_comma) = between_commas(group, |parser| parser.binary(0))?;
    match values.pop() {
        Some(only) if values.is_empty() && !ends_with_comma => Some(Form::Brackets(Box::new(only))),
        last => {
            values.extend(last);
            Some(Form::Tuple(values))
        }
    }
}

/// Checks the fields of a struct.
fn fields(braces: &Group) -> Option<()> {
    let field = |parser: &mut Parser| {
        if parser.skip("..") {
            parser.binary(0)?;
            return parser.rest().is_empty().then_some(());
        }
        let name = parser.rest().first().filter(|name| is_member(name))?;
        parser.at += 1;
        if parser.skip(":") {
            return parser.binary(0).map(drop);
        }
        matches!(name, TokenTree::Ident(_)).then_some(())
    };
    between_commas(braces, field).map(drop)
}
