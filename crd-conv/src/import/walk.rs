//! Finds the types of all versions of a resource at once.
//!
//! A place in the schemas is visited with the *run* of successive versions that have compatible schemas there. So fields with
//! one name map onto each other, and versions with the same types share them.

use std::collections::BTreeSet;

use super::{
    kind::{Kind, are_compatible, inner, kind, values},
    names,
    types::{Body, Doc, Field, Struct, Ty, TypeId, Types},
};
use crate::apiserver::schema::Schema;

/// Successive versions that have compatible schemas at one place.
pub(super) type Run<'s> = [(usize, &'s Schema)];

/// The Rust type in each version of a run. `docs` is what named types need in each version.
pub(super) fn unify<'s>(
    types: &mut Types<'s>,
    run: &Run<'s>,
    path: &str,
    docs: &[Doc<'s>],
) -> Vec<Ty> {
    let Some(&(_, first)) = run.first() else { return Vec::new() };
    let all =
        |formats: &str| run.iter().all(|(_, schema)| schema.format.as_deref() == Some(formats));
    let leaf = match kind(first) {
        Kind::Struct { .. } => {
            return structs(types, run, path, docs).into_iter().map(Ty::Named).collect();
        }
        Kind::List { .. } => return of_inner(types, run, &format!("{path}[*]"), Ty::List),
        Kind::Map => return of_inner(types, run, &format!("{path}.*"), Ty::Map),
        Kind::Text => match enums(types, run, path) {
            Some(ids) => return ids.into_iter().map(Ty::Named).collect(),
            None => Ty::Text,
        },
        Kind::Boolean => Ty::Boolean,
        Kind::Integer if all("int32") => Ty::I32,
        Kind::Integer => Ty::I64,
        Kind::Number if all("float") => Ty::F32,
        Kind::Number => Ty::F64,
        Kind::IntOrString => Ty::IntOrString,
        Kind::Any | Kind::Embedded => Ty::Value,
        Kind::Open => Ty::Open,
    };
    vec![leaf; run.len()]
}

/// The types of lists and maps.
fn of_inner<'s>(
    types: &mut Types<'s>,
    run: &Run<'s>,
    path: &str,
    outer: fn(Box<Ty>) -> Ty,
) -> Vec<Ty> {
    let inside: Vec<_> =
        run.iter().filter_map(|(version, schema)| Some((*version, inner(schema)?))).collect();
    let docs: Vec<_> =
        inside.iter().map(|(_, schema)| Doc::Exactly(schema.description.as_deref())).collect();
    let unified = unify(types, &inside, path, &docs);
    let types = unified.into_iter().zip(&inside).map(|(ty, (_, schema))| {
        outer(Box::new(if schema.nullable { Ty::Option(Box::new(ty)) } else { ty }))
    });
    types.collect()
}

/// The enums of strings, if all versions have the same values.
fn enums<'s>(types: &mut Types<'s>, run: &Run<'s>, path: &str) -> Option<Vec<TypeId>> {
    let of_versions: Vec<_> =
        run.iter().map(|(_, schema)| values(schema)).collect::<Option<_>>()?;
    let set = |values: &Vec<&'s str>| values.iter().copied().collect::<BTreeSet<_>>();
    let first = set(of_versions.first()?);
    if !of_versions.iter().all(|values| set(values) == first) {
        return None;
    }
    let mut before = None;
    let ids = run.iter().zip(of_versions).map(|((version, schema), values)| {
        let doc = Doc::Exactly(None);
        let id = types.intern(*version, before, doc, (schema, path), Body::Enum(values));
        before = Some(id);
        id
    });
    Some(ids.collect())
}

/// The structs of a run.
pub(super) fn structs<'s>(
    types: &mut Types<'s>,
    run: &Run<'s>,
    path: &str,
    docs: &[Doc<'s>],
) -> Vec<TypeId> {
    let all: BTreeSet<&'s str> =
        run.iter().flat_map(|(_, schema)| schema.properties.keys().map(String::as_str)).collect();
    let names = names::fields(all.iter().copied());
    let rest = names::rest(&names);
    let mut of_versions: Vec<Vec<Field<'s>>> = run.iter().map(|_| Vec::new()).collect();
    for (json, name) in all.into_iter().zip(names) {
        fields(types, run, json, &name, &format!("{path}.{json}"), &mut of_versions);
    }
    let mut before: Option<(TypeId, BTreeSet<String>)> = None;
    let mut ids = Vec::new();
    for (((version, schema), fields), doc) in run.iter().zip(of_versions).zip(docs) {
        let kept: BTreeSet<_> =
            fields.iter().filter(|field| !field.is_added).map(|field| field.name.clone()).collect();
        let removed = before.iter().flat_map(|(_, older)| older.difference(&kept).cloned());
        let body = Struct {
            removed: removed.collect(),
            rest: schema.preserves().then(|| rest.clone()),
            fields,
        };
        let names = body.fields.iter().map(|field| field.name.clone()).collect();
        let older = before.as_ref().map(|(id, _)| *id);
        let id = types.intern(*version, older, *doc, (schema, path), Body::Struct(body));
        before = Some((id, names));
        ids.push(id);
    }
    ids
}

/// The fields with one JSON name.
fn fields<'s>(
    types: &mut Types<'s>,
    run: &Run<'s>,
    json: &'s str,
    name: &str,
    path: &str,
    of_versions: &mut [Vec<Field<'s>>],
) {
    let slots: Vec<_> = run.iter().map(|(_, schema)| schema.properties.get(json)).collect();
    for (start, end) in runs(&slots) {
        let part: Vec<_> = run[start..end]
            .iter()
            .zip(&slots[start..end])
            .filter_map(|((version, _), slot)| Some((*version, (*slot)?)))
            .collect();
        let docs: Vec<_> = part
            .iter()
            .map(
                |(_, schema)| {
                    if schema.description.is_some() { Doc::Any } else { Doc::Exactly(None) }
                },
            )
            .collect();
        let unified = unify(types, &part, path, &docs);
        let is_required = |place: usize| run[place].1.required.iter().any(|name| name == json);
        let mut requiring: Vec<_> =
            (start..end).filter(|place| is_required(*place)).map(|place| run[place].0).collect();
        let is_whole = (start, end) == (0, run.len());
        let is_optional = !is_whole
            || requiring.len() < end - start
            || part.iter().any(|(_, schema)| schema.nullable);
        if requiring.len() == end - start {
            requiring.clear();
        }
        for ((place, (_, schema)), ty) in (start..end).zip(&part).zip(unified) {
            of_versions[place].push(Field {
                json,
                name: name.to_owned(),
                ty,
                schema,
                is_optional,
                is_required: is_required(place),
                is_added: place == start && place > 0,
                requiring: requiring.clone(),
            });
        }
    }
}

/// The successive places with compatible schemas, each with its end.
pub(super) fn runs(slots: &[Option<&Schema>]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (place, slot) in slots.iter().enumerate() {
        let Some(schema) = slot else { continue };
        match runs.last_mut() {
            Some((_, end))
                if *end == place
                    && slots[place - 1].is_some_and(|older| are_compatible(older, schema)) =>
            {
                *end += 1;
            }
            _ => runs.push((place, place + 1)),
        }
    }
    runs
}
