//! Names the types of a resource, and finds the versions that have them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{
    kind::{Kind, inner, kind},
    names::{is_reserved, pascal, singular},
    types::{Field, TypeId, Types},
};

/// A version's types at the top, each with the name that it should have.
pub(super) type Roots = Vec<(TypeId, String)>;

/// Names all types that the versions have. Types near the top get the short names. Names are unique in the resource, but a newer
/// version of a type has its name, too.
/// Returns them in the order in which they are found.
pub(super) fn assign(types: &mut Types<'_>, versions: &[Roots], kind: &str) -> Vec<TypeId> {
    let mut order = Vec::new();
    for (version, roots) in versions.iter().enumerate() {
        for id in reachable(types, roots.iter().map(|(id, _)| *id)) {
            types.all[id.0].users.insert(version);
        }
    }
    let mut taken: BTreeMap<String, Vec<TypeId>> = BTreeMap::from([(kind.to_owned(), Vec::new())]);
    for roots in versions {
        let mut seen = BTreeSet::new();
        let mut queue: VecDeque<(TypeId, String, Vec<String>)> = VecDeque::new();
        queue.extend(roots.iter().map(|(id, hint)| (*id, hint.clone(), Vec::new())));
        while let Some((id, hint, parents)) = queue.pop_front() {
            if !seen.insert(id) {
                continue;
            }
            if types.get(id).name.is_empty() {
                let name = of_older(types, id, &taken)
                    .unwrap_or_else(|| fresh(&hint, &parents, &taken, roots.len()));
                taken.entry(name.clone()).or_default().push(id);
                types.all[id.0].name = name;
                order.push(id);
            }
            let around: Vec<_> =
                [types.get(id).name.clone()].into_iter().chain(parents).take(2).collect();
            let inside: Vec<_> =
                types.inside(id).map(|(field, id)| (id, hint_of(field), around.clone())).collect();
            queue.extend(inside);
        }
    }
    order
}

fn reachable(types: &Types<'_>, roots: impl Iterator<Item = TypeId>) -> BTreeSet<TypeId> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<_> = roots.collect();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(types.inside(id).map(|(_, id)| id));
        }
    }
    seen
}

/// The name of the type in the version before, unless a version has both.
fn of_older(
    types: &Types<'_>,
    id: TypeId,
    taken: &BTreeMap<String, Vec<TypeId>>,
) -> Option<String> {
    let name = types.get(types.get(id).from?).name.clone();
    let users = &types.get(id).users;
    let is_free = taken.get(&name)?.iter().all(|other| types.get(*other).users.is_disjoint(users));
    is_free.then_some(name)
}

fn fresh(
    hint: &str,
    parents: &[String],
    taken: &BTreeMap<String, Vec<TypeId>>,
    roots: usize,
) -> String {
    let is_free = |name: &String| !is_reserved(name) && !taken.contains_key(name);
    let kind_itself =
        parents.is_empty() && roots == 1 && taken.get(hint).is_some_and(Vec::is_empty);
    if kind_itself && !is_reserved(hint) {
        // The type at the root of the objects is in another module than the enum of this name.
        return hint.to_owned();
    }
    let mut name = hint.to_owned();
    if is_free(&name) {
        return name;
    }
    for parent in parents {
        name = parent.clone() + &name;
        if is_free(&name) {
            return name;
        }
    }
    let mut count = 2;
    loop {
        let numbered = format!("{name}{count}");
        if is_free(&numbered) {
            return numbered;
        }
        count += 1;
    }
}

/// The name that a field's type should have.
fn hint_of(field: &Field<'_>) -> String {
    let mut hint = pascal(field.json);
    let mut schema = Some(field.schema);
    while let Some(current) = schema {
        match (kind(current), singular(&hint)) {
            (Kind::List { .. } | Kind::Map, Some(one)) => hint = one,
            (Kind::List { .. }, None) => hint += "Item",
            _ => {}
        }
        schema = inner(current);
    }
    hint
}
