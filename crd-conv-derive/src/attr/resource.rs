//! Reads `#[versioned(…)]` on a resource enum, its variants and their stanzas.

use syn::{
    Attribute, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Path, Token, ext::IdentExt,
    parse::ParseStream, token,
};

use super::moved::moved;
use super::structure;
use super::validation::{Validation, validation};
use super::{Inside, Once, Place, flag, items, parenthesized, path, text, unknown, versioned};
use crate::{ctxt::Ctxt, model::Way, name::Name};

/// Attributes of the enum.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) krate: Once<Path>,
    /// The key of `resource(…)`.
    pub(crate) resource: Option<Ident>,
    /// Whether there is any item, valid or not.
    pub(crate) has_items: bool,
    pub(crate) group: Once<LitStr>,
    pub(crate) kind: Once<LitStr>,
    pub(crate) plural: Once<LitStr>,
    pub(crate) singular: Once<LitStr>,
    pub(crate) list_kind: Once<LitStr>,
    pub(crate) short_names: Vec<LitStr>,
    pub(crate) categories: Vec<LitStr>,
    pub(crate) scope: Once<LitStr>,
    pub(crate) labels: Vec<(LitStr, LitStr)>,
    pub(crate) annotations: Vec<(LitStr, LitStr)>,
    pub(crate) descriptions: Once<LitStr>,
    pub(crate) schema: Once<LitStr>,
    /// Whether an item couldn't be read. That was reported already.
    pub(crate) broken: bool,
}

/// Attributes of a variant.
#[derive(Default)]
pub(crate) struct Variant {
    /// The doc comment.
    pub(crate) doc: Option<String>,
    pub(crate) name: Once<LitStr>,
    pub(crate) served: Once<bool>,
    pub(crate) storage: Once<bool>,
    /// Holds the warning.
    pub(crate) deprecated: Once<Option<LitStr>>,
    pub(crate) status: Once<bool>,
    pub(crate) scale: Once<Scale>,
    pub(crate) printer_columns: Vec<PrinterColumn>,
    pub(crate) selectable_fields: Vec<LitStr>,
    pub(crate) validations: Vec<Validation>,
    pub(crate) removed: Vec<Name>,
    pub(crate) moved: Vec<Way>,
    /// Whether an item couldn't be read. That was reported already.
    pub(crate) broken: bool,
}

/// The paths of the scale subresource.
pub(crate) struct Scale {
    pub(crate) spec_replicas: LitStr,
    pub(crate) status_replicas: LitStr,
    pub(crate) label_selector: Option<LitStr>,
}

pub(crate) struct PrinterColumn {
    pub(crate) name: LitStr,
    pub(crate) ty: LitStr,
    pub(crate) json_path: LitStr,
    pub(crate) format: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) priority: Option<i32>,
}

pub(crate) fn container(cx: &Ctxt, attrs: &[Attribute]) -> Container {
    let mut container = Container::default();
    let before = cx.count();
    versioned(cx, attrs, |key, input| {
        container.has_items = true;
        match key.to_string().as_str() {
            "crate" => {
                container.krate.set(cx, key, path(key, input)?);
                container.has_items = container.resource.is_some();
                Ok(())
            }
            "resource" => {
                if container.resource.replace(key.clone()).is_some() {
                    return Err(syn::Error::new_spanned(key, "`resource` is written twice"));
                }
                if !input.peek(token::Paren) {
                    return Err(syn::Error::new_spanned(
                        key,
                        "write `resource(group = \"…\", plural = \"…\", scope = \"Namespaced\")`",
                    ));
                }
                parenthesized(input, |content| {
                    items(cx, content, |key, input| resource(cx, &mut container, key, input));
                    Ok(())
                })
            }
            "nullable" => Err(never_null(key)),
            _ => Err(Place::ResourceEnum.unknown(key)),
        }
    });
    container.broken = cx.count() > before;
    container
}

/// The error for `nullable = false` written for all types of a resource at once.
fn never_null(key: &Ident) -> syn::Error {
    syn::Error::new_spanned(
        key,
        "`nullable = false` belongs on the structs and enums of the versions: it applies to a type everywhere, also in another resource, \
         and where its values are converted without a resource",
    )
}

