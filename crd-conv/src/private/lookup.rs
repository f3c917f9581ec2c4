//! Checks that the newer type makes against the older one at compile time.
//!
//! A panic of these functions is a compile error at the tokens whose span the call has. `shown` is
//! the type as the author wrote it. Only [`field`] panics for a name that doesn't exist. The other
//! functions are silent then, so that one mistake is one error.

use super::find::{Names, broken, contains, find, only_field, place};
use super::leaves::nth;
use super::text::{Text, eq};
use crate::plan::{Facts, Field};

/// The reason why a field of the older type is looked up. It decides the message.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// An attribute names it.
    Named,
    /// The newer type has a field with this name and without an attribute. Holds the attribute to
    /// write if the field is new.
    SameName(&'static str),
    /// The newer type has a field with this name and a converter, and the attribute names no older
    /// field.
    Converted,
}

/// Returns the place of a field.
///
/// # Panics
///
/// Panics at compile time if there is no such field.
#[track_caller]
pub const fn field(
    fields: &[Facts],
    skipped: &[&str],
    shown: &str,
    name: &str,
    reason: Reason,
) -> usize {
    older_field(fields, skipped, shown, name, reason, &[])
}

/// Returns the place of a field of the older type. `claimed` are the fields that other rules name.
///
/// # Panics
///
/// Panics at compile time if there is no such field.
#[track_caller]
pub const fn older_field(
    fields: &[Facts],
    skipped: &[&str],
    shown: &str,
    name: &str,
    reason: Reason,
    claimed: &[&str],
) -> usize {
    if broken(fields) {
        return 0;
    }
    if let Some(place) = place(fields, name) {
        return place;
    }
    if contains(skipped, name) {
        skipped_by_serde(shown, name, reason)
    }
    let meant = match Names::Fields(fields).nearest(name, claimed) {
        Some(near) => Some(near),
        None => only_field(fields, claimed),
    };
    let text = Text::new().code(shown).put(" has no field ").code(name);
    let text = match reason {
        Reason::Named => Names::Fields(fields).suggest(&text, meant),
        Reason::SameName(new) => {
            let text = text.put(": write `").put(new).put("` if it is new");
            if all_claimed(fields, claimed) {
                text
            } else {
                text.put(", or `#[versioned(renamed_from = ")
                    .put(or_dots(meant))
                    .put(")]` if it had another name")
            }
        }
        Reason::Converted => {
            let text = text.put(" to convert: write `renamed_from = ");
            text.put(or_dots(meant)).put("` together with `with`")
        }
    };
    text.fail()
}

/// Explains why a field of the type isn't among its fields in JSON.
#[track_caller]
const fn skipped_by_serde(shown: &str, name: &str, reason: Reason) -> ! {
    let text = Text::new().put("serde skips ").code(name).put(" of ").code(shown);
    let text = match reason {
        Reason::Named => text
            .put(", so no object has it: remove the name here, and write `#[versioned(added)]` on a field ")
            .put("that is new in JSON"),
        Reason::SameName(new) => text
            .put(", so no object has it: write `#[serde(skip)]` here, too, or `")
            .put(new)
            .put("` if objects have it from this version on"),
        Reason::Converted => text
            .put(", so there is nothing to convert: write `#[serde(skip)]` here, too, or `added` instead of `with` if ")
            .put("objects have it from this version on"),
    };
    text.fail()
}

