//! Merges alternatives into one structural schema.
//!
//! The API server decides what it prunes, drops and fills in by one schema at each place, so that schema combines the
//! declarations of all branches. Conditions of a single branch go into `oneOf` or `anyOf`, where the server accepts no `type`. There, a type
//! is tested with `not` and with bounds that all values of this type break, and no others.

use std::collections::{BTreeMap, BTreeSet};

use super::{Extensions, Schema, SchemaType, bounds, declared::fits_set, error::Problem};
use crate::{
    apiserver::schema::{EMBEDDED, LIST_TYPE, MAP_KEYS, MAP_TYPE, VALIDATIONS},
    json::{Json, Number},
};

const ONE_SCHEMA: &str = "the API server prunes and fills in defaults by one schema at each place";
const ON_THE_ENUM: &str = "write `#[versioned(map_type = …)]` on the enum, or remove it";
const APART: &str = "give the fields different names, or use an enum with the variant's name around its value, which serde writes without `tag` and `untagged`";

/// Merges schemas. A value must fit at least one of them; with `exclusive`, exactly one.
pub(super) fn union(mut branches: Vec<Schema>, exclusive: bool) -> Result<Schema, Problem> {
    if branches.len() == 1 {
        return Ok(branches.remove(0));
    }
    let schemas: Vec<&Schema> = branches.iter().collect();
    let nullable = schemas.iter().any(|schema| schema.nullable);
    let mut whole = join(&schemas, nullable)?;
    if let Some(whole) = integer_or_text(&schemas, &whole) {
        return Ok(whole);
    }
    let named = exclusive && are_named(&schemas);
    let mut constraints = Vec::with_capacity(branches.len());
    for schema in &branches {
        let mut constraint = constraint(schema, &whole, !named)?;
        if exclusive && is_around(schema) {
            close(schema, &whole, &mut constraint);
        }
        constraints.push(constraint);
    }
    if are_names_of_tag(&constraints) {
        return Ok(whole);
    }
    let says_nothing = constraints.contains(&Schema::default());
    if whole.extensions.int_or_string && schemas.iter().all(|schema| is_plain(schema))
        || (says_nothing && (!exclusive || constraints.iter().all(|c| *c == constraints[0])))
    {
        return Ok(whole);
    }
    let mut chosen = Schema::default();
    *if exclusive { &mut chosen.one_of } else { &mut chosen.any_of } = constraints;
    require(&mut whole, chosen);
    Ok(whole)
}

/// Makes a branch accept only its own fields if the whole prunes none.
fn close(branch: &Schema, whole: &Schema, constraint: &mut Schema) {
    if whole.preserves() && !branch.preserves() {
        constraint.max_properties = i64::try_from(branch.properties.len()).ok();
    }
}

/// Whether each branch is one value of the same field, and the whole lists all values.
fn are_names_of_tag(constraints: &[Schema]) -> bool {
    let tag = |constraint: &Schema| {
        let (name, value) = constraint.properties.first_key_value()?;
        let values = Schema { values: value.values.clone(), ..Schema::default() };
        let properties = BTreeMap::from([(name.clone(), values)]);
        (*constraint == Schema { properties, ..Schema::default() }).then(|| name.clone())
    };
    let first = constraints.first().and_then(tag);
    first.is_some() && constraints.iter().all(|constraint| tag(constraint) == first)
}

/// Adds further conditions.
pub(super) fn require(whole: &mut Schema, more: Schema) {
    if whole.one_of.is_empty() && whole.any_of.is_empty() && whole.not.is_none() {
        (whole.one_of, whole.any_of, whole.not) = (more.one_of, more.any_of, more.not);
        whole.all_of.extend(more.all_of);
    } else {
        whole.all_of.push(more);
    }
}

/// Whether each object is one field under a name of its own, so that the names alone tell the branches apart.
fn are_named(schemas: &[&Schema]) -> bool {
    let mut names = BTreeSet::new();
    schemas.iter().all(|schema| match schema.ty {
        Some(SchemaType::Object) => is_around(schema) && names.insert(&schema.required[0]),
        ty => ty.is_some(),
    })
}

/// Whether an object is one field, as serde writes a variant without a tag.
fn is_around(schema: &Schema) -> bool {
    schema.ty == Some(SchemaType::Object)
        && schema.properties.len() == 1
        && schema.required.len() == 1
}

