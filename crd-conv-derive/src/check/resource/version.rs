//! Checks one version of a resource by itself: its name, its stanzas, and its settings for the API server.

use std::rc::Rc;

use syn::{Fields, Ident, LitStr, ext::IdentExt};

use super::{Written, unique};
use crate::{
    attr::resource,
    case::Case,
    check::validation::validations,
    ctxt::Ctxt,
    model::{Layout, PrinterColumn, Scale, Stanza, Version},
    name::{Age, Name, did_you_mean, dns_1035, listed},
    types::inside_option,
};

const COLUMN_TYPES: [&str; 5] = ["integer", "number", "string", "boolean", "date"];

pub(super) fn version(cx: &Ctxt, variant: &syn::Variant) -> Option<Written> {
    let attr = resource::variant(cx, &variant.attrs);
    let name = attr
        .name
        .get()
        .map_or_else(|| variant.ident.unraw().to_string().to_lowercase(), LitStr::value);
    if let Err(reason) = dns_1035(&name) {
        let message = format!("`{name}` can't be a version: {reason}");
        match attr.name.get() {
            Some(name) => cx.error(name, message),
            None => {
                cx.error(&variant.ident, format!("{message}; write `#[versioned(name = \"…\")]`"));
            }
        }
    } else if attr.name.get().is_none() && Age::of(&name).is_none() {
        // Clients sort such a version after all others, so nobody should choose such a name by
        // accident.
        let message = format!(
            "`{}` isn't named like a version of Kubernetes: use a name such as `V1` or `V1beta1`, or write its name in the API, \
             `#[versioned(name = \"{name}\")]`",
            variant.ident
        );
        cx.error(&variant.ident, message);
    }
    let mut added = Vec::new();
    let layout = match &variant.fields {
        Fields::Unnamed(fields) => {
            let mut all = fields.unnamed.iter();
            let (Some(field), None) = (all.next(), all.next()) else {
                cx.error(
                    &variant.fields,
                    "only one type can be at the object's root: write `{ spec: …, status: … }` for several stanzas",
                );
                return None;
            };
            if let Some((key, _)) = resource::stanza(cx, &field.attrs) {
                cx.error(
                    key,
                    "`added` belongs on a stanza, but the fields of this type are at the object's root: remove it",
                );
            }
            Layout::Root(Box::new(field.ty.clone()))
        }
        Fields::Named(fields) => Layout::Stanzas(
            fields.named.iter().filter_map(|field| stanza(cx, field, &mut added)).collect(),
        ),
        Fields::Unit => {
            cx.error(
                &variant.ident,
                format!(
                    "a version needs a type: write `{0}(Type)` for fields at the object's root, or `{0} {{ spec: Type }}`",
                    variant.ident
                ),
            );
            return None;
        }
    };
    let has_status = matches!(&layout, Layout::Stanzas(stanzas) if stanzas.iter().any(|stanza| stanza.wire == "status"));
    let version = Version {
        ident: variant.ident.clone(),
        name,
        description: attr.doc.clone(),
        served: attr.served.get().copied().unwrap_or(true),
        storage: attr.storage.get().copied().unwrap_or(false),
        deprecated: attr.deprecated.get().is_some(),
        deprecation_warning: warning(cx, &attr),
        printer_columns: attr
            .printer_columns
            .iter()
            .map(|column| self::column(cx, column))
            .collect(),
        status: attr.status.get().copied().unwrap_or(has_status),
        scale: attr.scale.get().map(|scale| self::scale(cx, scale)),
        selectable_fields: selectable_fields(cx, &attr),
        validations: validations(cx, &attr.validations),
        layout,
        hop: None,
    };
    Some(Written { version, attr, added })
}

fn stanza(cx: &Ctxt, field: &syn::Field, added: &mut Vec<(String, Ident)>) -> Option<Rc<Stanza>> {
    let name = Name::new(field.ident.clone()?);
    let wire = Case::Camel.field(&name.text);
    let mut is_new = false;
    if let Some((key, says_new)) = resource::stanza(cx, &field.attrs) {
        is_new = says_new;
        added.push((name.text.clone(), key));
    }
    if ["apiVersion", "kind", "metadata"].contains(&wire.as_str()) {
        cx.error(&name.ident, format!("every object already has `{wire}`: remove this stanza"));
        return None;
    }
    let inside = inside_option(&field.ty);
    Some(Rc::new(Stanza {
        name,
        wire,
        ty: inside.unwrap_or(&field.ty).clone(),
        optional: inside.is_some(),
        written: field.ty.clone(),
        is_new,
    }))
}

fn warning(cx: &Ctxt, attr: &resource::Variant) -> Option<String> {
    let text = attr.deprecated.get()?.as_ref()?;
    let warning = text.value();
    if warning.is_empty() {
        cx.error(text, "the warning is empty: write a text, or `deprecated` alone for the API server's own warning");
    } else if warning.len() > 256 {
        cx.error(
            text,
            format!(
                "a deprecation warning can have at most 256 bytes, and this one has {}: shorten it",
                warning.len()
            ),
        );
    }
    Some(warning)
}

fn column(cx: &Ctxt, column: &resource::PrinterColumn) -> PrinterColumn {
    let ty = column.ty.value();
    if !COLUMN_TYPES.contains(&ty.as_str()) {
        let near = did_you_mean(&ty, COLUMN_TYPES);
        cx.error(
            &column.ty,
            format!("`{ty}` isn't a column type; write one of {}{near}", listed(COLUMN_TYPES)),
        );
    }
    dotted(cx, &column.json_path);
    let text = |text: &Option<LitStr>| text.as_ref().map(LitStr::value);
    PrinterColumn {
        name: column.name.value(),
        ty,
        json_path: column.json_path.value(),
        format: text(&column.format),
        description: text(&column.description),
        priority: column.priority,
    }
}

fn scale(cx: &Ctxt, scale: &resource::Scale) -> Scale {
    let under = |path: &LitStr, stanzas: &[&str]| {
        if !stanzas.iter().any(|stanza| path.value().starts_with(stanza)) {
            let example = stanzas.iter().map(|stanza| format!("`{stanza}…`")).collect::<Vec<_>>();
            cx.error(path, format!("this path must be below {}", example.join(" or ")));
        }
    };
    under(&scale.spec_replicas, &[".spec."]);
    under(&scale.status_replicas, &[".status."]);
    if let Some(path) = &scale.label_selector {
        under(path, &[".spec.", ".status."]);
    }
    Scale {
        spec_replicas: scale.spec_replicas.value(),
        status_replicas: scale.status_replicas.value(),
        label_selector: scale.label_selector.as_ref().map(LitStr::value),
    }
}

fn selectable_fields(cx: &Ctxt, attr: &resource::Variant) -> Vec<String> {
    for path in &attr.selectable_fields {
        dotted(cx, path);
    }
    unique(cx, &attr.selectable_fields);
    if let Some(ninth) = attr.selectable_fields.get(8) {
        cx.error(ninth, "a version can have at most 8 selectable fields: remove this one");
    }
    attr.selectable_fields.iter().map(LitStr::value).collect()
}

fn dotted(cx: &Ctxt, path: &LitStr) {
    if !path.value().starts_with('.') {
        cx.error(path, format!("a JSON path starts with a dot: write `.{}`", path.value()));
    }
}
