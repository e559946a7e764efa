#![cfg_attr(all(doc, not(doctest)), doc = include_str!("guide/links.md"))]
#![doc = include_str!("guide.md")]
#![allow(clippy::doc_markdown, reason = "names of models and libraries, such as NumPy, are not code")]

/// Declares pages, each with the file of its text, the file of its pictures if it has any, and its aliases.
///
/// In the docs the links and the pictures come first, because the first definition of a Markdown link wins. The text
/// ends with definitions of its own, for readers of the file.
macro_rules! pages {
    ($($page:ident: $text:literal $([$pictures:literal])?, $aliases:tt;)*) => { $(
        #[cfg_attr(all(doc, not(doctest)), doc = include_str!("guide/links.md"))]
        $(#[cfg_attr(all(doc, not(doctest)), doc = include_str!($pictures))])?
        #[doc = include_str!($text)]
        #[doc(alias $aliases)]
        pub mod $page {}
    )* };
}

pages! {
    concepts: "guide/concepts.md" ["guide/pictures/concepts.md"], ("tutorial", "formula", "sinusoidal", "wavelength");
    which_table: "guide/which_table.md" ["guide/pictures/which_table.md"], ("whisper", "fairseq", "checkpoint", "identify");
    rotary: "guide/rotary.md" ["guide/pictures/rotary.md"], ("rope", "theta", "inv_freq", "axial", "mrope");
    grids: "guide/grids.md" ["guide/pictures/grids.md"], ("2d", "vit", "mae", "detr", "interpolate");
    small_machines: "guide/small_machines.md", ("flash", "stack", "q15", "code size", "microcontroller", "embedded");
    interop: "guide/interop.md", ("candle", "burn", "safetensors", "npy", "numpy", "torch");
    recipes: "guide/recipes.md", ("how to", "examples", "limits", "timestep");
    compile_errors: "guide/compile_errors.md", ("E0308", "E0435", "E0283", "mismatched types");
}
