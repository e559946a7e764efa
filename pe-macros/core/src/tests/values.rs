//! Random values of keys, right and wrong.

use posenc_runtime::reflection::{ArgumentKind, rule_parameters};
use proptest::prelude::*;
use proptest::sample::select;

/// A scaling rule with most of its parameters, with and without their names; one in five is of any kind.
pub(super) fn rule() -> impl Strategy<Value = String> {
    let rules = select(vec!["none", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional", "rope"]);
    let given = (prop::option::weighted(0.95, prop::option::weighted(0.2, value())), 0u32..5000);
    (rules, prop::collection::vec(given, 7), 0usize..8).prop_map(|(rule, given, names_from)| {
        let arguments =
            rule_parameters(rule).iter().zip(given).enumerate().filter_map(|(i, (parameter, (wild, number)))| {
                let argument = wild?.unwrap_or_else(|| match parameter.kind {
                    ArgumentKind::Number | ArgumentKind::Length => number.to_string(),
                    ArgumentKind::Flag => "true".to_owned(),
                    ArgumentKind::Numbers => format!("[{number}, N]"),
                });
                Some(if i >= names_from { format!("{} = {argument}", parameter.key) } else { argument })
            });
        format!("{rule}({})", arguments.collect::<Vec<_>>().join(", "))
    })
}

pub(super) fn value() -> impl Strategy<Value = String> {
    let integer = prop_oneof![any::<i128>().prop_map(|i| i.to_string()), any::<u64>().prop_map(|i| i.to_string())];
    let float = any::<f64>().prop_map(|f| format!("{f:?}"));
    let leaf =
        prop_oneof![integer, float, "0x[0-9a-f]{1,40}", "[0-9]{1,5}", Just("f64".to_owned()), Just("N".to_owned())];
    leaf.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            (inner.clone(), "[-+*/%|&]|<<|>>", inner.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            inner.clone().prop_map(|a| format!("-{a}")),
            inner.clone().prop_map(|a| format!("({a})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("[{a}, {b}]")),
        ]
    })
}
