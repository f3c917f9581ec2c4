//! The command `convert`.

use std::io::Read;

use super::{
    args::{ConvertArgs, Format},
    as_server::Server,
    choice::{names, resource_of},
    in_place,
    input::{self, Files},
    listed::{self, Document, Head, List},
    output::Output,
};
use crate::error::of_kind;
use crate::object::object_name;
use crate::yaml;
use crate::{ResourceType, UnrestoredReason};

/// Converts the documents of each file in order, and prints them in the format of the first one.
/// Objects of other kinds are printed unchanged.
pub(super) fn run(
    resources: &[ResourceType],
    args: &ConvertArgs,
    stdin: &mut dyn Read,
) -> Result<Output, String> {
    if args.in_place {
        return in_place::run(resources, args);
    }
    let stdin_alone = ["-".into()];
    let files =
        input::with_folders(if args.files.is_empty() { &stdin_alone } else { &args.files })?;
    let mut format = args.format;
    let mut out = String::new();
    let mut conversion = Conversion::new(resources, args);
    for file in files.all() {
        let name = input::name(file);
        let bytes = input::read(Some(file), stdin)?;
        let (documents, found) =
            input::documents(&bytes).map_err(|error| format!("{name}: {error}"))?;
        let format = *format.get_or_insert(found);
        if format == Format::Yaml && str::from_utf8(&bytes).is_ok_and(input::has_comments) {
            conversion.commented.push(name.clone());
        }
        for (place, document) in documents.iter().enumerate() {
            // The only object on standard input needs no name.
            let at = || match (documents.len(), args.files.is_empty()) {
                (1, true) => String::new(),
                (1, false) => format!("{name}: "),
                _ => format!("{name}, document {}: ", place + 1),
            };
            let converted = conversion.document(document).map_err(|error| at() + &error)?;
            match format {
                Format::Json => {
                    out += &converted;
                    out.push('\n');
                }
                Format::Yaml => {
                    if !out.is_empty() {
                        out += "---\n";
                    }
                    out += &yaml::from_json(&converted).map_err(|error| {
                        format!(
                            "{}the converted object can't be written as YAML; add `--format json`: {error}",
                            at()
                        )
                    })?;
                }
            }
        }
    }
    conversion.output(out, &files)
}

pub(super) struct Conversion<'a> {
    resources: &'a [ResourceType],
    args: &'a ConvertArgs,
    server: Server,
    /// The number of objects of the program's kinds.
    converted: usize,
    /// The number of those that have changed.
    pub(super) changed: usize,
    /// The objects of other kinds, for people.
    others: Vec<String>,
    /// The files with comments, which the output doesn't contain.
    commented: Vec<String>,
    /// The objects with values that the target version has no room for, with their annotations.
    pub(super) kept: Vec<(String, String)>,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(resources: &'a [ResourceType], args: &'a ConvertArgs) -> Self {
        Self {
            resources,
            args,
            server: Server::default(),
            converted: 0,
            changed: 0,
            others: Vec::new(),
            commented: Vec::new(),
            kept: Vec::new(),
        }
    }

    pub(super) fn document(&mut self, json: &str) -> Result<String, String> {
        match Document::read(json, self.resources)? {
            Document::Object(head) => self.object(json, &head),
            Document::List(list) => self.list(json, &list),
        }
    }

    /// Converts the items in place in the list's text, and the version that a list of one kind has.
    fn list(&mut self, json: &str, list: &List<'_>) -> Result<String, String> {
        let mut edits = Vec::new();
        if let Some((version, kind)) = &list.of
            && let Some(resource) = resource_of(self.resources, version, kind)
            && let Some(written) = listed::api_version(json)
        {
            let to = self.args.to.rsplit('/').next().unwrap_or_default();
            let version = format!("{}/{to}", resource.definition().group);
            edits.push((written, listed::quoted(&version)));
        }
        for item in &list.items {
            let converted = self.document(&item.json)?;
            edits.push((item.written, converted));
        }
        Ok(listed::spliced(json, edits))
    }

    fn object(&mut self, json: &str, head: &Head<'_>) -> Result<String, String> {
        let Self { resources, args, server, .. } = self;
        let (Some(api_version), Some(kind)) = (&head.api_version, &head.kind) else {
            // A folder also has other files than manifests.
            if args.in_place {
                return Ok(json.to_owned());
            }
            return Err("an object has no `apiVersion` or no `kind`".to_owned());
        };
        let Some(resource) = resource_of(resources, api_version, kind) else {
            let object = of_kind(kind, &object_name(json, 0));
            self.others.push(format!("{object} in {api_version}"));
            return Ok(json.to_owned());
        };
        self.converted += 1;
        let converted = if args.as_server {
            server.read_at(resource, json, &args.to)?
        } else {
            resource.convert(json.as_bytes(), &args.to).map_err(|error| error.to_string())?
        };
        let exported =
            || resource.export(converted.json.as_bytes()).map_err(|error| error.to_string());
        if args.in_place {
            let before = if args.export { "{}" } else { json };
            let kept = in_place::new_annotations(&converted.json, [&exported()?, before]);
            if !kept.is_empty() {
                self.kept.push((of_kind(kind, &object_name(json, 0)), kept));
            }
        }
        self.changed += usize::from(converted.json != json);
        if args.export {
            return exported();
        }
        if converted.unrestored.count(UnrestoredReason::Oversized) > 0 {
            return Err(format!(
                "the annotations of {} have no room for the values that {} can't express; `--export` converts it without any kept values",
                object_name(json, 0),
                args.to
            ));
        }
        Ok(converted.json)
    }

    /// Fails if no object is of the program's kinds.
    pub(super) fn found(&self, files: &Files<'_>) -> Result<(), String> {
        let Self { resources, converted, others, .. } = self;
        if *converted > 0 {
            return Ok(());
        }
        let found = if others.is_empty() {
            String::new()
        } else {
            format!(": it has {}", others.join(", "))
        };
        let error = format!("the input holds no object of {}{found}", names(resources));
        Err(files.missing(error))
    }

    fn output(self, stdout: String, files: &Files<'_>) -> Result<Output, String> {
        self.found(files)?;
        let Self { server, others, commented, .. } = self;
        let notes = others.iter().map(|other| {
            format!(
                "note: {other} belongs to no resource of this program and is printed unchanged\n"
            )
        });
        let comments =
            commented.iter().map(|file| format!("note: the comments in {file} are lost\n"));
        Ok(Output {
            stdout,
            stderr: files.note() + &server.notes + &notes.chain(comments).collect::<String>(),
            ..Output::default()
        })
    }
}
