//! Checks a resource enum.

use std::collections::{BTreeMap, BTreeSet};

use syn::{DataEnum, Ident, LitStr, ext::IdentExt};

mod stanzas;
mod version;

use version::version;

use crate::{
    attr::{
        Once,
        resource::{self, Container},
    },
    ctxt::Ctxt,
    model::{Descriptions, Hop, Layout, Resource, Version},
    name::{Age, did_you_mean, dns_1035, group, listed},
};

/// A version, with the rules in its attributes that relate it to its neighbors.
struct Written {
    version: Version,
    attr: resource::Variant,
    /// The stanzas that are marked as new.
    added: Vec<(String, Ident)>,
}

pub(crate) fn resource(
    cx: &Ctxt,
    ident: &Ident,
    container: Container,
    data: &DataEnum,
) -> Option<Resource> {
    let key = container.resource.clone()?;
    let required = |value: &Once<LitStr>, write| {
        // An item that couldn't be read isn't missing.
        if value.get().is_none() && !container.broken {
            cx.error(&key, format!("an item of `resource(…)` is missing: write `{write}`"));
        }
        value.get().cloned()
    };
    let group_name = required(&container.group, "group = \"example.com\"");
    let plural = required(&container.plural, "plural = \"crontabs\"");
    let scope = required(&container.scope, "scope = \"Namespaced\"` or `scope = \"Cluster\"");
    if let Some(name) = &group_name {
        valid(cx, name, "an API group", group);
    }
    let kind = container.kind.get().map_or_else(|| ident.unraw().to_string(), LitStr::value);
    if dns_1035(&kind.to_ascii_lowercase()).is_err() {
        let message =
            format!("`{kind}` isn't valid as a kind: write a letter, then letters, digits and `-`");
        match container.kind.get() {
            Some(kind) => cx.error(kind, message),
            None => cx.error(ident, format!("{message}; write `kind = \"…\"`")),
        }
    }
    let names = plural.iter().map(|name| (name, "a plural name"));
    let singular = container.singular.get().map(|name| (name, "a singular name"));
    let short = container.short_names.iter().map(|name| (name, "a short name"));
    let categories = container.categories.iter().map(|name| (name, "a category"));
    for (name, what) in names.chain(singular).chain(short).chain(categories) {
        valid(cx, name, what, dns_1035);
    }
    unique(cx, &container.short_names);
    let namespaced = match scope.as_ref().map(LitStr::value).as_deref() {
        Some("Cluster") => false,
        Some("Namespaced") | None => true,
        Some(other) => {
            let near = did_you_mean(other, ["Namespaced", "Cluster"]);
            cx.error(&scope, format!("the scope of a resource is `Namespaced` or `Cluster`{near}"));
            true
        }
    };
    if let Some(written) = container.schema.get().filter(|written| written.value() != "disabled") {
        let message = "`schema` takes one value: write `schema = \"disabled\"`, or leave it out";
        cx.error(written, message);
    }
    let versions = versions(cx, ident, data);
    let text = |name: &LitStr| name.value();
    let pairs = |pairs: Vec<(LitStr, LitStr)>| {
        pairs.iter().map(|(key, value)| (key.value(), value.value())).collect()
    };
    Some(Resource {
        ident: ident.clone(),
        group: group_name.map(|name| name.value())?,
        kind,
        plural: plural.map(|name| name.value())?,
        singular: container.singular.get().map(text),
        list_kind: container.list_kind.get().map(text),
        short_names: container.short_names.iter().map(text).collect(),
        categories: container.categories.iter().map(text).collect(),
        namespaced,
        labels: pairs(container.labels),
        annotations: pairs(container.annotations),
        descriptions: descriptions(cx, container.descriptions.get()),
        schema: container.schema.get().is_none(),
        versions,
    })
}

fn descriptions(cx: &Ctxt, written: Option<&LitStr>) -> Descriptions {
    const KNOWN: [&str; 3] = ["full", "summary", "none"];
    match written.map(LitStr::value).as_deref() {
        None | Some("full") => Descriptions::Full,
        Some("summary") => Descriptions::Summary,
        Some("none") => Descriptions::None,
        Some(other) => {
            let near = did_you_mean(other, KNOWN);
            let rest =
                if near.is_empty() { format!("; write one of {}", listed(KNOWN)) } else { near };
            cx.error(written, format!("`descriptions` can't be `{other}`{rest}"));
            Descriptions::Full
        }
    }
}

fn valid(cx: &Ctxt, name: &LitStr, what: &str, check: fn(&str) -> Result<(), &'static str>) {
    if let Err(reason) = check(&name.value()) {
        cx.error(name, format!("`{}` isn't valid as {what}: {reason}", name.value()));
    }
}

