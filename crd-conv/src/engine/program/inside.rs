//! Moved values inside objects that only one version has, and that no node describes.

use crate::json::{Fidelity, Member, equal, find, member, members_of, object_of};

/// The place of a value inside an object that only one version has: the names on the path to it.
/// For the object that each name is in, `fills` has what the API server fills into a new one.
#[derive(Debug)]
pub(crate) struct Inside {
    pub(crate) names: Vec<&'static str>,
    pub(crate) fills: Vec<Vec<(&'static str, String)>>,
}

impl Inside {
    /// Returns the value in an object. If several members have the same name, the last one counts.
    pub(crate) fn find<'v>(&self, object: &'v str) -> Option<&'v str> {
        self.names.iter().try_fold(object, |object, name| find(object, name))
    }

    /// Whether something in an object has to make room for the value: another value, or something
    /// on the path that isn't an object.
    pub(crate) fn replaces(&self, object: &str) -> bool {
        let mut around = object;
        for name in &self.names {
            let Some(members) = members_of(around) else { return true };
            match members.iter().rev().find(|member| member.name == *name) {
                Some(member) => around = member.value,
                None => return false,
            }
        }
        true
    }

    /// Returns the object with the value in it. Missing objects around the value are made.
    pub(crate) fn insert(&self, object: Option<&str>, value: &str) -> String {
        insert(&self.names, &self.fills, object, value)
    }

    /// Returns the object without the value. Objects on the path are removed if they had nothing
    /// else.
    pub(crate) fn take(&self, object: &str) -> String {
        take(&self.names, &self.fills, object)
    }
}

fn insert(
    names: &[&'static str],
    fills: &[Vec<(&'static str, String)>],
    object: Option<&str>,
    value: &str,
) -> String {
    let (Some((name, names)), Some((fill, fills))) = (names.split_first(), fills.split_first())
    else {
        return value.to_owned();
    };
    let known = object.and_then(members_of);
    let inner = known.iter().flatten().rev().find(|member| member.name == *name);
    let value = insert(names, fills, inner.map(|inner| inner.value), value);
    let mut members: Vec<String> = if let Some(known) = &known {
        known.iter().filter(|other| other.name != *name).map(Member::text).collect()
    } else {
        let others = fill.iter().filter(|(other, _)| other != name);
        others.map(|(name, fill)| member(name, fill)).collect()
    };
    members.push(member(name, &value));
    object_of(&members)
}

fn take(names: &[&'static str], fills: &[Vec<(&'static str, String)>], object: &str) -> String {
    let (Some((name, names)), Some((_, fills))) = (names.split_first(), fills.split_first()) else {
        return object.to_owned();
    };
    let mut rest = Vec::new();
    for inner in members_of(object).iter().flatten() {
        if inner.name != *name {
            rest.push(inner.text());
        } else if let Some(fill) = fills.first() {
            let taken = take(names, fills, inner.value);
            let new = object_of(&filled(fill));
            if !equal(&taken, &new, Fidelity::AsWritten) {
                rest.push(format!("{}:{taken}", inner.key));
            }
        }
    }
    object_of(&rest)
}

fn filled(fills: &[(&'static str, String)]) -> Vec<String> {
    fills.iter().map(|(name, fill)| member(name, fill)).collect()
}
