//! References, and types that contain themselves.
//!
//! Such a type is written out as often as declared, and then ends in `x-kubernetes-preserve-unknown-fields`.

use serde_json::{Map, Value};

use super::reader::Reader;
use crate::outline::keywords::{ANYTHING, DEPTH, MAX_DEPTH, MAX_UNFOLDED, OPEN, PRESERVE, combine};

/// The result of following a reference.
pub(super) enum Followed {
    /// The keywords now contain what it refers to.
    In,
    /// The schema ends there.
    Cut,
}

impl Reader<'_> {
    /// Reads a value that may declare how deep it is written out.
    pub(super) fn in_depth<T>(
        &mut self,
        value: &Value,
        path: &str,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = (self.recursion.depth, self.errors.len());
        let outermost = value.get(DEPTH).is_some() && before.0.is_none();
        if outermost {
            self.recursion.cut = false;
        }
        let read = read(self);
        self.recursion.depth = before.0;
        if outermost && !self.recursion.cut && self.errors.len() == before.1 {
            self.refuse(
                path,
                "has a `recursion_depth`, and contains no type that contains itself",
                "only a type that contains itself needs it",
                "remove `recursion_depth`",
            );
        }
        read
    }

    /// Removes the keyword that says how deep something is written out.
    pub(super) fn take_depth(&mut self, keywords: &mut Map<String, Value>, path: &str) {
        let Some(depth) = keywords.remove(DEPTH) else { return };
        let depth = depth.as_u64().filter(|depth| (1..=MAX_DEPTH).contains(depth));
        if let Some(depth) = depth.and_then(|depth| usize::try_from(depth).ok()) {
            self.recursion.depth = Some(depth);
        } else {
            self.recursion.depth = Some(1);
            self.refuse(
                path,
                format!("sets `{DEPTH}` to a value that isn't a number from 1 to {MAX_DEPTH}"),
                "the schema writes out each level",
                "write a number of levels, such as 3",
            );
        }
    }

    /// Follows a reference; `None` if that is refused.
    pub(super) fn follow(
        &mut self,
        reference: &str,
        keywords: &mut Map<String, Value>,
        path: &str,
    ) -> Option<Followed> {
        let name = reference.strip_prefix("#/$defs/").unwrap_or(reference).to_owned();
        let times = self.types[1..].iter().filter(|one| **one == name).count();
        if times > 0 && !self.may_unfold(&name, times, keywords, path)? {
            keywords.insert(PRESERVE.to_owned(), true.into());
            let ty = self.document.pointer(reference).and_then(|target| target.get("type"));
            keywords.extend(ty.map(|ty| ("type".to_owned(), ty.clone())));
            return Some(Followed::Cut);
        }
        let mut target = match self.document.pointer(reference) {
            Some(Value::Object(target)) => target.clone(),
            Some(Value::Bool(true)) => Map::new(),
            Some(Value::Bool(false)) => {
                self.refuse_all(path);
                return None;
            }
            _ => {
                self.refuse(
                    path,
                    format!("refers to `{reference}`, which its `JsonSchema` doesn't define"),
                    "a structural schema has no references",
                    "use `generator.subschema_for` in the type's `JsonSchema`",
                );
                return None;
            }
        };
        if OPEN.contains(&name.as_str()) {
            keywords.insert(PRESERVE.to_owned(), true.into());
        }
        if name == ANYTHING {
            target.remove("type");
        }
        self.types.push(name);
        // What stands beside the reference is said of this place, so it wins.
        combine(keywords, target);
        Some(Followed::In)
    }

    /// Whether a type is written out once more inside itself.
    fn may_unfold(
        &mut self,
        name: &str,
        times: usize,
        keywords: &Map<String, Value>,
        path: &str,
    ) -> Option<bool> {
        if self.keeping > 0 || keywords.get(PRESERVE) == Some(&Value::Bool(true)) {
            return Some(false);
        }
        let Some(depth) = self.recursion.depth else {
            self.refuse(
                path,
                format!("contains `{name}` inside itself"),
                "a structural schema has no references and so no recursion",
                format!(
                    "write `#[versioned(recursion_depth = 3)]` on the field, or `#[schemars(extend(\"{DEPTH}\" = 3))]` in a type without `Versioned`; deeper levels are kept as they are; to keep everything inside as it is, write `preserve_unknown_fields`, or `\"{PRESERVE}\" = true`"
                ),
            );
            return None;
        };
        if times > depth {
            self.recursion.cut = true;
            return Some(false);
        }
        self.recursion.unfolded += 1;
        if self.recursion.unfolded == MAX_UNFOLDED {
            self.refuse(
                path,
                format!(
                    "writes out `{name}` and other types inside themselves {MAX_UNFOLDED} times"
                ),
                "each field that contains its own type multiplies the schema",
                "write a smaller `recursion_depth`",
            );
        }
        if self.recursion.unfolded < MAX_UNFOLDED {
            return Some(true);
        }
        // That is said once.
        self.recursion.cut = true;
        None
    }
}
