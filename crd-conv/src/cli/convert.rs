//! `convert`.

use serde_json::value::RawValue;

use super::{
    args::{ConvertArgs, Format},
    as_server::Server,
    choice::{names, resource_of},
    input::{self, Head},
    output::Output,
};
use crate::object::object_name;
use crate::yaml;
use crate::{Loss, Resource};

pub(super) fn run(
    resources: &[Resource],
    args: &ConvertArgs,
    bytes: &[u8],
) -> Result<Output, String> {
    let (documents, found) = input::documents(bytes)?;
    if documents.is_empty() {
        return Err("the input holds no object".to_owned());
    }
    let format = args.format.unwrap_or(found);
    let mut out = String::new();
    let mut server = Server::default();
    for document in documents {
        let converted = document_to(resources, args, &document, &mut server)?;
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
                        "the converted object has no form in YAML, so add `--format json`: {error}"
                    )
                })?;
            }
        }
    }
    Ok(Output { stdout: out, stderr: server.notes, ..Output::default() })
}

fn document_to(
    resources: &[Resource],
    args: &ConvertArgs,
    json: &str,
    server: &mut Server,
) -> Result<String, String> {
    let head: Head<'_> = serde_json::from_str(json)
        .map_err(|error| format!("a document isn't an object of Kubernetes: {error}"))?;
    if let Some(items) = head.items
        && head.kind.as_deref() == Some("List")
        && head.api_version.as_deref() == Some("v1")
    {
        return list(resources, args, json, items.get(), server);
    }
    object(resources, args, json, &head, server)
}

/// Converts the items where they stand in the list's text.
fn list(
    resources: &[Resource],
    args: &ConvertArgs,
    json: &str,
    items: &str,
    server: &mut Server,
) -> Result<String, String> {
    let elements: Vec<&RawValue> = serde_json::from_str(items)
        .map_err(|error| format!("the items of a list aren't a list: {error}"))?;
    let mut out = String::with_capacity(json.len());
    let mut copied = 0;
    for element in elements {
        let element = element.get();
        let head = serde_json::from_str(element)
            .map_err(|error| format!("an item of a list isn't an object of Kubernetes: {error}"))?;
        let start = element.as_ptr() as usize - json.as_ptr() as usize;
        out += &json[copied..start];
        out += &object(resources, args, element, &head, server)?;
        copied = start + element.len();
    }
    out += &json[copied..];
    Ok(out)
}

fn object(
    resources: &[Resource],
    args: &ConvertArgs,
    json: &str,
    head: &Head<'_>,
    server: &mut Server,
) -> Result<String, String> {
    let (Some(api_version), Some(kind)) = (&head.api_version, &head.kind) else {
        return Err("an object has no `apiVersion` or no `kind`".to_owned());
    };
    let resource = resource_of(resources, api_version, kind).ok_or_else(|| {
        format!(
            "an object is of kind `{kind}` in `{api_version}`, which isn't among the resources here: {}",
            names(resources)
        )
    })?;
    let converted = if args.as_server {
        server.read_at(resource, json, &args.to)?
    } else {
        resource.convert(json.as_bytes(), &args.to).map_err(|error| error.to_string())?
    };
    if args.export {
        return resource.export(converted.json.as_bytes()).map_err(|error| error.to_string());
    }
    if converted.losses.count(Loss::Oversized) > 0 {
        return Err(format!(
            "the annotations of {} have no room for what {} can't say; `--export` converts it without all of that",
            object_name(json, 0),
            args.to
        ));
    }
    Ok(converted.json)
}
