//! Values that fit a schema, mostly, and what breaks them.

use crd_conv::schema::{Number, Schema, SchemaType};
use serde_json::{Map, Value, json};

use crate::random::Random;

/// Formats with texts of them, and some that only look so.
pub(crate) const FORMATS: &[(&str, &[&str])] = &[
    ("bsonobjectid", &["507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901"]),
    ("byte", &["YQ==", "YWI=", "YWJj", "", "YQ", "YWJjZA=="]),
    (
        "cidr",
        &[
            "10.0.0.0/8",
            "2001:db8::/32",
            "010.0.0.0/08",
            "::ffff:1.2.3.4/96",
            "10.0.0.0/33",
            "::1/129",
        ],
    ),
    (
        "creditcard",
        &["4111 1111 1111 1111", "5555-5555-5555-4444", "4111111111111112", "378282246310005"],
    ),
    (
        "date",
        &[
            "2020-02-29",
            "2021-02-29",
            "0000-01-01",
            "2020-12-31",
            "2100-02-29",
            "2000-02-29",
            "2020-1-1",
        ],
    ),
    (
        "date-time",
        &[
            "2020-02-29T12:34:56Z",
            "2020-02-29t12:34:56.789+01:00",
            "2020-02-29T24:00:00Z",
            "2020-02-29T12:34:60Z",
            "2020-02-29T12:34:56,7z",
            "2020-02-29T12:34:56ZT",
            "2020-02-29T12:34:56",
        ],
    ),
    (
        "duration",
        &[
            "1h30m",
            "22 ns",
            "-1.5h",
            "0",
            "+0",
            ".5s",
            "1.",
            "3 weeks",
            "5 mins",
            "a 5 days",
            "9223372036854775807ns",
            "99999999999999999999s",
            "1us",
            "1\u{b5}s",
            "1\u{3bc}s",
            "PT1H",
            "1h 5",
        ],
    ),
    (
        "email",
        &[
            "a@b.c",
            "a.b+c@d",
            "a",
            "A <a@b>",
            "a@",
            "@b",
            "a..b@c",
            "\"a b\"@c",
            "a@b@c",
            "a@[1.2.3.4]",
            "a b",
        ],
    ),
    ("hexcolor", &["#fff", "FFFFFF", "#ffff", "#ggg"]),
    (
        "hostname",
        &[
            "a",
            "a.example.com",
            "-a",
            "a-",
            "a_b",
            "a.b",
            "1.2.3.4",
            "\u{fc}.de",
            "a.",
            "xn--a.com",
            "a.example.c0m",
            "\u{20ac}uro.com",
        ],
    ),
    ("ipv4", &["1.2.3.4", "01.002.3.4", "1.2.3", "256.1.1.1", "::ffff:1.2.3.4", "1.2.3.4.5"]),
    (
        "ipv6",
        &[
            "::1",
            "2001:db8::1",
            "::ffff:1.2.3.4",
            "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7::",
            "1::2::3",
            "12345::",
            "::1%eth0",
        ],
    ),
    ("isbn", &["0321751043", "978-0321751041", "032175104X", "0-306-40615-2", "9780321751042"]),
    ("isbn10", &["0321751043", "0-8044-2957-X", "0321751044"]),
    ("isbn13", &["978-0321751041", "978 0 321 75104 1", "9780321751040"]),
    ("k8s-long-name", &["a.b", "a", "-a", "A.b", "a..b", "a.b-"]),
    ("k8s-short-name", &["a-b", "a", "a.b", "9", "a-"]),
    (
        "mac",
        &[
            "00:00:5e:00:53:01",
            "00-00-5e-00-53-01",
            "0000.5e00.5301",
            "00005e005301",
            "00:00:5e:00:53",
            "02:00:5e:10:00:00:00:01",
            "00:00-5e:00:53:01",
        ],
    ),
    ("nonsense", &["", "a"]),
    ("password", &["", "a"]),
    ("rgbcolor", &["rgb(0,0,0)", "rgb( 255 , 1 ,19)", "rgb(256,0,0)", "rgb(01,0,0)"]),
    ("ssn", &["123-45-6789", "123 45 6789", "123456789", "123-456789"]),
    (
        "uri",
        &[
            "https://example.com/a?b=c",
            "/a/b",
            "a",
            "mailto:a@b",
            "http://[::1]:80/",
            "http://[::1%25a]/",
            "http://a:b@c:80/",
            "http://a b/",
            "*",
            "",
            "//a/b",
            "http://a:80:90/",
            "x://a:80:90/",
            "http://a%20b/",
            "http://a%e4b/",
            "/a%zz",
            "1a:b",
            ":a",
            "http://a/b#c",
            "http:///a",
            "http://a[b/",
            "http://a]b/",
            "http://\u{e4}/",
        ],
    ),
    ("uuid", &["5c4f4f4e-7c8e-4f4b-9d2c-0f0f0f0f0f0f", "5C4F4F4E7C8E4F4B9D2C0F0F0F0F0F0F"]),
    ("uuid3", &["5c4f4f4e-7c8e-3f4b-9d2c-0f0f0f0f0f0f", "5c4f4f4e-7c8e-4f4b-9d2c-0f0f0f0f0f0f"]),
    ("uuid4", &["5c4f4f4e-7c8e-4f4b-9d2c-0f0f0f0f0f0f", "5c4f4f4e-7c8e-4f4b-7d2c-0f0f0f0f0f0f"]),
    ("uuid5", &["5c4f4f4e-7c8e-5f4b-9d2c-0f0f0f0f0f0f", "5c4f4f4e-7c8e-5f4b-1d2c-0f0f0f0f0f0f"]),
];

