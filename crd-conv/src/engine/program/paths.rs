//! Where a field stands in versions further away, as long as it only keeps its value on the way there.

use super::slot::{REST, Slot};
use crate::definition::VersionDefinition;
use crate::plan::{Field, Nested, Rule, StructPlan, Tagging, VariantRule};

/// Where a path has led to.
pub(crate) struct Followed {
    pub(crate) path: Vec<&'static str>,
    /// Whether the value is the same there, also in what the API server makes of it.
    pub(crate) same: bool,
    /// Whether the keys of the lists on the way tell the same items apart.
    pub(crate) keys: bool,
    /// Whether the items of these lists show the same.
    pub(crate) fingerprints: bool,
}

/// Follows a path from one version to another; `None` if a mapping on the way does more than give it another name.
pub(crate) fn follow(
    versions: &'static [VersionDefinition],
    from: usize,
    to: usize,
    path: &[&'static str],
) -> Option<Followed> {
    let mut at = Followed { path: path.to_vec(), same: true, keys: true, fingerprints: true };
    for (plan, upgrade) in hops(versions, from, to) {
        let next = one_hop(plan, upgrade, &at.path)?;
        at = Followed {
            path: next.path,
            same: at.same && next.same,
            keys: at.keys && next.keys,
            fingerprints: at.fingerprints && next.fingerprints,
        };
    }
    Some(at)
}

/// The rules of the hops from one version to another, and whether they are upgrades.
fn hops(
    versions: &'static [VersionDefinition],
    from: usize,
    to: usize,
) -> impl Iterator<Item = (Option<&'static StructPlan>, bool)> {
    let count = from.abs_diff(to);
    (0..count).map(move |hop| {
        let newer = if from < to { from + 1 + hop } else { from - hop };
        (versions[newer].rules(), from < to)
    })
}

/// The way to a field of another version, as far as mappings only give the fields on it other names.
pub(crate) fn way(
    versions: &'static [VersionDefinition],
    from: usize,
    to: usize,
    way: &str,
) -> String {
    let mut way: Vec<&str> = way.split('.').collect();
    for (plan, upgrade) in hops(versions, from, to) {
        let mut inside = plan.map_or(Inside::Same, |plan| Inside::Mapped(Nested::Struct(plan)));
        for name in &mut way {
            let Some(next) = inside.enter(name, upgrade) else { break };
            (*name, inside) = (next.name, next.inside);
        }
    }
    way.join(".")
}

fn one_hop(
    plan: Option<&'static StructPlan>,
    upgrade: bool,
    path: &[&'static str],
) -> Option<Followed> {
    let mut inside = plan.map_or(Inside::Same, |plan| Inside::Mapped(Nested::Struct(plan)));
    let mut at = Followed { path: Vec::new(), same: true, keys: true, fingerprints: true };
    for name in path {
        let next = inside.enter(name, upgrade)?;
        at.path.push(next.name);
        at.same = next.same;
        at.keys &= next.keys;
        inside = next.inside;
        if let Inside::Mapped(nested) = inside
            && holds_list(nested)
        {
            at.fingerprints &= is_same(nested, &mut Vec::new());
        }
    }
    at.same &= match inside {
        Inside::Same => true,
        Inside::Mapped(nested) => is_same(nested, &mut Vec::new()),
        Inside::Content { .. } => false,
    };
    Some(at)
}

/// What is inside a value.
#[derive(Clone, Copy)]
enum Inside {
    /// The same in both versions.
    Same,
    Mapped(Nested),
    /// A variant with a field around what it holds, by its name in the older and in the newer version.
    Content {
        names: [&'static str; 2],
        nested: Option<Nested>,
    },
}

/// A field on the other side of a hop.
struct Found<'n> {
    name: &'n str,
    inside: Inside,
    same: bool,
    keys: bool,
}

impl Inside {
    fn of(nested: Option<Nested>) -> Self {
        nested.map_or(Self::Same, Self::Mapped)
    }

    fn enter(self, name: &str, upgrade: bool) -> Option<Found<'_>> {
        let found = |name, inside| Found { name, inside, same: true, keys: true };
        match self {
            Self::Same => Some(found(name, Self::Same)),
            Self::Mapped(Nested::List(inner) | Nested::Map(inner)) => {
                Self::Mapped(inner()).enter(name, upgrade)
            }
            Self::Mapped(Nested::Struct(plan)) => {
                let (own, other, nested) = kept(plan, name, upgrade)?;
                Some(Found {
                    name: name_of(&other),
                    inside: Self::of(nested),
                    same: same_facts(&own, &other),
                    keys: same_keys(&own, &other, nested, upgrade),
                })
            }
            Self::Mapped(Nested::Enum(plan)) => plan.rules.iter().find_map(|rule| {
                let VariantRule::Kept { older, newer, nested } = rule else { return None };
                let (own, other) = if upgrade { (older, newer) } else { (newer, older) };
                let inside = match (plan.older_tagging, plan.newer_tagging) {
                    (
                        Tagging::Adjacent { content: older, .. },
                        Tagging::Adjacent { content: newer, .. },
                    ) => Self::Content { names: [older, newer], nested: nested.get() },
                    _ => Self::of(nested.get()),
                };
                (own.wire == name).then(|| found(other.wire, inside))
            }),
            Self::Content { names: [older, newer], nested } => {
                let (own, other) = if upgrade { (older, newer) } else { (newer, older) };
                (own == name).then(|| found(other, Self::of(nested)))
            }
        }
    }
}

/// A field that a hop keeps, and the same field on the other side.
fn kept(
    plan: &'static StructPlan,
    name: &str,
    upgrade: bool,
) -> Option<(Field, Field, Option<Nested>)> {
    plan.rules_in_json().into_iter().find_map(|rule| {
        let Rule::Kept { older, newer, nested } = rule else { return None };
        let (own, other) = if upgrade { (older, newer) } else { (newer, older) };
        (name_of(&own) == name).then(|| (own, other, nested.get()))
    })
}

fn name_of(field: &Field) -> &'static str {
    if field.is_rest() { REST } else { field.wire }
}

