//! Whether a value fits a schema.
//!
//! Source: `k8s.io/kube-openapi/pkg/validation/validate`. The order is the server's, too, apart from what Go leaves to chance.

use std::collections::BTreeMap;

use super::{
    cause::{Findings, Fit, quoted, shown},
    finding::Kind,
    formats,
    number::{self, GoNumber},
    path::Path,
    pattern,
    ratchet::Old,
    restrictions::{Role, Rules},
    schema::{Additional, Schema},
};
use crate::json::Json;

/// Everything that the API server finds wrong in a value.
pub(crate) fn validate(value: &Json, schema: &Schema, role: Role) -> Findings {
    let mut found = Findings::default();
    let place = Place { role, in_junctor: false, old: None };
    at(&Path::Root, value, schema, place, &mut found);
    found
}

/// What the API server finds wrong in an object that replaces another one.
#[cfg(any(feature = "cli", feature = "testing"))]
pub(super) fn validate_update(old: &Json, new: &Json, schema: &Schema) -> Findings {
    let mut found = Findings::default();
    let old = Some(Old::root(old, schema));
    let place = Place { role: Role::Object, in_junctor: false, old };
    at(&Path::Root, new, schema, place, &mut found);
    found
}

/// Whether the API server accepts a value, as far as that is known.
#[cfg(feature = "testing")]
pub(crate) fn fits(value: &Json, schema: &Schema) -> bool {
    validate(value, schema, Role::Object).causes.is_empty()
}

#[derive(Clone, Copy)]
struct Place<'o> {
    role: Role,
    in_junctor: bool,
    /// What the value replaces, if the server looks for that.
    old: Option<Old<'o>>,
}

impl Place<'_> {
    fn member(self, path: &Path<'_>, name: &str) -> Self {
        // The server converts both objects, so it doesn't see whether these were the same.
        let is_version = matches!(path, Path::Root) && matches!(name, "apiVersion" | "kind");
        let old = self.old.filter(|_| !is_version).and_then(|old| old.member(name));
        Self { old, ..self }
    }
}

fn at(path: &Path<'_>, value: &Json, schema: &Schema, place: Place<'_>, found: &mut Findings) {
    let before = found.causes.len();
    check(path, value, schema, place, found);
    // Every update changes the root: its metadata has another time, at least.
    if found.causes.len() > before
        && !matches!(path, Path::Root)
        && place.old.is_some_and(|old| old.is_same(value))
    {
        found.ratchet(before, path);
    }
}

fn check(path: &Path<'_>, value: &Json, schema: &Schema, place: Place<'_>, found: &mut Findings) {
    let rules = Rules::of(schema, place.role);
    if *value == Json::Null {
        of_type(path, value, schema.nullable, &rules, found);
        of_enum(path, value, &rules, found);
        return;
    }
    if rules.has_type() {
        of_type(path, value, schema.nullable, &rules, found);
        found.matches += 1;
    }
    junctors(path, value, schema, place, found);
    match value {
        Json::Text(text) => of_text(path, text, &rules, found),
        Json::Number(number) => {
            number::check(path, (*number).into(), &rules, found);
            found.matches += 2;
        }
        Json::Array(items) => of_list(path, items, schema, place, found),
        Json::Null | Json::Boolean(_) | Json::Object(_) => {}
    }
    of_enum(path, value, &rules, found);
    if let Json::Object(members) = value {
        of_object(path, members, schema, place, found);
    }
    // Two checks that are always made, and the whole.
    found.matches += 3;
}

fn of_type(path: &Path<'_>, value: &Json, nullable: bool, rules: &Rules<'_>, found: &mut Findings) {
    let mut refuse = |expected: &str, ty: &str| {
        let detail = format!("{path} in body must be of type {expected}: {}", quoted(ty));
        found.refuse(path, Kind::TypeInvalid, Some(quoted(ty)), detail);
    };
    if *value == Json::Null {
        if rules.types.is_empty() || nullable {
            found.matches += 1;
        } else {
            refuse(rules.types, "null");
        }
        return;
    }
    let (ty, format) = match value {
        Json::Null => ("null", ""),
        Json::Boolean(_) => ("boolean", ""),
        Json::Text(_) => ("string", ""),
        Json::Array(_) => ("array", ""),
        Json::Object(_) => ("object", ""),
        Json::Number(number) => match GoNumber::from(*number) {
            GoNumber::Integer(_) => ("integer", "int64"),
            GoNumber::Float(_) => ("number", "float64"),
        },
    };
    let whole = match value {
        Json::Number(number) => ty == "number" && number::is_whole(number.as_f64()),
        _ => false,
    };
    let same = rules.allows(ty)
        || whole && rules.allows("integer")
        || ty == "integer" && rules.allows("number");
    let texts = matches!(value, Json::Text(_) | Json::Array(_));
    if !texts && !rules.format.is_empty() && !same && format != rules.format {
        return refuse(rules.format, format);
    }
    // So the server takes a list for a string with a format.
    let numeric = rules.allows("number") || rules.allows("integer");
    if same || !numeric && !rules.format.is_empty() && texts {
        found.matches += 1;
    } else {
        refuse(rules.types, ty);
    }
}

