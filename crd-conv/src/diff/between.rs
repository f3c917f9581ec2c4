//! Compares each served version with the next one.

use super::change::{Change, Level};
use super::collect::Changes;
use super::schema;
use crate::verify::document::{self, Document};
use crate::version::Version;

/// Kinds of changes for which the API server drops a value instead of refusing it.
#[cfg(feature = "cli")]
const PRUNES: [&str; 4] = [
    "embedded-resource-removed",
    "field-removed",
    "map-removed",
    "preserve-unknown-fields-removed",
];

/// The mapping of one or more fields between two neighboring versions.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// The fields' paths in both versions, in the form of [`Change::path`].
    pub(crate) paths: Vec<String>,
    /// The kind of mapping, such as `renamed` or `converted by HostPort`.
    pub(crate) how: String,
}

/// The mappings of the fields between two neighboring versions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mappings {
    pub(crate) rules: Vec<Mapping>,
    /// The places at which a type occurs inside itself, each with the outer place that has the
    /// rules.
    pub(crate) as_above: Vec<(String, String)>,
}

impl Mappings {
    /// The rule that applies to a place.
    fn of(&self, path: &str) -> Option<&Mapping> {
        let is_of = |rule: &&Mapping| rule.paths.iter().any(|above| below(path, above).is_some());
        self.rules.iter().find(is_of).or_else(|| {
            // This ends, because the outer place has a shorter path.
            let mut again = self.as_above.iter();
            again.find_map(|(place, above)| self.of(&format!("{above}{}", below(path, place)?)))
        })
    }
}

/// The path from a place to another place inside it.
fn below<'a>(path: &'a str, above: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(above)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
}

pub(super) fn between(
    older: &Document<'_>,
    newer: &Document<'_>,
    mappings: &dyn Fn(&str, &str) -> Option<Mappings>,
    changes: &mut Changes,
) {
    let versions = served(newer);
    let before = served(older);
    for pair in versions.windows(2) {
        let [old, new] = pair else { continue };
        let (from, to) = (&*old.name, &*new.name);
        // A difference that the older document has between the same versions isn't new.
        let of_name = |wanted| before.iter().copied().find(|version| version.name == wanted);
        let known = match (of_name(from), of_name(to)) {
            (Some(old), Some(new)) => differences(old, new),
            _ => Vec::new(),
        };
        let mut found = differences(old, new);
        found.retain(|change| !known.contains(change));
        let mapped = mappings(from, to);
        for change in found {
            let change = match &mapped {
                Some(mappings) => answered(change, mappings),
                None => unanswered(change, newer.strategy() == "Webhook"),
            };
            changes.add(Change { version: format!("{from} to {to}"), ..change });
        }
    }
}

/// Returns one sentence for each field without a converter for which one of two neighboring
/// versions accepts values that the other one refuses.
#[cfg(feature = "cli")]
pub(crate) fn refusals(
    document: &crate::json::Json,
    mappings: &dyn Fn(&str, &str) -> Option<Mappings>,
) -> Vec<String> {
    let document = super::read(document);
    let mut versions: Vec<_> = document.versions.iter().collect();
    versions.sort_by_cached_key(|version| Version::new(&*version.name));
    let mut notes = Vec::new();
    for pair in versions.windows(2) {
        let [older, newer] = pair else { continue };
        let Some(mappings) = mappings(&older.name, &newer.name) else { continue };
        for [takes, refuses] in [[older, newer], [newer, older]] {
            let mut found = differences(takes, refuses);
            found.retain(|change| {
                // There is a separate hint about keys in only one version, which knows the rules.
                let is_keyed = change.kind == "list-type-changed" && change.what.contains("`map`");
                // Conversions keep the information that a field was null.
                let is_field = !change.path.ends_with([']', '*']);
                let is_kept = change.kind == "nullable-removed" && is_field;
                change.level == Level::Breaking
                    && !(is_keyed || is_kept)
                    && !PRUNES.contains(&change.kind)
                    && mappings.of(&change.path).is_none()
            });
            notes.extend(found.iter().map(|change| {
                let [takes, refuses] = [takes, refuses].map(|version| &*version.name);
                let what = match &*change.path {
                    "" => "all objects".to_owned(),
                    path => format!("all values of `{path}`"),
                };
                format!("`{refuses}` doesn't accept {what} that `{takes}` accepts: {}", change.what)
            }));
        }
    }
    notes
}

