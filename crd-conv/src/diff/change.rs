//! The results of a comparison.

use std::fmt;

use serde::Serialize;

/// The differences between two documents of one resource.
///
/// `Display` writes one line for each change, the worst ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DiffReport {
    /// `metadata.name` of the newer document, such as `crontabs.example.com`.
    pub name: String,
    /// The changes, by level, and then in the order of the document.
    pub changes: Vec<Change>,
}

impl DiffReport {
    /// Returns the level of the worst change, if there are any changes that aren't accepted.
    pub fn level(&self) -> Option<Level> {
        self.open().map(|change| change.level).max()
    }

    /// Returns the number of changes of one level that aren't accepted.
    pub fn count(&self, level: Level) -> usize {
        self.open().filter(|change| change.level == level).count()
    }

    fn open(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.accepted.is_none())
    }
}

impl fmt::Display for DiffReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        if self.changes.is_empty() {
            return f.write_str("no changes");
        }
        let counts = Level::ALL.map(|level| format!("{} {level}", self.count(level)));
        f.write_str(&counts.join(", "))?;
        let mut accepted = self.changes.iter().filter(|change| change.accepted.is_some());
        let count = accepted.clone().count();
        if count > 0 {
            write!(f, ", {count} accepted")?;
        }
        self.open().try_for_each(|change| write!(f, "\n  {}: {change}", change.level))?;
        accepted.try_for_each(|change| write!(f, "\n  accepted, {}: {change}", change.level))
    }
}

/// The effect of a change on users of the older document's resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Level {
    /// Nobody has to do anything.
    Safe,
    /// A client may read something unexpected, or the change can't be judged from the documents.
    Risky,
    /// The API server refuses what it accepted before, or a value is lost.
    Breaking,
}

impl Level {
    /// All levels, the worst one first.
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Risky, Self::Safe];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Safe => "safe",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        })
    }
}

/// One change.
///
/// `Display` writes one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The level.
    pub level: Level,
    /// The kind of change, such as `field-removed`. The word stays the same from release to
    /// release.
    pub kind: &'static str,
    /// The version, or two as `v1beta1 to v1`. Empty for changes outside of the versions.
    pub version: String,
    /// The field, with `[]` for the items of a list and `.*` for the values of a map:
    /// `.spec.hosts[].name`. Empty for a change that isn't in a field.
    pub path: String,
    /// The change and its consequence.
    pub what: String,
    /// The remedy. Empty for a safe change.
    pub remedy: String,
    /// Why the change is accepted, from the list of the command `diff --accept`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Acceptance>,
}

/// The acceptance of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Acceptance {
    /// The reason.
    pub reason: String,
    /// The last day, such as `2030-12-31`.
    pub until: String,
}

impl fmt::Display for Acceptance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "accepted until {}: {}", self.until, self.reason)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in [&self.version, &self.path] {
            if !place.is_empty() {
                write!(f, "{place}: ")?;
            }
        }
        f.write_str(&self.what)?;
        match &self.accepted {
            Some(accepted) => write!(f, "; {accepted}"),
            None if self.remedy.is_empty() => Ok(()),
            None => write!(f, "; {}", self.remedy),
        }
    }
}
