//! Resources inside of objects (`x-kubernetes-embedded-resource`).
//!
//! The API server reads their own fields also out of what the webhook answers, and an object that it can't read so is lost to
//! every client. So an entry, which clients can write, restores none that it couldn't read.
//!
//! Source: `Coerce` of `pkg/apiserver/schema/objectmeta`, and `ObjectMeta` of `k8s.io/apimachinery`.

use crate::go::{metadata::read_resource_field, text};
use crate::json::Json;
use crate::plan::{Declared, Field, leaves};

/// Where in a field's value there are resources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources {
    /// The value is one, or a list of them.
    here: bool,
    inside: Option<Declared>,
}

impl Resources {
    /// Nothing for most fields.
    pub(super) fn of(field: &Field) -> Option<Self> {
        let (here, inside) = (field.embedded_resource, field.inside.get());
        let holds = here || inside.is_some_and(|inside| holds(inside, &mut Vec::new()));
        holds.then_some(Self { here, inside })
    }

    /// Whether the API server reads all of them.
    pub(super) fn are_read(self, value: &str) -> bool {
        !value.starts_with(['{', '[']) || text::read(value).is_ok_and(|value| self.all_in(&value))
    }

    fn all_in(self, value: &Json) -> bool {
        match (value, self.inside) {
            (Json::Array(items), inside) => {
                let inside = match inside {
                    Some(Declared::Items(inside)) => Some(inside()),
                    _ => None,
                };
                items.iter().all(|item| Self { here: self.here, inside }.all_in(item))
            }
            (Json::Object(members), Some(Declared::Values(inside))) => {
                let inside = Some(inside());
                members.values().all(|value| Self { here: false, inside }.all_in(value))
            }
            (Json::Object(members), inside) => members.iter().all(|(name, value)| {
                (!self.here || read_resource_field(name, value).is_ok())
                    && in_member(inside, name, value)
            }),
            _ => true,
        }
    }
}

fn in_member(declared: Option<Declared>, name: &str, value: &Json) -> bool {
    let of_field = |declared: Declared| {
        let field = declared.field(name)?.field;
        Some(Resources { here: field.embedded_resource, inside: field.inside.get() })
    };
    let read = |resources: Option<Resources>| resources.is_none_or(|each| each.all_in(value));
    match declared {
        Some(Declared::Variants(_, _, variants)) => variants.iter().all(|variant| {
            let inside = variant.inside().get();
            // Beside the tag, or under the variant's name or another one.
            read(inside.and_then(of_field))
                && (inside.is_none() || Resources { here: false, inside }.all_in(value))
        }),
        declared => read(declared.and_then(of_field)),
    }
}

/// Whether any field is declared to be one; `seen` ends the recursion of types that hold themselves.
fn holds(declared: Declared, seen: &mut Vec<*const ()>) -> bool {
    let mut is_new = |place: *const ()| {
        let new = !seen.contains(&place);
        seen.push(place);
        new
    };
    match declared {
        Declared::Fields(_, fields) => {
            is_new(fields.as_ptr().cast())
                && leaves(fields).into_iter().any(|facts| {
                    facts.field.embedded_resource
                        || facts.field.inside.get().is_some_and(|inside| holds(inside, seen))
                })
        }
        Declared::Variants(_, _, variants) => {
            is_new(variants.as_ptr().cast())
                && variants
                    .iter()
                    .any(|variant| variant.inside().get().is_some_and(|inside| holds(inside, seen)))
        }
        Declared::Items(inside) | Declared::Values(inside) => holds(inside(), seen),
        Declared::Around(_, inside) => inside.get().is_some_and(|inside| holds(inside, seen)),
        Declared::Foreign(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(value: &str) -> bool {
        Resources { here: true, inside: None }.are_read(value)
    }

    #[test]
    fn what_the_server_reads() {
        for value in [
            "null",
            "{}",
            r#"{"apiVersion":"v1","kind":"Pod","spec":7}"#,
            r#"{"metadata":{"name":"a","labels":{"b":"c"},"annotations":null,"other":7}}"#,
            r#"{"metadata":{"creationTimestamp":"2024-02-29T23:59:59Z","generation":3}}"#,
            r#"{"metadata":{"creationTimestamp":"2024-02-29T23:59:59.5+01:00","generation":3.0}}"#,
            r#"{"metadata":{"finalizers":[null],"ownerReferences":[null]}}"#,
            r#"{"metadata":{"ownerReferences":[{"name":"a","controller":true}],"finalizers":["a"]}}"#,
            r#"{"metadata":{"managedFields":[{"manager":"a","fieldsV1":{"f:a":{}}}]}}"#,
            r#"[{"kind":"Pod"},{}]"#,
            r#"{"spec":["\ud800",12345678901234567890123]}"#,
        ] {
            assert!(reads(value), "{value}");
        }
    }

    #[test]
    fn what_the_server_does_not_read() {
        for value in [
            r#"{"apiVersion":7}"#,
            r#"{"kind":null}"#,
            r#"{"metadata":7}"#,
            r#"{"metadata":{"name":7}}"#,
            r#"{"metadata":{"labels":{"b":7}}}"#,
            r#"{"metadata":{"labels":["b"]}}"#,
            r#"{"metadata":{"generation":1.5}}"#,
            r#"{"metadata":{"creationTimestamp":"2023-02-29T23:59:59Z"}}"#,
            r#"{"metadata":{"creationTimestamp":"yesterday"}}"#,
            r#"{"metadata":{"finalizers":[7]}}"#,
            r#"{"metadata":{"ownerReferences":[{"controller":"yes"}]}}"#,
            r#"{"metadata":{"managedFields":[{"time":"now"}]}}"#,
            r#"[{"kind":"Pod"},{"kind":7}]"#,
        ] {
            assert!(!reads(value), "{value}");
        }
    }
}
