use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(
    gruop = "example.com",
    plurals = "crontabs",
    namespaced,
    shortname = "ct",
    description = "none",
    version = "v1",
    storage,
    printcolumn = "a",
    crate = other
), form = Other)]
enum CronTab {
    #[versioned(naem = "v1", stroage, served = false, group = "a", selectable = ".spec.name")]
    #[versioned(printcolumn(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"))]
    #[versioned(printer_column(nmae = "Age", typ = "date", jsonPath = ".metadata.creationTimestamp"))]
    #[versioned(scale(specReplicasPath = ".spec.replicas", status_replicas = ".status.replicas"))]
    #[versioned(deprecation_warning = "old", deprectaed)]
    V1 {
        #[versioned(aded, storage)]
        spec: Spec,
    },
}

#[derive(Versioned)]
#[versioned(resouce(group = "example.com", plural = "backups", scope = "Namespaced"))]
enum Backup {
    #[versioned(storage)]
    V1 { spec: Spec },
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "backups", scope = "Namespaced"), storage)]
enum Restore {
    #[versioned(storage)]
    V1 { spec: Spec },
}

fn main() {}
