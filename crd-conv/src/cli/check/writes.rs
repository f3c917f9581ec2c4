//! What the API server would say if a client wrote the objects in each served version.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use super::{NAMED, distinct};
use crate::ResourceType;
use crate::apiserver::cause::{Cause, Ratcheted};
use crate::validation::{Kind, Update, Validator};

/// The results for a resource.
#[derive(Debug)]
pub(super) struct Writes {
    validator: Validator,
    pub(super) versions: Vec<WritesIn>,
}

/// The results for the writes in one served version.
#[derive(Debug, Serialize)]
pub(super) struct WritesIn {
    version: String,
    /// The number of objects that the API server accepts, even as new ones.
    accepted: usize,
    /// What makes every write fail.
    refused: Vec<Refused>,
    /// What makes only some writes fail.
    refused_if_changed: Vec<Refused>,
    /// What to do about it, for each kind.
    remedies: BTreeMap<String, String>,
    not_checked: Vec<String>,
}

/// One reason why the API server would refuse an object.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    pub(super) object: String,
    path: String,
    kind: String,
    /// The server's sentence.
    reason: String,
    /// An update is accepted if it doesn't change the value with this path. `None` if either no
    /// update is accepted or all of them are.
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged: Option<String>,
    /// The versions in which the server accepts the object. If there are none, the version isn't
    /// stricter than the others.
    accepted_in: Vec<String>,
}

impl Writes {
    pub(super) fn new(resource: &ResourceType) -> Result<Self, String> {
        let validator = Validator::of(resource).map_err(|errors| errors.to_string())?;
        let served = resource.definition().versions.iter().filter(|version| version.served);
        let versions = served.map(|version| WritesIn {
            version: version.name.to_owned(),
            accepted: 0,
            refused: Vec::new(),
            refused_if_changed: Vec::new(),
            remedies: BTreeMap::new(),
            not_checked: Vec::from_iter(validator.passes_over_rules(version.name).then(|| {
                "the rules of CEL (`x-kubernetes-validations`) of this version".to_owned()
            })),
        });
        let versions = versions.collect();
        Ok(Self { validator, versions })
    }

    /// Looks at the writes of an object. `is_new` says that it hasn't been in a cluster, so that
    /// the API server would first fill in the defaults of its own version.
    pub(super) fn object(
        &mut self,
        resource: &ResourceType,
        (json, version, is_new): (&str, &str, bool),
        object: &str,
    ) {
        let decoded = if is_new { self.validator.decode(json).ok() } else { None };
        let own = decoded.map_or_else(|| json.to_owned(), |(json, _)| json);
        let served = self.versions.iter().map(|writes| &*writes.version);
        let served: BTreeSet<String> = served.chain([version]).map(str::to_owned).collect();
        let verdicts: Vec<_> = served
            .into_iter()
            .filter_map(|to| {
                // The report already has the conversions that fail.
                let read = if to == version {
                    own.clone()
                } else {
                    resource.convert(own.as_bytes(), &to).ok()?.json
                };
                Some((to, self.validator.update(&read)))
            })
            .collect();
        let accepted_in: Vec<String> = verdicts
            .iter()
            .filter(|(_, verdict)| verdict.as_ref().is_ok_and(is_accepted))
            .map(|(version, _)| version.clone())
            .collect();
        for (version, verdict) in verdicts {
            // The version of the object itself may not be served.
            if let Some(writes) = self.versions.iter_mut().find(|own| own.version == version) {
                writes.object(object, &accepted_in, verdict);
            }
        }
    }
}

fn is_accepted(update: &Update) -> bool {
    update.causes.is_empty() && update.ratcheted.is_empty()
}

