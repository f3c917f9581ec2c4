//! The label of an object that is incomplete, because its annotations have no room for some
//! entries, and not even for their tombstones.
//!
//! A conversion may change labels, too, and the API server doesn't limit the size of all labels
//! together.

use std::borrow::Cow;

use super::document::Source;
use super::locate::Stored;
use super::program::LABELS;
use crate::json::Scanner;
use crate::object::string;

const NAME: &str = "complete-in";

/// Returns the name of the label, which starts with the prefix of the group's carrier. The label's
/// value is the version in which the object is complete.
pub(crate) fn label(prefix: &str) -> String {
    format!("{prefix}{NAME}")
}

pub(super) fn is_label(key: &str, prefix: &str) -> bool {
    key.strip_prefix(prefix) == Some(NAME)
}

/// Whether the conversion has to stop because of an object's label.
///
/// If the object was read from storage, only a client can have set the label. If objects are stored
/// in both versions, the label counts if it names the target: what the object lacks would be lost.
pub(super) fn stops(source: Source<'_>, stored: Stored) -> bool {
    stored.to
        && complete_in(source).is_some_and(|version| {
            source.route.version(&version).is_some() && (!stored.from || version == stored.version)
        })
}

/// Returns the version in which the object is complete, if a label says so.
fn complete_in(source: Source<'_>) -> Option<Cow<'_, str>> {
    let named = source.document.carried(LABELS).last()?;
    string(&mut Scanner::new(source.value(named))).ok().flatten()
}

#[cfg(test)]
mod tests {
    use crate::engine::{Direction, Ends, Engine, Route};
    use crate::json::Scanner;

    /// Returns the object's metadata with the label added, and that metadata with the label removed
    /// again.
    fn marked(metadata: &str) -> (String, String) {
        let ends = Ends { group: "example.com", older: "v1", newer: "v1" };
        let still = Route::new(ends, None, Direction::Upgrade);
        let export = |metadata: &str, complete_in: Option<&str>| {
            let object = format!(r#"{{"kind":"Box","metadata":{metadata},"spec":{{}}}}"#);
            let mut out = String::new();
            let exported =
                Engine::default().export(&mut Scanner::new(&object), &still, complete_in, &mut out);
            exported.unwrap();
            let (_, metadata) = out.split_once(r#""metadata":"#).unwrap();
            metadata.strip_suffix(r#","spec":{}}"#).unwrap().to_owned()
        };
        let with = export(metadata, Some("v1"));
        // The object already says where it is complete.
        assert_eq!(export(&with, Some("v2")), with);
        let without = export(&with, None);
        (with, without)
    }

    #[test]
    fn the_label_stands_beside_others() {
        let label = r#""conversion.example.com/complete-in":"v1""#;
        let both = format!(r#"{{"labels":{{"a":"b",{label}}}}}"#);
        for (before, with, without) in [
            ("{}", format!(r#"{{"labels":{{{label}}}}}"#), "{}"),
            (
                r#"{ "name":"b"}"#,
                format!(r#"{{ "name":"b","labels":{{{label}}}}}"#),
                r#"{ "name":"b"}"#,
            ),
            (r#"{"labels":{}}"#, format!(r#"{{"labels":{{{label}}}}}"#), "{}"),
            (r#"{"labels": null}"#, format!(r#"{{"labels": {{{label}}}}}"#), "{}"),
            (r#"{"labels":{"a":"b"}}"#, both.clone(), r#"{"labels":{"a":"b"}}"#),
            (
                r#"{"l\u0061bels":{"a":"b"}}"#,
                both.replace("labels", r"l\u0061bels"),
                r#"{"l\u0061bels":{"a":"b"}}"#,
            ),
        ] {
            assert_eq!(marked(before), (with, without.to_owned()));
        }
    }
}
