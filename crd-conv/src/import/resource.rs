//! The enum that declares a resource.

use super::{
    document::{Notes, Resource, Version},
    layout::{Layout, Top},
    names::raw,
    rule::validation,
    text::{Docs, docs, in_comment, string},
    types::Types,
};

/// The text of the enum.
pub(super) fn declaration(
    resource: &Resource,
    item: &str,
    layout: &Layout,
    types: &Types<'_>,
    notes: &mut Notes<'_>,
) -> String {
    let mut out = format!(
        "#[derive(crd_conv::Versioned)]\n#[versioned(resource(\n{}))]\n",
        items(resource, item)
    );
    if resource.versions.len() > 1 {
        out += "#[allow(clippy::large_enum_variant, reason = \"only a declaration\")]\n";
    }
    out += &format!("pub enum {item} {{\n");
    for (place, version) in resource.versions.iter().enumerate() {
        let top = match layout {
            Layout::Root(_) => None,
            Layout::Stanzas(tops) => tops.get(place),
        };
        // A type at the root has its own description.
        if top.is_some() {
            out += &comment(version.root.description.as_deref());
        }
        for (line, is_comment) in attributes(version, top, notes) {
            out += &if is_comment {
                format!("    // {line}\n")
            } else {
                format!("    #[versioned({line})]\n")
            };
        }
        let module = &version.module;
        let name = |id| &types.get(id).name;
        match layout {
            Layout::Root(ids) => {
                out += &format!("    {}({module}::{}),\n", version.variant, name(ids[place]));
            }
            Layout::Stanzas(tops) => {
                let top = &tops[place];
                if top.stanzas.is_empty() {
                    out += &format!("    {} {{}},\n", version.variant);
                    continue;
                }
                out += &format!("    {} {{\n", version.variant);
                for stanza in &top.stanzas {
                    if stanza.is_added {
                        out += "        #[versioned(added)]\n";
                    }
                    let ty = format!("{module}::{}", name(stanza.ty));
                    let ty = if stanza.is_required { ty } else { format!("Option<{ty}>") };
                    out += &format!("        {}: {ty},\n", raw(&stanza.name));
                }
                out += "    },\n";
            }
        }
    }
    out + "}\n"
}

/// A description as the doc comment of a variant.
fn comment(description: Option<&str>) -> String {
    let lines = match description.map(docs) {
        None => return String::new(),
        Some(Docs::Lines(lines)) => lines,
        Some(Docs::Literal(text)) => vec![format!("#[doc = {text}]")],
    };
    lines.iter().map(|line| format!("    {line}\n")).collect::<Vec<_>>().concat()
}

fn items(resource: &Resource, item: &str) -> String {
    let names = &resource.names;
    let mut items = vec![
        format!("group = {}", string(&resource.group)),
        format!("plural = {}", string(&names.plural)),
        format!("scope = {}", string(resource.scope)),
    ];
    if names.kind != item {
        items.push(format!("kind = {}", string(&names.kind)));
    }
    if !names.made[0] && names.singular != names.kind.to_lowercase() {
        items.push(format!("singular = {}", string(&names.singular)));
    }
    if !names.made[1] && names.list_kind != names.kind.clone() + "List" {
        items.push(format!("list_kind = {}", string(&names.list_kind)));
    }
    items.extend(names.short_names.iter().map(|name| format!("short_name = {}", string(name))));
    items.extend(names.categories.iter().map(|name| format!("category = {}", string(name))));
    let pair = |what: &str, (key, value): (&String, &String)| {
        format!("{what}({} = {})", string(key), string(value))
    };
    items.extend(resource.labels.iter().map(|text| pair("label", text)));
    items.extend(resource.annotations.iter().map(|text| pair("annotation", text)));
    items.iter().map(|item| format!("    {item},\n")).collect::<Vec<_>>().concat()
}

