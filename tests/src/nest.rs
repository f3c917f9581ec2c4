//! A resource that nests every shape in every other one, over four versions. Within a version, each
//! name means one thing in all structs, so that [`ROWS`] can list what becomes of it.

use std::sync::LazyLock;

use crd_conv::schema::{Schema, SchemaType};
use crd_conv::{ResourceType, Versioned};
use serde_json::Value;

use crate::draw::Subject;
pub use crate::draw::VERSIONS;

pub mod converters {
    //! Each converter accepts any value.

    use crd_conv::{ConvertError, Converter};

    /// Without a colon, the port is empty. Spaces around it are dropped, so several values give the
    /// same result.
    pub struct Split;

    impl Converter<String, (String, String)> for Split {
        fn upgrade(&self, older: String) -> Result<(String, String), ConvertError> {
            let (host, port) = older.rsplit_once(':').unwrap_or((&older, ""));
            Ok((host.to_owned(), port.trim().to_owned()))
        }

        fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
            Ok(format!("{host}:{port}"))
        }
    }

    pub fn join((host, port): (String, String)) -> String {
        format!("{host}:{port}")
    }

    pub fn part(address: String) -> Result<(String, String), ConvertError> {
        Converter::upgrade(&Split, address)
    }
}

pub mod v1alpha1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::union::v1alpha1::{Blob, Choice, Event, Shape};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct NestSpec {
        head: Part,
        spare: Option<Part>,
        boxed: Box<Part>,
        parts: Vec<Part>,
        pools: BTreeMap<String, Part>,
        grid: Vec<Vec<Part>>,
        bundles: BTreeMap<String, Vec<Option<Leaf>>>,
        shelves: Vec<BTreeMap<String, Leaf>>,
        tree: Option<Box<Tree>>,
        fixed: Option<Fixed>,
        fixtures: Vec<Fixed>,
        legacy: Option<Part>,
        policy: String,
        choice: Option<Choice>,
        choices: Vec<Choice>,
        shape: Option<Shape>,
        shapes: BTreeMap<String, Shape>,
        event: Option<Event>,
        events: Vec<Event>,
        blob: Option<Blob>,
        blobs: Vec<Blob>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Part {
        title: String,
        host_port: String,
        first: String,
        last: Option<String>,
        size: i64,
        zone: Option<String>,
        tier: String,
        label: String,
        leaf: Option<Leaf>,
        leaves: Vec<Leaf>,
        stems: BTreeMap<String, Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Leaf {
        key: String,
        unit: String,
        remark: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Tree {
        text: String,
        shade: Option<String>,
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
        named: BTreeMap<String, Tree>,
        trunk: Option<Box<Part>>,
        graft: Option<Box<Shape>>,
    }

    /// The same in the next version.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Fixed {
        plain: String,
        count: i64,
    }
}

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::union::v1beta1::{Blob, Choice, Event, Shape};

    use super::converters::Split;
    use super::v1alpha1::Fixed;
    use crate::gadget::converters::{FullName, Scrambled};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::NestSpec, removed(legacy))]
    pub struct NestSpec {
        head: Part,
        spare: Option<Part>,
        boxed: Box<Part>,
        #[versioned(renamed_from = parts)]
        items: Vec<Part>,
        pools: BTreeMap<String, Part>,
        grid: Vec<Vec<Part>>,
        bundles: BTreeMap<String, Vec<Option<Leaf>>>,
        shelves: Vec<BTreeMap<String, Leaf>>,
        tree: Option<Box<Tree>>,
        fixed: Option<Fixed>,
        fixtures: Vec<Fixed>,
        #[versioned(renamed_from = policy)]
        strategy: String,
        /// Once it was what is called `strategy` now.
        #[versioned(added)]
        policy: Option<i64>,
        choice: Option<Choice>,
        choices: Vec<Choice>,
        shape: Option<Shape>,
        shapes: BTreeMap<String, Shape>,
        event: Option<Event>,
        events: Vec<Event>,
        blob: Option<Blob>,
        blobs: Vec<Blob>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1alpha1::Part,
        removed(zone, tier = "none"),
        map(host_port <=> (host, port), with = Split),
        map((first, last) <=> full_name, with = FullName),
    )]
    pub struct Part {
        #[versioned(renamed_from = title)]
        name: String,
        host: String,
        port: String,
        full_name: String,
        #[versioned(with = Scrambled)]
        size: String,
        #[versioned(renamed_from = label)]
        caption: String,
        #[versioned(added(value = 1))]
        label: i64,
        leaf: Option<Leaf>,
        leaves: Vec<Leaf>,
        stems: BTreeMap<String, Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Leaf)]
    pub struct Leaf {
        key: String,
        unit: String,
        remark: Option<String>,
        #[versioned(added(value = 0))]
        weight: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Tree, removed(shade))]
    pub struct Tree {
        text: String,
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
        named: BTreeMap<String, Tree>,
        trunk: Option<Box<Part>>,
        graft: Option<Box<Shape>>,
    }
}

