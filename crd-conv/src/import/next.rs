//! The module of a new version, from the text of the version before.
//!
//! Copies are slices of that text, so comments and layout stay as they are.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    str::FromStr,
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Item, UseTree, Visibility, spanned::Spanned, visit::Visit};

/// Arguments of `#[versioned(…)]` about the mapping onto the version before.
const MAPPING: [&str; 9] =
    ["added", "fallback", "from", "map", "moved", "refuses", "removed", "renamed_from", "with"];

/// A module, and what it lacks.
#[derive(Debug)]
pub(crate) struct Next {
    pub(crate) text: String,
    /// The copied types that no other type contains.
    pub(crate) outermost: Vec<String>,
    /// The copied types with an `impl` block, which isn't copied.
    pub(crate) without_impls: Vec<String>,
}

/// Writes the module of a new version. It copies the types in `wanted` and all types that contain
/// them, or if there are none, the types that no other type contains. `older` is the module with
/// the text.
///
/// # Errors
///
/// The text isn't Rust, or doesn't have such a type.
pub(crate) fn next(text: &str, older: &str, wanted: &[String]) -> Result<Next, String> {
    let file = syn::parse_file(text).map_err(|error| {
        let start = error.span().start();
        format!("line {}, column {}: {error}", start.line, start.column + 1)
    })?;
    let parts = parts(text, &file.items);
    let types: BTreeMap<&str, &Part<'_>> =
        parts.iter().filter_map(|part| Some((part.ty.as_deref()?, part))).collect();
    if let Some(name) = wanted.iter().find(|name| !types.contains_key(name.as_str())) {
        let known: Vec<_> = types.keys().map(|name| format!("`{name}`")).collect();
        return Err(format!("there is no type `{name}`, only {}", known.join(", ")));
    }
    let is_inside = |name: &str| {
        types.iter().any(|(other, outer)| *other != name && outer.names.contains(name))
    };
    let mut copied: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    if copied.is_empty() {
        copied = types.keys().copied().filter(|name| !is_inside(name)).collect();
    }
    if copied.is_empty() {
        return Err("there are no types".to_owned());
    }
    loop {
        let holds_copy = |outer: &Part<'_>| copied.iter().any(|inner| outer.names.contains(*inner));
        let around: Vec<&str> = types
            .iter()
            .filter(|(name, outer)| !copied.contains(*name) && holds_copy(outer))
            .map(|(name, _)| *name)
            .collect();
        if around.is_empty() {
            break;
        }
        copied.extend(around);
    }
    let outermost = copied.iter().filter(|name| !is_inside(name)).map(ToString::to_string);
    let impls: BTreeSet<String> = file.items.iter().filter_map(of_impl).collect();
    let without_impls = copied.iter().filter(|name| impls.contains(**name));
    Ok(Next {
        outermost: outermost.collect(),
        without_impls: without_impls.map(ToString::to_string).collect(),
        text: module(text, &parts, older, &copied),
    })
}

/// An item of the file.
struct Part<'f> {
    item: &'f Item,
    /// From the comments above it to its end.
    range: Range<usize>,
    /// The name of a struct or an enum that isn't the declaration of a resource.
    ty: Option<String>,
    /// The identifiers in it, and in its strings: serde's attributes name functions so.
    names: BTreeSet<String>,
}

fn parts<'f>(text: &str, items: &'f [Item]) -> Vec<Part<'f>> {
    let mut end = 0;
    let mut parts = Vec::new();
    for item in items {
        let range = item.span().byte_range();
        let start = start(text, end, range.start);
        end = range.end;
        let (mut ty, own) = match item {
            Item::Struct(item) => (Some(&item.ident), &item.attrs[..]),
            Item::Enum(item) => (Some(&item.ident), &item.attrs[..]),
            _ => (None, &[][..]),
        };
        if own.iter().filter_map(arguments).any(|all| all.iter().any(|one| one.0 == "resource")) {
            ty = None;
        }
        let names = names(slice(text, range));
        parts.push(Part { item, range: start..end, ty: ty.map(ToString::to_string), names });
    }
    parts
}

