//! The module of a new version, from the text of the version before.
//!
//! Copies are slices of that text, so comments and layout stay as they are.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    str::FromStr,
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{Item, UseTree, Visibility, spanned::Spanned};

use super::copy::{arguments, copy};

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
pub(super) struct Part<'f> {
    pub(super) item: &'f Item,
    /// From the comments above it to its end.
    pub(super) range: Range<usize>,
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

pub(super) fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

pub(super) fn names(text: &str) -> BTreeSet<String> {
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
