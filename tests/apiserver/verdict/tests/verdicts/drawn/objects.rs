//! Objects for a schema: what fits, what nearly does, and what doesn't.

use crd_conv::schema::{Schema, SchemaType};
use proptest::prelude::*;
use proptest::sample::select;

/// What the server reads into a type of its own, and what it refuses to.
const METADATA: [&str; 13] = [
    "{}",
    r#"{"name":"a"}"#,
    r#"{"annotations":{"b":"\u003c","c":null},"labels":{},"unknown":1}"#,
    r#"{"creationTimestamp":null,"generation":1.0,"deletionGracePeriodSeconds":0,"uid":""}"#,
    r#"{"creationTimestamp":"2020-01-01T00:00:00Z","finalizers":["a",null],"generation":0,"generateName":"a","namespace":"b","resourceVersion":"1","selfLink":"c","deletionTimestamp":"2020-01-01T00:00:00Z"}"#,
    r#"{"ownerReferences":[{"apiVersion":"v1","controller":false,"more":{}},null,{"blockOwnerDeletion":true,"kind":"A","name":"b","uid":"c"}]}"#,
    r#"{"managedFields":[{"time":"2020-01-01T00:00:00Z","fieldsV1":{"f:a":{"x":[1e2]}},"manager":"","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","subresource":"status"}]}"#,
    r#"{"creationTimestamp":"2025-01-01T0:30:00.5+24:60","deletionTimestamp":"2024-02-28T23:30:00,5-01:00"}"#,
    r#"{"managedFields":[{"time":"2024-03-01T00:30:00+01:00"}]}"#,
    r#"{"creationTimestamp":"yesterday"}"#,
    r#"{"deletionTimestamp":""}"#,
    r#"{"generation":1.5}"#,
    r#"{"labels":{"a":1}}"#,
];

/// The names of a schema's properties.
pub(crate) const NAMES: [&str; 6] = ["a", "b", "c", "\u{fc}<\"", "apiVersion", "metadata"];

pub(crate) fn number() -> impl Strategy<Value = String> {
    let float = any::<u64>().prop_map(f64::from_bits).prop_filter("a number", |f| f.is_finite());
    let integral = (any::<i64>(), 0..70_u32).prop_map(|(integer, shift)| {
        #[expect(clippy::cast_precision_loss, reason = "any float will do")]
        let float = integer as f64;
        float * 2_f64.powi(shift.cast_signed() - 35)
    });
    prop_oneof![
        any::<i64>().prop_map(|integer| integer.to_string()),
        (0..9_i64).prop_map(|integer| integer.to_string()),
        (prop_oneof![float, integral], 0..3_u8).prop_map(|(float, how)| match how {
            0 => format!("{float:?}"),
            1 => format!("{float:E}"),
            _ => float.to_string(),
        }),
        "-?[1-9][0-9]{15,25}(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        select(vec![
            "-0",
            "-0.0",
            "1.0",
            "1e2",
            "1E-7",
            "0.000001",
            "1e20",
            "1e21",
            "1e22",
            "1e400",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "5e-324",
        ])
        .prop_map(str::to_owned),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>().prop_map(|text| serde_json::to_string(&text).expect("a string")),
        "\"([ab<>&/]|\\\\[bfnrt/\"]|\\\\u[0d][08][0-9a-f]{2}|\\\\u202[6-9a]){0,6}\"",
        Just("\"a\"".to_owned()),
    ]
}

fn scalar() -> BoxedStrategy<String> {
    prop_oneof![
        2 => Just("null".to_owned()),
        1 => any::<bool>().prop_map(|boolean| boolean.to_string()),
        2 => number(),
        2 => text(),
    ]
    .boxed()
}

/// A value of any shape.
fn anything() -> BoxedStrategy<String> {
    scalar()
        .prop_recursive(3, 12, 3, |inner| {
            let members = prop::collection::vec((select(NAMES.to_vec()), inner.clone()), 0..4);
            prop_oneof![
                prop::collection::vec(inner, 0..3).prop_map(|items| list(&items)),
                members.prop_map(|members| object(&members)),
            ]
        })
        .boxed()
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(" ,"))
}

