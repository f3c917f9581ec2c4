//! The API server's rules for names, columns and paths.

use crate::{Definition, VersionDefinition};

/// What breaks a rule in the declaration, one sentence each.
pub(super) fn declaration(definition: &Definition) -> Vec<String> {
    let mut problems = Vec::new();
    group(definition, &mut problems);
    let kinds = [("kind", Some(definition.kind)), ("list kind", definition.list_kind)];
    for (what, kind) in kinds {
        if let Some(kind) = kind.filter(|kind| !is_label(&kind.to_ascii_lowercase())) {
            problems.push(format!(
                "the {what} `{kind}` isn't a letter followed by letters, digits and `-`, at most 63 in all"
            ));
        }
    }
    if definition.list_kind == Some(definition.kind) {
        problems.push(format!("the kind and the list kind are both `{}`", definition.kind));
    }
    let lists = [("short name", definition.short_names), ("category", definition.categories)];
    let names = [("plural", Some(definition.plural)), ("singular", definition.singular)]
        .into_iter()
        .filter_map(|(what, name)| Some((what, name?)))
        .chain(
            lists.into_iter().flat_map(|(what, names)| names.iter().map(move |name| (what, *name))),
        )
        .chain(definition.versions.iter().map(|version| ("version", version.name)));
    for (what, name) in names.filter(|(_, name)| !is_label(name)) {
        problems.push(format!(
            "the {what} `{name}` isn't a lower-case letter followed by lower-case letters, digits and `-`, at most 63 in all"
        ));
    }
    let storage: Vec<_> =
        definition.versions.iter().filter(|version| version.storage).map(|v| v.name).collect();
    if storage.len() != 1 {
        problems.push(format!(
            "exactly one version must be the storage version, but {} say so",
            if storage.is_empty() { "none".to_owned() } else { storage.join(" and ") }
        ));
    }
    for (i, version) in definition.versions.iter().enumerate() {
        if definition.versions[..i].iter().any(|earlier| earlier.name == version.name) {
            problems.push(format!("the version `{}` is declared twice", version.name));
        }
        let mut of_version = Vec::new();
        deprecation(version, &mut of_version);
        columns(version, &mut of_version);
        paths(version, &mut of_version);
        problems.extend(of_version.into_iter().map(|p| format!("version `{}`: {p}", version.name)));
    }
    problems
}

fn group(definition: &Definition, problems: &mut Vec<String>) {
    let group = definition.group;
    if !is_subdomain(group) || !group.contains('.') {
        problems
            .push(format!("the group `{group}` isn't a lower-case domain name with a dot in it"));
    }
    let protected = ["k8s.io", "kubernetes.io"]
        .into_iter()
        .any(|domain| group == domain || group.ends_with(&format!(".{domain}")));
    let approved = "api-approved.kubernetes.io";
    if protected && !definition.annotations.iter().any(|(key, _)| *key == approved) {
        problems.push(format!(
            "the group `{group}` is protected: the API server wants an annotation `{approved}` with the address of the approval, or `unapproved` and a reason"
        ));
    }
}

fn deprecation(version: &VersionDefinition, problems: &mut Vec<String>) {
    let Some(warning) = version.deprecation_warning else { return };
    if !version.deprecated {
        problems.push("a version with a deprecation warning must be deprecated".to_owned());
    }
    if warning.is_empty() || warning.len() > 256 || warning.chars().any(char::is_control) {
        problems.push(
            "the deprecation warning must be 1 to 256 bytes long, without line breaks and other control characters"
                .to_owned(),
        );
    }
}

