//! A resource whose newer version refuses values that the older one accepts: one field for each kind of reason.

use crd_conv::Versioned;
use serde_json::{Value, json};

pub mod v1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Kite {
        color: String,
        shape: String,
        size: i64,
        owner: Option<String>,
        #[serde(default)]
        tags: Vec<String>,
        #[serde(default)]
        lines: Vec<Line>,
        #[versioned(preserve_unknown_fields)]
        notes: Option<Value>,
        /// Both versions have the same bound.
        #[schemars(range(max = 9))]
        wind: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Line {
        name: String,
        length: i64,
    }
}

pub mod v2 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;

    use super::v1;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1::Kite, validation("self.wind >= 0"))]
    pub struct Kite {
        #[schemars(extend("enum" = ["red", "blue"]))]
        color: String,
        #[schemars(regex(pattern = "^[a-z]+$"))]
        shape: String,
        #[schemars(range(max = 10))]
        size: i64,
        #[schemars(required)]
        owner: Option<String>,
        #[serde(default)]
        #[schemars(inner(length(max = 3)))]
        tags: Vec<String>,
        #[serde(default)]
        #[versioned(list_map_keys(name))]
        lines: Vec<Line>,
        #[versioned(preserve_unknown_fields)]
        notes: Option<Value>,
        #[schemars(range(max = 9))]
        wind: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1::Line)]
    pub struct Line {
        name: String,
        #[schemars(range(max = 100))]
        length: i64,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "kites", scope = "Namespaced"))]
pub enum Kite {
    V1 {
        spec: v1::Kite,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Kite,
    },
}

/// A spec that both versions accept, after a change. A field that is null is left out.
pub fn spec(change: &Value) -> Value {
    let mut spec = json!({
        "color": "red", "shape": "delta", "size": 3, "owner": "ada", "wind": 4,
        "tags": ["new"], "lines": [{ "name": "left", "length": 30 }],
    });
    let fields = spec.as_object_mut().expect("fields");
    for (field, value) in change.as_object().expect("fields") {
        fields.insert(field.clone(), value.clone());
    }
    fields.retain(|_, value| !value.is_null());
    spec
}

/// Names of kites, and what is different in their specs. `v2` accepts the first one. Both versions refuse the last one, and `v1`
/// accepts all others.
pub fn changes() -> Vec<(&'static str, Value)> {
    let line = |name: &str, length: i64| json!({ "name": name, "length": length });
    vec![
        ("fine", json!({})),
        ("color", json!({ "color": "pink" })),
        ("shape", json!({ "shape": "?" })),
        ("size", json!({ "size": 12 })),
        ("owner", json!({ "owner": null })),
        ("owner-and-notes", json!({ "owner": null, "notes": { "a": 1 } })),
        ("tags", json!({ "tags": ["summer"] })),
        ("lines", json!({ "lines": [line("a", 1), line("a", 2)] })),
        ("length", json!({ "lines": [line("a", 101)] })),
        ("wind", json!({ "wind": 10 })),
    ]
}