impl WritesIn {
    fn object<E: ToString>(
        &mut self,
        object: &str,
        accepted_in: &[String],
        verdict: Result<Update, E>,
    ) {
        let refused = |path: &str, kind: Kind, reason: String, unchanged| Refused {
            object: object.to_owned(),
            path: path.to_owned(),
            kind: kind.to_string(),
            reason,
            unchanged,
            accepted_in: accepted_in.to_owned(),
        };
        let mut advise = |path: &str, kind: Kind| {
            let (about, remedy) = remedy(path, kind);
            self.remedies.entry(about).or_insert_with(|| remedy.to_owned());
        };
        let update = match verdict {
            Ok(update) => update,
            Err(refusal) => {
                advise("", Kind::Malformed);
                let reason = format!("the API server can't read it: {}", refusal.to_string());
                return self.refused.push(refused("", Kind::Malformed, reason, None));
            }
        };
        self.accepted += usize::from(is_accepted(&update));
        let Update { causes, ratcheted, unchecked } = update;
        let mut of = |cause: Cause, unchanged, is_new| {
            if is_new {
                advise(&cause.field, cause.kind);
            }
            refused(&cause.field, cause.kind, cause.to_string(), unchanged)
        };
        self.refused.extend(causes.into_iter().map(|cause| of(cause, None, true)));
        // What no version accepts isn't for this version to change.
        let is_new = !accepted_in.is_empty();
        let ratcheted = ratcheted.into_iter();
        self.refused_if_changed
            .extend(ratcheted.map(|Ratcheted { cause, unchanged }| of(cause, unchanged, is_new)));
        self.not_checked.extend(unchecked.iter().map(|unchecked| format!("{object}: {unchecked}")));
    }

    /// The values that only this version refuses, or only this one and some others.
    pub(super) fn refused_if_changed(&self) -> impl Iterator<Item = &Refused> {
        self.refused_if_changed.iter().filter(|refused| !refused.accepted_in.is_empty())
    }

    pub(super) fn refused(&self) -> &[Refused] {
        &self.refused
    }

    pub(super) fn text(&self, out: &mut String) {
        let Self { version, accepted, refused, refused_if_changed, remedies, not_checked } = self;
        // Writing to a string doesn't fail.
        let _ = writeln!(out, "  writes in {version}: {accepted} are accepted");
        let (new, before): (Vec<_>, Vec<_>) =
            refused_if_changed.iter().partition(|refused| !refused.accepted_in.is_empty());
        for (what, end, refused) in [
            ("fail on every write", "", refused.iter().collect()),
            (
                "fail when they are created, or when an invalid value changes",
                "every update passes",
                new,
            ),
            ("are invalid in every version", "every update passes", before),
        ] {
            let refused: Vec<&Refused> = refused;
            if refused.is_empty() {
                continue;
            }
            let objects = refused.iter().map(|refused| &refused.object);
            let _ = writeln!(out, "    {} {what}", distinct(objects));
            named(out, "      ", &refused, |Refused { object, reason, unchanged, .. }| {
                let passes =
                    unchanged.as_ref().map(|path| format!("passes while `{path}` is unchanged"));
                match passes.as_deref().unwrap_or(end) {
                    "" => format!("{object}: {reason}"),
                    passes => format!("{object}: {reason}; {passes}"),
                }
            });
        }
        for (about, remedy) in remedies {
            let _ = writeln!(out, "    what to do about `{about}`: {remedy}");
        }
        named(out, "    ", not_checked, |what| format!("not checked: {what}"));
    }
}

/// Writes a line for each item, up to a limit.
pub(super) fn named<T>(out: &mut String, indent: &str, items: &[T], line: impl Fn(&T) -> String) {
    for item in items.iter().take(NAMED) {
        // Writing to a string doesn't fail.
        let _ = writeln!(out, "{indent}{}", line(item));
    }
    if let Some(more) = items.len().checked_sub(NAMED).filter(|more| *more > 0) {
        let _ = writeln!(out, "{indent}and {more} more; `--format json` names all");
    }
}

/// What a finding is about, and what to do.
fn remedy(path: &str, kind: Kind) -> (String, &'static str) {
    if path == "metadata" || path.starts_with("metadata.") {
        let remedy = "fix the metadata of the objects; annotations with kept values count, too";
        return ("metadata".to_owned(), remedy);
    }
    let remedy = match kind {
        Kind::Required => {
            "make the field optional or give it a default in this version, let the mapping write a value, or fix the objects"
        }
        Kind::NotSupported => {
            "accept the value in this version's schema, let a converter write a value that is accepted, or fix the objects"
        }
        Kind::TooLong | Kind::TooMany => {
            "raise the limit in this version's schema, let a converter write a value that fits, or fix the objects"
        }
        Kind::Duplicate => {
            "choose keys for the list that are unique in every object, let a converter merge the items, or fix the objects"
        }
        Kind::Malformed | Kind::TypeInvalid => {
            "let a converter write a value of the type that this version's schema has, or fix the objects"
        }
        Kind::Forbidden | Kind::Invalid => {
            "loosen this version's schema, let a converter write a value that fits, or fix the objects"
        }
    };
    (kind.to_string(), remedy)
}