pub mod v1beta2 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::union::v1beta2::{Blob, Choice, Event, Shape};

    use crate::gadget::converters::Forgetful;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::NestSpec, removed(policy))]
    pub struct NestSpec {
        head: Part,
        spare: Option<Part>,
        boxed: Box<Part>,
        items: Vec<Part>,
        pools: BTreeMap<String, Part>,
        grid: Vec<Vec<Part>>,
        #[versioned(renamed_from = bundles)]
        groups: BTreeMap<String, Vec<Option<Leaf>>>,
        shelves: Vec<BTreeMap<String, Leaf>>,
        tree: Option<Box<Tree>>,
        fixed: Option<Fixed>,
        fixtures: Vec<Fixed>,
        strategy: String,
        #[versioned(added)]
        #[serde(default)]
        sprouts: Vec<Leaf>,
        choice: Option<Choice>,
        choices: Vec<Choice>,
        shape: Option<Shape>,
        shapes: BTreeMap<String, Shape>,
        event: Option<Event>,
        events: Vec<Event>,
        blob: Option<Blob>,
        blobs: Vec<Blob>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::Part)]
    pub struct Part {
        name: String,
        host: String,
        port: String,
        full_name: String,
        size: String,
        caption: String,
        label: i64,
        leaf: Option<Leaf>,
        leaves: Vec<Leaf>,
        stems: BTreeMap<String, Leaf>,
        #[versioned(added)]
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Leaf, removed(unit = "u"))]
    pub struct Leaf {
        key: String,
        #[versioned(with = Forgetful)]
        remark: Option<String>,
        weight: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Tree)]
    pub struct Tree {
        #[versioned(renamed_from = text)]
        heading: String,
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
        named: BTreeMap<String, Tree>,
        trunk: Option<Box<Part>>,
        graft: Option<Box<Shape>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Fixed, removed(count = 0))]
    pub struct Fixed {
        #[versioned(renamed_from = plain)]
        pure: String,
    }
}

pub mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::union::v1::{Blob, Choice, Event, Shape};

    use super::converters::{join, part};
    use super::v1beta2::Fixed;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::NestSpec)]
    pub struct NestSpec {
        #[versioned(renamed_from = head)]
        main: Part,
        spare: Option<Part>,
        boxed: Box<Part>,
        #[versioned(renamed_from = items)]
        elements: Vec<Part>,
        pools: BTreeMap<String, Part>,
        grid: Vec<Vec<Part>>,
        groups: BTreeMap<String, Vec<Option<Leaf>>>,
        shelves: Vec<BTreeMap<String, Leaf>>,
        tree: Option<Box<Tree>>,
        fixed: Option<Fixed>,
        fixtures: Vec<Fixed>,
        strategy: String,
        #[serde(default)]
        sprouts: Vec<Leaf>,
        choice: Option<Choice>,
        choices: Vec<Choice>,
        shape: Option<Shape>,
        shapes: BTreeMap<String, Shape>,
        event: Option<Event>,
        events: Vec<Event>,
        blob: Option<Blob>,
        blobs: Vec<Blob>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta2::Part,
        removed(label = 1),
        map((host, port) <=> address, with(upgrade = join, downgrade = part)),
    )]
    pub struct Part {
        name: String,
        address: String,
        full_name: String,
        size: String,
        caption: String,
        leaf: Option<Leaf>,
        leaves: Vec<Leaf>,
        stems: BTreeMap<String, Leaf>,
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Leaf)]
    pub struct Leaf {
        key: String,
        remark: Option<String>,
        weight: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Tree)]
    pub struct Tree {
        heading: String,
        #[versioned(added)]
        color: Option<String>,
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
        named: BTreeMap<String, Tree>,
        trunk: Option<Box<Part>>,
        graft: Option<Box<Shape>>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "nests", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
pub enum Nest {
    V1alpha1 {
        spec: v1alpha1::NestSpec,
    },
    V1beta1 {
        spec: v1beta1::NestSpec,
    },
    V1beta2 {
        spec: v1beta2::NestSpec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::NestSpec,
    },
}

/// The resource. It takes a while to make, because types that contain each other have many paths to
/// a value.
pub fn resource() -> &'static ResourceType {
    static RESOURCE: LazyLock<ResourceType> = LazyLock::new(ResourceType::of::<Nest>);
    &RESOURCE
}

