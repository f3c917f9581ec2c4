//! Reads `#[versioned(…)]` on an enum of values and on its variants.

use syn::{Attribute, Ident, Path, Token, ext::IdentExt, parse::ParseStream, token};

use super::declared::OfType;
use super::structure;
use super::{Inside, Once, Place, each, older, parenthesized, path, unknown, unquoted, versioned};
use crate::{ctxt::Ctxt, name::Name};

/// Attributes of the enum.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) krate: Once<Path>,
    pub(crate) from: Once<Path>,
    pub(crate) removed: Vec<Removed>,
    pub(crate) declared: OfType,
    /// Whether there is any item, valid or not.
    pub(crate) has_items: bool,
    /// Whether an item couldn't be read. That was reported already.
    pub(crate) broken: bool,
}

/// An element of `removed(Old = New)`.
pub(crate) struct Removed {
    pub(crate) older: Name,
    pub(crate) shown_as: Name,
}

/// Attributes of a variant.
#[derive(Default)]
pub(crate) struct Variant {
    pub(crate) renamed_from: Once<Name>,
    /// Holds the variant that the older version shows instead.
    pub(crate) added: Once<Name>,
    /// The items for the variant's fields, if it has named fields.
    pub(crate) fields: structure::Container,
    /// Whether a rule couldn't be read. That was reported already.
    pub(crate) broken: bool,
}

impl Variant {
    /// The first of the keys that were written.
    pub(crate) fn key(&self) -> Option<&Ident> {
        self.renamed_from.key().or(self.added.key())
    }
}

pub(crate) fn container(cx: &Ctxt, attrs: &[Attribute]) -> Container {
    let mut container = Container::default();
    let mut has_items = false;
    let before = cx.count();
    versioned(cx, attrs, |key, input| {
        has_items = true;
        match key.to_string().as_str() {
            "crate" => container.krate.set(cx, key, path(key, input)?),
            "from" => container.from.set(cx, key, older(key, input)?),
            "removed" => {
                if !input.peek(token::Paren) {
                    return Err(syn::Error::new_spanned(key, REMOVED));
                }
                parenthesized(input, |content| {
                    if content.is_empty() {
                        return Err(syn::Error::new_spanned(key, REMOVED));
                    }
                    each(cx, content, |content| {
                        let older = variant_name(content)?;
                        if !content.peek(Token![=]) {
                            return Err(syn::Error::new_spanned(&older.ident, REMOVED));
                        }
                        content.parse::<Token![=]>()?;
                        let shown_as = variant_name(content)?;
                        container.removed.push(Removed { older, shown_as });
                        Ok(())
                    });
                    Ok(())
                })?;
            }
            _ => {
                if !container.declared.read(cx, key, input)? {
                    return Err(Place::Enum.unknown(key));
                }
            }
        }
        Ok(())
    });
    container.has_items = has_items;
    container.broken = cx.count() > before;
    container
}

const REMOVED: &str =
    "write `removed(Old = New)` with the variant that this version shows in place of the older one";

pub(crate) fn variant(cx: &Ctxt, attrs: &[Attribute], has_fields: bool) -> Variant {
    const ADDED: &str = "write `added(shown_as = Old)` with the variant that the older version shows in place of this one";
    let mut variant = Variant::default();
    let before = cx.count();
    versioned(cx, attrs, |key, input| {
        match key.to_string().as_str() {
            "renamed_from" => {
                if !input.peek(Token![=]) {
                    return Err(syn::Error::new_spanned(
                        key,
                        "write `renamed_from = Name` with the variant's Rust name in the older version",
                    ));
                }
                input.parse::<Token![=]>()?;
                variant.renamed_from.set(cx, key, variant_name(input)?);
            }
            "added" => {
                if !input.peek(token::Paren) {
                    return Err(syn::Error::new_spanned(key, ADDED));
                }
                let shown_as = parenthesized(input, |content| {
                    if content.is_empty() {
                        return Err(syn::Error::new_spanned(key, ADDED));
                    }
                    let item = content.call(Ident::parse_any)?;
                    if item != "shown_as" {
                        return Err(unknown(&item, "`added`", Inside::AddedVariant.items()));
                    }
                    if !content.peek(Token![=]) {
                        return Err(syn::Error::new_spanned(item, ADDED));
                    }
                    content.parse::<Token![=]>()?;
                    variant_name(content)
                })?;
                variant.added.set(cx, key, shown_as);
            }
            "removed" | "map" | "moved" if has_fields => {
                structure::mapping(cx, &mut variant.fields, key, input)?;
            }
            "map" | "moved" => {
                return Err(syn::Error::new_spanned(
                    key,
                    format!(
                        "`{key}` is for fields with names, and this variant has none: remove it"
                    ),
                ));
            }
            "nullable" => {
                return Err(syn::Error::new_spanned(
                    key,
                    "`nullable` can't be on a variant: write it on the enum, for the fields of all its variants, or on a single field",
                ));
            }
            "validation" => {
                return Err(syn::Error::new_spanned(
                    key,
                    "a rule can't be on a variant: write it on the enum, where it can check the variant, or on the fields or the type in \
                     the variant",
                ));
            }
            "name" | "storage" | "served" | "deprecated" | "printer_column" | "status"
            | "scale" | "selectable_field" => {
                return Err(syn::Error::new_spanned(
                    key,
                    format!(
                        "`{key}` is for a version of a resource: if this enum declares a resource, write `#[versioned(resource(…))]` on it"
                    ),
                ));
            }
            _ if has_fields => return Err(Place::VariantWithFields.unknown(key)),
            _ => return Err(Place::Variant.unknown(key)),
        }
        Ok(())
    });
    variant.broken = cx.count() > before;
    variant
}

/// Reads a variant's Rust name without a path.
fn variant_name(input: ParseStream<'_>) -> syn::Result<Name> {
    if input.peek(syn::LitStr) {
        return Err(unquoted(input, "a variant's Rust name"));
    }
    let name = input.call(Ident::parse_any)?;
    if input.peek(Token![::]) {
        return Err(syn::Error::new_spanned(
            name,
            "write the variant's name alone, without its enum",
        ));
    }
    Ok(Name::new(name))
}
