//! A field as the rules of a hop need to know it.

use std::borrow::Cow;

use super::resources::Resources;
use super::served::Served;
use crate::plan::{Field, JsonType};

/// What stands in a path for the names in a flattened map: no field is called so.
pub(crate) const REST: &str = "*";

/// A field as a step needs to know it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) name: &'static str,
    pub(crate) optional: bool,
    pub(crate) nullable: bool,
    pub(crate) kind: JsonType,
    pub(crate) resources: Option<Resources>,
    /// The canonical form of what the API server fills in.
    pub(crate) default: Option<String>,
    /// What the API server makes of its values.
    pub(crate) served: Served,
}

impl Slot {
    pub(crate) fn new(field: &Field) -> Self {
        let served = Served::new(field);
        Self {
            name: field.wire,
            optional: field.optional,
            nullable: field.nullable,
            kind: (field.kind)(),
            resources: Resources::of(field),
            default: field.default.and_then(|default| served.written(default)),
            served,
        }
    }

    /// Whether a value is of a kind that the field's type reads, and has no resource that the API server couldn't read. A
    /// null that isn't one goes after a conversion, but not where there is a default.
    pub(crate) fn accepts(&self, value: &str) -> bool {
        self.kind.contains(JsonType::of(value))
            && (value != "null" || self.nullable || self.default.is_none())
            && self.resources.is_none_or(|resources| resources.are_read(value))
    }

    /// The value as a guard compares it; what the API server fills in is as good as nothing.
    pub(crate) fn as_guarded<'v>(&self, value: &'v str) -> Option<Cow<'v, str>> {
        let out = self.served.value(value);
        (self.default.as_deref() != Some(&*out)).then_some(out)
    }
}

/// Whether a field that both versions have may be unset in the source in a way that the target doesn't show.
pub(crate) fn loses_unset(from: &Slot, to: &Slot) -> bool {
    let filled = from.optional && from.default.is_none() && to.default.is_some();
    filled || from.nullable && !to.nullable
}

/// Whether a conversion in either direction keeps that the field is unset.
#[cfg(feature = "schema")]
pub(crate) fn differ_in_unset(older: &Field, newer: &Field) -> bool {
    let (older, newer) = (Slot::new(older), Slot::new(newer));
    loses_unset(&older, &newer) || loses_unset(&newer, &older)
}
