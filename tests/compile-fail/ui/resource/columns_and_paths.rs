use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
enum CronTab {
    #[versioned(
        storage,
        deprecated = "",
        printer_column(name = "A", type = "int", json_path = ".spec.a"),
        printer_column(name = "B", type = "strnig", json_path = "spec.b"),
        printer_column(name = "C", type = "date"),
        scale(spec_replicas_path = ".replicas", status_replicas_path = ".status.replicas"),
        selectable_field = "spec.a"
    )]
    V1(Spec),
}

fn main() {}