/// Reads an item of `resource(…)`.
fn resource(
    cx: &Ctxt,
    container: &mut Container,
    key: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<()> {
    match key.to_string().as_str() {
        "group" => container.group.set(cx, key, text(key, input)?),
        "kind" => container.kind.set(cx, key, text(key, input)?),
        "plural" => container.plural.set(cx, key, text(key, input)?),
        "singular" => container.singular.set(cx, key, text(key, input)?),
        "list_kind" => container.list_kind.set(cx, key, text(key, input)?),
        "scope" => container.scope.set(cx, key, text(key, input)?),
        "short_name" => container.short_names.push(text(key, input)?),
        "category" => container.categories.push(text(key, input)?),
        "label" => container.labels.push(pair(key, input)?),
        "annotation" => container.annotations.push(pair(key, input)?),
        "descriptions" => container.descriptions.set(cx, key, text(key, input)?),
        "schema" => container.schema.set(cx, key, text(key, input)?),
        "nullable" => return Err(never_null(key)),
        _ => {
            return Err(Place::Resource.unknown(key));
        }
    }
    Ok(())
}

/// Returns the text of a doc comment, as `schemars` reads it.
fn doc(attrs: &[Attribute]) -> Option<String> {
    let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc")).filter_map(|attr| {
        let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) =
            &attr.meta.require_name_value().ok()?.value
        else {
            return None;
        };
        let line = line.value();
        Some(line.strip_prefix(' ').map_or_else(|| line.clone(), str::to_owned))
    });
    let text = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Reads `("key" = "value")`.
fn pair(key: &Ident, input: ParseStream<'_>) -> syn::Result<(LitStr, LitStr)> {
    let how = || format!("write `{key}(\"key\" = \"value\")`");
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, how()));
    }
    parenthesized(input, |content| {
        let read = |content: ParseStream<'_>| {
            let name = content.parse()?;
            content.parse::<Token![=]>()?;
            Ok((name, content.parse()?))
        };
        read(content).map_err(|error: syn::Error| syn::Error::new(error.span(), how()))
    })
}

pub(crate) fn variant(cx: &Ctxt, attrs: &[Attribute]) -> Variant {
    let mut variant = Variant { doc: doc(attrs), ..Variant::default() };
    let before = cx.count();
    versioned(cx, attrs, |key, input| {
        match key.to_string().as_str() {
            "name" => variant.name.set(cx, key, text(key, input)?),
            "served" => variant.served.set(cx, key, flag(key, input)?),
            "storage" => variant.storage.set(cx, key, flag(key, input)?),
            "status" => variant.status.set(cx, key, flag(key, input)?),
            "deprecated" => {
                let warning = if input.peek(Token![=]) { Some(text(key, input)?) } else { None };
                variant.deprecated.set(cx, key, warning);
            }
            "scale" => {
                if let Some(scale) = scale(cx, key, input)? {
                    variant.scale.set(cx, key, scale);
                }
            }
            "printer_column" => variant.printer_columns.extend(printer_column(cx, key, input)?),
            "selectable_field" => variant.selectable_fields.push(text(key, input)?),
            "validation" => variant.validations.push(validation(cx, key, input)?),
            "removed" => {
                if !input.peek(token::Paren) {
                    return Err(syn::Error::new_spanned(
                        key,
                        "write `removed(stanza)` with the name of a stanza that only the older version has",
                    ));
                }
                parenthesized(input, |content| {
                    let names = content.parse_terminated(Ident::parse_any, Token![,])?;
                    variant.removed.extend(names.into_iter().map(Name::new));
                    Ok(())
                })?;
            }
            "moved" => moved(cx, key, input, "spec.field => status.field", &mut variant.moved)?,
            "nullable" => return Err(never_null(key)),
            "added" => {
                return Err(syn::Error::new_spanned(
                    key,
                    "`added` belongs on a stanza, and a variant is a version: write it on the field of the variant that is new",
                ));
            }
            _ => {
                return Err(Place::Version.unknown(key));
            }
        }
        Ok(())
    });
    variant.broken = cx.count() > before;
    variant
}

