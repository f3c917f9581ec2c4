//! Breaks values, mostly.

use crd_conv::schema::{Json, Schema};
use fastrand::Rng;
use serde_json::{Map, Value, json};

/// What a schema names: properties, and values of enums.
pub(crate) fn names(schema: &Schema) -> Vec<String> {
    let mut names = vec!["unknown".to_owned()];
    collect(schema, &mut names);
    names.sort();
    names.dedup();
    names
}

fn collect(schema: &Schema, names: &mut Vec<String>) {
    names.extend(schema.properties.keys().cloned());
    names.extend(schema.values.iter().filter_map(Json::as_str).map(str::to_owned));
    let Schema { properties, items, additional_properties, all_of, one_of, any_of, .. } = schema;
    let inside = [items, additional_properties].into_iter().flatten().map(AsRef::as_ref);
    let branches = [all_of, one_of, any_of].into_iter().flatten();
    inside.chain(properties.values()).chain(branches).for_each(|schema| collect(schema, names));
}

/// What values are broken with.
pub(crate) struct Breaker<'a> {
    /// Other values of the same type.
    pub(crate) others: &'a [Value],
    pub(crate) names: &'a [String],
    pub(crate) random: &'a mut Rng,
}

impl Breaker<'_> {
    /// Changes something inside an object.
    pub(crate) fn break_it(&mut self, value: &mut Value) {
        let mut inside = Vec::new();
        places(value, "", &mut inside);
        let place = self.random.choice(&inside).map_or("", String::as_str);
        match value.pointer_mut(place) {
            Some(Value::Object(members)) => self.members(members),
            Some(Value::Array(items)) => self.items(items),
            Some(place) => *place = self.scalar(place),
            None => {}
        }
    }

    fn members(&mut self, members: &mut Map<String, Value>) {
        let names: Vec<String> = members.keys().cloned().collect();
        let mine = self.random.choice(names).unwrap_or_default();
        let name = self.random.choice(self.names).cloned().unwrap_or_default();
        match self.random.u8(..6) {
            0 => {
                members.remove(&mine);
            }
            1 => {
                members.insert(name, self.another());
            }
            2 => {
                let value = members.remove(&mine);
                members.extend(value.map(|value| (name, value)));
            }
            3 => {
                if let Value::Object(more) = self.another() {
                    members.extend(more);
                }
            }
            _ => {
                if let Some(value) = members.get_mut(&mine) {
                    *value = self.another();
                }
            }
        }
    }

    fn items(&mut self, items: &mut Vec<Value>) {
        match (self.random.u8(..4), self.random.choice(0..items.len())) {
            (0, Some(at)) => drop(items.remove(at)),
            (1, Some(at)) => items.push(items[at].clone()),
            (2, Some(at)) => items[at] = self.another(),
            _ => items.push(self.another()),
        }
    }

    fn scalar(&mut self, scalar: &Value) -> Value {
        let once_in_three = self.random.u8(..3) == 0;
        match scalar {
            Value::Number(number) if !once_in_three => {
                let number = number.as_f64().unwrap_or_default();
                let other = [number + 1.0, number - 1.0, -number, number + 0.5, number * 256.0];
                let other = self.random.choice(other).unwrap_or_default();
                #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
                let whole = other as i64;
                if other.fract() == 0.0 { whole.into() } else { other.into() }
            }
            Value::String(text) if !once_in_three => match self.random.u8(..3) {
                0 => format!("{text}x").into(),
                1 => text.to_uppercase().into(),
                _ => self.random.choice(self.names).cloned().into(),
            },
            _ => self.another(),
        }
    }

    /// Something from another value, or something odd.
    fn another(&mut self) -> Value {
        if self.random.bool()
            && let Some(other) = self.random.choice(self.others)
        {
            let mut inside = Vec::new();
            places(other, "", &mut inside);
            let place = self.random.choice(&inside);
            return place.and_then(|place| other.pointer(place)).cloned().unwrap_or_default();
        }
        let odd = [
            json!(null),
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(1.5),
            json!(1.0),
            json!(300),
            json!(4_294_967_296_i64),
            json!(u64::MAX),
            json!(1e300),
            json!(""),
            json!("x"),
            json!("1"),
            json!([]),
            json!({}),
            json!([null]),
            json!({"unknown": 1}),
        ];
        self.random.choice(odd).unwrap_or_default()
    }
}

/// The places in a value, without the value itself.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    let mut inside = |name: &str, value: &Value| {
        let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        places(value, &at, out);
        out.push(at);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| inside(name, value)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| inside(&i.to_string(), item));
        }
        _ => {}
    }
}
