use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(
    group = "a-label-of-more-than-63-characters-isnt-one-that-dns-knows-so-no.example.com",
    plural = "crontabs",
    short_name = "ct",
    short_name = "ct",
    label("key"),
    scope = "Namespaced",
))]
enum CronTab {
    #[versioned(
        storage,
        deprecated = "012345678901234567890123456789012345678901234567890123456789\
            012345678901234567890123456789012345678901234567890123456789\
            012345678901234567890123456789012345678901234567890123456789\
            012345678901234567890123456789012345678901234567890123456789\
            01234567890123456789",
        selectable_field = ".spec.a",
        selectable_field = ".spec.b",
        selectable_field = ".spec.c",
        selectable_field = ".spec.d",
        selectable_field = ".spec.e",
        selectable_field = ".spec.f",
        selectable_field = ".spec.g",
        selectable_field = ".spec.h",
        selectable_field = ".spec.i",
        scale(
            spec_replicas_path = ".spec.replicas",
            status_replicas_path = ".status.replicas",
            label_selector_path = ".metadata.labels"
        ),
        scale(spec_replicas_path = ".spec.replicas"),
        printer_column(name = "A", type = "string", json_path = ".a", priority = "1")
    )]
    V1(Spec),
}

fn main() {}
