//! Merges the outlines of the branches of which a value fits one.

use std::collections::BTreeMap;

use super::Outline;

/// Merges alternatives: the server has one schema at each place.
pub(super) fn join(all: &[&Outline], nullable: bool) -> Option<Outline> {
    let first = *all.first()?;
    let mut whole = Outline {
        nullable,
        default: first
            .default
            .clone()
            .filter(|_| all.iter().all(|one| one.default == first.default)),
        is_enum: all.iter().all(|one| one.is_enum),
        preserves: all.iter().any(|one| one.preserves),
        int_or_string: all.iter().all(|one| one.int_or_string),
        is_f32: all.iter().all(|one| one.is_f32),
        ..Outline::default()
    };
    let is_one_of =
        |one: &&Outline, types: [&str; 2]| one.ty.as_deref().is_some_and(|ty| types.contains(&ty));
    if all.iter().all(|one| one.ty == first.ty) {
        whole.ty.clone_from(&first.ty);
    } else if all.iter().all(|one| is_one_of(one, ["integer", "number"])) {
        whole.ty = Some("number".to_owned());
    } else if all.iter().all(|one| one.int_or_string || is_one_of(one, ["integer", "string"])) {
        whole.int_or_string = true;
    } else {
        whole.preserves = true;
    }
    // A value of several types is no longer an int-or-string.
    whole.int_or_string &= whole.ty.is_some() || !whole.preserves;
    let items: Vec<&Outline> = all.iter().filter_map(|one| one.items.as_deref()).collect();
    if let [first, others @ ..] = &items[..] {
        if others.iter().any(|item| item.nullable != first.nullable) {
            return None;
        }
        whole.items = Some(Box::new(join(&items, first.nullable)?));
    }
    join_members(all, &mut whole)?;
    Some(whole)
}

fn join_members(all: &[&Outline], whole: &mut Outline) -> Option<()> {
    let mut members: BTreeMap<&String, Vec<&Outline>> = BTreeMap::new();
    for (name, member) in all.iter().flat_map(|one| &one.members) {
        members.entry(name).or_default().push(member);
    }
    let mut maps = all.iter().filter_map(|one| one.rest.as_ref());
    if let Some(first) = maps.next() {
        if !members.is_empty() || maps.any(|other| other != first) {
            return None;
        }
        whole.rest = Some(first.clone());
    }
    let objects = all.iter().filter(|one| one.may_be_object()).count();
    let anything = Outline { nullable: true, preserves: true, ..Outline::default() };
    for (name, mut declared) in members {
        let nullable = declared.iter().all(|member| member.nullable);
        // A branch that preserves unknown fields preserves this one, too.
        let holds_it = |one: &&Outline| {
            one.may_be_object() && one.preserves && !one.members.contains_key(name)
        };
        if all.iter().any(holds_it) {
            declared.push(&anything);
        }
        let mut member = join(&declared, nullable)?;
        // The server fills in a default whichever variant it is.
        member.default = member.default.filter(|_| declared.len() >= objects);
        whole.members.insert(name.clone(), member);
    }
    Some(())
}
