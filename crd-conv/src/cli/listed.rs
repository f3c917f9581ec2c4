//! Objects and lists of objects, as kubectl reads them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::choice::resource_of;
use crate::ResourceType;

/// A document that is read as JSON.
pub(super) enum Document<'a> {
    Object(Head<'a>),
    List(List<'a>),
}

/// The members that identify a resource. All others are skipped unread.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Head<'a> {
    pub(super) api_version: Option<String>,
    pub(super) kind: Option<String>,
    #[serde(borrow)]
    items: Option<&'a RawValue>,
}

/// A JSON array, or an object whose kind ends in `List` and that has `items`.
pub(super) struct List<'a> {
    /// The version and kind of items that don't say theirs, if the list's kind names one. That is
    /// so for what the API server answers.
    pub(super) of: Option<(String, String)>,
    pub(super) items: Vec<Item<'a>>,
}

pub(super) struct Item<'a> {
    /// As it is written in the list.
    pub(super) written: &'a str,
    /// With its version and kind.
    pub(super) json: Cow<'a, str>,
}

impl<'a> Document<'a> {
    /// Reads a document. An object of one of the resources isn't a list, even if its kind ends in
    /// `List`.
    ///
    /// Source: `decodeToList` in `pkg/apis/meta/v1/unstructured/unstructured.go` of
    /// `k8s.io/apimachinery`.
    pub(super) fn read(json: &'a str, resources: &[ResourceType]) -> Result<Self, String> {
        if json.trim_start().starts_with('[') {
            return Ok(Self::List(List { of: None, items: items(json, None)? }));
        }
        let head: Head<'_> = serde_json::from_str(json)
            .map_err(|error| format!("a document isn't an object of Kubernetes: {error}"))?;
        let Head { api_version, kind: Some(kind), items: Some(written) } = &head else {
            return Ok(Self::Object(head));
        };
        let is_object = api_version
            .as_ref()
            .is_some_and(|api_version| resource_of(resources, api_version, kind).is_some());
        let Some(of) = kind.strip_suffix("List").filter(|_| !is_object) else {
            return Ok(Self::Object(head));
        };
        let of =
            api_version.clone().filter(|_| !of.is_empty()).map(|version| (version, of.to_owned()));
        let items = items(written.get(), of.as_ref())?;
        Ok(Self::List(List { of, items }))
    }
}

fn items<'a>(written: &'a str, of: Option<&(String, String)>) -> Result<Vec<Item<'a>>, String> {
    let items: Vec<&RawValue> = serde_json::from_str(written)
        .map_err(|error| format!("the items of a list aren't a list: {error}"))?;
    let item = |item: &'a RawValue| Item { written: item.get(), json: complete(item.get(), of) };
    Ok(items.into_iter().map(item).collect())
}

/// An item with the version and kind from its list, if it has no kind.
fn complete<'a>(item: &'a str, of: Option<&(String, String)>) -> Cow<'a, str> {
    let Some((api_version, kind)) = of else { return item.into() };
    let Ok(Head { api_version: None, kind: None, .. }) = serde_json::from_str(item) else {
        return item.into();
    };
    let Some(members) = item.strip_prefix('{') else { return item.into() };
    let comma = if members.trim_start() == "}" { "" } else { "," };
    let (api_version, kind) = (quoted(api_version), quoted(kind));
    format!("{{\"apiVersion\":{api_version},\"kind\":{kind}{comma}{members}").into()
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Replaces parts of a text, in any order. Each part is a slice of the text.
pub(super) fn spliced(text: &str, mut edits: Vec<(&str, String)>) -> String {
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    edits.sort_unstable_by_key(|(part, _)| offset(part));
    let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
    for (part, new) in edits {
        let start = offset(part);
        out += &text[copied..start];
        out += &new;
        copied = start + part.len();
    }
    out + &text[copied..]
}

/// Where a list's own version is in its text.
pub(super) fn api_version(json: &str) -> Option<&str> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version<'a> {
        #[serde(borrow)]
        api_version: &'a RawValue,
    }
    serde_json::from_str(json).ok().map(|version: Version<'_>| version.api_version.get())
}
