//! The grammar of expressions against the grammar of `syn`.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Type, UnOp};
use testkit::properties;

use super::{Expression, Form};

/// Returns what an expression consists of, with brackets around each part.
fn structure(expression: &Expression) -> String {
    match &expression.form {
        Form::Unary(operator, operand) => format!("{{{operator} {}}}", structure(operand)),
        Form::Binary(left, operator, right) => {
            format!("{{{} {} {}}}", structure(left), operator.text, structure(right))
        }
        Form::Cast(operand, as_type) => format!("{{{} {as_type}}}", structure(operand)),
        Form::Brackets(inner) => format!("({})", structure(inner)),
        Form::Tuple(values) => tuple("", values.iter().map(structure)),
        Form::Call(function, values) => tuple(&function.to_string(), values.iter().map(structure)),
        Form::Literal(_) | Form::Path(_) | Form::Other => expression.to_token_stream().to_string(),
    }
}

fn tuple(function: &str, values: impl Iterator<Item = String>) -> String {
    format!("{function}[{}]", values.collect::<Vec<_>>().join(", "))
}

/// Returns the same for an expression of `syn`.
fn structure_of_syn(expr: &Expr) -> String {
    match expr {
        Expr::Unary(unary) => format!("{{{} {}}}", unary.op.to_token_stream(), structure_of_syn(&unary.expr)),
        Expr::Reference(reference) if reference.mutability.is_none() => {
            format!("{{& {}}}", structure_of_syn(&reference.expr))
        }
        Expr::Binary(binary) => {
            let (left, right) = (structure_of_syn(&binary.left), structure_of_syn(&binary.right));
            format!("{{{left} {} {right}}}", binary.op.to_token_stream())
        }
        Expr::Cast(cast) => format!("{{{} as {}}}", structure_of_syn(&cast.expr), cast.ty.to_token_stream()),
        Expr::Paren(inner) => format!("({})", structure_of_syn(&inner.expr)),
        Expr::Tuple(all) => tuple("", all.elems.iter().map(structure_of_syn)),
        Expr::Call(call) => tuple(&call.func.to_token_stream().to_string(), call.args.iter().map(structure_of_syn)),
        other => other.to_token_stream().to_string(),
    }
}

/// Finds what the macros do not read, such as blocks and assignments.
struct Unsupported(bool);

impl<'e> Visit<'e> for Unsupported {
    fn visit_expr(&mut self, expr: &'e Expr) {
        self.0 |= match expr {
            Expr::Unary(unary) => !matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_) | UnOp::Deref(_)),
            Expr::Binary(binary) => binary.op.to_token_stream().into_iter().last().is_some_and(|last| {
                last.to_string() == "="
                    && !["==", "!=", "<=", ">="].contains(&&*binary.op.to_token_stream().to_string())
            }),
            Expr::Cast(cast) => {
                !matches!(&*cast.ty, Type::Infer(_))
                    && !matches!(&*cast.ty, Type::Path(to) if to.path.segments.iter().all(|name| name.arguments.is_none()))
            }
            Expr::Reference(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Struct(_)
            | Expr::Tuple(_) => false,
            _ => true,
        };
        visit::visit_expr(self, expr);
    }
}

/// Expressions without operands, and two words that are none. Tabs are not places to cut.
const LEAVES: &str = "N|a::B|::a::B|crate::N|1|2.5|0x1f_u8|true|\"s\"|f|<T\tas\tU>::C|<T\tas\tU<A,\tB>>::C|size::<T>()\
    |size::<[f32;4]>()|Vec::<u8>::new()|f::<A,\tB>()|env!(\"X\")|S { n: N }|S { n, m: 2, ..D }|()|fn|_";

/// Random expressions, most of them valid.
fn text() -> impl Strategy<Value = String> {
    let leaf = select(LEAVES.split('|').collect::<Vec<_>>());
    let operator = "[-+*/%^&|<>]|<<|>>|&&|\\|\\||==|!=|<=|>=|=|\\.\\.|,| ";
    leaf.prop_map(str::to_owned).prop_recursive(5, 24, 3, move |inner| {
        prop_oneof![
            4 => (inner.clone(), operator, inner.clone()).prop_map(|(a, operator, b)| format!("{a} {operator} {b}")),
            1 => ("[-!*&]|&mut", inner.clone()).prop_map(|(operator, a)| format!("{operator} {a}")),
            1 => (inner.clone(), select(vec!["usize", "a::B", "u8 + 1", "_"])).prop_map(|(a, to)| format!("{a} as\t{to}")),
            2 => inner.clone().prop_map(|a| format!("({a})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}, {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("f({a}, {b},)")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}[{b}]")),
            1 => inner.clone().prop_map(|a| format!("{a}.len()")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}).get::<T>({b})")),
            1 => inner.clone().prop_map(|a| format!("{a}.n.0")),
            1 => inner.prop_map(|a| format!("{a} . n :: <T> ( )")),
        ]
    })
}

properties! {
    #![cases(1000)]

    #[test]
    fn expressions_are_those_of_syn(text in text(), cut in any::<Index>(), cuts in 0usize..4) {
        // In one case of four, a word is left out, except of generic arguments, which are not read.
        let mut words: Vec<_> = text.split(' ').collect();
        if cuts == 0 {
            words.remove(cut.index(words.len()));
        }
        let Ok(tokens) = words.join(" ").parse::<proc_macro2::TokenStream>() else { return Ok(()) };
        let parsed = Expression::parse(&tokens.clone().into_iter().collect::<Vec<_>>());
        let expected = syn::parse2::<Expr>(tokens).ok().filter(|expr| {
            let mut unsupported = Unsupported(false);
            unsupported.visit_expr(expr);
            !unsupported.0
        });
        let without_blanks = |structure: String| structure.replace(' ', "");
        let parsed = parsed.as_ref().map(structure).map(without_blanks);
        prop_assert_eq!(parsed, expected.as_ref().map(structure_of_syn).map(without_blanks), "{}", words.join(" "));
    }
}
