//! What a comparison found.

use std::fmt;

use serde::Serialize;

/// What differs between two documents of one resource.
///
/// `Display` gives a line for each change, what breaks somebody first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// `metadata.name` of the newer document, such as `crontabs.example.com`.
    pub name: String,
    /// By level, and then in the order of the document.
    pub changes: Vec<Change>,
}

impl Report {
    /// The worst of the changes, if there are any.
    pub fn level(&self) -> Option<Level> {
        self.changes.iter().map(|change| change.level).max()
    }

    /// How many changes are of a level.
    pub fn count(&self, level: Level) -> usize {
        self.changes.iter().filter(|change| change.level == level).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        if self.changes.is_empty() {
            return f.write_str("no changes");
        }
        let counts = Level::ALL.map(|level| format!("{} {level}", self.count(level)));
        f.write_str(&counts.join(", "))?;
        for change in &self.changes {
            write!(f, "\n  {}: {change}", change.level)?;
        }
        Ok(())
    }
}

/// What a change means for those who use the older document's resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Level {
    /// Nobody has to do anything.
    Safe,
    /// Somebody may read what he didn't expect, or it can't be decided here.
    Risky,
    /// The API server refuses what it took before, or a value is lost.
    Breaking,
}

impl Level {
    /// The worst first.
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

/// One change. `Display` gives one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// What it means.
    pub level: Level,
    /// What kind of change it is, such as `field-removed`: the same word from release to release.
    pub kind: &'static str,
    /// The version, or two as `v1beta1 to v1`; empty for what stands around the versions.
    pub version: String,
    /// The field, with `[]` for the items of a list and `.*` for the values of a map: `.spec.hosts[].name`. Empty for what is of no field.
    pub path: String,
    /// What changed, and what comes of it.
    pub what: String,
    /// What to do about it; empty for what is safe.
    pub remedy: String,
}

impl Change {
    /// The older file has a resource that the newer one hasn't.
    #[cfg(feature = "cli")]
    pub(crate) fn resource_removed() -> Self {
        Self::of_resource(
            Level::Breaking,
            "resource-removed",
            "the resource is gone: all of its objects go with the CustomResourceDefinition",
            "keep it until nobody has any",
        )
    }

    /// The newer file has a resource that the older one hasn't.
    #[cfg(feature = "cli")]
    pub(crate) fn resource_added() -> Self {
        Self::of_resource(Level::Safe, "resource-added", "the resource is new", "")
    }

    #[cfg(feature = "cli")]
    fn of_resource(level: Level, kind: &'static str, what: &str, remedy: &str) -> Self {
        let (version, path) = (String::new(), String::new());
        Self { level, kind, version, path, what: what.to_owned(), remedy: remedy.to_owned() }
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
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}
