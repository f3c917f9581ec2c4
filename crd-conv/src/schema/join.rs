//! One schema with the declarations of all branches, and with the conditions that they have in common.

use std::collections::{BTreeMap, BTreeSet};

use super::{Extensions, Schema, SchemaType, declared::fits_set, error::Problem};
use crate::{
    apiserver::schema::{EMBEDDED, LIST_TYPE, MAP_KEYS, MAP_TYPE, VALIDATIONS},
    json::Number,
};

const ONE_SCHEMA: &str = "the API server prunes and fills in defaults by one schema at each place";
const ON_THE_ENUM: &str = "write `#[versioned(map_type = …)]` on the enum, or remove it";
const APART: &str = "give the fields different names, or use an enum with the variant's name around its value, which serde writes without `tag` and `untagged`";

/// A schema with the conditions that all have in common, and with the declarations of each of them.
pub(super) fn join(all: &[&Schema], nullable: bool) -> Result<Schema, Problem> {
    let [first, others @ ..] = all else { return Ok(Schema::default()) };
    if others.iter().all(|other| other == first) {
        return Ok((*first).clone());
    }
    let mut whole = Schema {
        description: join_texts(all),
        title: common(all, |s| &s.title),
        default: common(all, |s| &s.default),
        format: common(all, |s| &s.format),
        max_length: common(all, |s| &s.max_length),
        min_length: common(all, |s| &s.min_length),
        pattern: common(all, |s| &s.pattern),
        max_items: common(all, |s| &s.max_items),
        min_items: common(all, |s| &s.min_items),
        multiple_of: common(all, |s| &s.multiple_of),
        max_properties: common(all, |s| &s.max_properties),
        min_properties: common(all, |s| &s.min_properties),
        all_of: common(all, |s| &s.all_of),
        one_of: common(all, |s| &s.one_of),
        any_of: common(all, |s| &s.any_of),
        not: common(all, |s| &s.not),
        nullable,
        ..Schema::default()
    };
    if others.iter().all(|s| maximum(s) == maximum(first)) {
        (whole.maximum, whole.exclusive_maximum) = maximum(first);
    }
    if others.iter().all(|s| minimum(s) == minimum(first)) {
        (whole.minimum, whole.exclusive_minimum) = minimum(first);
    }
    if all.iter().all(|schema| !schema.values.is_empty()) {
        for value in all.iter().flat_map(|schema| &schema.values) {
            if !whole.values.contains(value) {
                whole.values.push(value.clone());
            }
        }
    }
    join_types(all, &mut whole)?;
    join_items(all, &mut whole)?;
    join_fields(all, &mut whole)?;
    Ok(whole)
}

fn common<T: Clone + Default + PartialEq>(all: &[&Schema], get: impl Fn(&Schema) -> &T) -> T {
    let first = get(all[0]);
    if all.iter().all(|schema| get(schema) == first) { first.clone() } else { T::default() }
}

