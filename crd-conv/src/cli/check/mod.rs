//! The command `check`, which reports the effects of conversions on existing objects, and what the
//! API server would refuse.

#[cfg(feature = "migrate")]
mod cluster;
mod part;
mod writes;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read;

use serde::{Serialize, Serializer};

#[cfg(feature = "migrate")]
pub(super) use cluster::run as run_on_cluster;
use part::{Part, annotations, comparable, difference, is_from_server};
use writes::{Writes, WritesIn, named};

use super::{
    args::{CheckArgs, ReportFormat},
    choice::{names, resource_of},
    input::{self, read},
    listed::{Document, Head},
    output::Output,
};
use crate::ResourceType;
use crate::complement::annotation_prefix;
use crate::crd::preference;
use crate::object::object_name;

/// The most objects that the text names for one pair of versions and one reason.
const NAMED: usize = 20;

pub(super) fn run(
    resources: &[ResourceType],
    args: &CheckArgs,
    stdin: &mut dyn Read,
) -> Result<Output, String> {
    let mut check = Check::new(resources);
    let files = if args.files.is_empty() { vec!["-".into()] } else { args.files.clone() };
    for file in &files {
        let bytes = read(Some(file), stdin)?;
        let name = input::name(file);
        for document in input::each_document(&bytes) {
            match document {
                Ok(document) => check.document(&name, &document),
                Err(error) => check.unread.push(format!("{name}: {error}")),
            }
        }
    }
    if check.checked.is_empty() && check.unread.is_empty() {
        return Err(format!("the input holds no object of {}", names(resources)));
    }
    check.report(args)
}

/// The results for a resource.
#[derive(Debug, Serialize)]
struct Checked {
    /// The number of objects read in each version. The version in which an object is stored isn't
    /// visible.
    objects: BTreeMap<String, usize>,
    conversions: Vec<Conversion>,
    /// What the API server would refuse, or why that isn't known.
    #[serde(serialize_with = "by_version")]
    writes: Result<Writes, String>,
    /// What refers to old versions in a cluster.
    #[cfg(feature = "migrate")]
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<crate::migrate::References>,
}

fn by_version<S: Serializer>(
    writes: &Result<Writes, String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    writes.as_ref().ok().map(|writes| &writes.versions).serialize(serializer)
}

/// The results for the objects of one version when they are converted to another version.
#[derive(Debug, Default, Serialize)]
struct Conversion {
    from: String,
    to: String,
    /// The number of objects that convert there and back without a change.
    exact: usize,
    /// For each annotation, the number of objects for which it keeps values.
    kept: BTreeMap<String, usize>,
    /// For each reason, the number of entries that wouldn't be restored.
    not_restored: BTreeMap<String, u32>,
    /// The objects that don't convert there or back.
    failed: Vec<Finding>,
    /// The objects that a round trip changes.
    changed: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct Finding {
    object: String,
    /// The reason, which also names the object.
    reason: String,
    /// Whether the object couldn't be stored.
    #[serde(skip)]
    is_unstorable: bool,
}

struct Check<'a> {
    resources: &'a [ResourceType],
    checked: BTreeMap<String, Checked>,
    /// The number of objects of other kinds.
    others: usize,
    /// Why documents can't be read.
    unread: Vec<String>,
}

impl<'a> Check<'a> {
    fn new(resources: &'a [ResourceType]) -> Self {
        Self { resources, checked: BTreeMap::new(), others: 0, unread: Vec::new() }
    }

    /// Checks an object, or the items of a list in the form in which they are written.
    fn document(&mut self, from: &str, json: &str) {
        let checked = match Document::read(json, self.resources) {
            Ok(Document::Object(head)) => self.object(&head, json),
            Ok(Document::List(list)) => {
                return list.items.iter().for_each(|item| self.document(from, &item.json));
            }
            Err(error) => Err(error),
        };
        self.unread.extend(checked.err().map(|error| format!("{from}: {error}")));
    }