/// Reads whether a stanza is new in its version: the key that declares it, and whether the stanza's
/// fields are declared new, too.
pub(crate) fn stanza(cx: &Ctxt, attrs: &[Attribute]) -> Option<(Ident, bool)> {
    let mut added = Once::default();
    versioned(cx, attrs, |key, input| match key.to_string().as_str() {
        "added" => {
            let said = structure::added(cx, key, input)?.unwrap_or_default();
            added.set(cx, key, said.is_new);
            if let Some(value) = said.value {
                return Err(syn::Error::new_spanned(
                    value,
                    "a stanza takes no value: write `added`, and the stanza is absent in objects that never had one",
                ));
            }
            Ok(())
        }
        "renamed_from" => Err(syn::Error::new_spanned(
            key,
            "a stanza can't be renamed: if its fields come from another stanza, write `#[versioned(added)]` here, and `removed(…)` and \
             `moved(…)` on the variant",
        )),
        "with" => Err(syn::Error::new_spanned(
            key,
            "a stanza as a whole can't be converted: write `with` on the fields of its type",
        )),
        "validation" => Err(syn::Error::new_spanned(
            key,
            "a rule can't be on a stanza: write it on the stanza's type, or on the variant, where `self` is the whole object",
        )),
        "nullable" => Err(syn::Error::new_spanned(
            key,
            "a stanza is never null: for the fields of its type, write `nullable = false` on the type",
        )),
        _ => Err(Place::Stanza.unknown(key)),
    });
    let key = added.key().cloned()?;
    Some((key, added.take().unwrap_or_default()))
}

fn scale(cx: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Option<Scale>> {
    const HOW: &str = "write `scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\")`";
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, HOW));
    }
    let before = cx.count();
    let (mut spec, mut status, mut selector) = (Once::default(), Once::default(), Once::default());
    parenthesized(input, |content| {
        items(cx, content, |key, input| {
            match key.to_string().as_str() {
                "spec_replicas_path" => spec.set(cx, key, text(key, input)?),
                "status_replicas_path" => status.set(cx, key, text(key, input)?),
                "label_selector_path" => selector.set(cx, key, text(key, input)?),
                _ => {
                    return Err(unknown(key, "`scale`", Inside::Scale.items()));
                }
            }
            Ok(())
        });
        Ok(())
    })?;
    match (spec.take(), status.take()) {
        (Some(spec_replicas), Some(status_replicas)) => {
            Ok(Some(Scale { spec_replicas, status_replicas, label_selector: selector.take() }))
        }
        // An item that couldn't be read isn't missing.
        _ if cx.count() > before => Ok(None),
        _ => Err(syn::Error::new_spanned(key, HOW)),
    }
}

fn printer_column(
    cx: &Ctxt,
    key: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<Option<PrinterColumn>> {
    const HOW: &str = "write `printer_column(name = \"Age\", type = \"date\", json_path = \".metadata.creationTimestamp\")`";
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(key, HOW));
    }
    let before = cx.count();
    let (mut name, mut ty, mut json_path) = (Once::default(), Once::default(), Once::default());
    let (mut format, mut description) = (Once::default(), Once::default());
    let mut priority = Once::default();
    parenthesized(input, |content| {
        items(cx, content, |key, input| {
            match key.unraw().to_string().as_str() {
                "name" => name.set(cx, key, text(key, input)?),
                "type" => ty.set(cx, key, text(key, input)?),
                "json_path" => json_path.set(cx, key, text(key, input)?),
                "format" => format.set(cx, key, text(key, input)?),
                "description" => description.set(cx, key, text(key, input)?),
                "priority" => {
                    input.parse::<Token![=]>()?;
                    let number = input.parse::<LitInt>().and_then(|number| number.base10_parse());
                    let number = number.map_err(|error| {
                        syn::Error::new(
                            error.span(),
                            "`priority` takes a number: write `priority = 1`",
                        )
                    })?;
                    priority.set(cx, key, number);
                }
                _ => {
                    return Err(unknown(key, "`printer_column`", Inside::PrinterColumn.items()));
                }
            }
            Ok(())
        });
        Ok(())
    })?;
    match (name.take(), ty.take(), json_path.take()) {
        (Some(name), Some(ty), Some(json_path)) => Ok(Some(PrinterColumn {
            name,
            ty,
            json_path,
            format: format.take(),
            description: description.take(),
            priority: priority.take(),
        })),
        // An item that couldn't be read isn't missing.
        _ if cx.count() > before => Ok(None),
        _ => Err(syn::Error::new_spanned(key, HOW)),
    }
}
