//! The module of a new version.

use crate::import::next;

const TEXT: &str = r#"//! The first version.

use std::collections::BTreeMap;

use super::convert::GoDuration;
use crd_conv::Versioned;
use serde::{Deserialize, Serialize};
// The same as before.
pub use super::v1alpha1::{Key, Old as Older};

/// What a thing should look like.
#[derive(Versioned, Serialize, Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = super::v1alpha1::ThingSpec, // as it was called
    removed(owner, retries = 3),
    nullable = false,
)]
pub struct ThingSpec {
    /// A name.
    #[versioned(renamed_from = title)]
    pub name: String,
    // Not for people.
    #[versioned(added, validation("self == oldSelf", message = "a, b"), with = GoDuration)]
    pub resync: Option<i64>,
    #[serde(default = "ports")]
    pub ports: Vec<Port>,
    pub keys: BTreeMap<String, Key>,
}

// Ports are numbers.
#[derive(Versioned, Serialize, Deserialize, Clone)]
pub struct Port {
    #[versioned(added)] pub number: i32,
    pub mode: Mode,
}

#[derive(Versioned, Serialize, Deserialize, Clone)]
#[versioned(from = super::v1alpha1::Mode, removed(Gone = On))]
pub enum Mode {
    #[versioned(renamed_from = Yes)]
    On,
    Off,
}

fn ports() -> Vec<Port> {
    vec![first()]
}

fn first() -> Port {
    Port { number: 1, mode: Mode::On }
}

fn unused() {}

impl Default for ThingSpec {
    fn default() -> Self {
        todo!()
    }
}

#[derive(Versioned, Serialize, Deserialize, Clone)]
pub struct ThingStatus {}
"#;

#[test]
fn a_type_is_copied_with_all_that_contain_it() {
    let next = next(TEXT, "v1beta1", &["Port".to_owned()]).unwrap();
    let expected = r#"use std::collections::BTreeMap;
use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

// These are as they were.
pub use super::v1beta1::{Key, Mode, Older, ThingStatus};

/// What a thing should look like.
#[derive(Versioned, Serialize, Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
#[versioned(from = super::v1beta1::ThingSpec, nullable = false)]
pub struct ThingSpec {
    /// A name.
    pub name: String,
    // Not for people.
    #[versioned(validation("self == oldSelf", message = "a, b"))]
    pub resync: Option<i64>,
    #[serde(default = "ports")]
    pub ports: Vec<Port>,
    pub keys: BTreeMap<String, Key>,
}

// Ports are numbers.
#[derive(Versioned, Serialize, Deserialize, Clone)]
#[versioned(from = super::v1beta1::Port)]
pub struct Port {
    pub number: i32,
    pub mode: Mode,
}

fn ports() -> Vec<Port> {
    vec![first()]
}

fn first() -> Port {
    Port { number: 1, mode: Mode::On }
}
"#;
    assert_eq!(next.text, expected);
    assert_eq!(next.outermost, ["ThingSpec"]);
    assert_eq!(next.without_impls, ["ThingSpec"]);
}

#[test]
fn without_types_the_outermost_ones_are_copied() {
    let next = next(TEXT, "v1beta1", &[]).unwrap();
    assert_eq!(next.outermost, ["ThingSpec", "ThingStatus"]);
    assert!(next.text.contains("#[versioned(from = super::v1beta1::ThingStatus)]\n"));
    assert!(next.text.contains("pub use super::v1beta1::{Key, Mode, Older, Port};\n"));
}

/// The last variant's attribute is on the same lines, and nothing is copied from the declaration of a resource.
#[test]
fn enums_and_resources() {
    let next = next(TEXT, "v1beta1", &["Mode".to_owned()]).unwrap();
    let mode = "#[versioned(from = super::v1beta1::Mode)]\npub enum Mode {\n    On,\n    Off,\n}\n";
    assert!(next.text.contains(mode), "{}", next.text);
    let resource = "#[derive(Versioned)]\n#[versioned(resource(group = \"a\"))]\nenum Thing { V1 { spec: Spec } }\n#[derive(Versioned)]\npub struct Spec {}";
    let next = crate::import::next(resource, "v1", &[]).unwrap();
    assert_eq!(
        next.text,
        "#[derive(Versioned)]\n#[versioned(from = super::v1::Spec)]\npub struct Spec {}\n"
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    assert_eq!(next("struct {}", "v1", &[]).unwrap_err(), "line 1, column 8: expected identifier");
    assert_eq!(next("fn a() {}", "v1", &[]).unwrap_err(), "there are no types");
    let unknown = next("struct A; enum B {}", "v1", &["C".to_owned()]).unwrap_err();
    assert_eq!(unknown, "there is no type `C`, only `A`, `B`");
}