/// The names of fields that belong together, by version. A field in no row keeps its name in all
/// versions.
pub const ROWS: &[[&[&str]; 4]] = &[
    [&["head"], &["head"], &["head"], &["main"]],
    [&["parts"], &["items"], &["items"], &["elements"]],
    [&["bundles"], &["bundles"], &["groups"], &["groups"]],
    [&["policy"], &["strategy"], &["strategy"], &["strategy"]],
    [&[], &["policy"], &[], &[]],
    [&["legacy"], &[], &[], &[]],
    [&[], &[], &["sprouts"], &["sprouts"]],
    [&["title"], &["name"], &["name"], &["name"]],
    [&["hostPort"], &["host", "port"], &["host", "port"], &["address"]],
    [&["first", "last"], &["fullName"], &["fullName"], &["fullName"]],
    [&["zone"], &[], &[], &[]],
    [&["tier"], &[], &[], &[]],
    [&["label"], &["caption"], &["caption"], &["caption"]],
    [&[], &["label"], &["label"], &[]],
    [&[], &[], &["note"], &["note"]],
    [&["unit"], &["unit"], &[], &[]],
    [&[], &["weight"], &["weight"], &["weight"]],
    [&["shade"], &[], &[], &[]],
    [&[], &[], &[], &["color"]],
    [&["text"], &["text"], &["heading"], &["heading"]],
    [&["plain"], &["plain"], &["pure"], &["pure"]],
    [&["count"], &["count"], &[], &[]],
    [&["kind"], &["kind"], &["type"], &["type"]],
    [&["t"], &["t"], &["stage"], &["stage"]],
    [&["c"], &["c"], &["c"], &["data"]],
];

/// The subject from which objects can be drawn.
pub const SUBJECT: Subject = Subject {
    kind: "Nest",
    rows: ROWS,
    free: [
        &["key", "title", "label", "text", "plain", "policy"],
        &["key", "name", "caption", "text", "plain", "strategy"],
        &["key", "name", "caption", "heading", "pure", "strategy"],
        &["key", "name", "caption", "heading", "pure", "strategy"],
    ],
    whole: &["legacy", "sprouts"],
    stanzas: |version| vec![("spec", schema(version))],
};

/// How deep types that contain themselves are written out in [`structural`].
const MAX_DEPTH: usize = 9;

/// Returns the schema of a version as the API server would have it. A type that contains itself has
/// no such schema. So it is written out to the depth that [`draw`](crate::draw) goes to.
pub fn structural(version: usize) -> Schema {
    let schema = schema(version);
    let mut object = Schema::default();
    object.ty = Some(SchemaType::Object);
    object.properties.insert("spec".to_owned(), written_out(&schema, &schema["$defs"], 0));
    object
}

/// A schema that prunes nothing. Here, the server needn't know which variant of an enum a value is.
fn anything() -> Schema {
    let mut schema = Schema::default();
    schema.extensions.preserve_unknown_fields = Some(true);
    schema
}

fn written_out(schema: &Value, definitions: &Value, depth: usize) -> Schema {
    if let Some(of) = schema["anyOf"].as_array() {
        let inner: Vec<_> = of.iter().filter(|inner| inner["type"] != "null").collect();
        let mut out = match inner[..] {
            [inner] => written_out(inner, definitions, depth),
            _ => anything(),
        };
        out.nullable = inner.len() < of.len();
        return out;
    }
    if schema["oneOf"].is_array() {
        return anything();
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return written_out(&definitions[name], definitions, depth);
    }
    let (ty, nullable) = match &schema["type"] {
        Value::Array(types) => (&types[0], true),
        ty => (ty, false),
    };
    let inner = |schema: &Value| written_out(schema, definitions, depth + 1);
    let mut out = Schema::default();
    out.nullable = nullable;
    out.default = schema.get("default").map(Into::into);
    match ty.as_str() {
        Some("object") => {
            out.ty = Some(SchemaType::Object);
            if depth >= MAX_DEPTH {
                return out;
            }
            if let Some(properties) = schema["properties"].as_object() {
                let properties = properties.iter();
                out.properties =
                    properties.map(|(name, schema)| (name.clone(), inner(schema))).collect();
            } else {
                let values = inner(&schema["additionalProperties"]);
                out.additional_properties = Some(Box::new(values));
            }
        }
        Some("array") => {
            out.ty = Some(SchemaType::Array);
            out.items = Some(Box::new(inner(&schema["items"])));
        }
        Some("integer") => out.ty = Some(SchemaType::Integer),
        _ => out.ty = Some(SchemaType::Text),
    }
    out
}
/// The fields with enums. The parts of each belong together.
pub const UNIONS: [&str; 9] =
    ["choice", "choices", "shape", "shapes", "event", "events", "blob", "blobs", "graft"];

/// Returns the schema of a version's `spec`, as schemars makes it.
fn schema(version: usize) -> Value {
    let schema = match version {
        0 => schemars::schema_for!(v1alpha1::NestSpec),
        1 => schemars::schema_for!(v1beta1::NestSpec),
        2 => schemars::schema_for!(v1beta2::NestSpec),
        _ => schemars::schema_for!(v1::NestSpec),
    };
    schema.to_value()
}