    fn object(&mut self, head: &Head<'_>, json: &str) -> Result<(), String> {
        let (Some(api_version), Some(kind)) = (&head.api_version, &head.kind) else {
            return Err("a document has no `apiVersion` or no `kind`".to_owned());
        };
        let Some(resource) = resource_of(self.resources, api_version, kind) else {
            self.others += 1;
            return Ok(());
        };
        let object = Part::read(json).map_err(|error| format!("a document isn't JSON: {error}"))?;
        let version = api_version.split_once('/').map_or(&**api_version, |(_, version)| version);
        let definition = resource.definition();
        let checked = self.checked.entry(definition.crd_name());
        let checked = checked.or_insert_with(|| Checked::new(resource));
        *checked.objects.entry(version.to_owned()).or_default() += 1;
        let used = definition.versions.iter().filter(|other| other.served || other.storage);
        for to in used.filter(|other| other.name != version) {
            checked.conversion(version, to.name).object(resource, (json, &object), to.storage);
        }
        if let Ok(writes) = &mut checked.writes {
            let is_new = !is_from_server(&object);
            writes.object(resource, (json, version, is_new), &object_name(json, 0));
        }
        Ok(())
    }

    fn report(&self, args: &CheckArgs) -> Result<Output, String> {
        let stdout = match args.format {
            ReportFormat::Json => json(&self.checked)?,
            ReportFormat::Text => self.text(),
        };
        let (code, stderr) = self.verdict(args.strict);
        Ok(Output { code, stdout, stderr, ..Output::default() })
    }

    /// Returns the exit code, and what standard error says.
    fn verdict(&self, is_strict: bool) -> (u8, String) {
        let conversions = || self.checked.values().flat_map(|checked| &checked.conversions);
        let objects = |of: fn(&Conversion) -> &Vec<Finding>| {
            distinct(conversions().flat_map(of).map(|found| &found.object))
        };
        let failures = conversions().flat_map(|conversion| &conversion.failed);
        let unstorable = failures.filter(|found| found.is_unstorable).map(|found| &found.object);
        let unstorable = distinct(unstorable);
        let (failed, changed) =
            (objects(|conversion| &conversion.failed), objects(|conversion| &conversion.changed));
        let writes = || {
            let writes = self.checked.values().filter_map(|checked| checked.writes.as_ref().ok());
            writes.flat_map(|writes| &writes.versions)
        };
        let refused = distinct(writes().flat_map(WritesIn::refused).map(|refused| &refused.object));
        let refused_if_changed = writes().flat_map(WritesIn::refused_if_changed);
        let refused_if_changed = distinct(refused_if_changed.map(|refused| &refused.object));
        let mut stderr = String::new();
        for error in &self.unread {
            let _ = writeln!(stderr, "error: {error}");
        }
        for resource in self.resources {
            let name = resource.definition().crd_name();
            let Some(checked) = self.checked.get(&name) else { continue };
            // Writing to a string doesn't fail.
            if let Some(note) = preference(resource.definition()) {
                let _ = writeln!(stderr, "note: {name}: {note}");
            }
            if let Err(error) = &checked.writes {
                let _ = writeln!(
                    stderr,
                    "note: what the API server would refuse isn't checked: {error}"
                );
            }
        }
        let strict = if is_strict { "error" } else { "warning" };
        for (severity, count, what) in [
            ("error", failed, "can't be converted to every served version and back"),
            ("error", changed, "are changed by a conversion there and back"),
            (
                "error",
                unstorable,
                "can't be stored in the storage version: before it changes, make them smaller or fix them in the version in which they are stored \
                 now",
            ),
            (strict, refused, "fail on every write in one of the served versions"),
            (
                strict,
                refused_if_changed,
                "have values that one of the served versions refuses when they are created or changed",
            ),
        ] {
            if count > 0 {
                let _ = writeln!(stderr, "{severity}: {count} of the objects {what}");
            }
        }
        let refused = if is_strict { refused + refused_if_changed } else { 0 };
        (u8::from(failed + changed + refused + self.unread.len() > 0), stderr)
    }

    fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string doesn't fail.
        for (resource, checked) in &self.checked {
            let Checked { objects, conversions, writes, .. } = checked;
            let all: usize = objects.values().sum();
            let by_version =
                objects.iter().map(|(version, count)| format!("{count} read in {version}"));
            let by_version = by_version.fold(String::new(), |text, count| text + ", " + &count);
            let _ = writeln!(out, "{resource}: {all} objects{by_version}");
            for conversion in conversions {
                conversion.text(&mut out);
            }
            for writes in writes.iter().flat_map(|writes| &writes.versions) {
                writes.text(&mut out);
            }
            #[cfg(feature = "migrate")]
            if let Some(found) = &checked.references {
                super::references::text(found, &mut out, "  ");
            }
        }
        if self.others > 0 {
            let _ = writeln!(out, "{} objects of other kinds were skipped", self.others);
        }
        out
    }
}

fn json(report: &impl Serialize) -> Result<String, String> {
    Ok(serde_json::to_string_pretty(report).map_err(|error| error.to_string())? + "\n")
}

/// The number of different objects.
fn distinct<'o>(objects: impl Iterator<Item = &'o String>) -> usize {
    objects.collect::<BTreeSet<_>>().len()
}

impl Checked {
    fn new(resource: &ResourceType) -> Self {
        Self {
            objects: BTreeMap::new(),
            conversions: Vec::new(),
            writes: Writes::new(resource),
            #[cfg(feature = "migrate")]
            references: None,
        }
    }

    fn conversion(&mut self, from: &str, to: &str) -> &mut Conversion {
        let known = self.conversions.iter().position(|own| own.from == from && own.to == to);
        let place = known.unwrap_or_else(|| {
            let (from, to) = (from.to_owned(), to.to_owned());
            self.conversions.push(Conversion { from, to, ..Conversion::default() });
            self.conversions.len() - 1
        });
        &mut self.conversions[place]
    }
}

impl Conversion {
    fn object(&mut self, resource: &ResourceType, (json, before): (&str, &Part), is_stored: bool) {
        let object = object_name(json, 0);
        let finding = |reason| Finding { object: object.clone(), reason, is_unstorable: false };
        let there = match resource.convert(json.as_bytes(), &self.to) {
            Ok(there) => there,
            Err(error) => {
                let found = finding(error.to_string());
                return self.failed.push(Finding { is_unstorable: is_stored, ..found });
            }
        };
        for (reason, count) in there.unrestored.iter() {
            *self.not_restored.entry(reason.to_string()).or_default() += count;
        }
        let prefix = annotation_prefix(resource.definition().group);
        let unreadable = |error| finding(format!("the converted {object} can't be read: {error}"));
        let shown = match Part::read(&there.json) {
            Ok(shown) => shown,
            Err(error) => return self.failed.push(unreadable(error)),
        };
        for (key, value) in annotations(&shown) {
            if key.starts_with(&prefix) && annotations(before).all(|own| own != (key, value)) {
                *self.kept.entry(key.clone()).or_default() += 1;
            }
        }
        let back = match resource.convert(there.json.as_bytes(), &self.from) {
            Ok(back) => back,
            Err(error) => return self.failed.push(finding(format!("on the way back: {error}"))),
        };
        let after = match Part::read(&back.json) {
            Ok(after) => after,
            Err(error) => return self.failed.push(unreadable(error)),
        };
        match difference(&comparable(before, &prefix), &comparable(&after, &prefix)) {
            None => self.exact += 1,
            Some(path) => {
                self.changed.push(finding(format!(
                    "a conversion there and back changes `{path}` of {object}"
                )));
            }
        }
    }

    fn text(&self, out: &mut String) {
        let Self { from, to, exact, kept, not_restored, failed, changed } = self;
        // Writing to a string doesn't fail.
        let _ = writeln!(
            out,
            "  {from} to {to}: {exact} are the same after a conversion there and back"
        );
        for (key, count) in kept {
            let _ = writeln!(out, "    {count} keep something in {key}");
        }
        for (reason, count) in not_restored {
            let _ = writeln!(out, "    {count} entries of annotations aren't restored: {reason}");
        }
        for (what, findings) in [("fail", failed), ("change", changed)] {
            if findings.is_empty() {
                continue;
            }
            let _ = writeln!(out, "    {} {what}", findings.len());
            named(out, "      ", findings, |found| found.reason.clone());
        }
    }
}