/// Checks that the rules name every field of the older type.
///
/// # Panics
///
/// Panics at compile time if a field isn't named.
#[track_caller]
pub const fn covered(
    older: &[Facts],
    skipped: &[&str],
    shown: &str,
    newer: &str,
    named: &[&str],
    by_attributes: &[&str],
) {
    if broken(older) {
        return;
    }
    let mut forgotten = Text::new();
    let mut removed = Text::new();
    let mut here = Text::new();
    let mut count = 0;
    let mut i = 0;
    while i < older.len() {
        let facts = &older[i];
        let is_near = i < named.len() && eq(named[i], facts.field.rust);
        i += 1;
        if is_near {
            continue;
        }
        // A misspelled name was reported already, and the field that it means isn't forgotten.
        if contains(named, facts.field.rust)
            || Names::Fields(older).is_meant(named, facts.field.rust)
        {
            continue;
        }
        if count > 0 {
            forgotten = forgotten.put(", ");
            removed = removed.put(", ");
        }
        forgotten = forgotten.code(facts.field.rust);
        if contains(skipped, facts.field.rust) {
            here =
                here.put("; serde skips ").code(facts.field.rust).put(" here, so no object has it");
        }
        removed = removed.put(facts.field.rust);
        if !facts.field.optional {
            removed = removed.put(" = …");
        }
        count += 1;
    }
    // An attribute with a name that doesn't exist, and that is like no existing name, means one of
    // the forgotten fields.
    if count > strangers(older, by_attributes) {
        Text::new()
            .code(newer)
            .put(" doesn't say what became of ")
            .put(forgotten.as_str())
            .put(" of ")
            .code(shown)
            .put(": write `removed(")
            .put(removed.as_str())
            .put(if count > 1 { ")` here if they are gone" } else { ")` here if it is gone" })
            .put(", or `renamed_from = …` on the field that ")
            .put(if count > 1 { "each became, or name them" } else { "it became, or name it" })
            .put(" in `map(…)` or `moved(…)`")
            .put(here.as_str())
            .fail()
    }
}

/// Returns the engine's facts about a field.
pub const fn known(fields: &[Facts], name: &str) -> Field {
    match find(fields, name) {
        Some(facts) => facts.field,
        None => super::BROKEN[0].field,
    }
}

/// Checks that the items of a list have a field.
///
/// # Panics
///
/// Panics at compile time if they don't.
#[track_caller]
pub const fn key(names: &[(&'static str, &str)], skipped: &[&str], shown: &str, name: &str) {
    // A failed derive was reported already.
    if names.len() == 1 && names[0].0.is_empty() {
        return;
    }
    if contains(skipped, name) {
        Text::new()
            .put("serde skips ")
            .code(name)
            .put(" of ")
            .code(shown)
            .put(", so no item has it: name fields that items have in JSON")
            .fail()
    }
    let mut i = 0;
    while i < names.len() {
        if eq(names[i].0, name) {
            return;
        }
        i += 1;
    }
    let text = Text::new().code(shown).put(" has no field ").code(name);
    let names = Names::Keys(names);
    names.suggest(&text, names.nearest(name, &[])).fail()
}

/// Returns a field's name in JSON. [`key`] reports a field that doesn't exist.
pub const fn key_wire(names: &[(&str, &'static str)], name: &str) -> &'static str {
    let mut i = 0;
    while i < names.len() {
        if eq(names[i].0, name) {
            return names[i].1;
        }
        i += 1;
    }
    ""
}

/// Checks that a type whose fields are at the object's root doesn't use the object's own names.
///
/// # Panics
///
/// Panics at compile time if it does.
#[track_caller]
pub const fn root(fields: &[Facts], shown: &str) {
    let mut found = Text::new();
    let mut count = 0;
    let mut i = 0;
    while let Some(facts) = nth(fields, i) {
        let wire = facts.field.wire;
        i += 1;
        if eq(wire, "apiVersion") || eq(wire, "kind") || eq(wire, "metadata") {
            if count > 0 {
                found = found.put(", ");
            }
            found = found.code(wire);
            count += 1;
        }
    }
    if count > 0 {
        Text::new()
            .put("the fields of ")
            .code(shown)
            .put(" are at the object's root here, and every object already has ")
            .put(found.as_str())
            .put(if count > 1 { ": remove or rename them" } else { ": remove or rename it" })
            .fail()
    }
}

const fn all_claimed(fields: &[Facts], claimed: &[&str]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if !contains(claimed, fields[i].field.rust) {
            return false;
        }
        i += 1;
    }
    true
}

/// The number of names that don't exist and aren't like an existing one.
const fn strangers(fields: &[Facts], named: &[&str]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < named.len() {
        if place(fields, named[i]).is_none()
            && Names::Fields(fields).nearest(named[i], named).is_none()
        {
            count += 1;
        }
        i += 1;
    }
    count
}

const fn or_dots(name: Option<&'static str>) -> &'static str {
    match name {
        Some(name) => name,
        None => "…",
    }
}