fn join_texts(all: &[&Schema]) -> Option<String> {
    let mut texts: Vec<&str> = Vec::new();
    for text in all.iter().filter_map(|schema| schema.description.as_deref()) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

pub(super) fn maximum(schema: &Schema) -> (Option<Number>, bool) {
    (schema.maximum, schema.exclusive_maximum)
}

pub(super) fn minimum(schema: &Schema) -> (Option<Number>, bool) {
    (schema.minimum, schema.exclusive_minimum)
}

fn join_types(all: &[&Schema], whole: &mut Schema) -> Result<(), Problem> {
    let first = all[0];
    let number =
        |ty: Option<SchemaType>| matches!(ty, Some(SchemaType::Integer | SchemaType::Number));
    let plain = |schema: &&Schema| {
        schema.extensions.int_or_string
            || matches!(schema.ty, Some(SchemaType::Integer | SchemaType::Text))
    };
    if all.iter().all(|schema| schema.ty == first.ty) {
        whole.ty = first.ty;
    } else if all.iter().all(|schema| number(schema.ty)) {
        whole.ty = Some(SchemaType::Number);
    } else if all.iter().all(plain) {
        whole.extensions.int_or_string = true;
    } else {
        whole.extensions.preserve_unknown_fields = Some(true);
    }
    join_extensions(all, &mut whole.extensions)?;
    // A value of several types is no longer an int-or-string.
    if whole.ty.is_none() && whole.preserves() {
        whole.extensions.int_or_string = false;
        let own = &whole.extensions;
        for (name, is_set) in
            [(LIST_TYPE, own.list_type.is_some()), (MAP_TYPE, own.map_type.is_some())]
        {
            if is_set {
                return Err((
                    format!("is an enum of several types, and has `{name}`"),
                    "it applies to one type only",
                    APART,
                ));
            }
        }
    }
    Ok(())
}

fn join_extensions(all: &[&Schema], whole: &mut Extensions) -> Result<(), Problem> {
    whole.embedded_resource = shared(all, EMBEDDED, |own| &own.embedded_resource)?;
    whole.int_or_string |= all.iter().all(|schema| schema.extensions.int_or_string);
    whole.list_map_keys = shared(all, MAP_KEYS, |own| &own.list_map_keys)?;
    whole.list_type = shared(all, LIST_TYPE, |own| &own.list_type)?;
    whole.map_type = shared(all, MAP_TYPE, |own| &own.map_type)?;
    whole.validations = shared(all, VALIDATIONS, |own| &own.validations)?;
    if all.iter().any(|schema| schema.preserves()) {
        whole.preserve_unknown_fields = Some(true);
    }
    let names: BTreeSet<_> =
        all.iter().flat_map(|schema| schema.extensions.others.keys()).collect();
    for name in names {
        let of_each = all.iter().map(|schema| schema.extensions.others.get(name));
        let of_each = of_each.collect::<Option<Vec<_>>>();
        match of_each.as_deref() {
            Some([first, others @ ..]) if others.iter().all(|other| other == first) => {
                whole.others.insert(name.clone(), (*first).clone());
            }
            _ => return Err(not_shared(name)),
        }
    }
    Ok(())
}

/// What all variants have.
fn shared<T: Clone + PartialEq>(
    all: &[&Schema],
    name: &str,
    get: impl Fn(&Extensions) -> &T,
) -> Result<T, Problem> {
    let first = get(&all[0].extensions);
    let same = all.iter().all(|schema| get(&schema.extensions) == first);
    if same { Ok(first.clone()) } else { Err(not_shared(name)) }
}

fn not_shared(name: &str) -> Problem {
    if name == VALIDATIONS {
        return (
            "is an enum with rules for some of its variants".to_owned(),
            "all variants share one schema, with one list of rules",
            "write the rule on the enum, with a condition for the variant: `self.kind != 'Box' || self.min <= self.max`",
        );
    }
    (
        format!("is an enum whose variants don't all have `{name}`"),
        ONE_SCHEMA,
        if name == MAP_TYPE { ON_THE_ENUM } else { APART },
    )
}

fn join_items(all: &[&Schema], whole: &mut Schema) -> Result<(), Problem> {
    let items: Vec<&Schema> = all.iter().filter_map(|schema| schema.items.as_deref()).collect();
    let Some(first) = items.first() else { return Ok(()) };
    if items.iter().any(|item| item.nullable != first.nullable) {
        return Err((
            "is an enum whose variants are lists, some with nulls in them".to_owned(),
            "the API server accepts null in all of them or in none",
            "remove the `Option` from the items",
        ));
    }
    let items = join(&items, first.nullable)?;
    whole.extensions.list_type.take_if(|list_type| list_type == "set" && !fits_set(&items));
    whole.items = Some(Box::new(items));
    Ok(())
}

fn join_fields(all: &[&Schema], whole: &mut Schema) -> Result<(), Problem> {
    let maps: Vec<&Schema> =
        all.iter().filter_map(|schema| schema.additional_properties.as_deref()).collect();
    let mut fields: BTreeMap<&String, Vec<&Schema>> = BTreeMap::new();
    for (name, property) in all.iter().flat_map(|schema| &schema.properties) {
        fields.entry(name).or_default().push(property);
    }
    if let [first, others @ ..] = &maps[..] {
        if !fields.is_empty() {
            return Err((
                "is an enum of a map and a struct".to_owned(),
                "`properties` and `additionalProperties` exclude each other",
                APART,
            ));
        }
        if others.iter().any(|other| other != first) {
            return Err((
                "is an enum of maps with different values".to_owned(),
                "the API server accepts no `additionalProperties` inside `oneOf` and `anyOf`",
                APART,
            ));
        }
        whole.additional_properties = Some(Box::new((*first).clone()));
    }
    let objects = all.iter().filter(|schema| may_be_object(schema)).count();
    let anything = Schema { nullable: true, ..Schema::anything() };
    for (name, mut declared) in fields {
        let nullable = declared.iter().all(|property| property.nullable);
        let holds_it = |schema: &&Schema| {
            may_be_object(schema) && schema.preserves() && !schema.properties.contains_key(name)
        };
        // A branch that keeps unknown fields keeps this one, too.
        if all.iter().any(holds_it) {
            declared.push(&anything);
        }
        let mut property = join(&declared, nullable)?;
        // The server fills in a default whichever variant it is.
        if declared.len() < objects {
            property.default = None;
        }
        whole.properties.insert(name.clone(), property);
    }
    let names = whole.properties.keys();
    whole.required = names
        .filter(|name| all.iter().all(|schema| is_required(name, schema, whole)))
        .cloned()
        .collect();
    Ok(())
}

pub(super) fn may_be_object(schema: &Schema) -> bool {
    match schema.ty {
        None => schema.preserves(),
        ty => ty == Some(SchemaType::Object),
    }
}

/// Whether a branch still needs a property where the server drops null.
pub(super) fn is_required(name: &String, branch: &Schema, whole: &Schema) -> bool {
    let nullable = |schema: &Schema| schema.properties.get(name).is_some_and(|p| p.nullable);
    branch.required.contains(name) && (!nullable(branch) || nullable(whole))
}