/// The arguments of a version's attributes, each on a line of its own, and comments.
fn attributes(version: &Version, top: Option<&Top>, notes: &mut Notes<'_>) -> Vec<(String, bool)> {
    let mut first = Vec::new();
    let is_default = version.variant.to_lowercase() == version.name
        && crate::Version::new(&*version.name).stability().is_some();
    if !is_default {
        first.push(format!("name = {}", string(&version.name)));
    }
    if version.is_stored {
        first.push("storage".to_owned());
    }
    if !version.is_served {
        first.push("served = false".to_owned());
    }
    match &version.warning {
        _ if !version.is_deprecated => {}
        Some(warning) => first.push(format!("deprecated = {}", string(warning))),
        None => first.push("deprecated".to_owned()),
    }
    let has_stanza =
        top.is_some_and(|top| top.stanzas.iter().any(|stanza| stanza.name == "status"));
    match (version.has_status, has_stanza) {
        (true, false) => first.push("status".to_owned()),
        (false, true) => first.push("status = false".to_owned()),
        _ => {}
    }
    if let Some(top) = top.filter(|top| !top.removed.is_empty()) {
        let removed: Vec<_> = top.removed.iter().map(|name| raw(name)).collect();
        first.push(format!("removed({})", removed.join(", ")));
    }
    let mut lines = Vec::new();
    if !first.is_empty() {
        lines.push((first.join(", "), false));
    }
    scale(version, notes, &mut lines);
    for column in &version.columns {
        let mut line = format!(
            "printer_column(name = {}, type = {}, json_path = {}",
            string(&column.name),
            string(&column.ty),
            string(&column.json_path)
        );
        for (name, text) in [("format", &column.format), ("description", &column.description)] {
            if !text.is_empty() {
                line += &format!(", {name} = {}", string(text));
            }
        }
        if column.priority != 0 {
            line += &format!(", priority = {}", column.priority);
        }
        lines.push((line + ")", false));
    }
    let mut seen: Vec<&str> = Vec::new();
    for path in &version.selectable_fields {
        if path.starts_with('.') && !seen.contains(&&**path) && seen.len() < 8 {
            seen.push(path);
            lines.push((format!("selectable_field = {}", string(path)), false));
        } else {
            lose(
                &format!("the selectable field `{path}`"),
                "the API server refuses it",
                version,
                notes,
                &mut lines,
            );
        }
    }
    // A type at the root has its own rules.
    for rule in top.into_iter().flat_map(|_| &version.root.extensions.validations) {
        match validation(rule) {
            Ok(text) => lines.push((text, false)),
            Err(why) => lose(&format!("the rule `{}`", rule.rule), why, version, notes, &mut lines),
        }
    }
    lines
}

fn scale(version: &Version, notes: &mut Notes<'_>, lines: &mut Vec<(String, bool)>) {
    let Some(scale) = &version.scale else { return };
    let is_selector = |path: &String| path.starts_with(".spec.") || path.starts_with(".status.");
    if !scale.spec_replicas_path.starts_with(".spec.")
        || !scale.status_replicas_path.starts_with(".status.")
        || !scale.label_selector_path.iter().all(is_selector)
    {
        lose(
            "the scale subresource",
            "its paths aren't in `spec` and `status`",
            version,
            notes,
            lines,
        );
        return;
    }
    let mut line = format!(
        "scale(spec_replicas_path = {}, status_replicas_path = {}",
        string(&scale.spec_replicas_path),
        string(&scale.status_replicas_path)
    );
    if let Some(path) = &scale.label_selector_path {
        line += &format!(", label_selector_path = {}", string(path));
    }
    lines.push((line + ")", false));
}

fn lose(
    what: &str,
    why: &str,
    version: &Version,
    notes: &mut Notes<'_>,
    lines: &mut Vec<(String, bool)>,
) {
    lines.push((format!("import: {} can't be written: {why}", in_comment(what)), true));
    notes.add(&version.name, format!("{what} can't be written"), why);
}
