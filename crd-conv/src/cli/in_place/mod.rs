//! The command `convert --in-place`.

mod patches;

use std::{
    collections::{BTreeSet, HashSet},
    fmt::Write,
    fs,
    path::Path,
};

use serde::Deserialize;
use serde_json::value::RawValue;
use similar::TextDiff;

use super::{
    args::{ConvertArgs, Format},
    convert::Conversion,
    files,
    input::{self, with_folders},
    listed,
    output::Output,
    terminal::Colours,
};
use crate::{ResourceType, yaml};
use patches::Patches;

/// Converts the objects in files, and rewrites the files. Writes nothing if something would be
/// lost.
pub(super) fn run(resources: &[ResourceType], args: &ConvertArgs) -> Result<Output, String> {
    if args.files.iter().any(|file| file == Path::new("-")) {
        return Err("`--in-place` needs files, and can't rewrite standard input".to_owned());
    }
    let files = with_folders(&args.files)?;
    let patches = Patches::find(files.all().map(|file| &**file), resources, &args.to)?;
    let mut conversion = Conversion::new(resources, args);
    let mut report = Report { args, text: String::new(), obstacles: 0 };
    let (mut changed, mut seen) = (Vec::new(), HashSet::new());
    for patch in &patches.found {
        report.obstacle(patch, "isn't converted", "isn't converted");
    }
    for file in files.all() {
        let real = fs::canonicalize(file).unwrap_or_else(|_| file.clone());
        if patches.files.contains(&real) || !seen.insert(real) {
            continue;
        }
        let bytes = input::read(Some(file), &mut std::io::empty())?;
        let (old, format) =
            input::documents(&bytes).map_err(|error| format!("{}: {error}", input::name(file)))?;
        let new = report.documents(file, &old, &mut conversion, &patches)?;
        if old == new {
            continue;
        }
        // `documents` has refused other bytes.
        let text = String::from_utf8_lossy(&bytes);
        let (mark, text) = match text.strip_prefix('\u{feff}') {
            Some(rest) => ("\u{feff}", rest),
            None => ("", &*text),
        };
        let edited = match format {
            Format::Json => json(text, &new),
            Format::Yaml => report.yaml(file, text, &old, &new)?,
        };
        if edited != text {
            changed.push((&**file, format!("{mark}{edited}")));
        }
    }
    conversion.found(&files)?;
    report.output(&conversion, &changed, files.note())
}

/// What standard error says.
struct Report<'a> {
    args: &'a ConvertArgs,
    text: String,
    obstacles: usize,
}

impl Report<'_> {
    fn obstacle(&mut self, what: &str, would: &str, is: &str) {
        self.obstacles += 1;
        let (level, verb) = if self.args.force { ("note", is) } else { ("error", would) };
        let _ = writeln!(self.text, "{level}: {what} {verb}");
    }

    /// The documents of a file after the conversion.
    fn documents(
        &mut self,
        file: &Path,
        old: &[String],
        conversion: &mut Conversion<'_>,
        patches: &Patches<'_>,
    ) -> Result<Vec<String>, String> {
        let mut new = Vec::with_capacity(old.len());
        for (place, document) in old.iter().enumerate() {
            let at = at(file, old.len(), place);
            // Other files than manifests are in a folder, too.
            if !document.trim_start().starts_with(['{', '[']) {
                new.push(document.clone());
                continue;
            }
            if let Some(patch) = patches.directive(document) {
                self.obstacle(&format!("{at}: {patch}"), "isn't converted", "isn't converted");
                new.push(document.clone());
                continue;
            }
            let converted =
                conversion.document(document).map_err(|error| format!("{at}: {error}"))?;
            for (object, annotations) in conversion.kept.drain(..) {
                let (verb, end) = if self.args.export {
                    ("loses", "")
                } else {
                    ("keeps", "; `--export` would drop them")
                };
                let _ = writeln!(
                    self.text,
                    "note: {at}: {object} {verb} values that {} has no room for: {annotations}{end}",
                    self.args.to
                );
            }
            new.push(converted);
        }
        Ok(new)
    }

    fn yaml(
        &mut self,
        file: &Path,
        text: &str,
        old: &[String],
        new: &[String],
    ) -> Result<String, String> {
        let edited = yaml::edit::edit(text, old, new, self.args.force)
            .map_err(|error| format!("{}: {error}", input::name(file)))?;
        for obstacle in &edited.obstacles {
            let at = at(file, old.len(), obstacle.document - 1);
            self.obstacle(
                &format!("{at}, line {}: {obstacle}", obstacle.line),
                "would be lost",
                "is lost, because the document is rewritten as a whole",
            );
        }
        Ok(edited.text)
    }

    fn output(
        mut self,
        conversion: &Conversion<'_>,
        changed: &[(&Path, String)],
        unread: String,
    ) -> Result<Output, String> {
        self.text = unread + &self.text;
        if self.obstacles > 0 && !self.args.force {
            self.text += "error: nothing is written; change these places by hand, or add `--force`, which drops what would be lost\n";
            return Ok(Output { code: 1, stderr: self.text, ..Output::default() });
        }
        let mut stdout = String::new();
        if self.args.dry_run {
            for (file, new) in changed {
                let name = file.display().to_string();
                let old = fs::read_to_string(file).unwrap_or_default();
                let diff = TextDiff::from_lines(&old, new);
                stdout += &diff.unified_diff().header(&name, &name).to_string();
            }
        } else {
            files::write_all(changed)?;
        }
        let _ = writeln!(
            self.text,
            "{} {} in {} to {}",
            if self.args.dry_run { "would convert" } else { "converted" },
            count(conversion.changed, "object"),
            count(changed.len(), "file"),
            self.args.to
        );
        Ok(Output { stdout, stderr: self.text, colours: Colours::Diff, ..Output::default() })
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A document's place in messages.
fn at(file: &Path, documents: usize, place: usize) -> String {
    let name = input::name(file);
    if documents == 1 { name } else { format!("{name}, document {}", place + 1) }
}

/// Puts documents into the places of others, one after the other.
fn json(text: &str, new: &[String]) -> String {
    let old = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let edits = old.flatten().zip(new).map(|(old, new)| (old.get(), new.clone()));
    listed::spliced(text, edits.collect())
}

/// The annotations of an object that the others don't have, for people.
pub(super) fn new_annotations(object: &str, others: [&str; 2]) -> String {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Object {
        metadata: Metadata,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Metadata {
        annotations: serde_json::Map<String, serde_json::Value>,
    }
    let names = |json| -> BTreeSet<String> {
        let object: Object = serde_json::from_str(json).unwrap_or_default();
        object.metadata.annotations.keys().cloned().collect()
    };
    let kept = others.into_iter().fold(names(object), |kept, other| &kept - &names(other));
    kept.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
