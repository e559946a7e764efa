//! The sentences of failures that several formats have.

use posenc_text::words::listed;

/// What to do with a file of another format.
pub const SAVE: &str = "save the tensor with safetensors.torch.save_file or numpy.save";

/// Says which names end with the one that is written, as those within a larger model do.
pub(super) fn with_suffix(written: &str, names: &[&str]) -> String {
    const SHOWN: usize = 3;
    let suffix = format!(".{written}");
    let longer: Vec<_> = names.iter().copied().filter(|name| name.ends_with(&suffix)).take(SHOWN).collect();
    if longer.is_empty() { String::new() } else { format!(" (did you mean {}?)", listed(&longer)) }
}
