//! The module `reflection`.

use posenc::reflection::{self, Argument, Named, Names, Positions, SCALING_RULES, ValueError};
use posenc::{Layout, Preset};

use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part("Reflection", "The items of the module `reflection`, for programs that read parameters as text.");
    document.functions(
        &[
            "reflection::check_together",
            "reflection::amplitude_of_word",
            "reflection::axis_names",
            "reflection::preset_facts",
            "Names::find",
            "Positions::of_model",
        ],
        "",
    );
    document.calls(calls![
        reflection::check_together(|key| key == "frequencies" || key == "base"),
        reflection::check_together(|key| key == "extent" || key == "unit"),
        reflection::check_together(|_| false),
        reflection::amplitude_of_word("1").is_none(),
        reflection::axis_names(None, 0).len(),
        reflection::axis_names(None, usize::MAX).len(),
        reflection::preset_facts(Preset::Paper).rows,
        Names::find(Layout::NAMES, ""),
        Names::find(Layout::NAMES, "half"),
        Positions::of_model("").is_none(),
    ]);
    document.functions(
        &[
            "reflection::d_model",
            "reflection::position",
            "reflection::size",
            "reflection::length",
            "ValueError::not_an_integer",
        ],
        "",
    );
    document.calls(calls![
        reflection::d_model(0),
        reflection::d_model(i128::MAX),
        reflection::position("start", i128::MIN),
        reflection::position("unit", i128::MAX),
        reflection::position("", 1 << 63),
        reflection::size("zero_row", -1),
        reflection::size("", i128::MAX),
        reflection::length("yarn", "original_max_position_embeddings", -1),
        reflection::length("", "", i128::MAX),
        ValueError::not_an_integer("start", f64::NAN),
    ]);
    document.functions(&["reflection::rule_parameters", "reflection::arguments_in_order", "reflection::rule"], "");
    document.calls(calls![
        reflection::rule_parameters("yarm").len(),
        reflection::arguments_in_order("yarm", [(None, 8)]).map(|given| given.len()),
        reflection::arguments_in_order("linear", [(None, 8), (None, 9)]).map(|given| given.len()),
        reflection::arguments_in_order("linear", [(Some("factor"), 8), (Some("factor"), 9)]).map(|given| given.len()),
        reflection::rule("linear", &[Argument::Flag(true)]).is_none(),
        reflection::rule("linear", &[Argument::Number(f64::NAN)]).is_none(),
        reflection::rule(SCALING_RULES.all[0], &[Argument::Number(8.0)]).is_none(),
    ]);
}
