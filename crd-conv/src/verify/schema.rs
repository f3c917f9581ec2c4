//! The schema of a version as a whole.

#[cfg(feature = "cel")]
use super::costs;
use super::{
    around::Around,
    columns, defaults,
    document::{Document, VersionSchema},
    hints, keywords,
    rules::Scope,
    structural,
};
use crate::apiserver::{finding::Kind, place::Place, report::About, schema::Schema};
use crate::json::Json;

/// Keywords that the root can't have if the status is a subresource.
const NOT_AT_ROOT: &[&str] = &[
    "$ref",
    "$schema",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "definitions",
    "dependencies",
    "enum",
    "id",
    "maxProperties",
    "minProperties",
    "not",
    "nullable",
    "oneOf",
    "patternProperties",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

/// Checks the schemas of all versions but those in `skipped`.
///
/// If all versions have the same schema, it is checked once, in the first: the API server then moves it to
/// `spec.validation`, which no author ever writes.
pub(super) fn check(document: &Document<'_>, skipped: &[usize], place: &mut Place) {
    let versions = &document.versions;
    let same = versions.len() > 1
        && versions.iter().all(|version| version.schema() == versions[0].schema());
    place.child("spec", |place| {
        for (i, version) in versions.iter().enumerate() {
            place.item("versions", i, |place| {
                columns::check(version, place);
                let Some(schema) = &version.schema else {
                    return place.child("schema", |place| {
                        place.refuse_at(
                            "openAPIV3Schema",
                            Kind::Required,
                            "write the schema of the version; `type: object` with `x-kubernetes-preserve-unknown-fields: true` accepts anything",
                        );
                    });
                };
                if same && i > 0 || skipped.contains(&i) {
                    return;
                }
                let status = if same {
                    versions.iter().any(super::document::Version::has_status)
                } else {
                    version.has_status()
                };
                place.child("schema", |place| {
                    place.child("openAPIV3Schema", |place| one(schema, status, place));
                });
            });
        }
        if skipped.is_empty() {
            columns::selectable(document, place);
        }
    });
    hints::paths(document, skipped, place);
}

fn one(schema: &VersionSchema<'_>, status: bool, place: &mut Place) {
    let props = &schema.schema;
    let before = place.count();
    root(schema.json, props, status, place);
    // Junctors and defaults in what isn't structural would only be echoes.
    structural::check(props, place);
    if place.count() == before {
        defaults::check(props, place);
    }
    keywords::check(props, true, &Around::default(), Scope::root(props), place);
    #[cfg(feature = "cel")]
    costs::check(props, place);
    hints::schema(props, true, place);
}

fn root(json: &Json, props: &Schema, status: bool, place: &mut Place) {
    if props.nullable {
        place.refuse_at(
            "nullable",
            Kind::Forbidden,
            "the root of a resource is never null; remove it",
        );
    }
    if props.default.is_some() {
        place.warn_at(
            "default",
            About::Default,
            "the API server ignores a default at the root; remove it",
        );
    }
    let Json::Object(members) = json else { return };
    if !status {
        return;
    }
    for name in NOT_AT_ROOT {
        let is_set = match members.get(*name) {
            None | Some(Json::Null | Json::Boolean(false)) => {
                *name == "additionalProperties" && members.get(*name) == Some(&Json::Boolean(false))
            }
            Some(Json::Text(text)) => !text.is_empty(),
            Some(_) => true,
        };
        // What is forbidden at every root is said elsewhere.
        if is_set && *name != "nullable" {
            place.refuse_at(
                name,
                Kind::Invalid,
                "the root can't have it if the status is a subresource; move it below `properties`, such as to `spec`",
            );
        }
    }
}