/// Patterns with texts that match.
pub(crate) const PATTERNS: [(&str, &[&str]); 5] = [
    ("^[a-z]+$", &["a", "abc"]),
    ("b", &["abc", "b"]),
    (r"^\d{1,3}%$", &["5%", "100%"]),
    (r"^[^\s]{2,}$", &["ab", "\u{e4}\u{fc}"]),
    (r"^(true|false)?$", &["", "true"]),
];

const ODD: [&str; 14] = [
    "null",
    "true",
    "0",
    "-1",
    "3",
    "0.5",
    "1e20",
    "9007199254740993",
    "\"\"",
    "\"a\"",
    "\"zz\"",
    "[]",
    "{}",
    "65",
];

fn odd(random: &mut Random) -> Value {
    serde_json::from_str(ODD[random.below(ODD.len())]).expect("JSON")
}

/// A value that fits a schema, mostly.
pub(crate) fn value(schema: &Schema, random: &mut Random) -> Value {
    if schema.nullable && random.once_in(8) {
        return Value::Null;
    }
    if !schema.values.is_empty() && !random.once_in(16) {
        return json!(random.pick(&schema.values));
    }
    match schema.ty {
        Some(SchemaType::Object) => object(schema, random),
        Some(SchemaType::Array) => list(schema, random),
        Some(SchemaType::Boolean) => json!(random.once_in(2)),
        Some(SchemaType::Integer) => number(schema, true, random),
        Some(SchemaType::Number) => number(schema, false, random),
        Some(SchemaType::Text) => json!(text(schema, random)),
        None if schema.extensions.int_or_string => {
            json!(random.pick(&[json!(5), json!("5%"), json!("abc"), json!(80)]))
        }
        None => odd(random),
    }
}

fn number(schema: &Schema, is_integer: bool, random: &mut Random) -> Value {
    let least = schema.minimum.map(Number::as_f64);
    let most = schema.maximum.map(Number::as_f64);
    let step = schema.multiple_of.map_or(1.0, Number::as_f64);
    let least = least.unwrap_or(most.map_or(0.0, |most| most - 10.0 * step));
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let drawn = ((least / step).ceil() + random.below(8) as f64) * step;
    let drawn = most.map_or(drawn, |most| drawn.min(most));
    #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
    if is_integer { json!(drawn as i64) } else { json!(drawn) }
}

fn text(schema: &Schema, random: &mut Random) -> String {
    let pattern = PATTERNS.iter().find(|(own, _)| Some(*own) == schema.pattern.as_deref());
    let format = FORMATS.iter().find(|(own, _)| Some(*own) == schema.format.as_deref());
    if let Some((_, texts)) = pattern {
        return (*random.pick(texts)).to_owned();
    }
    // The first is right.
    if let Some((_, texts)) = format {
        return texts[random.below(8) / 7].to_owned();
    }
    let least = usize::try_from(schema.min_length.unwrap_or(0)).expect("a short text");
    let most = usize::try_from(schema.max_length.unwrap_or(4)).expect("a short text");
    "a\u{e4}bc".chars().cycle().take(least.max(random.below(most + 1))).collect()
}