/// The start of an item with the comments above it. A comment behind the item before belongs to
/// that one.
fn start(text: &str, end: usize, start: usize) -> usize {
    let between = slice(text, end..start);
    let line = if end == 0 { 0 } else { between.find('\n').map_or(between.len(), |at| at + 1) };
    let comments = slice(between, line..between.len());
    // An empty line separates a comment from the item.
    let block = comments.rfind("\n\n").map_or(0, |at| at + 2);
    let block = slice(comments, block..comments.len());
    start - block.trim_start().len()
}

/// The type of an `impl` block.
fn of_impl(item: &Item) -> Option<String> {
    let Item::Impl(block) = item else { return None };
    let syn::Type::Path(ty) = &*block.self_ty else { return None };
    ty.path.segments.last().map(|segment| segment.ident.to_string())
}

fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

fn names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    collect(TokenStream::from_str(text).unwrap_or_default(), &mut names);
    names
}

fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(names.insert(ident.to_string())),
            TokenTree::Group(group) => collect(group.stream(), names),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                names.extend(text.trim_matches('"').split("::").next().map(str::to_owned));
            }
            TokenTree::Punct(_) => {}
        }
    }
}

fn module(text: &str, parts: &[Part<'_>], older: &str, copied: &BTreeSet<&str>) -> String {
    let is_copied = |part: &Part<'_>| part.ty.as_deref().is_some_and(|name| copied.contains(name));
    // Functions and constants that the copies name.
    let mut helpers: BTreeSet<usize> = BTreeSet::new();
    loop {
        let before = helpers.len();
        for (place, part) in parts.iter().enumerate() {
            let Some(name) = helper(part.item) else { continue };
            let is_named = |(other, part): (usize, &Part<'_>)| {
                (is_copied(part) || helpers.contains(&other)) && part.names.contains(&name)
            };
            if parts.iter().enumerate().any(is_named) {
                helpers.insert(place);
            }
        }
        if helpers.len() == before {
            break;
        }
    }
    let mut items = String::new();
    for (place, part) in parts.iter().enumerate() {
        match &part.ty {
            Some(name) if copied.contains(name.as_str()) => {
                items += "\n";
                items += &copy(text, part, older, name);
                items += "\n";
            }
            _ if helpers.contains(&place) => {
                items += "\n";
                items += slice(text, part.range.clone());
                items += "\n";
            }
            _ => {}
        }
    }
    let needed = names(&items);
    let (mut uses, mut same) = (String::new(), BTreeSet::new());
    for part in parts {
        match part.item {
            Item::Use(item) => {
                let mut leaves = Vec::new();
                let is_glob = leaves_of(&item.tree, &mut leaves);
                if is_public(&item.vis) {
                    same.extend(leaves);
                } else if is_glob || leaves.iter().any(|leaf| needed.contains(leaf)) {
                    uses += slice(text, part.range.clone());
                    uses += "\n";
                }
            }
            Item::Struct(item) if is_public(&item.vis) => same.extend(part.ty.clone()),
            Item::Enum(item) if is_public(&item.vis) => same.extend(part.ty.clone()),
            Item::Type(item) if is_public(&item.vis) => drop(same.insert(item.ident.to_string())),
            _ => {}
        }
    }
    same.retain(|name| !copied.contains(name.as_str()));
    if !uses.is_empty() {
        uses.push('\n');
    }
    let same: Vec<_> = same.into_iter().collect();
    let same = match &*same {
        [] => String::new(),
        [name] => format!("// This is as it was.\npub use super::{older}::{name};\n"),
        all => {
            format!("// These are as they were.\npub use super::{older}::{{{}}};\n", all.join(", "))
        }
    };
    (uses + &same + &items).trim_start().to_owned()
}

/// The name of an item that a type may need.
fn helper(item: &Item) -> Option<String> {
    match item {
        Item::Fn(item) => Some(item.sig.ident.to_string()),
        Item::Const(item) => Some(item.ident.to_string()),
        Item::Static(item) => Some(item.ident.to_string()),
        Item::Type(item) if !is_public(&item.vis) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn is_public(visibility: &Visibility) -> bool {
    !matches!(visibility, Visibility::Inherited)
}

/// Collects the names that a declaration imports. Returns whether it also imports all of a module.
fn leaves_of(tree: &UseTree, leaves: &mut Vec<String>) -> bool {
    match tree {
        UseTree::Path(path) if matches!(&*path.tree, UseTree::Name(name) if name.ident == "self") =>
        {
            leaves.push(path.ident.to_string());
            false
        }
        UseTree::Path(path) => leaves_of(&path.tree, leaves),
        UseTree::Name(name) => {
            leaves.push(name.ident.to_string());
            false
        }
        UseTree::Rename(rename) => {
            leaves.push(rename.rename.to_string());
            false
        }
        UseTree::Group(group) => {
            let globs = group.items.iter().filter(|tree| leaves_of(tree, leaves));
            globs.count() > 0
        }
        UseTree::Glob(_) => true,
    }
}

/// The first word of an argument, and where the argument is.
type Argument = (String, Range<usize>);

/// The arguments of `#[versioned(…)]`.
fn arguments(attribute: &Attribute) -> Option<Vec<Argument>> {
    let written = attribute.meta.require_list().ok()?;
    if !written.path.is_ident("versioned") {
        return None;
    }
    let mut all: Vec<Argument> = Vec::new();
    let mut is_new = true;
    for token in written.tokens.clone() {
        let range = token.span().byte_range();
        match (&token, all.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => is_new = true,
            (_, Some(last)) if !is_new => last.1.end = range.end,
            _ => {
                all.push((token.to_string(), range));
                is_new = false;
            }
        }
    }
    Some(all)
}

/// The text of a type, with the mapping from the type of the same name in the version before.
fn copy(text: &str, part: &Part<'_>, older: &str, name: &str) -> String {
    let mut attributes = Attributes::default();
    attributes.visit_item(part.item);
    let from = format!("from = super::{older}::{name}");
    let own: &[Attribute] = match part.item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => &[],
    };
    let is_own = |range: &Range<usize>| own.iter().any(|own| own.span().byte_range() == *range);
    let mut is_said = !own.iter().any(|own| {
        own.path().is_ident("derive")
            && names(slice(text, own.span().byte_range())).contains("Versioned")
    });
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (range, arguments) in attributes.found {
        let kept = arguments.iter().filter(|(word, _)| !MAPPING.contains(&word.as_str()));
        let mut kept: Vec<_> = kept.map(|(_, range)| slice(text, range.clone())).collect();
        let adds = is_own(&range) && !is_said;
        if !adds && kept.len() == arguments.len() {
            continue;
        }
        if adds {
            is_said = true;
            kept.insert(0, &from);
        }
        if kept.is_empty() {
            edits.push((whole_line(text, range), String::new()));
        } else {
            edits.push((range, format!("#[versioned({})]", kept.join(", "))));
        }
    }
    if !is_said && let Some(derive) = own.iter().find(|own| own.path().is_ident("derive")) {
        let end = derive.span().byte_range().end;
        edits.push((end..end, format!("\n#[versioned({from})]")));
    }
    edits.sort_by_key(|(range, _)| range.start);
    let (mut copy, mut at) = (String::new(), part.range.start);
    for (range, new) in edits {
        copy += slice(text, at..range.start);
        copy += &new;
        at = range.end;
    }
    copy + slice(text, at..part.range.end)
}

/// With the line break and the indent before it, or the space after it if more is on the line.
fn whole_line(text: &str, range: Range<usize>) -> Range<usize> {
    let before = slice(text, 0..range.start).trim_end_matches([' ', '\t']);
    let after = slice(text, range.end..text.len());
    let next = after.trim_start_matches([' ', '\t', '\r']);
    if next.starts_with('\n') && before.ends_with('\n') {
        before.len() - 1..range.end
    } else {
        range.start..text.len() - next.len()
    }
}

/// Finds the attributes `versioned`.
#[derive(Default)]
struct Attributes {
    found: Vec<(Range<usize>, Vec<Argument>)>,
}

impl Visit<'_> for Attributes {
    fn visit_attribute(&mut self, attribute: &Attribute) {
        let arguments = arguments(attribute);
        self.found.extend(arguments.map(|all| (attribute.span().byte_range(), all)));
    }
}

#[cfg(test)]
mod tests {
    use super::next;

    const TEXT: &str = r#"//! The first version.

use std::collections::BTreeMap;

use super::convert::GoDuration;
use crd_conv::Versioned;
use serde::{Deserialize, Serialize};
// The same as before.
pub use super::v1alpha1::{Key, Old as Older};

/// What a thing should look like.
#[derive(Versioned, Serialize, Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = super::v1alpha1::ThingSpec, // as it was called
    removed(owner, retries = 3),
    nullable = false,
)]
pub struct ThingSpec {
    /// A name.
    #[versioned(renamed_from = title)]
    pub name: String,
    // Not for people.
    #[versioned(added, validation("self == oldSelf", message = "a, b"), with = GoDuration)]
    pub resync: Option<i64>,
    #[serde(default = "ports")]
    pub ports: Vec<Port>,
    pub keys: BTreeMap<String, Key>,
}