fn of_enum(path: &Path<'_>, value: &Json, rules: &Rules<'_>, found: &mut Findings) {
    let values = &rules.own.values;
    if values.is_empty() || values.iter().any(|own| number::is_listed(value, own)) {
        return;
    }
    let texts = values.iter().map(|value| match value {
        Json::Text(text) => quoted(text),
        value => quoted(&super::text::write(value)),
    });
    let detail = format!("supported values: {}", texts.collect::<Vec<_>>().join(", "));
    found.refuse(path, Kind::NotSupported, Some(shown(value)), detail);
}

fn of_text(path: &Path<'_>, text: &str, rules: &Rules<'_>, found: &mut Findings) {
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let Schema { max_length, min_length, pattern, .. } = rules.own;
    let pattern = pattern.as_deref().unwrap_or_default();
    found.matches += 1;
    if let Some(max) = max_length.filter(|max| length > *max) {
        let bytes = match max {
            ..=-1 => "value is too long".to_owned(),
            1 => "may not be more than 1 byte".to_owned(),
            _ => format!("may not be more than {max} bytes"),
        };
        found.refuse(path, Kind::TooLong, None, bytes);
    } else if let Some(min) = min_length.filter(|min| length < *min) {
        let detail = format!("{path} in body should be at least {min} chars long");
        found.refuse(path, Kind::Invalid, Some(quoted(text)), detail);
    } else if !pattern.is_empty() {
        match pattern::is_match(pattern, text) {
            Some(true) => {}
            Some(false) => {
                let detail = format!("{path} in body should match '{pattern}'");
                found.refuse(path, Kind::Invalid, Some(quoted(text)), detail);
            }
            None => found.pass_over(path, format!("whether {} matches `{pattern}`", quoted(text))),
        }
    }
    match formats::fits(rules.format, text) {
        Some(fits) => {
            found.matches += usize::from(formats::is_known("string", rules.format));
            if !fits {
                let text = quoted(text);
                let detail = format!("{path} in body must be of type {}: {text}", rules.format);
                found.refuse(path, Kind::TypeInvalid, Some(text), detail);
            }
        }
        None => found.pass_over(
            path,
            format!("whether {} is of the format `{}`", quoted(text), rules.format),
        ),
    }
}

fn of_list(
    path: &Path<'_>,
    items: &[Json],
    schema: &Schema,
    place: Place<'_>,
    found: &mut Findings,
) {
    if let Some(schema) = &schema.items {
        let known = place.old.and_then(Old::items);
        for (i, item) in items.iter().enumerate() {
            let old = known.as_ref().and_then(|known| known.item(item));
            at(&path.index(i), item, schema, Place { old, ..place }, found);
        }
    }
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    if let Some(min) = schema.min_items.filter(|min| count < *min) {
        let detail = format!("{path} in body should have at least {min} items");
        found.refuse(path, Kind::Invalid, Some(count.to_string()), detail);
    }
    if let Some(max) = schema.max_items.filter(|max| count > *max) {
        too_many(path, count, max, found);
    }
    found.matches += 2;
}

fn too_many(path: &Path<'_>, count: i64, max: i64, found: &mut Findings) {
    let detail = match max {
        ..=-1 => "has too many items".to_owned(),
        1 => "must have at most 1 item".to_owned(),
        _ => format!("must have at most {max} items"),
    };
    found.refuse(path, Kind::TooMany, Some(count.to_string()), detail);
}

