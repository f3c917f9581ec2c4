//! The crate under another path.
#![deny(warnings)]

mod reexport {
    pub mod deep {
        pub use crd_conv as conv;
    }
}

use reexport::deep::conv::{Versioned, VersionedResource};

#[derive(Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[versioned(crate = crate::other_path::reexport::deep::conv)]
pub struct Spec {
    pub host: String,
}

#[derive(Versioned)]
#[versioned(
    crate = crate::other_path::reexport::deep::conv,
    resource(group = "example.com", plural = "crontabs", scope = "Namespaced")
)]
enum CronTab {
    #[versioned(storage)]
    V1(Spec),
}

#[test]
fn its_plural() {
    assert_eq!(CronTab::DEFINITION.plural, "crontabs");
}
