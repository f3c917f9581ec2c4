//! Where the scale subresource points.

use crate::{Definition, schema::Schema};

/// One sentence for each path that leads to a field which may be null. The server takes such a schema, but it refuses every
/// object with null there.
pub(super) fn nulls(definition: &Definition, schemas: &[Schema]) -> Vec<String> {
    let mut found = Vec::new();
    for (version, schema) in definition.versions.iter().zip(schemas) {
        let Some(scale) = version.scale else { continue };
        let paths = [
            Some(scale.spec_replicas_path),
            Some(scale.status_replicas_path),
            scale.label_selector_path,
        ];
        for path in paths.into_iter().flatten() {
            if field(schema, path).is_some_and(|field| field.nullable) {
                found.push(format!(
                    "version `{}`: the path `{path}` of the scale subresource leads to a field that may be null, but the API \
                     server refuses null there; write `#[versioned(nullable = false)]` on the field",
                    version.name,
                ));
            }
        }
    }
    found
}

fn field<'a>(schema: &'a Schema, path: &str) -> Option<&'a Schema> {
    path.strip_prefix('.')?.split('.').try_fold(schema, |schema, name| schema.properties.get(name))
}