/// Merges an integer and a text: bounds of numbers don't apply to texts, and bounds of texts don't apply to numbers, so one schema can have
/// both. If neither has bounds, it is an int-or-string as in Kubernetes, without the bounds of a format.
fn integer_or_text(schemas: &[&Schema], whole: &Schema) -> Option<Schema> {
    let (integer, text) = match schemas {
        [a, b] | [b, a] if (a.ty, b.ty) == (Some(SchemaType::Integer), Some(SchemaType::Text)) => {
            (a, b)
        }
        _ => return None,
    };
    if text.format.is_some() || is_plain(integer) && is_plain(text) {
        return None;
    }
    let with_bounds = |schema: &Schema, of_number: &Schema, of_text: &Schema| Schema {
        maximum: of_number.maximum,
        exclusive_maximum: of_number.exclusive_maximum,
        minimum: of_number.minimum,
        exclusive_minimum: of_number.exclusive_minimum,
        multiple_of: of_number.multiple_of,
        format: of_number.format.clone(),
        max_length: of_text.max_length,
        min_length: of_text.min_length,
        pattern: of_text.pattern.clone(),
        ..schema.clone()
    };
    let none = Schema::default();
    if ![integer, text].iter().all(|schema| is_plain(&with_bounds(schema, &none, &none))) {
        return None;
    }
    let mut whole = with_bounds(whole, integer, text);
    bounds::said(&mut whole);
    whole.format = None;
    Some(whole)
}

/// Whether an integer or a string has no bounds.
fn is_plain(schema: &Schema) -> bool {
    let bare =
        Schema { description: None, title: None, nullable: false, format: None, ..schema.clone() };
    let (ty, extensions) = (bare.ty, bare.extensions.clone());
    bare == Schema { ty, extensions, ..Schema::default() }
}

