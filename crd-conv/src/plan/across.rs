//! Rules that connect a field of a struct with other fields.

use super::{Field, FieldRule, Fields, Part, Rule};

impl Fields {
    /// Returns the rules by which a value of the field belongs to other fields in the other
    /// version: their paths in the older and in the newer version.
    pub(crate) fn across(self, name: &str) -> Vec<[String; 2]> {
        let paths = self.rules().filter_map(|FieldRule { rule, .. }| match rule {
            Rule::Moved { older, newer } => crosses(
                older.iter().take(1).chain(newer.iter().take(1)).map(|part| &part.field),
                name,
            )
            .then(|| [path(older), path(newer)]),
            Rule::Converted { older, newer, .. } => {
                crosses(older.iter().chain(*newer), name).then(|| [names(older), names(newer)])
            }
            Rule::Kept { older, newer, .. } => crosses([older, newer].into_iter(), name)
                .then(|| [older, newer].map(|field| names(std::slice::from_ref(field)))),
            Rule::Added { .. } | Rule::Removed { .. } => None,
        });
        paths.collect()
    }
}

fn crosses<'f>(mut fields: impl Iterator<Item = &'f Field> + Clone, name: &str) -> bool {
    fields.clone().any(|field| field.wire == name) && fields.any(|field| field.wire != name)
}

fn path(way: &[Part]) -> String {
    let names: Vec<_> = way.iter().map(|part| part.field.wire).collect();
    format!(".{}", names.join("."))
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| format!(".{}", field.wire)).collect::<Vec<_>>().join(", ")
}
