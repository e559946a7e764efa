//! The keys of a config.

use alloc::string::String;

use serde_json::Value;

use crate::axial::config::parts::ByAxis;
use crate::rope::config::json::{number, whole, width_of_head, wrong};

/// Returns the text of a key.
pub(super) fn text<'c>(config: &'c Value, key: &str) -> Option<&'c str> {
    config.get(key).and_then(Value::as_str)
}

/// The keys of a config, of which `null` is none.
#[derive(Clone, Copy)]
pub(super) struct Keys<'c>(pub(super) &'c Value);

impl<'c> Keys<'c> {
    pub(super) fn find(self, key: &str) -> Option<&'c Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// Returns the value of the first of these keys that there is.
    fn first<V>(self, keys: &[&str], read: fn(&str, &Value) -> Result<V, String>) -> Result<Option<V>, String> {
        keys.iter().find_map(|key| Some(read(key, self.find(key)?))).transpose()
    }

    pub(super) fn whole(self, keys: &[&str]) -> Result<Option<usize>, String> {
        self.first(keys, whole)
    }

    pub(super) fn number(self, keys: &[&str]) -> Result<Option<f64>, String> {
        self.first(keys, number)
    }

    pub(super) fn list<V>(
        self,
        key: &'static str,
        read: fn(&str, &Value) -> Result<V, String>,
    ) -> Result<Option<ByAxis<V>>, String> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let list = value.as_array().ok_or_else(|| wrong(key, value, "a list"))?;
        let values = list.iter().map(|value| read(key, value)).collect::<Result<_, _>>()?;
        Ok(Some(ByAxis { key, values }))
    }

    /// Returns the width of a head: given, or from the width of all heads and their number.
    pub(super) fn width_of_head(self, widths: &[&str], heads: &[&str]) -> Result<Option<usize>, String> {
        if let Some(head_dim) = self.whole(&["head_dim"])? {
            return Ok(Some(head_dim));
        }
        width_of_head(self.whole(widths)?, self.whole(heads)?)
    }
}