/// Whether the API server makes the same of what is absent or null.
fn same_facts(own: &Field, other: &Field) -> bool {
    own.nullable == other.nullable && Slot::new(own).default == Slot::new(other).default
}

fn same_keys(own: &Field, other: &Field, nested: Option<Nested>, upgrade: bool) -> bool {
    let Some(Nested::List(item)) = nested else { return own.list_keys == other.list_keys };
    let Nested::Struct(plan) = item() else { return own.list_keys == other.list_keys };
    let key = |key: &&'static str| match kept(plan, key, upgrade)? {
        (own, other, None) if same_facts(&own, &other) => Some(other.wire),
        _ => None,
    };
    let keys: Option<Vec<_>> = own.list_keys.iter().map(key).collect();
    keys.is_some_and(|keys| keys == other.list_keys)
}

fn holds_list(nested: Nested) -> bool {
    match nested {
        Nested::List(_) => true,
        Nested::Map(inner) => holds_list(inner()),
        Nested::Struct(_) | Nested::Enum(_) => false,
    }
}

/// Whether nothing happens to a value. `open` are the plans around it.
fn is_same(nested: Nested, open: &mut Vec<*const ()>) -> bool {
    let plan: *const () = match nested {
        Nested::List(inner) | Nested::Map(inner) => return is_same(inner(), open),
        Nested::Struct(plan) => std::ptr::from_ref(plan).cast(),
        Nested::Enum(plan) => std::ptr::from_ref(plan).cast(),
    };
    if open.contains(&plan) {
        return true;
    }
    // Stays there: what was found to be the same once needn't be looked at again.
    open.push(plan);
    let mut inside = |nested: Option<Nested>| nested.is_none_or(|nested| is_same(nested, open));
    match nested {
        Nested::Struct(plan) => plan.rules_in_json().iter().all(|rule| match rule {
            Rule::Kept { older, newer, nested } => {
                name_of(older) == name_of(newer)
                    && older.list_keys == newer.list_keys
                    && same_facts(older, newer)
                    && inside(nested.get())
            }
            _ => false,
        }),
        Nested::Enum(plan) => {
            plan.older_tagging == plan.newer_tagging
                && plan.rules.iter().all(|rule| match rule {
                    VariantRule::Kept { older, newer, nested } => {
                        older.wire == newer.wire && inside(nested.get())
                    }
                    _ => false,
                })
        }
        Nested::List(_) | Nested::Map(_) => true,
    }
}
