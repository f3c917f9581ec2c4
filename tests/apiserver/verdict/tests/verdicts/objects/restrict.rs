//! Restrictions for schemas that have none.

use crd_conv::schema::{Json, Number, Schema, SchemaType};
use serde_json::{Value, json};

use super::values::{FORMATS, PATTERNS};
use crate::random::Random;

/// Adds something to most of the schemas in a schema.
pub(crate) fn restrict(schema: &mut Schema, random: &mut Random) {
    // A default that breaks what is added would have few objects accepted.
    if !random.once_in(8) {
        schema.default = None;
    }
    if random.below(3) > 0 {
        keywords(schema, schema.ty, random);
    }
    if random.once_in(4) {
        junctors(schema, random);
    }
    lists(schema, random);
    let inside = schema.items.iter_mut().chain(&mut schema.additional_properties);
    let inside = inside.map(|inside| &mut **inside);
    for inside in inside.chain(schema.properties.values_mut()) {
        restrict(inside, random);
    }
}

fn keywords(schema: &mut Schema, ty: Option<SchemaType>, random: &mut Random) {
    match ty {
        Some(SchemaType::Text) => text(schema, random),
        Some(SchemaType::Integer) => number(schema, &["int32", "int64", "double"], random),
        Some(SchemaType::Number) => number(schema, &["float", "double", "int32"], random),
        Some(SchemaType::Boolean) => {
            if random.once_in(4) {
                schema.values = values(&[json!(true)]);
            }
        }
        Some(SchemaType::Array) => {
            schema.min_items = random.once_in(3).then_some(1);
            schema.max_items = random.once_in(3).then_some(3);
        }
        Some(SchemaType::Object) => {
            schema.min_properties = random.once_in(6).then_some(1);
            schema.max_properties = random.once_in(6).then_some(4);
            let required =
                schema.properties.keys().filter(|_| random.once_in(3)).cloned().collect();
            schema.required = required;
        }
        None => match random.below(6) {
            0 => schema.values = values(&[json!(5), json!("5%"), json!("A"), json!({"a": 1})]),
            1 => schema.pattern = Some(PATTERNS[2].0.to_owned()),
            2 => schema.maximum = Some(Number::Signed(50)),
            3 => schema.max_length = Some(2),
            4 => schema.format = Some((*random.pick(&["date", "int32"])).to_owned()),
            _ => {}
        },
    }
}

fn text(schema: &mut Schema, random: &mut Random) {
    match random.below(6) {
        0 => schema.values = values(&[json!("a"), json!("abc"), json!("\u{e4}\"")]),
        1 => schema.pattern = Some(random.pick(&PATTERNS).0.to_owned()),
        2 => schema.min_length = Some(i64::try_from(random.below(3)).unwrap_or_default()),
        3 => schema.max_length = Some(i64::try_from(random.below(4)).unwrap_or_default()),
        4 => schema.format = Some(random.pick(FORMATS).0.to_owned()),
        _ => {
            schema.min_length = Some(1);
            schema.max_length = Some(3);
        }
    }
}

fn number(schema: &mut Schema, formats: &[&str], random: &mut Random) {
    let bounds = [
        Number::Signed(0),
        Number::Signed(-3),
        Number::Signed(7),
        Number::Float(0.5),
        Number::Float(-2.25),
        Number::Float(1e20),
    ];
    let whole = schema.ty == Some(SchemaType::Integer) && !random.once_in(8);
    let bounds = if whole { &bounds[..3] } else { &bounds };
    if random.once_in(3) {
        schema.minimum = Some(*random.pick(bounds));
        schema.exclusive_minimum = random.once_in(3);
    }
    if random.once_in(3) {
        schema.maximum = Some(*random.pick(bounds));
        schema.exclusive_maximum = random.once_in(3);
    }
    if random.once_in(5) {
        let steps = [Number::Signed(2), Number::Signed(3), Number::Float(0.5), Number::Float(1.5)];
        schema.multiple_of = Some(steps[random.below(if whole { 2 } else { 4 })]);
    }
    if random.once_in(3) {
        schema.format = Some((*random.pick(formats)).to_owned());
    }
    if random.once_in(8) {
        schema.values = values(&[json!(1), json!(2), json!(3.5), json!(7)]);
    }
}

/// What several schemas say of a value: no types, and nothing that only a field may have.
fn junctors(schema: &mut Schema, random: &mut Random) {
    let branches = |count: usize, random: &mut Random| -> Vec<Schema> {
        (0..count).map(|_| branch(schema, random)).collect()
    };
    match random.below(4) {
        0 => {
            let branches = branches(2, random);
            schema.all_of = branches;
        }
        1 => {
            let branches = branches(2, random);
            schema.any_of = branches;
        }
        2 => {
            let branches = branches(3, random);
            schema.one_of = branches;
        }
        _ => schema.not = branches(1, random).pop().map(Box::new),
    }
}

fn branch(schema: &Schema, random: &mut Random) -> Schema {
    let mut branch = Schema::default();
    keywords(&mut branch, schema.ty, random);
    for (name, property) in &schema.properties {
        if name == "metadata" {
            continue;
        }
        match random.below(4) {
            0 => branch.required.push(name.clone()),
            1 => {
                let mut inside = Schema::default();
                keywords(&mut inside, property.ty, random);
                branch.properties.insert(name.clone(), inside);
            }
            _ => {}
        }
    }
    branch
}

/// Makes a list a set or a map.
fn lists(schema: &mut Schema, random: &mut Random) {
    let Some(items) = schema.items.as_deref_mut().filter(|_| !random.once_in(3)) else { return };
    let list_type = match items.ty {
        Some(SchemaType::Object) if items.additional_properties.is_none() => {
            let keys = items.properties.keys().filter(|_| !random.once_in(3));
            let keys: Vec<String> = keys.cloned().collect();
            if keys.is_empty() {
                return;
            }
            schema.extensions.list_map_keys = keys;
            "map"
        }
        _ => "set",
    };
    schema.extensions.list_type = Some(list_type.to_owned());
}

/// Says of some values and items what the server takes, and what it only takes when they are created.
pub(crate) fn list_types(schema: &mut Schema, random: &mut Random) {
    match schema.ty {
        Some(SchemaType::Integer | SchemaType::Text) if random.once_in(6) => {
            schema.extensions.int_or_string = true;
        }
        Some(SchemaType::Object) if random.once_in(3) => {
            schema.extensions.map_type = Some("atomic".to_owned());
        }
        Some(SchemaType::Array) if random.once_in(3) => {
            schema.extensions.list_map_keys.clear();
            schema.extensions.list_type = Some("set".to_owned());
            schema.items.iter_mut().for_each(|items| items.nullable = false);
        }
        _ => {}
    }
    let inside = schema.items.iter_mut().chain(&mut schema.additional_properties);
    let inside = inside.map(|inside| &mut **inside);
    for inside in inside.chain(schema.properties.values_mut()) {
        list_types(inside, random);
    }
}

fn values(values: &[Value]) -> Vec<Json> {
    values.iter().map(Json::from).collect()
}
