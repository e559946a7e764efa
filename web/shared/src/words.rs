//! Sentences of the libraries, some of which name the command, in the terms of the page.

/// Returns the sentence with the names of the page.
pub(crate) fn in_page(sentence: &str) -> String {
    [
        ("set it with `with_head_dim` or --head-dim", "set it"),
        ("set it with `with_base` or --base", "set `base`"),
        ("ignore it with `ignore_key` or --ignore-key", "remove it from the config"),
        ("ignore them with `ignore_key` or --ignore-key", "remove them from the config"),
        ("`AxialConfig` or --shape", "the kind Rotary grid"),
        ("`sinusoidal_table!`, `Spec` or `posenc table --config`", "the kind Sinusoidal with a preset"),
        ("it is one of `posenc rope --shape`", "choose the kind Rotary grid"),
        ("it is one of `posenc rope`", "choose the kind Rotary"),
        ("it is one of `posenc grid`", "choose the kind Grid"),
        ("it is one of `posenc table`", "choose the kind Sinusoidal"),
    ]
    .into_iter()
    .fold(sentence.to_owned(), |sentence, (command, here)| sentence.replace(command, here))
}

/// Names a key in the sentence about its value, if the sentence does not.
pub(crate) fn named<T>(key: &str, read: Result<T, String>) -> Result<T, String> {
    read.map_err(
        |sentence| {
            if sentence.contains(&format!("`{key}")) { sentence } else { format!("`{key}`: {sentence}") }
        },
    )
}