fn columns(version: &VersionDefinition, problems: &mut Vec<String>) {
    const TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
    const FORMATS: &[&str] =
        &["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
    for column in version.printer_columns {
        let name = column.name;
        if name.is_empty() {
            problems.push("a printer column has no name".to_owned());
        }
        if !TYPES.contains(&column.ty) {
            problems.push(format!(
                "the type `{}` of the printer column `{name}` is none of {}",
                column.ty,
                TYPES.join(", ")
            ));
        }
        if let Some(format) = column.format.filter(|format| !FORMATS.contains(format)) {
            problems.push(format!(
                "the format `{format}` of the printer column `{name}` is none of {}",
                FORMATS.join(", ")
            ));
        }
        if !column.json_path.starts_with('.') {
            problems.push(format!(
                "the path `{}` of the printer column `{name}` doesn't start with `.`",
                column.json_path
            ));
        }
    }
}

fn paths(version: &VersionDefinition, problems: &mut Vec<String>) {
    if let Some(scale) = version.scale {
        let below = [
            (Some(scale.spec_replicas_path), &[".spec."][..]),
            (Some(scale.status_replicas_path), &[".status."]),
            (scale.label_selector_path, &[".spec.", ".status."]),
        ];
        for (path, parents) in below {
            let Some(path) = path else { continue };
            if !parents.iter().any(|parent| path.len() > parent.len() && path.starts_with(parent)) {
                problems.push(format!(
                    "the path `{path}` of the scale subresource isn't below `{}`",
                    parents.join("` or `")
                ));
            }
        }
    }
    let selectable = version.selectable_fields;
    if selectable.len() > 8 {
        problems
            .push(format!("there are {} selectable fields, but 8 are the most", selectable.len()));
    }
    for (i, path) in selectable.iter().enumerate() {
        if !path.starts_with('.') || path.contains('[') || path.starts_with(".metadata") {
            problems.push(format!(
                "the selectable field `{path}` isn't a path that starts with `.`, goes through no list and lies outside `.metadata`"
            ));
        }
        if selectable[..i].contains(path) {
            problems.push(format!("the selectable field `{path}` is declared twice"));
        }
    }
}

pub(super) fn review_versions(versions: &[String]) -> Option<String> {
    if versions.is_empty() {
        return Some("the webhook answers no version of `ConversionReview`".to_owned());
    }
    if let Some(name) = versions.iter().find(|name| !is_label(name)) {
        return Some(format!("the version `{name}` of `ConversionReview` isn't a version's name"));
    }
    for (i, name) in versions.iter().enumerate() {
        if versions[..i].contains(name) {
            return Some(format!("the version `{name}` of `ConversionReview` is given twice"));
        }
    }
    if !versions.iter().any(|name| name == "v1" || name == "v1beta1") {
        return Some(
            "among the versions of `ConversionReview` is neither `v1` nor `v1beta1`".to_owned(),
        );
    }
    None
}

pub(super) fn service_path(path: &str) -> Option<String> {
    let Some(rest) = path.strip_prefix('/') else {
        return Some("doesn't start with `/`".to_owned());
    };
    if rest.is_empty() {
        return None;
    }
    for segment in rest.strip_suffix('/').unwrap_or(rest).split('/') {
        if segment.is_empty() {
            return Some("has an empty segment".to_owned());
        }
        if !is_subdomain(segment) {
            return Some(format!(
                "has the segment `{segment}`, but the API server takes lower-case letters, digits, `-` and `.`"
            ));
        }
    }
    None
}

pub(super) fn url(url: &str) -> Option<&'static str> {
    let Some(rest) = url.strip_prefix("https://") else {
        return Some("doesn't start with `https://`");
    };
    if rest.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Some("has a space or a control character in it");
    }
    if rest.contains('#') {
        return Some("has a fragment, `#`, which the API server refuses");
    }
    if rest.contains('?') {
        return Some("has a query, `?`, which the API server refuses");
    }
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.contains('@') {
        return Some("names a user, which the API server refuses");
    }
    if authority.is_empty() || authority.starts_with(':') {
        return Some("names no host");
    }
    None
}

/// A DNS label of RFC 1035.
fn is_label(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// A DNS subdomain of RFC 1123.
fn is_subdomain(name: &str) -> bool {
    name.len() <= 253
        && name.split('.').all(|part| {
            !part.is_empty()
                && !part.starts_with('-')
                && !part.ends_with('-')
                && part.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        })
}
