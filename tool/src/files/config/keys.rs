//! The keys of a config.

use serde_json::Value;

use super::told::Given;

/// The keys of a config, and the options that override them.
pub(super) struct Keys<'a> {
    pub(super) config: &'a Value,
    pub(super) given: Given,
}

impl Keys<'_> {
    /// Returns the value at `key`, which may be a path such as `decoder.hidden_size` or `block_out_channels.0`.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        key.split('.').try_fold(self.config, |value, key| match value {
            Value::Array(items) => items.get(key.parse::<usize>().ok()?),
            value => value.get(key),
        })
    }

    /// Returns the number at `key`.
    pub(super) fn number(&self, key: &str, option: &str) -> Result<usize, String> {
        let value = self.value(key);
        let number = value.and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| match value {
            None | Some(Value::Null) => format!("has no `{key}`; set {option}"),
            Some(value) => format!("has {value} for `{key}`, which must be an integer of 0 or more; set {option}"),
        })
    }

    pub(super) fn width(&self, key: &str) -> Result<Option<usize>, String> {
        if self.given.d_model.is_some() { Ok(None) } else { self.number(key, "--d-model").map(Some) }
    }

    pub(super) fn rows(&self, key: &str) -> Result<Option<usize>, String> {
        if self.given.seq_len.is_some() { Ok(None) } else { self.number(key, "--seq-len").map(Some) }
    }

    pub(super) fn padding(&self) -> Result<usize, String> {
        match self.given.zero_row {
            Some(row) => Ok(row),
            None => self.number("pad_token_id", "--zero-row"),
        }
    }
}