/// A schema with the conditions that all have in common, and with the declarations of each of them.
fn join(all: &[&Schema], nullable: bool) -> Result<Schema, Problem> {
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

fn maximum(schema: &Schema) -> (Option<Number>, bool) {
    (schema.maximum, schema.exclusive_maximum)
}

fn minimum(schema: &Schema) -> (Option<Number>, bool) {
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

fn may_be_object(schema: &Schema) -> bool {
    match schema.ty {
        None => schema.preserves(),
        ty => ty == Some(SchemaType::Object),
    }
}

/// Whether a branch still needs a property where the server drops null.
fn is_required(name: &String, branch: &Schema, whole: &Schema) -> bool {
    let nullable = |schema: &Schema| schema.properties.get(name).is_some_and(|p| p.nullable);
    branch.required.contains(name) && (!nullable(branch) || nullable(whole))
}

/// The conditions of a branch that the whole doesn't have, without declarations.
fn constraint(branch: &Schema, whole: &Schema, forbidding: bool) -> Result<Schema, Problem> {
    let mut more = Schema {
        format: unlike(&branch.format, &whole.format).filter(|format| !is_size(format)),
        max_length: unlike(&branch.max_length, &whole.max_length),
        min_length: unlike(&branch.min_length, &whole.min_length),
        pattern: unlike(&branch.pattern, &whole.pattern),
        max_items: unlike(&branch.max_items, &whole.max_items),
        min_items: unlike(&branch.min_items, &whole.min_items),
        multiple_of: unlike(&branch.multiple_of, &whole.multiple_of),
        max_properties: unlike(&branch.max_properties, &whole.max_properties),
        min_properties: unlike(&branch.min_properties, &whole.min_properties),
        values: unlike(&branch.values, &whole.values),
        all_of: unlike(&branch.all_of, &whole.all_of),
        one_of: unlike(&branch.one_of, &whole.one_of),
        any_of: unlike(&branch.any_of, &whole.any_of),
        ..Schema::default()
    };
    if maximum(branch) != maximum(whole) {
        (more.maximum, more.exclusive_maximum) = maximum(branch);
    }
    if minimum(branch) != minimum(whole) {
        (more.minimum, more.exclusive_minimum) = minimum(branch);
    }
    if branch.format != whole.format {
        // Inside of `oneOf` and `anyOf` the server doesn't check that an integer is an `int32`.
        let mut sized = Schema { format: branch.format.clone(), ..more.clone() };
        bounds::said(&mut sized);
        (more.minimum, more.maximum) = (sized.minimum, sized.maximum);
    }
    let mut denied = Vec::new();
    if branch.not != whole.not {
        denied.extend(branch.not.as_deref().cloned());
    }
    test_type(branch, whole, &mut more, &mut denied);
    if let (Some(inner), Some(items)) = (&branch.items, &whole.items) {
        more.items = said(constraint(inner, items, true)?).map(Box::new);
    }
    more.required = branch
        .required
        .iter()
        .filter(|name| is_required(name, branch, whole) && !whole.required.contains(name))
        .cloned()
        .collect();
    for (name, property) in &branch.properties {
        let Some(declared) = whole.properties.get(name) else { continue };
        let Some(property) = said(constraint(property, declared, true)?) else { continue };
        if name == "metadata" {
            return Err((
                "is an enum whose variants have different fields `metadata`".to_owned(),
                "the API server accepts no property `metadata` inside `oneOf` and `anyOf`",
                "give the field another name in one of them",
            ));
        }
        more.properties.insert(name.clone(), property);
    }
    if branch.closed {
        close(branch, whole, &mut more);
    }
    if forbidding && may_be_object(branch) && !branch.preserves() {
        let others = whole.properties.keys().filter(|name| !branch.properties.contains_key(*name));
        denied.extend(
            others.map(|name| Schema { required: vec![name.clone()], ..Schema::default() }),
        );
    }
    more.not = match denied.len() {
        0 => None,
        1 => denied.pop().map(Box::new),
        _ => Some(Box::new(Schema { any_of: denied, ..Schema::default() })),
    };
    Ok(more)
}

/// Says how large a number may be.
fn is_size(format: &str) -> bool {
    matches!(format, "int32" | "int64" | "float" | "double")
}

fn said(constraint: Schema) -> Option<Schema> {
    (constraint != Schema::default()).then_some(constraint)
}

fn unlike<T: Clone + Default + PartialEq>(branch: &T, whole: &T) -> T {
    if branch == whole { T::default() } else { branch.clone() }
}

/// Adds the condition that the value has the branch's type, if the whole accepts others, too.
fn test_type(branch: &Schema, whole: &Schema, more: &mut Schema, denied: &mut Vec<Schema>) {
    let whole_number = || Some(Number::Signed(1));
    match (branch.ty, whole.ty) {
        (Some(SchemaType::Integer), Some(SchemaType::Number)) => {
            more.multiple_of = more.multiple_of.or_else(whole_number);
        }
        (Some(ty), None) if branch.values.is_empty() => match ty {
            SchemaType::Boolean => more.values = vec![false.into(), true.into()],
            ty => {
                if ty == SchemaType::Integer && !whole.extensions.int_or_string {
                    more.multiple_of = more.multiple_of.or_else(whole_number);
                }
                denied.extend(any_but(ty));
            }
        },
        (None, None) if branch.extensions.int_or_string && !whole.extensions.int_or_string => {
            let either = [SchemaType::Integer, SchemaType::Text].map(|ty| {
                let plain = Schema { ty: Some(ty), ..Schema::default() };
                let (mut more, mut denied) = (Schema::default(), Vec::new());
                test_type(&plain, whole, &mut more, &mut denied);
                more.not = denied.pop().map(Box::new);
                more
            });
            more.all_of.push(Schema { any_of: either.to_vec(), ..Schema::default() });
        }
        _ => {}
    }
}

/// A condition that all values of a type break, and no others: bounds that contradict each other and don't apply to other types.
pub(crate) fn any_but(ty: SchemaType) -> Option<Schema> {
    let mut bounds = Schema::default();
    match ty {
        SchemaType::Boolean => return None,
        SchemaType::Integer | SchemaType::Number => {
            bounds.minimum = Some(Number::Signed(1));
            bounds.maximum = Some(Number::Signed(0));
        }
        SchemaType::Text => (bounds.min_length, bounds.max_length) = (Some(1), Some(0)),
        SchemaType::Array => (bounds.min_items, bounds.max_items) = (Some(1), Some(0)),
        SchemaType::Object => (bounds.min_properties, bounds.max_properties) = (Some(1), Some(0)),
    }
    Some(bounds)
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}
