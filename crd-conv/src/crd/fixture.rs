//! The documentation's `CronTab`, and a resource with everything, written by hand.
#![allow(dead_code, reason = "the types are there for their schemas")]

use schemars::JsonSchema;
use serde::Serialize;

use crate::__private::{read, write};
use crate::ResourceType;
use crate::definition::{
    Definition, Descriptions, Layout, PrinterColumn, Scale, Scope, Stanza, TypeRef,
    VersionDefinition,
};
use crate::plan::{
    By, Conversion, Fault, Field, Indexed, JsonType, Nested, Rule, StructPlan, Values,
};

pub(crate) const fn field(wire: &'static str, ty: &'static str, optional: bool) -> Field {
    Field::new(wire, wire, ty, optional, None, optional, || JsonType::ANY)
}

pub(crate) const fn version(name: &'static str, layout: Layout) -> VersionDefinition {
    VersionDefinition::new(name, layout)
}

pub(crate) const DEFINITION: Definition =
    Definition::new("example.com", "CronTab", "crontabs", Scope::Namespaced, &[])
        .short_names(&["ct"]);

#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
struct OldCronTab {
    #[schemars(default, with = "String")]
    host_port: (),
}

#[derive(JsonSchema)]
struct NewCronTab {
    #[schemars(default, with = "String")]
    host: (),
    #[schemars(default, with = "String")]
    port: (),
}

fn split(
    inputs: &[Option<&str>],
    _: Option<&[Option<&str>]>,
    out: &mut Values,
) -> Result<(), Fault> {
    let text: String =
        read(inputs[0].unwrap_or("null")).map_err(|error| Fault::Unreadable(0, error))?;
    let (host, port) =
        text.split_once(':').ok_or_else(|| Fault::Refused("expected `host:port`".into()))?;
    out.push(|out| write(host, false, out))?;
    out.push(|out| write(port, false, out))
}

fn join(
    inputs: &[Option<&str>],
    _: Option<&[Option<&str>]>,
    out: &mut Values,
) -> Result<(), Fault> {
    let [host, port] = [0, 1].map(|index| read::<String>(inputs[index].unwrap_or("null")));
    let text = format!("{}:{}", host.map_err(Fault::Refused)?, port.map_err(Fault::Refused)?);
    out.push(|out| write(&text, false, out))
}

static HOST_PORT: StructPlan = StructPlan::new(
    "v1beta1::CronTab",
    "v1::CronTab",
    &[Rule::Converted {
        older: &[field("hostPort", "String", false)],
        newer: &[field("host", "String", false), field("port", "String", false)],
        by: By::new("HostPort", Conversion::new(split, None), Conversion::new(join, None)),
    }],
);

pub(crate) static CRON_TAB: Definition = Definition {
    versions: &[
        VersionDefinition {
            storage: true,
            ..version("v1beta1", Layout::Root(TypeRef::of::<OldCronTab>("v1beta1::CronTab")))
        },
        VersionDefinition {
            plan: Some(|| Some(Nested::Struct(&HOST_PORT))),
            ..version("v1", Layout::Root(TypeRef::of::<NewCronTab>("v1::CronTab")))
        },
    ],
    ..DEFINITION
};

pub(crate) fn cron_tab() -> ResourceType {
    ResourceType::new(&CRON_TAB)
}

#[derive(JsonSchema, Serialize)]
pub(crate) struct Inner {
    #[schemars(default = "three")]
    limit: i32,
}

#[derive(JsonSchema)]
struct OldSpec {
    jobs: Vec<Inner>,
    owner: Option<String>,
}

#[derive(JsonSchema)]
struct NewSpec {
    tasks: Vec<Inner>,
    replicas: i32,
}

#[derive(JsonSchema)]
struct Status {
    replicas: i32,
}

fn three() -> i32 {
    3
}

static INNER: StructPlan = StructPlan::new(
    "v1alpha1::Inner",
    "v1::Inner",
    &[Rule::Added { newer: field("limit", "i32", false), fill: Some(|out| write(&4, false, out)) }],
);

static SPEC: StructPlan = StructPlan::new(
    "v1alpha1::Spec",
    "v1::Spec",
    &[
        Rule::Kept {
            older: field("jobs", "Vec<Inner>", false),
            newer: field("tasks", "Vec<Inner>", false),
            nested: Indexed::new(|_| Some(|| Nested::Struct(&INNER)), 0),
        },
        Rule::Removed { older: field("owner", "Option<String>", true), fill: None },
        Rule::Added {
            newer: field("replicas", "i32", false),
            fill: Some(|out| write(&1, false, out)),
        },
    ],
);

static OBJECT: StructPlan = StructPlan::new(
    "V1alpha1",
    "V1",
    &[
        Rule::Kept {
            older: field("spec", "v1alpha1::Spec", false),
            newer: field("spec", "v1::Spec", false),
            nested: Indexed::new(|_| Some(|| Nested::Struct(&SPEC)), 0),
        },
        Rule::Added { newer: field("status", "Option<v1::Status>", true), fill: None },
    ],
);

const SPEC_STANZA: Stanza =
    Stanza { wire: "spec", optional: false, ty: TypeRef::of::<NewSpec>("v1::Spec") };

/// Everything that a version can declare; `limit` has one value in the mapping and another in the schema.
pub(crate) static FULL: Definition = Definition {
    kind: "Full",
    plural: "fulls",
    singular: Some("full"),
    list_kind: Some("FullSet"),
    short_names: &[],
    categories: &["all"],
    scope: Scope::Cluster,
    labels: &[("b", "2"), ("a", "1")],
    annotations: &[("c", "on")],
    descriptions: Descriptions::Full,
    versions: &[
        VersionDefinition {
            served: false,
            deprecated: true,
            deprecation_warning: Some("use v1"),
            ..version(
                "v1alpha1",
                Layout::Stanzas(&[Stanza {
                    wire: "spec",
                    optional: false,
                    ty: TypeRef::of::<OldSpec>("v1alpha1::Spec"),
                }]),
            )
        },
        VersionDefinition {
            storage: true,
            status: true,
            scale: Some(Scale {
                spec_replicas_path: ".spec.replicas",
                status_replicas_path: ".status.replicas",
                label_selector_path: Some(".status.selector"),
            }),
            printer_columns: &[PrinterColumn {
                name: "Replicas",
                ty: "integer",
                json_path: ".spec.replicas",
                format: Some("int32"),
                description: Some("How many."),
                priority: Some(1),
            }],
            selectable_fields: &[".spec.replicas"],
            plan: Some(|| Some(Nested::Struct(&OBJECT))),
            ..version(
                "v1",
                Layout::Stanzas(&[
                    SPEC_STANZA,
                    Stanza {
                        wire: "status",
                        optional: true,
                        ty: TypeRef::of::<Option<Status>>("Option<v1::Status>"),
                    },
                ]),
            )
        },
    ],
    ..DEFINITION
};
