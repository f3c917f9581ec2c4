//! Fields that two neighboring versions have, and what the API server does with them in only one of the two.

use crd_conv::{
    ResourceType,
    cli::{Cli, Streams},
    crd::{CrdOptions, Webhook},
};
use schemars::{Schema, SchemaGenerator, json_schema};

fn webhook() -> Webhook {
    Webhook::service("default", "conversion")
}

fn errors(resource: &ResourceType) -> Vec<String> {
    match resource.crd(&CrdOptions::new().webhook(webhook())) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.errors.iter().map(ToString::to_string).collect(),
    }
}

/// What `crd` says besides.
fn notes(resource: ResourceType) -> Vec<String> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut out, stderr: &mut err };
    let code = Cli::new([resource]).webhook(webhook()).run_with(["operator", "crd"], &mut streams);
    let err = String::from_utf8(err).unwrap();
    assert_eq!(code, 0, "{err}");
    let lines = err.lines().map(|line| line.replacen("note: boxes.example.com: ", "", 1));
    lines.collect()
}

/// A resource with two versions, whose field `a` has a type of the first module and two schemas.
macro_rules! versions {
    ($name:ident, $(#[$old:meta])* => $(#[$new:meta])*, $ty:ty) => {
        mod $name {
            #[allow(unused_imports, reason = "not all of them name the functions")]
            use super::*;

            pub(super) mod v1 {
                #[allow(unused_imports, reason = "not all of them name the functions")]
                use super::super::*;

                #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
                pub(crate) struct Spec {
                    $(#[$old])*
                    pub(crate) a: $ty,
                }
            }

            pub(super) mod v2 {
                #[allow(unused_imports, reason = "not all of them name the functions")]
                use super::super::*;

                #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
                #[versioned(from = super::v1::Spec)]
                pub(crate) struct Spec {
                    $(#[$new])*
                    pub(crate) a: $ty,
                }
            }

            #[derive(crd_conv::Versioned)]
            #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
            pub(super) enum Box {
                V1 { spec: v1::Spec },
                #[versioned(storage)]
                V2 { spec: v2::Spec },
            }
        }
    };
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Debug)]
pub(crate) struct Config {
    pub(crate) level: Option<i32>,
}

fn any(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
}

fn untyped(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}

fn any_list(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } })
}

fn any_map(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } })
}

fn open(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "properties": { "level": { "type": "integer", "format": "int32" } },
    })
}

fn open_list(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array", "x-kubernetes-preserve-unknown-fields": true,
        "items": { "type": "object", "properties": { "level": { "type": "integer", "format": "int32" } } },
    })
}

fn narrow(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "properties": { "height": { "type": "integer" } } })
}

fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string" })
}

versions!(older_any, #[schemars(schema_with = "any")] => , Config);
versions!(newer_any, => #[schemars(schema_with = "any")], Config);
versions!(older_untyped, #[schemars(schema_with = "untyped")] => , Config);
versions!(older_items, #[schemars(schema_with = "any_list")] => , Vec<Config>);
versions!(older_values, #[schemars(schema_with = "any_map")] => , std::collections::BTreeMap<String, Config>);
versions!(items_of_anything, #[schemars(schema_with = "untyped")] => , Vec<Config>);
versions!(older_open, #[schemars(schema_with = "open")] => , Config);
versions!(newer_open_list, => #[schemars(schema_with = "open_list")], Vec<Config>);
versions!(other_fields, #[schemars(schema_with = "narrow")] => , Config);
versions!(both_any, #[schemars(schema_with = "any")] => #[schemars(schema_with = "any")], Config);
versions!(both_typed, => , Config);

#[test]
fn what_one_version_prunes_is_an_error() {
    let ends = "the schema of `.spec.a` ends in `v1`, so the API server keeps everything inside; it continues in `v2`";
    for (resource, expected) in [
        (ResourceType::of::<older_any::Box>(), &[ends][..]),
        (
            ResourceType::of::<newer_any::Box>(),
            &[
                "the schema of `.spec.a` ends in `v2`, so the API server keeps everything inside; it continues in `v1`",
            ],
        ),
        (ResourceType::of::<older_untyped::Box>(), &[ends]),
        (ResourceType::of::<older_items::Box>(), &[ends]),
        (ResourceType::of::<older_values::Box>(), &[ends]),
        (ResourceType::of::<items_of_anything::Box>(), &[ends]),
        (
            ResourceType::of::<older_open::Box>(),
            &[
                "the API server keeps undeclared fields of `.spec.a` in `v1`, and prunes them in `v2`",
            ],
        ),
        (
            ResourceType::of::<newer_open_list::Box>(),
            &[
                "the API server keeps undeclared fields of `.spec.a` in `v2`, and prunes them in `v1`",
            ],
        ),
        (
            ResourceType::of::<other_fields::Box>(),
            &[
                "`.spec.a.height` is declared in `v1` and not in `v2`, where the API server prunes it: declare it in both",
                "`.spec.a.level` is declared in `v2` and not in `v1`, where the API server prunes it: declare it in both",
            ],
        ),
        (ResourceType::of::<both_any::Box>(), &[]),
        (ResourceType::of::<both_typed::Box>(), &[]),
    ] {
        let found = errors(&resource);
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{expected}\n{found}");
        }
    }
}

versions!(stricter, #[schemars(length(max = 9))] => #[schemars(length(max = 5))], String);
versions!(looser, #[schemars(length(max = 5))] => , String);
versions!(other_pattern, => #[schemars(regex(pattern = "^a"))], String);
versions!(other_type, #[schemars(schema_with = "text")] => , i32);
versions!(keyed, => #[versioned(list_type = "set")], Vec<String>);
versions!(filled, #[versioned(default = 3)] => #[versioned(default = 5)], i32);
versions!(same, #[schemars(length(max = 5))] => #[schemars(length(max = 5))], String);

#[test]
fn what_one_version_refuses_or_fills_in_is_a_note() {
    for (resource, expected) in [
        (
            ResourceType::of::<stricter::Box>(),
            &[
                "`v2` doesn't accept all values of `.spec.a` that `v1` accepts: `maxLength` was 9 and is 5",
            ][..],
        ),
        (
            ResourceType::of::<looser::Box>(),
            &[
                "`v1` doesn't accept all values of `.spec.a` that `v2` accepts: `maxLength` is 5 and was absent",
            ],
        ),
        (
            ResourceType::of::<other_pattern::Box>(),
            &["`v2` doesn't accept all values of `.spec.a` that `v1` accepts: its pattern is `^a`"],
        ),
        (
            ResourceType::of::<other_type::Box>(),
            &[
                "`v2` doesn't accept all values of `.spec.a` that `v1` accepts: it was `string` and is `integer`",
                "`v1` doesn't accept all values of `.spec.a` that `v2` accepts: it was `integer` and is `string`",
            ],
        ),
        (
            ResourceType::of::<keyed::Box>(),
            &[
                "`v2` doesn't accept all values of `.spec.a` that `v1` accepts: its list type was `atomic` and is `set`",
            ],
        ),
        (
            ResourceType::of::<filled::Box>(),
            &["where `.spec.a` is absent, the API server fills in `3` in `v1` and `5` in `v2`"],
        ),
        (ResourceType::of::<same::Box>(), &[]),
    ] {
        let found = notes(resource);
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{expected}\n{found}");
        }
    }
}
