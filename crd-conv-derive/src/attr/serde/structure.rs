//! Reads serde's attributes on a struct and on named fields.

use syn::{Attribute, LitStr, Path, spanned::Spanned};

use super::{Names, both_ways, case, default, each, quoted, refuse, rest, schema_rename_all};
use crate::{
    case::Case,
    ctxt::Ctxt,
    model::{Codec, Default},
};

/// Attributes of a struct, or of the fields of a variant.
#[derive(Clone)]
pub(crate) struct Container {
    pub(crate) rename_all: Case,
    /// Schemars' own `rename_all`, with its tokens.
    pub(crate) schema_rename_all: Option<(LitStr, Case)>,
    pub(crate) default: Option<Default>,
}

/// Attributes of a field.
pub(crate) struct Field {
    pub(crate) rename: Option<String>,
    /// Schemars' own name for the field.
    pub(crate) schema_rename: Option<LitStr>,
    pub(crate) default: Option<Default>,
    pub(crate) codec: Codec,
    pub(crate) skip_if: Option<Path>,
    pub(crate) alias: Option<Path>,
    /// Whether serde skips the field in both directions.
    pub(crate) skip: bool,
    /// Whether the fields inside this one are next to the other fields in JSON.
    pub(crate) flatten: bool,
    /// The items that serde ignores on a flattened field.
    pub(crate) named: Vec<Path>,
}

pub(crate) fn container(cx: &Ctxt, attrs: &[Attribute]) -> Container {
    let mut container =
        Container { rename_all: Case::Unchanged, schema_rename_all: None, default: None };
    each(attrs, "serde", |name, meta| {
        match name {
            "rename_all" => {
                if let Some(case) = case(cx, meta, "field", name)? {
                    container.rename_all = case;
                }
            }
            "default" => container.default = Some(default(meta)?),
            "transparent" => refuse(
                cx,
                meta,
                "`#[serde(transparent)]` isn't supported on a versioned struct, which must be an object in JSON: derive `Versioned` only \
                 on the struct that has a field of this type",
            ),
            "from" | "into" | "try_from" | "remote" => refuse(
                cx,
                meta,
                &format!(
                    "`#[serde({name} = …)]` isn't supported on a versioned struct: its own fields then aren't in JSON"
                ),
            ),
            "tag" | "content" | "untagged" => refuse(
                cx,
                meta,
                &format!(
                    "`#[serde({name})]` isn't supported on a versioned struct: mappings don't cover fields that serde adds; write a field \
                     instead"
                ),
            ),
            _ => {}
        }
        rest(meta)
    });
    container.schema_rename_all = schema_rename_all(attrs, "rename_all");
    container
}

pub(crate) fn field(cx: &Ctxt, attrs: &[Attribute]) -> Field {
    let mut field = Field {
        rename: None,
        schema_rename: None,
        default: None,
        codec: Codec::Type,
        skip_if: None,
        alias: None,
        skip: false,
        flatten: false,
        named: Vec::new(),
    };
    let (mut serialize, mut deserialize) = (None, None);
    let (mut skip_serializing, mut skip_deserializing) = (None, None);
    each(attrs, "serde", |name, meta| {
        if ["rename", "alias", "with", "serialize_with", "deserialize_with"].contains(&name) {
            field.named.push(meta.path.clone());
        }
        match name {
            "rename" => {
                let names = Names::read(meta)?;
                field.rename = names
                    .one(cx, meta, "field", "rename")
                    .map(LitStr::value)
                    .or(field.rename.take());
            }
            "default" => field.default = Some(default(meta)?),
            "skip" => field.skip = true,
            "skip_serializing" => skip_serializing = Some(meta.path.clone()),
            "skip_deserializing" => skip_deserializing = Some(meta.path.clone()),
            "skip_serializing_if" => field.skip_if = Some(quoted(meta)?),
            "alias" => field.alias = Some(meta.path.clone()),
            "with" => {
                let module = quoted(meta)?;
                let function = |name: &str| {
                    let mut path = module.clone();
                    path.segments.push(syn::Ident::new(name, module.span()).into());
                    path
                };
                field.codec = Codec::Functions {
                    serialize: function("serialize"),
                    deserialize: function("deserialize"),
                };
            }
            "serialize_with" => serialize = Some((meta.path.clone(), quoted(meta)?)),
            "deserialize_with" => deserialize = Some((meta.path.clone(), quoted(meta)?)),
            "flatten" => field.flatten = true,
            "borrow" => refuse(
                cx,
                meta,
                "`#[serde(borrow)]` isn't supported in a versioned struct: use a type that owns its data",
            ),
            "getter" => {
                refuse(cx, meta, "`#[serde(getter)]` isn't supported in a versioned struct");
            }
            _ => {}
        }
        rest(meta)
    });
    each(attrs, "schemars", |name, meta| {
        if name == "rename" {
            field.schema_rename = Names::read(meta)?.serialize;
        }
        rest(meta)
    });
    match (serialize, deserialize) {
        (Some((_, serialize)), Some((_, deserialize))) => {
            field.codec = Codec::Functions { serialize, deserialize };
        }
        (Some((key, _)), None) if matches!(field.codec, Codec::Type) => {
            cx.error(key, "a converted object must be read back as it was written: write `deserialize_with` too");
        }
        (None, Some((key, _))) if matches!(field.codec, Codec::Type) => {
            cx.error(key, "a converted object must be read back as it was written: write `serialize_with` too");
        }
        _ => {}
    }
    field.skip |= both_ways(cx, "field", field.skip, skip_serializing, skip_deserializing);
    field
}
