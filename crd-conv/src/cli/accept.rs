//! The changes that an accept list accepts until a day.

use std::{
    fmt::Write as _,
    path::Path,
    time::{Duration, SystemTime},
};

use serde::Deserialize;
use serde_json::Value;
use similar::get_close_matches;

use super::input;
use crate::diff::{Acceptance, Change, DiffReport, page};
use crate::go::time::{Date, date_of, read_date};

/// A change that a file accepts. It names the change as `--format json` does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The CustomResourceDefinition's `metadata.name`.
    resource: String,
    kind: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    path: String,
    reason: String,
    /// The last day of the acceptance, in UTC.
    until: String,
}

impl Entry {
    fn read(value: Value) -> Result<(Self, Date), String> {
        let entry: Self = serde_json::from_value(value).map_err(|error| error.to_string())?;
        if page::kind(&entry.kind).is_none() {
            let ids: Vec<_> = page::kinds().map(|kind| kind.id).collect();
            let near = match get_close_matches(&*entry.kind, &ids, 1, 0.6).first() {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            return Err(format!("there is no kind of change `{}`{near}", entry.kind));
        }
        if entry.reason.trim().is_empty() {
            return Err("`reason` is empty: write why the change is acceptable".to_owned());
        }
        let until = read_date(&entry.until);
        let until = until.ok_or_else(|| {
            format!("`until` is `{}`: write a day such as 2030-12-31", entry.until)
        })?;
        Ok((entry, until))
    }

    fn names(&self, change: &Change) -> bool {
        let Self { kind, version, path, .. } = self;
        *kind == change.kind && *version == change.version && *path == change.path
    }

    /// The change, for a message.
    fn named(&self) -> String {
        let places = [&self.version, &self.path].into_iter().filter(|place| !place.is_empty());
        let places = places.fold(String::new(), |text, place| text + ": " + place);
        format!("`{}` of {}{places}", self.kind, self.resource)
    }
}

/// Marks the changes that the file accepts. Returns messages about entries that accept nothing. If
/// `is_everything` is false, resources that have no report may exist.
pub(super) fn accept(
    reports: &mut [DiffReport],
    file: &Path,
    is_everything: bool,
) -> Result<String, String> {
    let name = file.display();
    let today = today();
    let mut notes = String::new();
    for (entry, until) in read(file)? {
        let report = reports.iter_mut().find(|report| report.name == entry.resource);
        if report.is_none() && !is_everything {
            continue;
        }
        let changes = report.into_iter().flat_map(|report| &mut report.changes);
        let named: Vec<_> = changes.filter(|change| entry.names(change)).collect();
        let (what, day, reason) = (entry.named(), &entry.until, &entry.reason);
        if named.is_empty() {
            // Writing to a string doesn't fail.
            let _ = writeln!(notes, "note: `{name}`: there is no change {what}: remove the entry");
        } else if until < today {
            let _ = writeln!(
                notes,
                "warning: `{name}`: the entry for {what} has expired on {day}, so it accepts nothing: {reason}"
            );
        } else {
            let accepted = Acceptance { reason: reason.clone(), until: day.clone() };
            for change in named {
                change.accepted = Some(accepted.clone());
            }
        }
    }
    Ok(notes)
}

fn read(file: &Path) -> Result<Vec<(Entry, Date)>, String> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|error| format!("can't read `{name}`: {error}"))?;
    let documents = input::documents(&bytes).map_err(|error| format!("`{name}`: {error}"))?.0;
    let mut all = Vec::new();
    for document in documents {
        // A file that has only comments is a list without entries.
        let list: Option<Vec<Value>> = serde_json::from_str(&document)
            .map_err(|_| format!("`{name}` isn't a list of accepted changes"))?;
        all.extend(list.into_iter().flatten());
    }
    let entries = all.into_iter().enumerate();
    let entries = entries.map(|(index, value)| {
        Entry::read(value).map_err(|error| format!("`{name}`: entry {}: {error}", index + 1))
    });
    entries.collect()
}

fn today() -> Date {
    // A clock before 1970 is wrong anyway, and no entry has expired then.
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    date_of(since.unwrap_or(Duration::ZERO))
}