fn object<N: AsRef<str>>(members: &[(N, String)]) -> String {
    let members = members.iter().map(|(name, value)| {
        format!("{}: {value}", serde_json::to_string(name.as_ref()).expect("a string"))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// A value that mostly fits a schema.
pub(crate) fn value(schema: &Schema) -> BoxedStrategy<String> {
    let fits = match schema.ty {
        Some(SchemaType::Object) => members(schema),
        Some(SchemaType::Array) => {
            let items = schema.items.as_deref().map_or_else(|| scalar().boxed(), value);
            prop::collection::vec(items, 0..4).prop_map(|items| list(&items)).boxed()
        }
        Some(SchemaType::Boolean) => any::<bool>().prop_map(|boolean| boolean.to_string()).boxed(),
        Some(SchemaType::Integer | SchemaType::Number) => number().boxed(),
        Some(SchemaType::Text) => text().boxed(),
        None => scalar(),
    };
    // What the server reads into a type of its own has to fit it.
    let odd = if is_embedded(schema) { scalar() } else { anything() };
    prop_oneof![12 => fits, 2 => Just("null".to_owned()), 1 => odd].boxed()
}

fn members(schema: &Schema) -> BoxedStrategy<String> {
    let embedded = is_embedded(schema);
    let mut fields = Vec::new();
    if embedded {
        let meta = [("apiVersion", vec!["\"v1\"", "\"\"", "1"]), ("kind", vec!["\"A\""])];
        fields
            .extend(meta.map(|(name, texts)| member(name, select(texts).prop_map(str::to_owned))));
        fields.push(member("metadata", select(METADATA.to_vec()).prop_map(str::to_owned)));
    }
    for (name, schema) in &schema.properties {
        fields.push(member(name, value(schema)));
    }
    let unknown = NAMES.into_iter().filter(|name| !embedded || !is_meta(name));
    for name in unknown.filter(|name| !schema.properties.contains_key(*name)) {
        let inner = schema.additional_properties.as_deref();
        let rarely = if inner.is_some() { 2 } else { 8 };
        let field = member(name, inner.map_or_else(anything, value));
        fields.push(prop_oneof![rarely => Just(None), 1 => field].boxed());
    }
    if let Some((name, schema)) = schema.properties.iter().next() {
        let twin = member(name, value(schema));
        fields.push(prop_oneof![8 => Just(None), 1 => twin].boxed());
    }
    fields
        .prop_shuffle()
        .prop_map(|members| object(&members.into_iter().flatten().collect::<Vec<_>>()))
        .boxed()
}

fn is_embedded(schema: &Schema) -> bool {
    schema.extensions.embedded_resource
}

fn is_meta(name: &str) -> bool {
    ["apiVersion", "kind", "metadata"].contains(&name)
}

type Member = BoxedStrategy<Option<(String, String)>>;

fn member(name: &str, value: impl Strategy<Value = String> + 'static) -> Member {
    let name = name.to_owned();
    prop_oneof![1 => Just(None), 3 => value.prop_map(Some)]
        .prop_map(move |value| value.map(|value| (name.clone(), value)))
        .boxed()
}

/// A whole object, as a client might send it.
pub(crate) fn resource(schema: &Schema) -> BoxedStrategy<String> {
    let metadata = prop::option::of(select(METADATA.to_vec()));
    let mut fields: Vec<BoxedStrategy<Option<(String, String)>>> =
        vec![metadata.prop_map(|text| Some(("metadata".to_owned(), text?.to_owned()))).boxed()];
    for (name, text) in [("apiVersion", "\"example.com/v1\""), ("kind", "\"Thing\"")] {
        fields.push(Just(Some((name.to_owned(), text.to_owned()))).boxed());
    }
    for (name, schema) in &schema.properties {
        fields.push(member(name, value(schema)));
    }
    for name in NAMES.into_iter().filter(|name| !is_meta(name)) {
        if !schema.properties.contains_key(name) {
            fields.push(prop_oneof![4 => Just(None), 1 => member(name, anything())].boxed());
        }
    }
    fields
        .prop_shuffle()
        .prop_map(|members| object(&members.into_iter().flatten().collect::<Vec<_>>()))
        .boxed()
}
