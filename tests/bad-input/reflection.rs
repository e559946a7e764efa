//! The module `reflection`.

use posenc::reflection::{
    self, Argument, ModelPositions, Named, Names, PARAMETERS, Parameter, SCALING_RULES, TableKind, Value, ValueError,
};
use posenc::{AxialRope, Grid, Layout, Preset, Rope, Scaling, Spec};

use crate::document::Document;

pub(crate) fn write(document: &mut Document) {
    document.part("Reflection", "The items of the module `reflection`, for programs that read parameters as text.");
    document.functions(
        &[
            "reflection::check_together",
            "reflection::find_key",
            "reflection::amplitude_of_word",
            "reflection::axis_names",
            "reflection::axial_axis_names",
            "reflection::preset_facts",
            "reflection::Names::find",
            "reflection::ModelPositions::of_model",
        ],
        "",
    );
    document.calls(calls![
        reflection::check_together(|key| key == "frequencies" || key == "base"),
        reflection::check_together(|key| key == "extent" || key == "unit"),
        reflection::check_together(|_| false),
        reflection::find_key(Layout::NAMES, TableKind::Sinusoidal, ""),
        reflection::find_key(Layout::NAMES, TableKind::Sinusoidal, "max_period"),
        reflection::amplitude_of_word("1").is_none(),
        reflection::axis_names(None, 0).len(),
        reflection::axis_names(None, usize::MAX).len(),
        reflection::axial_axis_names(None, 9).len(),
        reflection::preset_facts(Preset::Paper).rows,
        Names::find(Layout::NAMES, ""),
        Names::find(Layout::NAMES, "half"),
        ModelPositions::of_model("").is_none(),
    ]);
    document.functions(
        &[
            "reflection::d_model",
            "reflection::position",
            "reflection::size",
            "reflection::length",
            "reflection::ValueError::not_an_integer",
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
    document.functions(
        &[
            "reflection::rule_parameters",
            "reflection::rule_arguments",
            "reflection::arguments_in_order",
            "reflection::rule",
        ],
        "",
    );
    document.calls(calls![
        reflection::rule_parameters("yarm").len(),
        reflection::rule_arguments(&Scaling::None).count(),
        reflection::rule_arguments(&Scaling::linear(f64::NAN)).count(),
        reflection::arguments_in_order("yarm", [(None, 8)]).map(|given| given.len()),
        reflection::arguments_in_order("linear", [(None, 8), (None, 9)]).map(|given| given.len()),
        reflection::arguments_in_order("linear", [(Some("factor"), 8), (Some("factor"), 9)]).map(|given| given.len()),
        reflection::rule("linear", &[Argument::Flag(true)]).is_none(),
        reflection::rule("linear", &[Argument::Number(f64::NAN)]).is_none(),
        reflection::rule(SCALING_RULES.all[0], &[Argument::Number(8.0)]).is_none(),
    ]);
    document.functions(
        &["reflection::Parameter::is_of", "Spec::with_value", "Rope::with_value", "Grid::with_values", "AxialRope::with_values"],
        "The keys of other kinds of tables, and values of other kinds, are bugs of the program, and panic. Values that are out of range \
         are errors when a table is made.",
    );
    document.calls(calls![
        Parameter::is_of(row("nest"), TableKind::Sinusoidal),
        Spec::new(4).with_value(row("base"), Value::Number(f64::NAN)).check_table::<f32>(2, 1 << 20),
        Spec::new(4).with_value(row("base"), Value::Size(2)).check_table::<f32>(2, 1 << 20),
        Spec::new(4).with_value(row("nest"), Value::Word("pairs")).check_table::<f32>(2, 1 << 20),
        Rope::new(4).with_value(row("rotary_dim"), Value::Size(3)).check::<f32>(),
        Rope::new(4).with_value(row("packing"), Value::Word("cos")).check::<f32>(),
        Grid::new([2, 2], 8).with_values(row("start"), &[Value::Integer(i64::MAX)]).check::<f32>(),
        Grid::new([2, 2], 8).with_values(row("nest"), &[Value::Word("columns")]).check::<f32>(),
        Grid::new([2, 2], 8).with_values(row("rotary_dim"), &[Value::Size(4)]).check::<f32>(),
        AxialRope::new([2, 2], 8).with_values(row("rotary_dim"), &[Value::Size(3)]).check::<f32>(),
        AxialRope::new([2, 2], 8).with_values(row("packing"), &[Value::Word("cos")]).check::<f32>(),
    ]);
}

fn row(key: &str) -> &'static Parameter {
    PARAMETERS.iter().find(|parameter| parameter.key == key).expect("a key")
}
