//! What an update leaves as it was. The API server accepts errors in such values.
//!
//! Source: `pkg/apiserver/validation/ratcheting.go` and, of `k8s.io/apiserver`, `pkg/cel/common/equality.go`.

use std::collections::HashMap;

use super::{lists, number::same, schema::Schema};
use crate::json::Json;

/// The value that an update replaces.
#[derive(Clone, Copy)]
pub(super) struct Old<'v> {
    value: &'v Json,
    /// The schema of the value, and never that of a branch of a junctor.
    schema: &'v Schema,
}

impl<'v> Old<'v> {
    #[cfg(any(feature = "cli", feature = "testing"))]
    pub(super) fn root(value: &'v Json, schema: &'v Schema) -> Self {
        Self { value, schema }
    }

    #[cfg(feature = "cel")]
    pub(super) fn value(self) -> &'v Json {
        self.value
    }

    /// What a member replaces. The server doesn't look for what isn't declared.
    pub(super) fn member(self, name: &str) -> Option<Self> {
        let Json::Object(members) = self.value else { return None };
        Some(Self { value: members.get(name)?, schema: self.schema.declared(name)? })
    }

    /// The items, if the server finds them by their keys. It replaces any other list as a whole.
    pub(super) fn items(self) -> Option<OldItems<'v>> {
        let Json::Array(items) = self.value else { return None };
        if self.schema.extensions.list_type.as_deref() != Some("map") {
            return None;
        }
        let keys = &*self.schema.extensions.list_map_keys;
        let mut by_key = HashMap::new();
        for item in items {
            if let Some(key) = key_of(item, keys) {
                by_key.entry(key).or_insert(item);
            }
        }
        Some(OldItems { keys, by_key, schema: self.schema.items.as_deref() })
    }

    /// Whether the new value is the same. An object with an undeclared member never is, because the
    /// server doesn't find what that member replaces.
    pub(super) fn is_same(self, new: &Json) -> bool {
        match (self.value, new) {
            (Json::Array(old), Json::Array(items)) => match self.items() {
                Some(known) => {
                    let is_same = |new| known.item(new).is_some_and(|old| old.is_same(new));
                    old.len() == items.len() && items.iter().all(is_same)
                }
                None => same(self.value, new),
            },
            (Json::Object(old), Json::Object(members)) => {
                let is_same = |(name, new): (&String, _)| {
                    self.member(name).is_some_and(|old| old.is_same(new))
                };
                old.len() == members.len() && members.iter().all(is_same)
            }
            (old, new) => same(old, new),
        }
    }
}

/// The items of a list with keys.
pub(super) struct OldItems<'v> {
    keys: &'v [String],
    /// Of several items with the same key, the first.
    by_key: HashMap<String, &'v Json>,
    schema: Option<&'v Schema>,
}

impl<'v> OldItems<'v> {
    /// What an item replaces.
    pub(super) fn item(&self, new: &Json) -> Option<Old<'v>> {
        let value = self.by_key.get(&key_of(new, self.keys)?)?;
        Some(Old { value, schema: self.schema? })
    }
}

/// The key of an item, if it has one. Each of its values must be a scalar.
fn key_of(item: &Json, keys: &[String]) -> Option<String> {
    let Json::Object(members) = item else { return None };
    let mut key = String::new();
    for name in keys {
        match members.get(name)? {
            Json::Array(_) | Json::Object(_) | Json::Null => return None,
            value => key += &lists::identity(value),
        }
        key.push('\0');
    }
    (!key.is_empty()).then_some(key)
}
