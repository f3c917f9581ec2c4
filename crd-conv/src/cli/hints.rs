//! Hints about mappings that are valid, but perhaps unintended.
//!
//! There are hints for two cases:
//!
//! - The mapping declares one field as removed and another one as added, but the values look like
//!   those of one field that moved. Nothing is lost, but each version shows a default where the
//!   other version has the value.
//! - A list has keys in only one version.

use crate::{
    definition::{Definition, Layout},
    plan::{
        self, Branch, Declared, Facts, Field, FieldRule, Fields, Kind, Open, StructPlan,
        VariantRule, Variants, Way,
    },
};

/// How many levels inside a struct of only one version are compared. The limit is for types that
/// contain each other.
const DEPTH: usize = 6;

/// Returns a sentence for each pair of fields, in the order of the hops.
pub(super) fn hints(definition: &Definition) -> Vec<String> {
    let mut hints = Vec::new();
    for hop in definition.versions.windows(2) {
        let Some(plan) = hop[1].rules() else { continue };
        let declared = |newer: bool, stanza: &Field| match hop[usize::from(newer)].layout {
            Layout::Stanzas(stanzas) => {
                let stanza = stanzas.iter().find(|own| own.wire == stanza.wire)?;
                stanza.ty.declared.get()
            }
            Layout::Root(_) => None,
        };
        let mut walk = Walk {
            hop: format!("{} to {}", hop[0].name, hop[1].name),
            stanza: &declared,
            open: Open::default(),
            ends: Vec::new(),
            hints: Vec::new(),
        };
        walk.inside(plan, Default::default());
        hints.append(&mut walk.hints);
    }
    hints
}

/// The paths of a struct in the older and in the newer version.
type Places = [String; 2];

/// A field that only one version has.
struct OneSided {
    /// The Rust names on the path from the struct whose fields are compared.
    way: Vec<&'static str>,
    /// The field's path in the object.
    place: String,
    /// The field whose attribute declares it as new: this field, or an outer field that is new as a
    /// whole.
    said_at: &'static str,
    field: Field,
}

/// The fields that only the older version has, and the fields that only the newer one has.
type Sides = [Vec<OneSided>; 2];

struct Walk<'a> {
    hop: String,
    /// The declarations of a stanza, which its field doesn't contain.
    stanza: &'a dyn Fn(bool, &Field) -> Option<Declared>,
    /// The types around.
    open: Open<()>,
    /// The paths that moved values come from or go to, where only one version has the containing
    /// struct.
    ends: Vec<(bool, String)>,
    hints: Vec<String>,
}

impl Walk<'_> {
    /// Compares what is inside a value, and returns the fields that only one version has, for the struct around it. No
    /// value moves into a list, a map or a variant from outside, so there is nothing to return for these.
    fn inside(&mut self, mapped: Branch, places: Places) -> Sides {
        let is_object = self.open.is_empty();
        match mapped.kind() {
            Kind::List(inner, _) => {
                self.inside(inner, places.map(|place| place + "[]"));
            }
            Kind::Map(inner) => {
                self.inside(inner, places.map(|place| place + ".*"));
            }
            Kind::Struct(_) | Kind::Enum(_) if self.open.enter(mapped, ()).is_err() => {}
            Kind::Struct(fields) => {
                let sides = self.fields(fields, &places, is_object);
                self.open.leave();
                return sides;
            }
            Kind::Enum(variants) => {
                self.variants(variants, &places);
                self.open.leave();
            }
        }
        Sides::default()
    }

    fn fields(&mut self, fields: Fields, places: &Places, is_object: bool) -> Sides {
        let known = self.ends.len();
        self.ends.extend(ends(fields, places));
        let mut groups: Vec<Sides> = vec![Sides::default()];
        for FieldRule { rule, inside, .. } in fields.declared() {
            if let Some([older, newer]) = rule.kept() {
                let inner = [(0, older), (1, newer)].map(|(at, field)| below(&places[at], field));
                self.keys([older, newer], &inner);
                let Some(inside) = inside else { continue };
                let inner = if newer.is_rest() { inner.map(|map| map + ".*") } else { inner };
                let mut sides = self.inside(inside, inner);
                for (side, field) in sides.iter_mut().zip([older, newer]) {
                    for found in side {
                        found.way.insert(0, field.rust);
                    }
                }
                groups.push(sides);
            }
            if let Some(plan::OneSided { newer, field, .. }) = rule.one_sided() {
                let place = below(&places[usize::from(newer)], field);
                if !field.is_new && !self.ends.contains(&(newer, place.clone())) {
                    let inside =
                        if is_object { (self.stanza)(newer, field) } else { field.inside.get() };
                    let found = OneSided {
                        way: vec![field.rust],
                        place,
                        said_at: field.rust,
                        field: *field,
                    };
                    with_inside(found, inside, &mut Vec::new(), &mut groups[0][usize::from(newer)]);
                }
            }
        }
        self.ends.truncate(known);
        self.compare(fields.plan, &groups);
        groups.into_iter().fold(Sides::default(), |[mut older, mut newer], [olds, news]| {
            older.extend(olds);
            newer.extend(news);
            [older, newer]
        })
    }

    /// Adds a hint if only one version identifies the items of a list. Then an object may have two
    /// items that the other version refuses to write.
    fn keys(&mut self, fields: [&Field; 2], places: &Places) {
        let [with, without] = match fields.map(|field| field.list_keys.is_empty()) {
            [false, true] => [0, 1],
            [true, false] => [1, 0],
            _ => return,
        };
        self.hints.push(format!(
            "{}: the items of `{}` have the keys {}, and those of `{}` have none, so an object may have two items with the same key. It \
             converts, but in the version with the keys the API server refuses to write it until one of the items is removed. If both versions \
             can require the keys, write `list_map_keys(…)` in both",
            self.hop,
            places[with],
            fields[with].list_keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", "),
            places[without],
        ));
    }

    fn variants(&mut self, variants: Variants, places: &Places) {
        for (rule, inside) in variants.rules() {
            if let (VariantRule::Kept { older, newer, .. }, Some(inside)) = (rule, inside) {
                let inner = [(0, older), (1, newer)]
                    .map(|(at, variant)| format!("{}({})", places[at], variant.wire));
                self.inside(inside, inner);
            }
        }
    }

    /// Compares the fields of a struct, and those inside each of its fields, with the fields in the
    /// other groups.
    fn compare(&mut self, plan: &StructPlan, groups: &[Sides]) {
        for (at, [removed, _]) in groups.iter().enumerate() {
            for (other, [_, added]) in groups.iter().enumerate() {
                // Fields inside the same struct were compared at that struct.
                if at == other && at > 0 {
                    continue;
                }
                let mut said: Vec<(&[&str], &[&str])> = Vec::new();
                for old in removed {
                    for new in added {
                        let in_one_struct = old.way.len() == 1 && new.way.len() == 1;
                        let inside_a_pair = said.iter().any(|(older, newer)| {
                            old.way.starts_with(older) && new.way.starts_with(newer)
                        });
                        if !in_one_struct && !inside_a_pair && are_alike(&old.field, &new.field) {
                            said.push((&old.way, &new.way));
                            self.hints.push(hint(&self.hop, plan, old, new));
                        }
                    }
                }
            }
        }
    }
}

