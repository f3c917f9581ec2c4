//! Whether the versions' types are at the root of the objects or in stanzas.

use std::collections::BTreeSet;

use super::{
    document::Resource,
    kind::{Kind, kind},
    names,
    naming::Roots,
    types::{Doc, TypeId, Types},
    walk::{runs, structs},
};
use crate::apiserver::schema::{Schema, SchemaType};

/// What each version has at the top.
pub(super) enum Layout {
    Root(Vec<TypeId>),
    Stanzas(Vec<Top>),
}

/// A version's stanzas.
#[derive(Default)]
pub(super) struct Top {
    pub(super) stanzas: Vec<Stanza>,
    /// The stanzas that only the version before has.
    pub(super) removed: Vec<String>,
}

pub(super) struct Stanza {
    /// The name in Rust and not yet raw.
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) is_required: bool,
    pub(super) is_added: bool,
}

impl Layout {
    /// Chooses a layout, and walks through the versions' schemas.
    pub(super) fn of<'s>(types: &mut Types<'s>, resource: &'s Resource) -> Self {
        let roots: Vec<_> = resource.versions.iter().map(|version| &version.root).collect();
        let names: BTreeSet<&'s str> =
            roots.iter().flat_map(|root| root.properties.keys().map(String::as_str)).collect();
        let are_stanzas = roots.iter().all(|root| is_plain(root))
            && names.iter().all(|name| {
                let slots: Vec<_> = roots.iter().map(|root| root.properties.get(*name)).collect();
                is_name(name) && are_structs(&slots)
            });
        if are_stanzas {
            return Self::Stanzas(stanzas(types, &roots, &names));
        }
        let run: Vec<_> = roots.iter().copied().enumerate().collect();
        let docs: Vec<_> =
            roots.iter().map(|root| Doc::Exactly(root.description.as_deref())).collect();
        Self::Root(structs(types, &run, "", &docs))
    }

    /// The types at the top of each version, with the names that they should have.
    pub(super) fn roots(&self, kind: &str) -> Vec<Roots> {
        match self {
            Self::Root(ids) => ids.iter().map(|id| vec![(*id, kind.to_owned())]).collect(),
            Self::Stanzas(tops) => {
                let name = |stanza: &Stanza| kind.to_owned() + &names::pascal(&stanza.name);
                let roots = |top: &Top| {
                    top.stanzas.iter().map(|stanza| (stanza.ty, name(stanza))).collect()
                };
                tops.iter().map(roots).collect()
            }
        }
    }
}

/// Whether a root has only what a resource enum says.
fn is_plain(root: &Schema) -> bool {
    let mut rest = Schema {
        description: None,
        title: None,
        properties: std::collections::BTreeMap::new(),
        required: Vec::new(),
        ..root.clone()
    };
    rest.extensions.validations.clear();
    rest.extensions.others.clear();
    rest == Schema { ty: Some(SchemaType::Object), ..Schema::default() }
}

/// Whether the name of a stanza in Rust is one that becomes this name in JSON.
fn is_name(json: &str) -> bool {
    let name = names::fields([json].into_iter()).remove(0);
    names::camel(&name) == *json && names::raw(&name) == name
}

/// Whether a stanza is a struct, and the same stanza in all versions that have it.
fn are_structs(slots: &[Option<&Schema>]) -> bool {
    let present: Vec<&Schema> = slots.iter().copied().flatten().collect();
    let rest = |schema: &Schema| schema.preserves();
    present.iter().all(|schema| {
        let is_struct = matches!(kind(schema), Kind::Struct { embedded: false, .. } | Kind::Open);
        let is_plain = schema.others().additional_properties != Some(true)
            && !schema.nullable
            && schema.default.is_none();
        is_struct && is_plain && present.iter().all(|other| rest(other) == rest(schema))
    })
}

fn stanzas<'s>(types: &mut Types<'s>, roots: &[&'s Schema], names: &BTreeSet<&'s str>) -> Vec<Top> {
    let mut tops: Vec<Top> = roots.iter().map(|_| Top::default()).collect();
    for json in names {
        let name = names::fields([*json].into_iter()).remove(0);
        let slots: Vec<_> = roots.iter().map(|root| root.properties.get(*json)).collect();
        // They have the same form, even if one of them has no fields.
        let present: Vec<_> = slots.iter().map(|slot| slot.map(|_| roots[0])).collect();
        for (start, end) in runs(&present) {
            let run: Vec<_> = (start..end).filter_map(|at| Some((at, slots[at]?))).collect();
            let docs: Vec<_> =
                run.iter().map(|(_, schema)| Doc::Exactly(schema.description.as_deref())).collect();
            let ids = structs(types, &run, &format!(".{json}"), &docs);
            for ((at, _), ty) in run.iter().zip(ids) {
                tops[*at].stanzas.push(Stanza {
                    name: name.clone(),
                    ty,
                    is_required: roots[*at].required.iter().any(|required| required == json),
                    is_added: *at == start && start > 0,
                });
            }
            if let Some(next) = tops.get_mut(end) {
                next.removed.push(name.clone());
            }
        }
    }
    tops
}
