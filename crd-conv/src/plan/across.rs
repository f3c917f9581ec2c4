//! Rules that connect a field of a struct with other fields.

use super::{Field, FieldRule, Fields, Path};

impl Fields {
    /// Returns the rules by which a value of the field belongs to other fields in the other
    /// version: their paths in the older and in the newer version.
    pub(crate) fn across(self, name: &str) -> Vec<[String; 2]> {
        let paths = self.rules().filter_map(|FieldRule { rule, .. }| {
            let [older, newer] = rule.fields();
            let ways = rule.moved();
            if !ways[0].is_empty() {
                let ends = ways.into_iter().flatten().filter_map(|way| Some(&way.first()?.field));
                return crosses(ends, name).then(|| ways.map(paths));
            }
            crosses(older.iter().chain(newer), name).then(|| [older, newer].map(names))
        });
        paths.collect()
    }
}

fn crosses<'f>(mut fields: impl Iterator<Item = &'f Field> + Clone, name: &str) -> bool {
    fields.clone().any(|field| field.wire == name) && fields.any(|field| field.wire != name)
}

fn paths(ways: &[Path]) -> String {
    let path = |way: &Path| {
        let names: Vec<_> = way.iter().map(|part| part.field.wire).collect();
        format!(".{}", names.join("."))
    };
    ways.iter().map(path).collect::<Vec<_>>().join(", ")
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| format!(".{}", field.wire)).collect::<Vec<_>>().join(", ")
}