fn hint(hop: &str, plan: &StructPlan, old: &OneSided, new: &OneSided) -> String {
    format!(
        "{hop}: `{}` is gone and `{}` is new, so neither version shows the other's value. If it is the same value, write \
         `moved({} => {})` on `{}`; if it isn't, say so with `added(moved = false)` on `{}`",
        old.place,
        new.place,
        old.way.join("."),
        new.way.join("."),
        plan.newer,
        new.said_at,
    )
}

/// Adds a field, and the fields of the struct inside it.
fn with_inside(
    found: OneSided,
    inside: Option<Declared>,
    open: &mut Vec<*const Facts>,
    all: &mut Vec<OneSided>,
) {
    let fields = match inside {
        Some(Declared::Fields(_, fields)) if open.len() < DEPTH => fields,
        _ => return all.push(found),
    };
    if open.contains(&fields.as_ptr()) {
        return all.push(found);
    }
    let below = |field: &Field| OneSided {
        way: found.way.iter().copied().chain([field.rust]).collect(),
        place: below(&found.place, field),
        said_at: found.said_at,
        field: *field,
    };
    let inner: Vec<_> = fields.iter().map(|facts| below(&facts.field)).collect();
    // The struct comes before its fields. If the whole struct has moved, its fields have, too.
    all.push(found);
    open.push(fields.as_ptr());
    for found in inner {
        let inside = found.field.inside.get();
        with_inside(found, inside, open, all);
    }
    open.pop();
}

/// Returns the fields that hold a moved value and that only one version has: whether that is the newer one, and the place.
fn ends(fields: Fields, places: &Places) -> Vec<(bool, String)> {
    let mut ends = Vec::new();
    for FieldRule { rule, .. } in fields.declared() {
        let [older, newer] = rule.moved();
        let older = older.iter().map(|way| (false, way));
        let newer = newer.iter().map(|way| (true, way));
        for (is_newer, parts) in older.chain(newer) {
            let Way { shared, own, .. } = fields.way(parts, is_newer);
            let around = shared.iter().map(|(old, new, _)| if is_newer { new } else { old });
            let fields = around.chain(own.first().map(|part| &part.field));
            let place = places[usize::from(is_newer)].clone();
            ends.push((is_newer, fields.fold(place, |place, field| below(&place, field))));
        }
    }
    ends
}

/// Fields inside a flattened field have the path of the object around it.
fn below(place: &str, field: &Field) -> String {
    if field.wire.is_empty() { place.to_owned() } else { format!("{place}.{}", field.wire) }
}

/// Whether two fields have the same name, or the same type of the author's own.
fn are_alike(old: &Field, new: &Field) -> bool {
    let same_type = {
        let (old, new) = (without_option(old.ty), without_option(new.ty));
        old == new && names_a_type(old)
    };
    !old.wire.is_empty() && (old.rust == new.rust || old.wire == new.wire || same_type)
}

/// A type as its author wrote it, without an `Option` around it and without its path.
fn without_option(ty: &str) -> &str {
    let inner = ty.strip_suffix('>').and_then(|ty| ty.split_once("Option<"));
    let ty = inner.map_or(ty, |(_, inner)| inner);
    if ty.contains('<') { ty } else { ty.rsplit("::").next().unwrap_or(ty) }
}

/// Whether a type is one of the author's own, or contains one.
fn names_a_type(ty: &str) -> bool {
    const COMMON: [&str; 12] = [
        "Option",
        "Box",
        "Vec",
        "BTreeMap",
        "HashMap",
        "IndexMap",
        "BTreeSet",
        "String",
        "Value",
        "Map",
        "std",
        "collections",
    ];
    let mut words = ty.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.any(|word| word.starts_with(char::is_uppercase) && !COMMON.contains(&word))
}
