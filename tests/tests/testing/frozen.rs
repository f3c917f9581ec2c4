//! Versions that have been released.

use std::{panic, path::Path};

use crd_conv::{Versioned, testing::assert_frozen};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        /// How large it is.
        size: i64,
        color: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
enum Box {
    #[versioned(storage)]
    V1 { spec: v1::Spec },
}

/// What `CRD_CONV_FREEZE=1` writes.
const RELEASED: &str = "tests/testing/released/v1.json";

#[test]
fn nothing_has_changed() {
    assert_frozen::<Box>("v1", RELEASED);
}

/// Such as what another generator of schemas writes.
#[test]
fn another_form_of_the_same_is_no_change() {
    released(
        |released| {
            let spec = &mut released["schema"]["openAPIV3Schema"]["properties"]["spec"];
            let required = spec["required"].take();
            assert!(required.is_array(), "the premise");
            spec["allOf"] = serde_json::json!([{"required": required}]);
        },
        |file| assert_frozen::<Box>("v1", file),
    );
}

/// What happens where the release was another one.
fn released<T>(release: impl FnOnce(&mut Value), then: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.json");
    let mut released: Value = serde_json::from_slice(&std::fs::read(RELEASED).unwrap()).unwrap();
    release(&mut released);
    std::fs::write(&file, released.to_string()).unwrap();
    then(&file)
}

/// The message there.
fn message(release: impl FnOnce(&mut Value)) -> String {
    released(release, |file| fails("v1", file))
}

fn fails(version: &str, file: &Path) -> String {
    let failure = panic::catch_unwind(|| assert_frozen::<Box>(version, file)).unwrap_err();
    *failure.downcast::<String>().unwrap()
}

#[test]
fn each_change_is_named() {
    let spec = |released: &mut Value, name: &str, value: Value| {
        let spec = &mut released["schema"]["openAPIV3Schema"]["properties"]["spec"];
        spec["properties"][name] = value;
    };
    let text = message(|released| {
        spec(released, "owner", serde_json::json!({"type": "string"}));
        released["subresources"] = serde_json::json!({"status": {}});
    });
    for part in [
        "`v1` of Box differs from its released form in `",
        "\n  breaking: .spec.owner: it is gone: ",
        "\n  breaking: `/status` is gone: ",
        "\nIf you intend this change, run this test once with `CRD_CONV_FREEZE=1`, and tell the users of `v1`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // What is safe is a change, too.
    let text = message(|released| {
        let spec = &mut released["schema"]["openAPIV3Schema"]["properties"]["spec"];
        spec["properties"].as_object_mut().unwrap().remove("color").unwrap();
    });
    assert!(text.contains("\n  safe: .spec.color: it is new\n"), "{text}");
}

#[test]
fn what_is_missing_is_named() {
    let text = fails("v1", Path::new("tests/testing/released/none.json"));
    assert_eq!(
        text,
        "`tests/testing/released/none.json` doesn't exist yet: run this test once with `CRD_CONV_FREEZE=1`"
    );
    assert_eq!(fails("v2", Path::new(RELEASED)), "Box has no version `v2`; it has v1");
}
