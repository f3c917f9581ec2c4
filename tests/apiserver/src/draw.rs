//! Objects drawn from the schemas of a CRD.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Random choices. The same seed makes the same ones.
#[derive(Clone, Debug)]
pub struct Draw {
    state: u64,
    only: Vec<(&'static str, Value)>,
}

/// Strings for each pattern of the examples' schemas.
const MATCHING: [(&str, &[&str]); 2] = [
    ("^.+:[0-9]{1,5}$", &["a:1", "a.b:080", "localhost:65535", "[::1]:80"]),
    ("^([0-9]{1,9}[hms])+$", &["90s", "1m30s", "1h", "0s", "5m60s", "007s"]),
];

impl Draw {
    /// Starts from a seed: the one in the environment variable `SEED`, or this one. Tests print it when they fail.
    pub fn new(seed: u64) -> Self {
        let given = std::env::var("SEED").ok().map(|text| text.parse().expect("SEED is a number"));
        let state = given.unwrap_or(seed);
        println!("SEED={state}");
        Self { state, only: Vec::new() }
    }

    /// Gives the fields of a name only these values: those that a converter without a fallback takes.
    #[must_use]
    pub fn only(mut self, name: &'static str, values: Value) -> Self {
        self.only.push((name, values));
        self
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let mixed = mixed ^ (mixed >> 31);
        usize::try_from(mixed % u64::try_from(limit).expect("a small limit")).expect("below it")
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.below(these.len())]
    }

    /// What an object of this schema has beside its names and metadata.
    pub fn fields_of_object(&mut self, schema: &Value) -> Value {
        loop {
            let mut drawn = self.value(schema);
            let fields = drawn.as_object_mut().expect("an object");
            for name in ["apiVersion", "kind", "metadata"] {
                fields.remove(name);
            }
            // The only CEL rule in the examples.
            let spec = &drawn["spec"];
            if spec["strategy"] != "Canary" || spec["replicas"].as_i64() > Some(1) {
                return drawn;
            }
        }
    }

    /// A value that the schema takes.
    ///
    /// # Panics
    ///
    /// If it has a type or a pattern for which there are no values here.
    pub fn value(&mut self, schema: &Value) -> Value {
        if schema["nullable"] == true && self.once_in(8) {
            return Value::Null;
        }
        if let Some(values) = schema["enum"].as_array() {
            return values[self.below(values.len())].clone();
        }
        match schema["type"].as_str() {
            Some("object") if schema["properties"].is_object() => self.fields(schema).into(),
            Some("object") if schema["additionalProperties"].is_object() => self.map(schema),
            Some("array") => self.list(schema),
            Some("string") => json!(match schema["pattern"].as_str() {
                None => self.one_of(&["", "a", "b", "a b", "1.0", "ü\"\\", "null"]),
                Some(pattern) => {
                    let known = MATCHING.iter().find(|(each, _)| *each == pattern);
                    let (_, these) = known.unwrap_or_else(|| panic!("no strings for {pattern}"));
                    self.one_of(these)
                }
            }),
            Some("integer") => {
                // None below zero: the server refuses them where the scale subresource points.
                let drawn = self.one_of(&[0, 1, 2, 3, 7, 65535, i64::from(i32::MAX)]);
                let least = schema["minimum"].as_f64().map_or(i64::MIN, whole);
                let most = schema["maximum"].as_f64().map_or(i64::MAX, whole);
                json!(drawn.clamp(least, most))
            }
            Some("number") => json!(self.one_of(&[0.5, 1.0, -2.25, 1e21])),
            Some("boolean") => json!(self.once_in(2)),
            None | Some("object") => self
                .one_of(&[r#"{"a":{"b":[1,null]}}"#, r#"{"x":1.5}"#, "{}"])
                .parse()
                .expect("JSON"),
            Some(other) => panic!("no values of type {other}"),
        }
    }

    fn fields(&mut self, schema: &Value) -> Map<String, Value> {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let mut fields = Map::new();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            if required.contains(&json!(name)) || self.below(3) > 0 {
                fields.insert(name.clone(), self.field(name, schema));
            }
        }
        fields
    }

    fn field(&mut self, name: &str, schema: &Value) -> Value {
        let only =
            self.only.iter().find(|(each, _)| *each == name).map(|(_, values)| values.clone());
        match only.as_ref().and_then(Value::as_array) {
            // The same name may have another type in another version.
            Some(values) if values.iter().any(|value| type_of(value) == schema["type"]) => {
                let fit: Vec<&Value> =
                    values.iter().filter(|value| type_of(value) == schema["type"]).collect();
                self.one_of(&fit).clone()
            }
            _ => self.value(schema),
        }
    }

    fn map(&mut self, schema: &Value) -> Value {
        let mut map = Map::new();
        for key in ["a", "b/c.d", ""] {
            if self.once_in(2) {
                map.insert(key.to_owned(), self.value(&schema["additionalProperties"]));
            }
        }
        map.into()
    }

    fn list(&mut self, schema: &Value) -> Value {
        let mut items: Vec<Value> =
            (0..self.below(4)).map(|_| self.value(&schema["items"])).collect();
        if schema["x-kubernetes-list-type"] == "set" {
            let mut seen = BTreeSet::new();
            items.retain(|item| seen.insert(item.to_string()));
        } else if let Some(keys) = schema["x-kubernetes-list-map-keys"].as_array() {
            let mut seen = BTreeSet::new();
            items.retain(|item| {
                let keys = keys.iter().map(|key| &item[key.as_str().unwrap_or_default()]);
                seen.insert(json!(keys.collect::<Vec<_>>()).to_string())
            });
        } else if !items.is_empty() && self.once_in(3) {
            items.push(items[0].clone());
        }
        items.into()
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::Null => "",
    }
}

#[expect(clippy::cast_possible_truncation, reason = "bounds of integers are small and whole")]
fn whole(bound: f64) -> i64 {
    bound as i64
}