/// The served versions. The one that Kubernetes prefers comes last.
fn served<'d>(document: &'d Document<'_>) -> Vec<&'d document::Version<'d>> {
    let mut served: Vec<_> = document.versions.iter().filter(|version| version.served).collect();
    served.sort_by_cached_key(|version| Version::new(&*version.name));
    served
}

/// The differences between two versions, except defaults: objects get their defaults before they
/// are converted.
fn differences(old: &document::Version<'_>, new: &document::Version<'_>) -> Vec<Change> {
    let mut changes = Changes::default();
    if let (Some(old), Some(new)) = (old.schema(), new.schema()) {
        schema::versions(old, new, &mut changes);
    }
    let mut found = changes.found();
    found.retain(|change| {
        let matters = change.level > Level::Safe || change.kind == "field-added";
        matters && !change.kind.starts_with("default-")
    });
    found
}

/// The level and the remedy of a difference between two versions, which depend on what is known
/// about their conversion.
pub(crate) struct Answer {
    #[cfg(test)]
    pub(crate) when: &'static str,
    pub(crate) level: Level,
    /// `None` if the remedy is the same as for a change in one version.
    pub(crate) remedy: Option<&'static str>,
}

/// Declares the answers, and `ANSWERS` for those who want to know all of them.
macro_rules! answers {
    ($($name:ident = $level:ident, $remedy:expr, $when:literal;)*) => {
        $(const $name: Answer = Answer {
            #[cfg(test)]
            when: $when,
            level: Level::$level,
            remedy: $remedy,
        };)*

        #[cfg(test)]
        pub(crate) const ANSWERS: &[Answer] = &[$($name),*];
    };
}

answers! {
    MAPPED = Safe, Some(""), "a mapping names the field, so its value is converted or kept";
    UNMAPPED = Risky, Some("make sure that the newer version accepts all values that the older one accepts, or give the field a converter"),
        "the mappings are known, and none names the field, which both versions have";
    CONVERTED = Risky, Some("make sure that the webhook handles it; the command `diff` of a program with crd-conv knows the mapping"),
        "a webhook converts, and its mappings aren't known";
    LOST = Breaking, Some("use a conversion webhook: without one, clients of one version drop the value when they write; if kustomize or Helm adds the webhook, compare their output"),
        "nothing converts, and the change is `field-added`, `field-removed`, `map-removed` or `type-changed`";
    UNCONVERTED = Risky, None, "nothing converts, and it is another change";
}

impl Answer {
    fn to(&self, change: Change, what: String) -> Change {
        let remedy = self.remedy.map_or(change.remedy, str::to_owned);
        Change { level: self.level, what, remedy, ..change }
    }
}

/// A change between versions whose rules are known. A field that the rules name is converted or
/// kept.
fn answered(change: Change, mappings: &Mappings) -> Change {
    if let Some(rule) = mappings.of(&change.path) {
        let what = format!("{}; the mapping says: {}", about(&change), rule.how);
        return MAPPED.to(change, what);
    }
    if change.kind == "field-added" {
        return change;
    }
    // Both versions have the field, and its value is converted unchanged.
    let what = change.what.clone();
    UNMAPPED.to(change, what)
}

/// A change between versions whose rules aren't known.
fn unanswered(change: Change, converts: bool) -> Change {
    let what = about(&change).to_owned();
    let answer = match change.kind {
        _ if converts => CONVERTED,
        "field-added" | "field-removed" | "map-removed" | "type-changed" => LOST,
        _ => UNCONVERTED,
    };
    answer.to(change, what)
}

/// The text about a change between two versions, if it differs from the text for a change in one
/// version.
fn about(change: &Change) -> &str {
    match change.kind {
        "field-removed" => "the newer version doesn't have this field",
        "field-added" => "the older version doesn't have this field",
        "required-added" => "the newer version requires it",
        _ => &change.what,
    }
}
