//! The laws about which objects convert, and about the types of the result.

use super::differences::differences;
use crate::{
    ConversionError,
    json::Json,
    schema::{Schema, SchemaType},
    testing::{
        choices::Choices,
        converters::Meeting,
        server,
        stop::{Stop, ensure},
        stray::Stray,
        subject::{Case, Subject},
        tree::{Tree, repeats_a_name},
    },
};

pub(super) fn total(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    // What the schema allows half of the time.
    let strays = [
        Stray::Valid,
        Stray::Valid,
        Stray::Accepted,
        Stray::Partial,
        Stray::Unknown,
        Stray::Anywhere,
    ];
    let stray = choices.one_of(&strays);
    let Case { object, stray, from, to } = subject.case(stray, choices);
    let excused = nothing_refused(subject, &object, stray, (from, to))?;
    match subject.converted(&object, to) {
        Ok(converted) => {
            ensure(server::read(&converted.json).is_ok() || stray == Stray::Anywhere, || {
                format!("{object}\ndidn't become valid JSON:\n{}", converted.json)
            })
        }
        Err(error @ ConversionError::Field(_)) if excused || !stray.is_accepted() => {
            Err(Stop::Refused(error.to_string()))
        }
        Err(error) => Err(Stop::Broken(format!("{error}:\n{object}"))),
    }
}

/// Checks that on every hop, converters accept what the schema allows, and never panic. Returns whether a converter refuses a value, and
/// its author gives a reason why it may.
fn nothing_refused(
    subject: &Subject<'_>,
    object: &str,
    stray: Stray,
    (from, to): (usize, usize),
) -> Result<bool, Stop> {
    let (mut at, mut there) = (from, object.to_owned());
    while at != to {
        let next = if at < to { at + 1 } else { at - 1 };
        let meetings = subject.meetings(&there, at, next);
        let broken = meetings.iter().find_map(|met| met.breaks_total(stray.is_accepted()));
        if let Some(broken) = broken {
            let [at, next] = [at, next].map(|version| subject.version(version));
            return Err(Stop::Broken(format!(
                "{broken}\nin the conversion from {at} to {next} of\n{object}"
            )));
        }
        if meetings.iter().any(Meeting::fails) {
            return Ok(true);
        }
        let Ok(converted) = subject.converted(&there, next) else { break };
        (at, there) = (next, converted.json);
    }
    Ok(false)
}

pub(super) fn typed(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    let there = subject.convert(&subject.decoded(&object, from)?, to)?;
    fits(subject, &there, to)?;
    named_once(&there)?;
    // What nobody declares comes from where a version preserves it.
    if preserves(&subject.schemas[from]) {
        return Ok(());
    }
    let Ok(mut value) = server::read(&there) else { return Ok(()) };
    let whole = server::write(&value);
    server::prune(&mut value, &subject.schemas[to]);
    let pruned = server::write(&value);
    ensure(whole == pruned, || {
        let to = subject.version(to);
        let differences = differences(&Tree::read(&whole), &Tree::read(&pruned));
        format!("{to} doesn't declare all of\n{whole}\nbut only\n{pruned}\n{differences}")
    })
}

/// Checks that no object has a name twice: the last one counts, so the value of any other is lost.
pub(super) fn named_once(object: &str) -> Result<(), Stop> {
    ensure(!repeats_a_name(object), || format!("an object has a name twice in\n{object}"))
}

fn preserves(schema: &Schema) -> bool {
    let inside = schema.items.iter().chain(&schema.additional_properties).map(|inside| &**inside);
    schema.preserves() || inside.chain(schema.properties.values()).any(preserves)
}

/// Checks that the fields of an object, as the API server reads it, have the types that the version declares.
pub(super) fn fits(subject: &Subject<'_>, object: &str, version: usize) -> Result<(), Stop> {
    let served = subject.served(object, version)?;
    let Ok(value) = server::read(&served) else { return Ok(()) };
    let mut wrong = Vec::new();
    mistyped(&value, &subject.schemas[version], "", &mut wrong);
    ensure(wrong.is_empty(), || {
        let version = subject.version(version);
        format!("{} isn't of the type that {version} declares in\n{object}", wrong.join(", "))
    })
}

fn mistyped(value: &Json, schema: &Schema, path: &str, wrong: &mut Vec<String>) {
    let right = match (value, schema.ty) {
        (Json::Null, _) => schema.nullable || schema.ty.is_none(),
        (Json::Boolean(_), Some(ty)) => ty == SchemaType::Boolean,
        (Json::Number(_), Some(ty)) => matches!(ty, SchemaType::Integer | SchemaType::Number),
        (Json::Text(_), Some(ty)) => ty == SchemaType::Text,
        (Json::Array(_), Some(ty)) => ty == SchemaType::Array,
        (Json::Object(_), Some(ty)) => ty == SchemaType::Object,
        (_, None) => true,
    };
    if !right {
        wrong.push(format!("`{path}`"));
    }
    match value {
        Json::Array(items) => {
            if let Some(inside) = &schema.items {
                for item in items {
                    mistyped(item, inside, &format!("{path}[]"), wrong);
                }
            }
            if let Some(twice) = doubled_keys(items, schema) {
                wrong.push(format!("`{path}` has two items with {twice}, so it"));
            }
            if schema.extensions.list_type.as_deref() == Some("set")
                && let Some(twice) = doubled(items)
            {
                wrong.push(format!(
                    "`{path}` is a set and has {} twice, so it",
                    server::write(twice)
                ));
            }
        }
        Json::Object(members) => {
            for (name, member) in members {
                let inside =
                    schema.properties.get(name).or(schema.additional_properties.as_deref());
                if let Some(inside) = inside {
                    mistyped(member, inside, &format!("{path}.{name}"), wrong);
                }
            }
        }
        _ => {}
    }
}

/// The keys and values that two items of a list share.
fn doubled_keys(items: &[Json], schema: &Schema) -> Option<String> {
    let keys = &schema.extensions.list_map_keys;
    if keys.is_empty() {
        return None;
    }
    let key_of = |item: &Json| -> Vec<Option<Json>> {
        let Json::Object(members) = item else { return Vec::new() };
        let inside = schema.items.as_ref();
        let default = |key: &str| inside?.properties.get(key)?.default.clone();
        keys.iter().map(|key| members.get(key).cloned().or_else(|| default(key))).collect()
    };
    let all: Vec<_> = items.iter().map(key_of).collect();
    let twice = doubled(&all)?;
    let written = keys.iter().zip(twice).map(|(key, value)| match value {
        Some(value) => format!("`{key}` {}", server::write(value)),
        None => format!("no `{key}`"),
    });
    Some(written.collect::<Vec<_>>().join(" and "))
}

/// The first item that is there twice.
fn doubled<T: PartialEq>(items: &[T]) -> Option<&T> {
    items
        .iter()
        .enumerate()
        .find(|(place, item)| items[..*place].contains(item))
        .map(|(_, item)| item)
}
