//! Resources inside objects.

use super::draw::Draw;

const API_VERSIONS: [&str; 3] = [r#""v1""#, r#""apps/v1""#, r#""example.com/v1alpha1""#];
const KINDS: [&str; 2] = [r#""Pod""#, r#""Deployment""#];
const METADATA: [&str; 6] = [
    r#"{"name":"a"}"#,
    "{}",
    r#"{"labels":{"a":"b"},"namespace":"c"}"#,
    r#"{"annotations":{},"name":""}"#,
    r#"{"generation":0,"unknown":{"a":1}}"#,
    r#"{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"b"}]}"#,
];

impl Draw<'_, '_> {
    /// Draws the fields that every resource has, as the API server accepts them. Each comes with
    /// its value.
    pub(super) fn resource(&mut self) -> Vec<(&'static str, &'static str)> {
        let all: [(&str, &[&str]); 3] =
            [("apiVersion", &API_VERSIONS), ("kind", &KINDS), ("metadata", &METADATA)];
        let mut members = Vec::new();
        for (name, values) in all {
            let required = self.stray.is_accepted() && name != "metadata";
            if required || !self.choices.once_in(3) {
                members.push((name, self.choices.one_of(values)));
            }
        }
        members
    }
}