fn list(schema: &Schema, random: &mut Random) -> Value {
    let bound = |bound: Option<i64>, other| {
        bound.map_or(other, |n| usize::try_from(n).expect("a short list"))
    };
    let least = bound(schema.min_items, 0);
    let count = least.max(random.below(bound(schema.max_items, 3) + 1));
    let fallback = Schema::default();
    let inner = schema.items.as_deref().unwrap_or(&fallback);
    Value::Array((0..count).map(|_| value(inner, random)).collect())
}

fn object(schema: &Schema, random: &mut Random) -> Value {
    let mut members = Map::new();
    if schema.extensions.embedded_resource {
        members.insert("apiVersion".to_owned(), json!("v1"));
        members.insert("kind".to_owned(), json!("Pod"));
        if random.once_in(2) {
            members.insert("metadata".to_owned(), metadata(random));
        }
    }
    let is_meta = |name: &str| ["apiVersion", "kind", "metadata"].contains(&name);
    let embedded = !members.is_empty();
    for (name, property) in &schema.properties {
        if (schema.required.contains(name) || random.below(3) > 0) && !(embedded && is_meta(name)) {
            members.insert(name.clone(), value(property, random));
        }
    }
    if let Some(inner) = &schema.additional_properties {
        for name in ["a", "x", "y"] {
            if schema.required.iter().any(|required| required == name) || random.once_in(2) {
                members.insert(name.to_owned(), value(inner, random));
            }
        }
    }
    Value::Object(members)
}

fn metadata(random: &mut Random) -> Value {
    let more = [
        json!({}),
        json!({"labels": {"a": "b"}, "annotations": {"example.com/A": "\u{fc}"}}),
        json!({"namespace": "c", "generateName": "a-", "finalizers": ["example.com/a"], "generation": 2}),
        json!({"ownerReferences": [{"apiVersion": "apps/v1", "kind": "A", "name": "b", "uid": "c", "controller": true}]}),
        json!({"managedFields": [{"manager": "a", "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": {}}]}),
    ];
    let mut metadata = random.pick(&more).clone();
    metadata["name"] = json!("thing");
    metadata
}

/// A whole object.
pub(crate) fn resource(schema: &Schema, random: &mut Random) -> Value {
    let mut object = object(schema, random);
    let members = object.as_object_mut().expect("an object");
    members.insert("apiVersion".to_owned(), json!("example.com/v1"));
    members.insert("kind".to_owned(), json!("Thing"));
    members.insert("metadata".to_owned(), metadata(random));
    object
}

/// Breaks one thing.
pub(crate) fn spoil(object: &mut Value, random: &mut Random) {
    let mut places = Vec::new();
    walk(object, "", &mut places);
    let place = random.pick(&places).clone();
    let Some(value) = object.pointer_mut(&place) else { return };
    match (value, random.below(4)) {
        (Value::Object(members), 0) => {
            let name = *random.pick(&["a", "b", "c", "unknown", "name", "kind", "labels"]);
            members.insert(name.to_owned(), odd(random));
        }
        (Value::Object(members), 1 | 2) => {
            let name = members.keys().nth(random.below(members.len())).cloned();
            name.and_then(|name| members.remove(&name));
        }
        (Value::Array(items), 0 | 1) => {
            if let Some(item) = items.first().cloned() {
                items.push(item);
            }
        }
        (Value::Array(items), 2) => drop(items.pop()),
        (Value::String(text), 0..=2) => spoil_text(text, random),
        (Value::Number(number), 0..=2) => {
            let number = number.as_f64().unwrap_or_default();
            *object.pointer_mut(&place).expect("it was there") =
                json!(random.pick(&[number + 1.0, number - 1.0, number / 3.0, -number]));
        }
        (value, _) => *value = odd(random),
    }
}

/// Changes one character.
pub(crate) fn spoil_text(text: &mut String, random: &mut Random) {
    let mut chars: Vec<char> = text.chars().collect();
    let other = *random
        .pick(&['a', 'Z', '0', '9', '-', '.', ':', '/', '@', ' ', '%', '\u{e4}', 't', '\n', '_']);
    let place = random.below(chars.len() + 1);
    match random.below(3) {
        0 => chars.insert(place, other),
        _ if place == chars.len() => chars.push(other),
        1 => chars[place] = other,
        _ => drop(chars.remove(place)),
    }
    *text = chars.into_iter().collect();
}

fn walk(value: &Value, path: &str, places: &mut Vec<String>) {
    // What stands here decides whether the server reads the object at all.
    if !["/apiVersion", "/kind"].contains(&path) {
        places.push(path.to_owned());
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                walk(member, &format!("{path}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                walk(item, &format!("{path}/{i}"), places);
            }
        }
        _ => {}
    }
}
