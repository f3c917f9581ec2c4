//! Each served version beside the next one: what a conversion has to answer for.

use super::change::{Change, Level};
use super::collect::{Changes, at, flag, list, name, text};
use super::schema;
use crate::json::Json;
use crate::version::Version;

/// What isn't refused, but dropped.
#[cfg(feature = "cli")]
const PRUNES: [&str; 4] = [
    "embedded-resource-removed",
    "field-removed",
    "map-removed",
    "preserve-unknown-fields-removed",
];

/// What becomes of one or several fields between two neighbouring versions.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// The fields' paths, as [`Change::path`] has them, in both versions.
    pub(crate) paths: Vec<String>,
    /// Such as `renamed`, or `converted by HostPort`.
    pub(crate) how: String,
}

/// What becomes of the fields between two neighbouring versions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mappings {
    pub(crate) rules: Vec<Mapping>,
    /// Places inside of a type where it is again, each with the place around it at which the rules are.
    pub(crate) as_above: Vec<(String, String)>,
}

impl Mappings {
    /// The rule that a place is of.
    fn of(&self, path: &str) -> Option<&Mapping> {
        let is_of = |rule: &&Mapping| rule.paths.iter().any(|above| below(path, above).is_some());
        self.rules.iter().find(is_of).or_else(|| {
            // This ends, since the place around is the shorter way.
            let mut again = self.as_above.iter();
            again.find_map(|(place, above)| self.of(&format!("{above}{}", below(path, place)?)))
        })
    }
}

/// The way from a place to one inside of it.
fn below<'a>(path: &'a str, above: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(above)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
}

pub(super) fn between(
    older: &Json,
    newer: &Json,
    mappings: &dyn Fn(&str, &str) -> Option<Mappings>,
    changes: &mut Changes,
) {
    let versions = served(newer);
    let before = served(older);
    for pair in versions.windows(2) {
        let [old, new] = pair else { continue };
        let (from, to) = (name(old), name(new));
        // What the older document has between the same versions isn't new.
        let of_name = |wanted| before.iter().copied().find(|version| name(version) == wanted);
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
                None => unanswered(change, converts(newer)),
            };
            changes.add(Change { version: format!("{from} to {to}"), ..change });
        }
    }
}

/// What one of two neighboring versions takes of a field and the other one refuses, although no rule converts it: a sentence each.
#[cfg(feature = "cli")]
pub(crate) fn refusals(
    document: &Json,
    mappings: &dyn Fn(&str, &str) -> Option<Mappings>,
) -> Vec<String> {
    let mut versions: Vec<_> = list(document, &["spec", "versions"]).iter().collect();
    versions.sort_by_cached_key(|version| Version::new(name(version)));
    let mut notes = Vec::new();
    for pair in versions.windows(2) {
        let [older, newer] = pair else { continue };
        let Some(mappings) = mappings(name(older), name(newer)) else { continue };
        for [takes, refuses] in [[older, newer], [newer, older]] {
            let mut found = differences(takes, refuses);
            found.retain(|change| {
                // Of keys in one version only there is a hint of its own, which knows the rules.
                let is_keyed = change.kind == "list-type-changed" && change.what.contains("`map`");
                // Conversions keep that a field was null.
                let is_field = !change.path.ends_with([']', '*']);
                let is_kept = change.kind == "nullable-removed" && is_field;
                change.level == Level::Breaking
                    && !(is_keyed || is_kept)
                    && !PRUNES.contains(&change.kind)
                    && mappings.of(&change.path).is_none()
            });
            notes.extend(found.iter().map(|change| {
                let [takes, refuses] = [takes, refuses].map(|version| name(version));
                let what = match &*change.path {
                    "" => "an object".to_owned(),
                    path => format!("`{path}`"),
                };
                format!(
                    "`{refuses}` doesn't take all of {what} that `{takes}` does: {}",
                    change.what
                )
            }));
        }
    }
    notes
}

/// The served versions, the one that Kubernetes prefers last.
fn served(document: &Json) -> Vec<&Json> {
    let versions = list(document, &["spec", "versions"]).iter();
    let mut served: Vec<_> = versions.filter(|version| flag(version, &["served"])).collect();
    served.sort_by_cached_key(|version| Version::new(name(version)));
    served
}

fn converts(document: &Json) -> bool {
    text(document, &["spec", "conversion", "strategy"]) == Some("Webhook")
}

/// What one version has and the other one hasn't or has otherwise. A default isn't among it: objects have been given theirs before they
/// are converted.
fn differences(old: &Json, new: &Json) -> Vec<Change> {
    let mut changes = Changes::default();
    let of = |version| at(version, &["schema", "openAPIV3Schema"]);
    if let (Some(old), Some(new)) = (of(old), of(new)) {
        schema::versions(old, new, &mut changes);
    }
    let mut found = changes.found();
    found.retain(|change| {
        let matters = change.level > Level::Safe || change.kind == "field-added";
        matters && !change.kind.starts_with("default-")
    });
    found
}

/// With the rules at hand: a field that they name is converted or kept.
fn answered(change: Change, mappings: &Mappings) -> Change {
    if let Some(rule) = mappings.of(&change.path) {
        let what = format!("{}; the mapping says: {}", about(&change), rule.how);
        return Change { level: Level::Safe, what, remedy: String::new(), ..change };
    }
    match change.kind {
        "field-added" => change,
        // Both versions have it: it is converted as it is.
        _ => Change {
            level: Level::Risky,
            remedy: "see that the newer version takes all that the older one does, or give the field a converter"
                .to_owned(),
            ..change
        },
    }
}

/// Without them.
fn unanswered(change: Change, converts: bool) -> Change {
    let what = about(&change).to_owned();
    if converts {
        let remedy = "see that the webhook knows it; the command `diff` of a program that was built with crd-conv does";
        return Change { level: Level::Risky, what, remedy: remedy.to_owned(), ..change };
    }
    let loses =
        matches!(change.kind, "field-added" | "field-removed" | "map-removed" | "type-changed");
    if loses {
        let remedy = "use a conversion webhook: without one, clients of one version drop it when they write; where kustomize or Helm adds one, \
            compare what they print";
        return Change { level: Level::Breaking, what, remedy: remedy.to_owned(), ..change };
    }
    Change { level: Level::Risky, what, ..change }
}

/// What is said of a version that changes doesn't all hold between two.
fn about(change: &Change) -> &str {
    match change.kind {
        "field-removed" => "the newer version hasn't this field",
        "field-added" => "the older version hasn't this field",
        "required-added" => "the newer version requires it",
        _ => &change.what,
    }
}