fn of_object(
    path: &Path<'_>,
    members: &BTreeMap<String, Json>,
    schema: &Schema,
    place: Place<'_>,
    found: &mut Findings,
) {
    found.matches += 1;
    let count = i64::try_from(members.len()).unwrap_or(i64::MAX);
    if let Some(min) = schema.min_properties.filter(|min| count < *min) {
        let detail = format!("{path} in body should have at least {min} properties");
        found.refuse(path, Kind::Invalid, Some(count.to_string()), detail);
    }
    if let Some(max) = schema.max_properties.filter(|max| count > *max) {
        too_many(path, count, max, found);
    }
    // In a junctor of a default the server has dropped `additionalProperties`.
    let dropped = place.in_junctor && place.role == Role::Default;
    let additional = if dropped { Additional::Undeclared } else { schema.additional() };
    let others = || members.iter().filter(|(name, _)| !schema.properties.contains_key(*name));
    match additional {
        Additional::Undeclared | Additional::Allowed(true) => {}
        Additional::Allowed(false) => {
            for (name, _) in others() {
                let detail = format!("{path}.{name} in body is a forbidden property");
                found.refuse(path, Kind::Invalid, Some(quoted(name)), detail);
            }
        }
        Additional::Schema(schema) => {
            for (name, member) in others() {
                at(&path.field(name), member, schema, place.member(path, name), found);
            }
        }
    }
    for (name, schema) in &schema.properties {
        if let Some(member) = members.get(name) {
            at(&path.field(name), member, schema, place.member(path, name), found);
        }
    }
    for name in schema.required.iter().filter(|name| !members.contains_key(*name)) {
        found.refuse(&path.field(name), Kind::Required, None, String::new());
    }
}

fn junctors(
    path: &Path<'_>,
    value: &Json,
    schema: &Schema,
    place: Place<'_>,
    found: &mut Findings,
) {
    // The server validates a branch as if nothing were unchanged.
    let place = Place { in_junctor: true, old: None, ..place };
    let branch = |schema: &Schema| {
        let mut found = Findings::default();
        at(path, value, schema, place, &mut found);
        found
    };
    let refuse = |found: &mut Findings, what: &str| {
        let detail = format!("{} {what}", quoted(&path.to_string()));
        found.refuse(path, Kind::Invalid, Some("\"\"".to_owned()), detail);
    };
    if !schema.any_of.is_empty() {
        let branches = Branches::of(&schema.any_of, branch, true);
        if branches.certain > 0 {
            branches.first.into_iter().for_each(|first| found.merge(first));
        } else if branches.perhaps.is_empty() {
            refuse(found, "must validate at least one schema (anyOf)");
            branches.best.into_iter().for_each(|best| found.merge(best));
        } else {
            branches.perhaps.into_iter().for_each(|perhaps| found.merge(perhaps));
        }
    }
    if !schema.one_of.is_empty() {
        let branches = Branches::of(&schema.one_of, branch, false);
        let what = "must validate one and only one schema (oneOf).";
        match branches.certain {
            0 if branches.perhaps.is_empty() => {
                refuse(found, &format!("{what} Found none valid"));
                branches.best.into_iter().for_each(|best| found.merge(best));
            }
            0 | 1 => {
                branches.perhaps.into_iter().for_each(|perhaps| found.merge(perhaps));
                branches.first.into_iter().for_each(|first| found.merge(first));
            }
            count => {
                refuse(found, &format!("{what} Found {count} valid alternatives"));
                branches.perhaps.into_iter().for_each(|perhaps| found.merge(perhaps));
            }
        }
    }
    if !schema.all_of.is_empty() {
        let all: Vec<Findings> = schema.all_of.iter().map(branch).collect();
        let (of, right) = (all.len(), all.iter().filter(|one| one.fit() != Fit::No).count());
        for one in all {
            found.merge(one);
        }
        if right != of {
            let none = if right == 0 { ". None validated" } else { "" };
            refuse(found, &format!("must validate all the schemas (allOf){none}"));
        }
    }
    if let Some(not) = &schema.not {
        let branch = branch(not);
        match branch.fit() {
            Fit::Yes => refuse(found, "must not validate the schema (not)"),
            Fit::No => {}
            Fit::Perhaps => branch.unchecked.into_iter().for_each(|one| found.pass(one)),
        }
    }
    found.matches += 1;
}

/// What becomes of a value in several branches.
#[derive(Default)]
struct Branches {
    certain: usize,
    first: Option<Findings>,
    perhaps: Vec<Findings>,
    /// Of those that it doesn't fit the one with most that is right.
    best: Option<Findings>,
}

impl Branches {
    fn of(branches: &[Schema], fit: impl Fn(&Schema) -> Findings, one_is_enough: bool) -> Self {
        let mut all = Self::default();
        for branch in branches {
            let found = fit(branch);
            match found.fit() {
                Fit::Yes => {
                    all.certain += 1;
                    all.first.get_or_insert(found);
                    if one_is_enough {
                        break;
                    }
                }
                Fit::Perhaps => all.perhaps.push(found),
                Fit::No => {
                    if all.best.as_ref().is_none_or(|best| found.matches > best.matches) {
                        all.best = Some(found);
                    }
                }
            }
        }
        all
    }
}