fn unique(cx: &Ctxt, names: &[LitStr]) {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name.value()) {
            cx.error(name, format!("`{}` is written twice", name.value()));
        }
    }
}

fn versions(cx: &Ctxt, ident: &Ident, data: &DataEnum) -> Vec<Version> {
    if data.variants.is_empty() {
        cx.error(
            ident,
            "a resource needs at least one version: write a variant such as `V1 { spec: v1::Spec }`",
        );
    }
    let written: Vec<Written> =
        data.variants.iter().filter_map(|variant| version(cx, variant)).collect();
    let whole = written.len() == data.variants.len();
    if whole && !written.is_empty() {
        storage(cx, ident, &written);
    }
    names(cx, &written);
    let mut versions: Vec<Version> = Vec::new();
    for Written { mut version, attr, added } in written {
        match versions.last() {
            // A variant that can't be read was reported already. The variants around it aren't
            // neighbors.
            Some(older) if whole => version.hop = hop(cx, ident, older, &version, &attr, &added),
            Some(_) => {}
            None => {
                for name in &attr.removed {
                    cx.error(
                        &name.ident,
                        "this is the oldest version, so it can't have lost anything: remove `removed(…)`",
                    );
                }
                for moved in &attr.moved {
                    cx.error(
                        &moved.older[0][0].ident,
                        "this is the oldest version, so nothing can have moved: remove `moved(…)`",
                    );
                }
                for (_, key) in &added {
                    cx.error(key, "this is the oldest version, so nothing in it is `added`: remove the attribute");
                }
            }
        }
        versions.push(version);
    }
    versions
}

fn storage(cx: &Ctxt, ident: &Ident, written: &[Written]) {
    let mut stored = written.iter().filter(|written| written.version.storage);
    let Some(first) = stored.next() else {
        // `storage` may be the item that couldn't be read.
        if written.iter().any(|written| written.attr.broken) {
            return;
        }
        cx.error(
            ident,
            "no version is the storage version: write `#[versioned(storage)]` on the variant in which the API server stores objects",
        );
        return;
    };
    for second in stored {
        let message = format!(
            "only one version can be the storage version, and `{}` already is: remove `storage` from one of the two",
            first.version.name
        );
        match second.attr.storage.key() {
            Some(key) => cx.error(key, message),
            None => cx.error(&second.version.ident, message),
        }
    }
}

/// Checks that each version has its own name, and that older versions come first.
fn names(cx: &Ctxt, written: &[Written]) {
    let mut seen: BTreeMap<&str, &Ident> = BTreeMap::new();
    for Written { version, .. } in written {
        if let Some(first) = seen.insert(&version.name, &version.ident) {
            cx.error(
                &version.ident,
                format!(
                    "`{first}` already has the name `{0}`: write another one with `#[versioned(name = \"…\")]`",
                    version.name
                ),
            );
        }
    }
    for pair in written.windows(2) {
        let [older, newer] = pair else { continue };
        let (older, newer) = (&older.version, &newer.version);
        if let (Some(before), Some(after)) = (Age::of(&older.name), Age::of(&newer.name))
            && before > after
        {
            cx.error(
                &newer.ident,
                format!(
                    "`{}` is older than `{}` above it: write the oldest version first",
                    newer.name, older.name
                ),
            );
        }
    }
}

/// Describes how the newer version came from the older one.
fn hop(
    cx: &Ctxt,
    ident: &Ident,
    older: &Version,
    newer: &Version,
    attr: &resource::Variant,
    added: &[(String, Ident)],
) -> Option<Hop> {
    match (&older.layout, &newer.layout) {
        (Layout::Root(older), Layout::Root(newer)) => {
            for name in &attr.removed {
                cx.error(&name.ident, "`removed` on a version is for stanzas, and these versions have none: to remove a field, write \
                                       `#[versioned(from = …, removed(…))]` on the struct");
            }
            for moved in &attr.moved {
                cx.error(&moved.older[0][0].ident, "`moved` on a version is for fields of stanzas, and these versions have none: write \
                                                 `#[versioned(from = …, moved(…))]` on the struct");
            }
            Some(Hop::Root { older: older.clone(), newer: newer.clone() })
        }
        (Layout::Stanzas(before), Layout::Stanzas(after)) => Some(Hop::Stanzas {
            older: format!("{ident}::{}", older.ident),
            newer: format!("{ident}::{}", newer.ident),
            rules: stanzas::rules(cx, older, newer, before, after, attr, added),
            moves: stanzas::moves(cx, older, newer, before, after, attr),
        }),
        _ => {
            cx.error(
                &newer.ident,
                format!(
                    "`{}` and `{}` must have the same layout: write both as `V1(Type)`, where `Type` may have the stanzas \
                     as its fields, or both as `V1 {{ spec: Type }}`",
                    older.name, newer.name
                ),
            );
            None
        }
    }
}