// Ports are numbers.
#[derive(Versioned, Serialize, Deserialize, Clone)]
pub struct Port {
    #[versioned(added)] pub number: i32,
    pub mode: Mode,
}

#[derive(Versioned, Serialize, Deserialize, Clone)]
#[versioned(from = super::v1alpha1::Mode, removed(Gone = On))]
pub enum Mode {
    #[versioned(renamed_from = Yes)]
    On,
    Off,
}

fn ports() -> Vec<Port> {
    vec![first()]
}

fn first() -> Port {
    Port { number: 1, mode: Mode::On }
}

fn unused() {}

impl Default for ThingSpec {
    fn default() -> Self {
        todo!()
    }
}

#[derive(Versioned, Serialize, Deserialize, Clone)]
pub struct ThingStatus {}
"#;

    #[test]
    fn a_type_is_copied_with_all_that_contain_it() {
        let next = next(TEXT, "v1beta1", &["Port".to_owned()]).unwrap();
        let expected = r#"use std::collections::BTreeMap;
use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

// These are as they were.
pub use super::v1beta1::{Key, Mode, Older, ThingStatus};

/// What a thing should look like.
#[derive(Versioned, Serialize, Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
#[versioned(from = super::v1beta1::ThingSpec, nullable = false)]
pub struct ThingSpec {
    /// A name.
    pub name: String,
    // Not for people.
    #[versioned(validation("self == oldSelf", message = "a, b"))]
    pub resync: Option<i64>,
    #[serde(default = "ports")]
    pub ports: Vec<Port>,
    pub keys: BTreeMap<String, Key>,
}

// Ports are numbers.
#[derive(Versioned, Serialize, Deserialize, Clone)]
#[versioned(from = super::v1beta1::Port)]
pub struct Port {
    pub number: i32,
    pub mode: Mode,
}

fn ports() -> Vec<Port> {
    vec![first()]
}

fn first() -> Port {
    Port { number: 1, mode: Mode::On }
}
"#;
        assert_eq!(next.text, expected);
        assert_eq!(next.outermost, ["ThingSpec"]);
        assert_eq!(next.without_impls, ["ThingSpec"]);
    }

    #[test]
    fn without_types_the_outermost_ones_are_copied() {
        let next = next(TEXT, "v1beta1", &[]).unwrap();
        assert_eq!(next.outermost, ["ThingSpec", "ThingStatus"]);
        assert!(next.text.contains("#[versioned(from = super::v1beta1::ThingStatus)]\n"));
        assert!(next.text.contains("pub use super::v1beta1::{Key, Mode, Older, Port};\n"));
    }

    /// The last variant's attribute is on the same lines, and nothing is copied from the declaration of a resource.
    #[test]
    fn enums_and_resources() {
        let next = next(TEXT, "v1beta1", &["Mode".to_owned()]).unwrap();
        let mode =
            "#[versioned(from = super::v1beta1::Mode)]\npub enum Mode {\n    On,\n    Off,\n}\n";
        assert!(next.text.contains(mode), "{}", next.text);
        let resource = "#[derive(Versioned)]\n#[versioned(resource(group = \"a\"))]\nenum Thing { V1 { spec: Spec } }\n#[derive(Versioned)]\npub struct Spec {}";
        let next = super::next(resource, "v1", &[]).unwrap();
        assert_eq!(
            next.text,
            "#[derive(Versioned)]\n#[versioned(from = super::v1::Spec)]\npub struct Spec {}\n"
        );
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        assert_eq!(
            next("struct {}", "v1", &[]).unwrap_err(),
            "line 1, column 8: expected identifier"
        );
        assert_eq!(next("fn a() {}", "v1", &[]).unwrap_err(), "there are no types");
        let unknown = next("struct A; enum B {}", "v1", &["C".to_owned()]).unwrap_err();
        assert_eq!(unknown, "there is no type `C`, only `A`, `B`");
    }
}
