//! Finds a field in versions further away, as long as it only keeps its value on the way there.

use super::slot::{REST, Slot};
use crate::definition::VersionDefinition;
use crate::plan::{Branch, Field, FieldRule, Fields, Kind, Tagging, VariantRule};

/// Where a path leads in another version.
pub(crate) struct Followed {
    pub(crate) path: Vec<&'static str>,
    /// Whether the value is the same there, including what the API server makes of it.
    pub(crate) same: bool,
    /// Whether the keys of the lists on the path tell the same items apart.
    pub(crate) keys: bool,
    /// Whether the items of these lists show the same.
    pub(crate) fingerprints: bool,
}

/// Follows a path from one version to another. Returns `None` if a mapping on the way does more
/// than rename the fields on the path.
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

/// Returns the plans of the hops from one version to another, and whether these are upgrades.
fn hops(
    versions: &'static [VersionDefinition],
    from: usize,
    to: usize,
) -> impl Iterator<Item = (Option<Branch>, bool)> {
    let count = from.abs_diff(to);
    (0..count).map(move |hop| {
        let newer = if from < to { from + 1 + hop } else { from - hop };
        (versions[newer].rules(), from < to)
    })
}

/// Returns the path of a field in another version, as far as mappings only rename the fields on it.
pub(crate) fn way(
    versions: &'static [VersionDefinition],
    from: usize,
    to: usize,
    way: &str,
) -> String {
    let mut way: Vec<&str> = way.split('.').collect();
    for (plan, upgrade) in hops(versions, from, to) {
        let mut inside = Inside::of(plan);
        for name in &mut way {
            let Some(next) = inside.enter(name, upgrade) else { break };
            (*name, inside) = (next.name, next.inside);
        }
    }
    way.join(".")
}

fn one_hop(plan: Option<Branch>, upgrade: bool, path: &[&'static str]) -> Option<Followed> {
    let mut inside = Inside::of(plan);
    let mut at = Followed { path: Vec::new(), same: true, keys: true, fingerprints: true };
    for name in path {
        let next = inside.enter(name, upgrade)?;
        at.path.push(next.name);
        at.same = next.same;
        at.keys &= next.keys;
        inside = next.inside;
        if let Inside::Mapped(mapped) = inside
            && holds_list(mapped)
        {
            at.fingerprints &= is_same(mapped);
        }
    }
    at.same &= match inside {
        Inside::Same => true,
        Inside::Mapped(mapped) => is_same(mapped),
        Inside::Content { .. } => false,
    };
    Some(at)
}

/// What is known about the inside of a value.
#[derive(Clone, Copy)]
enum Inside {
    /// It is the same in both versions.
    Same,
    Mapped(Branch),
    /// A variant with a field around its content. The field's names are those in the older and in
    /// the newer version.
    Content {
        names: [&'static str; 2],
        inside: Option<Branch>,
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
    fn of(mapped: Option<Branch>) -> Self {
        mapped.map_or(Self::Same, Self::Mapped)
    }

    fn enter(self, name: &str, upgrade: bool) -> Option<Found<'_>> {
        let found = |name, inside| Found { name, inside, same: true, keys: true };
        let mapped = match self {
            Self::Same => return Some(found(name, Self::Same)),
            Self::Content { names: [older, newer], inside } => {
                let (own, other) = if upgrade { (older, newer) } else { (newer, older) };
                return (own == name).then(|| found(other, Self::of(inside)));
            }
            Self::Mapped(mapped) => mapped,
        };
        match mapped.kind() {
            Kind::List(inner, _) | Kind::Map(inner) => Self::Mapped(inner).enter(name, upgrade),
            Kind::Struct(fields) => {
                let kept = kept(fields, name, upgrade)?;
                Some(Found {
                    name: name_of(kept.other),
                    inside: Self::of(kept.rule.inside),
                    same: same_facts(kept.rule, kept.own, kept.other),
                    keys: same_keys(&kept, upgrade),
                })
            }
            Kind::Enum(variants) => variants.rules().find_map(|(rule, inside)| match rule {
                VariantRule::Kept { older, newer, .. } => {
                    let (own, other) = if upgrade { (older, newer) } else { (newer, older) };
                    let inside = match (variants.plan.older_tagging, variants.plan.newer_tagging) {
                        (
                            Tagging::Adjacent { content: older, .. },
                            Tagging::Adjacent { content: newer, .. },
                        ) => Self::Content { names: [older, newer], inside },
                        _ => Self::of(inside),
                    };
                    (own.wire == name).then(|| found(other.wire, inside))
                }
                VariantRule::Added { .. } | VariantRule::Removed { .. } => None,
            }),
        }
    }
}

/// A field that a hop keeps.
struct Kept {
    rule: FieldRule,
    own: &'static Field,
    /// The same field on the other side.
    other: &'static Field,
}

fn kept(fields: Fields, name: &str, upgrade: bool) -> Option<Kept> {
    fields.rules().find_map(|rule| {
        let [older, newer] = rule.rule.kept()?;
        let (own, other) = if upgrade { (older, newer) } else { (newer, older) };
        (name_of(own) == name).then_some(Kept { rule, own, other })
    })
}

fn name_of(field: &Field) -> &'static str {
    if field.is_rest() { REST } else { field.wire }
}

/// Whether the API server does the same with an absent field and with null in both versions.
fn same_facts(rule: FieldRule, own: &Field, other: &Field) -> bool {
    rule.remembers(|| {
        own.nullable == other.nullable && Slot::new(own).default == Slot::new(other).default
    })
}

fn same_keys(kept: &Kept, upgrade: bool) -> bool {
    let Kept { rule, own, other } = kept;
    let items = match rule.inside.map(Branch::kind) {
        Some(Kind::List(item, _)) => item.fields(),
        Some(Kind::Struct(_) | Kind::Enum(_) | Kind::Map(_)) | None => None,
    };
    let Some(items) = items else { return own.list_keys == other.list_keys };
    let key = |key: &&'static str| {
        let Kept { rule, own, other } = self::kept(items, key, upgrade)?;
        (rule.inside.is_none() && same_facts(rule, own, other)).then_some(other.wire)
    };
    let keys: Option<Vec<_>> = own.list_keys.iter().map(key).collect();
    keys.is_some_and(|keys| keys == other.list_keys)
}

fn holds_list(mapped: Branch) -> bool {
    match mapped.kind() {
        Kind::List(..) => true,
        Kind::Map(inner) => holds_list(inner),
        Kind::Struct(_) | Kind::Enum(_) => false,
    }
}

/// Whether nothing happens to a value.
fn is_same(mapped: Branch) -> bool {
    mapped.keeps_all(|rule, older, newer| {
        older.list_keys == newer.list_keys && same_facts(rule, older, newer)
    })
}
