//! Chooses among the forms that a schema leaves open.

use super::choices::Choices;
use crate::schema::{Schema, SchemaType, any_but};

/// Whether a value of the schema has one of several forms.
pub(super) fn is_open(schema: &Schema) -> bool {
    !(schema.all_of.is_empty() && schema.one_of.is_empty() && schema.any_of.is_empty())
        || schema.not.is_some()
}

/// Returns a schema without branches whose values fit a schema that has some.
pub(super) fn settled(schema: &Schema, choices: &mut Choices<'_>) -> Schema {
    let mut whole = schema.clone();
    whole.default = None;
    settle(&mut whole, choices);
    whole
}

fn settle(whole: &mut Schema, choices: &mut Choices<'_>) {
    let all = std::mem::take(&mut whole.all_of);
    let one = std::mem::take(&mut whole.one_of);
    let any = std::mem::take(&mut whole.any_of);
    let not = whole.not.take();
    for more in &all {
        add(whole, more, choices);
    }
    if !any.is_empty() {
        add(whole, &any[choices.below(any.len())], choices);
    }
    if !one.is_empty() {
        let chosen = choices.below(one.len());
        // If a name alone determines the branch, a second one would determine another branch.
        let mut names: Vec<&String> = one.iter().flat_map(|other| &other.required).collect();
        let own = &one[chosen];
        names.retain(|name| !own.required.contains(*name) && !own.properties.contains_key(*name));
        whole.properties.retain(|name, _| !names.contains(&name) || whole.required.contains(name));
        add(whole, own, choices);
    }
    if let Some(not) = not {
        deny(whole, &not);
    }
}

/// Adds another schema that must hold, too.
fn add(whole: &mut Schema, more: &Schema, choices: &mut Choices<'_>) {
    if !more.values.is_empty() {
        if whole.values.is_empty() {
            whole.values.clone_from(&more.values);
        } else {
            whole.values.retain(|value| more.values.contains(value));
        }
    }
    if more.minimum.is_some() {
        (whole.minimum, whole.exclusive_minimum) = (more.minimum, more.exclusive_minimum);
    }
    if more.maximum.is_some() {
        (whole.maximum, whole.exclusive_maximum) = (more.maximum, more.exclusive_maximum);
    }
    whole.multiple_of = more.multiple_of.or(whole.multiple_of);
    if whole.multiple_of.is_some() && whole.ty == Some(SchemaType::Number) {
        whole.ty = Some(SchemaType::Integer);
    }
    whole.max_length = more.max_length.or(whole.max_length);
    whole.min_length = more.min_length.or(whole.min_length);
    whole.max_items = more.max_items.or(whole.max_items);
    whole.min_items = more.min_items.or(whole.min_items);
    whole.max_properties = more.max_properties.or(whole.max_properties);
    whole.min_properties = more.min_properties.or(whole.min_properties);
    whole.pattern = more.pattern.clone().or(whole.pattern.take());
    whole.format = more.format.clone().or(whole.format.take());
    whole.required.extend(more.required.iter().cloned());
    if let (Some(items), Some(more)) = (&mut whole.items, &more.items) {
        add(items, more, choices);
    }
    for (name, more) in &more.properties {
        if let Some(property) = whole.properties.get_mut(name) {
            // The default for one branch may be no default for another one.
            property.default = None;
            add(property, more, choices);
        }
    }
    let mut branches = Schema { not: None, ..Schema::default() };
    (branches.all_of, branches.one_of) = (more.all_of.clone(), more.one_of.clone());
    (branches.any_of, branches.not) = (more.any_of.clone(), more.not.clone());
    if is_open(&branches) {
        (whole.all_of, branches.all_of) = (branches.all_of, std::mem::take(&mut whole.all_of));
        (whole.one_of, branches.one_of) = (branches.one_of, std::mem::take(&mut whole.one_of));
        (whole.any_of, branches.any_of) = (branches.any_of, std::mem::take(&mut whole.any_of));
        (whole.not, branches.not) = (branches.not, whole.not.take());
        // What the place itself leaves open comes afterwards.
        if is_open(&branches) {
            whole.all_of.push(branches);
        }
        settle(whole, choices);
    }
}

/// Removes what must not hold, as far as enums need it: values of other types, and fields of other
/// variants.
fn deny(whole: &mut Schema, not: &Schema) {
    for one in if not.any_of.is_empty() { std::slice::from_ref(not) } else { &not.any_of } {
        let types = [SchemaType::Integer, SchemaType::Text, SchemaType::Array, SchemaType::Object];
        if let Some(ty) = types.into_iter().find(|ty| any_but(*ty).as_ref() == Some(one)) {
            let number = ty == SchemaType::Integer && whole.multiple_of.is_none();
            let either = std::mem::take(&mut whole.extensions.int_or_string);
            whole.extensions.preserve_unknown_fields = None;
            whole.ty = Some(if number && !either { SchemaType::Number } else { ty });
        } else if let [name] = &one.required[..] {
            whole.properties.remove(name);
        }
    }
}
